"""What a patch asks for, whatever its language: patterns to find, to delete and to insert.

The terms of patterns are texts: ``<iri>`` and ``"literal"`` as they stand in stored lines, ``?name`` a variable, ``_:name``
a new blank node. In ``where`` a blank node is a variable without a name (``findable``).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, RdfFormat, Triple, parse

from ldp_server.documents import Terms, too_complex
from ldp_server.faults import Problem
from ldp_server.guards import parser_reason
from ldp_server.patching.tokens import Variables
from ldp_server.settings import Settings

Pattern = tuple[str, str, str]


class Edit(Struct, frozen=True):
    """One step of a patch: find ``where``, delete ``deletes``, then insert ``inserts``.

    A ``strict`` one (N3 Patch) wants exactly one solution of its variables and all it deletes to be there; another one
    (SPARQL Update) is done for every solution, and what it deletes may be missing.
    """

    where: tuple[Pattern, ...] = ()
    deletes: tuple[Pattern, ...] = ()
    inserts: tuple[Pattern, ...] = ()
    strict: bool = False


class Update(Struct, frozen=True):
    """What a client asks for: ``edits``, or None if only an engine for SPARQL can carry out the ``text``."""

    text: str
    edits: tuple[Edit, ...] | None


class Formulas(Struct, frozen=True):
    """A text of Notation3: its own triples, and those of each formula by the term that stands for it."""

    triples: tuple[Pattern, ...]
    formulas: dict[str, tuple[Pattern, ...]]


def malformed_patch(reason: str, line: int | None = None) -> Problem:
    """Return the problem for a patch that does not follow the grammar of its language."""
    where = "" if line is None else f"Line {line}: "
    return Problem("LDP070", f"{where}{reason}", members={} if line is None else {"line": line})


def read_formulas(text: str, variables: Variables, uri: str, settings: Settings) -> Formulas:
    """Return the triples of a text of Notation3 that belongs to the document at ``uri``, or raise LDP070 or LDP007.

    The parser knows formulas and takes no variables, so in ``text`` an IRI of ``variables`` stands for each.
    """
    terms = Terms(uri, settings)
    found: dict[str, list[Pattern]] = defaultdict(list)
    own: list[Pattern] = []
    count = size = 0
    try:
        for quad in parse(text, RdfFormat.N3, base_iri=uri):
            pattern = (
                _term(quad.subject, terms, variables),
                _term(quad.predicate, terms, variables),
                _term(quad.object, terms, variables),
            )
            count += 1
            size += sum(map(len, pattern))
            if count > settings.max_triples or size > settings.max_stored:
                raise too_complex(
                    f"the patch, written out, has more than {settings.max_triples} triples or {settings.max_stored} characters"
                )
            graph = quad.graph_name
            (own if isinstance(graph, DefaultGraph) else found[str(graph)]).append(pattern)
    except SyntaxError as error:
        raise malformed_patch(f"{parser_reason(variables.shown(str(error.msg)))}.", error.lineno) from None
    except ValueError as error:
        raise malformed_patch(f"{variables.shown(str(error))}.") from None
    return Formulas(tuple(own), {name: tuple(patterns) for name, patterns in found.items()})


def read_lines(lines: Iterable[str], uri: str, settings: Settings) -> list[Pattern]:
    """Return the triples of lines of N-Triples as they are stored in the document at ``uri``, or raise LDP070 or LDP007."""
    terms, variables = Terms(uri, settings), Variables()
    return [
        (
            _term(quad.subject, terms, variables),
            _term(quad.predicate, terms, variables),
            _term(quad.object, terms, variables),
        )
        for quad in parse("\n".join(lines), RdfFormat.N_TRIPLES)
    ]


def _term(term: NamedNode | BlankNode | Literal | Triple, terms: Terms, variables: Variables) -> str:
    if isinstance(term, BlankNode):
        return str(term)
    if isinstance(term, NamedNode):
        if term.value.startswith(variables.marker):
            return variables.found(term.value)
        text = str(terms.iri(term))
    elif isinstance(term, Literal):
        text = str(terms.literal(term))
    else:
        raise malformed_patch("triple terms (RDF 1.2) are not stored here.")
    if variables.marker in text:
        raise malformed_patch(f"a variable cannot be part of the term {variables.shown(text)[:100]}.")
    return text


def findable(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """Return patterns for ``where``: a blank node becomes a variable that no patch can name."""
    return tuple(
        (_findable(subject), _findable(predicate), _findable(item)) for subject, predicate, item in patterns
    )


def _findable(term: str) -> str:
    return f"?:{term}" if is_blank(term) else term


def is_variable(term: str) -> bool:
    """Tell whether a term of a pattern stands for another one."""
    return term[0] == "?"


def is_blank(term: str) -> bool:
    """Tell whether a term is a blank node."""
    return term.startswith("_:")


def triple_of(line: str) -> Pattern:
    """Return the triple that a stored line says."""
    subject, predicate, rest = line.split(" ", 2)
    return subject, predicate, rest[:-2]
