"""``log:`` builtins between formulas, terms and texts. Sources: the log vocabulary of the community group, and cwm."""

from collections.abc import Iterable

from agent.errors import ProgramError
from agent.n3.builtins.characters import MAX_CHARACTERS
from agent.n3.builtins.registry import Context, function
from agent.n3.document import write_statements
from agent.n3.iris import is_absolute
from agent.n3.parser import parse
from agent.rdf.digests import digest_of
from agent.rdf.matching import renamed
from agent.rdf.terms import (
    IRI,
    XSD_STRING,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    put_together,
    spelled_node,
    spelling,
)
from agent.vocab import LOG, SKOLEM

MOST_PARTS = 100_000
_DIGITS = 32


@function(LOG + "skolem")
def skolem(subject: Term, context: Context) -> IRI | None:
    """Return an IRI for a term, mostly a list of what it depends on: always the same one for equal terms.

    Its last segment is the first 32 hexadecimal digits of a SHA-256 of the term. Source: RDF 1.1, section 3.5, for
    what such IRIs are for. A term of more than 100,000 parts has none.
    """
    if not _is_small(subject):
        return None
    return IRI(SKOLEM + digest_of(spelling(subject), _DIGITS))


@function(LOG + "n3String")
def n3_string(subject: Term, context: Context) -> Literal | None:
    """Return the triples of a formula in Notation3, without prefixes, the same text for equal formulas.

    Its blank nodes are numbered in the order of the text. Formulas of more than 100,000 parts have no text.
    """
    if not isinstance(subject, Formula) or not _is_small(subject):
        return None
    ordered = _in_order(subject)
    text = write_statements(ordered.triples) if isinstance(ordered, Formula) else ""
    return Literal(text) if len(text) <= MAX_CHARACTERS else None


@function(LOG + "parsedAsN3")
def parsed_as_n3(subject: Term, context: Context) -> Formula | None:
    """Return the formula that a text in Notation3 states; a text with a fault has none.

    Relative references are resolved against the first program; a text that has some states nothing where programs
    have no place. Terms that stand alone are left out.
    """
    if not isinstance(subject, Literal) or subject.datatype != XSD_STRING:
        return None
    if len(subject.lexical) > MAX_CHARACTERS:
        return None
    try:
        parsed = parse(subject.lexical, source="text", base=context.base)
    except ProgramError:
        return None
    triples = [statement.triple for statement in parsed.statements]
    return _quoted(triples, context.base, subject.lexical)


def _quoted(triples: list[Triple], base: str, text: str) -> Formula | None:
    """Return the formula of ``triples``, all blank nodes that the text names being its own, if all its IRIs are absolute."""
    scope = digest_of(text, _DIGITS)
    names: dict[BlankNode, Term] = {}
    pending: list[Term] = [part for triple in triples for part in triple]
    while pending:
        part = pending.pop()
        if isinstance(part, BlankNode):
            inner = part.scope.removeprefix(base) or "{0}"
            names[part] = BlankNode(part.label, scope + inner)
        elif isinstance(part, IRI) and not is_absolute(part.value):
            return None
        pending += _inside(part)
    return Formula(tuple(Triple(*(renamed(part, names) for part in triple)) for triple in triples))


def _inside(part: Term) -> Iterable[Term]:
    match part:
        case ListTerm(items):
            return items
        case Formula(triples):
            return (each for triple in triples for each in triple)
        case _:
            return ()


def _is_small(term: Term) -> bool:
    """Tell whether ``term`` has at most ``MOST_PARTS`` parts, those that stand in several places counted there."""
    pending = [term]
    for _ in range(MOST_PARTS):
        if not pending:
            return True
        pending += _inside(pending.pop())
    return False


def _in_order(formula: Formula) -> Term:
    """Return a formula equal to ``formula`` whose triples stand in an order that all equal formulas share."""
    results: list[Term] = []
    pending: list[tuple[Term, bool]] = [(formula, False)]
    while pending:
        part, is_read = pending.pop()
        if is_read:
            put_together(part, results)
            if isinstance(results[-1], Formula):
                results[-1] = _sorted(results[-1])
        elif isinstance(part, ListTerm | Formula):
            pending.append((part, True))
            pending += [(each, False) for each in reversed(list(_inside(part)))]
        else:
            results.append(part)
    return results.pop()


def _sorted(formula: Formula) -> Formula:
    numbers = formula.own_nodes

    def name(node: BlankNode) -> str:
        return f"_:{numbers[node]}" if node in numbers else spelled_node(node)

    def key(triple: Triple) -> list[str]:
        return [spelling(part, name, frozenset(numbers)) for part in triple]

    return Formula(tuple(sorted(dict.fromkeys(formula.triples), key=key)))
