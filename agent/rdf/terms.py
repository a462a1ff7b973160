"""Terms and triples: immutable values that compare by what they say (RDF 1.1 concepts, section 3).

Literals compare lexically, as RDF term equality demands; numbers are compared by value only in builtins. Formulas
compare as graphs (ADR 0111).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from agent.rdf.digests import digest_of
from agent.rdf.naming import Line, named_lines
from agent.vocab import RDF, XSD

XSD_STRING = XSD + "string"
XSD_BOOLEAN = XSD + "boolean"
XSD_INTEGER = XSD + "integer"
XSD_DECIMAL = XSD + "decimal"
XSD_DOUBLE = XSD + "double"
XSD_DATETIME = XSD + "dateTime"
LANG_STRING = RDF + "langString"


class IRI(Struct, frozen=True, gc=False):  # as it holds texts only, no search for garbage has to look at it
    """An absolute IRI, compared as a string of code points."""

    value: str


class BlankNode(Struct, frozen=True, gc=False):
    """A blank node; ``scope`` is the document, formula or rule it belongs to, ``label`` its name in there."""

    label: str
    scope: str = ""

    @property
    def is_quoted(self) -> bool:
        """Tell whether it was written inside a formula and means something in there only."""
        return self.scope.endswith("}")


class Literal(Struct, frozen=True, gc=False):
    """A literal; plain literals carry xsd:string, tagged ones rdf:langString and a lower-case language."""

    lexical: str
    datatype: str = XSD_STRING
    language: str = ""


class Variable(Struct, frozen=True, gc=False):
    """A variable of a rule, without its question mark."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ListTerm:
    """A list of a rule as one term; data keep rdf:first and rdf:rest, and an empty list inside is rdf:nil.

    The hash is taken once and equality needs no recursion, because hostile texts nest thousands of levels deep.
    """

    items: "tuple[Term, ...]"
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if any(isinstance(item, ListTerm) and not item.items for item in self.items):
            plain = tuple(
                RDF_NIL if isinstance(item, ListTerm) and not item.items else item for item in self.items
            )
            object.__setattr__(self, "items", plain)
        object.__setattr__(self, "_hash", hash(("list", self.items)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListTerm) and _are_equal(self, other)


class _Identity(Struct, frozen=True):
    """What makes a formula the same as others.

    ``digest`` is that of its triples whatever their order and the names of its blank nodes; ``names`` numbers the
    blank nodes of its own, ``quoted`` are those and the ones of the formulas inside it; ``is_open`` tells whether
    there is a variable somewhere inside.
    """

    digest: str
    names: "Mapping[BlankNode, int]"
    quoted: frozenset[BlankNode]
    is_open: bool


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A quoted formula: triples in the order of the text, compared as a graph.

    Neither order nor repetition count, nor what its own blank nodes (``BlankNode.is_quoted``) are called. Beyond
    a bound, in large symmetric formulas, equal graphs may count as different, never different ones as equal.
    """

    triples: "tuple[Triple, ...]"
    _identity: _Identity | None = field(init=False, default=None, repr=False)

    @property
    def digest(self) -> str:
        """Return a text that equal formulas share, and no others."""
        return _identity(self).digest

    @property
    def own_nodes(self) -> "Mapping[BlankNode, int]":
        """Return the blank nodes of its own, with numbers that are the same in all equal formulas."""
        return _identity(self).names

    @property
    def is_open(self) -> bool:
        """Tell whether a variable stands in it, however deep."""
        return _identity(self).is_open

    def __hash__(self) -> int:
        return hash(_identity(self).digest)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Formula) and _identity(self).digest == _identity(other).digest


Term: TypeAlias = IRI | BlankNode | Literal | Variable | ListTerm | Formula


class Triple(NamedTuple):
    """A triple or, with variables inside, a pattern; any term may stand anywhere (generalised RDF)."""

    subject: Term
    predicate: Term
    object: Term


TRUE = Literal("true", XSD_BOOLEAN)
FALSE = Literal("false", XSD_BOOLEAN)
RDF_TYPE = IRI(RDF + "type")
RDF_FIRST = IRI(RDF + "first")
RDF_REST = IRI(RDF + "rest")
RDF_NIL = IRI(RDF + "nil")


def document_of(iri: str) -> str:
    """Return ``iri`` without its fragment: the document that a request for it asks for."""
    return iri.partition("#")[0]


def _are_equal(one: Term, other: Term) -> bool:
    pending = [(one, other)]
    while pending:
        left, right = pending.pop()
        if left is right:
            continue
        match left, right:
            case (ListTerm(items), ListTerm(others)):
                if hash(left) != hash(right) or len(items) != len(others):
                    return False
                pending.extend(zip(items, others, strict=True))
            case _:
                if left != right:
                    return False
    return True


_MOST_TRIALS = 64
_MOST_VISITS = 40_000


def _identity(formula: Formula) -> _Identity:
    """Return the identity of ``formula``, found once; those of the formulas inside it come first."""
    known = formula._identity
    if known is not None:
        return known
    pending = [formula]
    while pending:
        part = pending[-1]
        unknown = [] if part._identity else [each for each in _inner(part) if not each._identity]
        pending.extend(unknown)
        if not unknown:
            pending.pop()
            if part._identity is None:
                object.__setattr__(part, "_identity", _identified(part))
    found = formula._identity
    assert found is not None  # noqa: S101  the loop ends with it
    return found


def _inner(formula: Formula) -> Iterator[Formula]:
    """Yield the formulas in the triples and lists of ``formula``, but not those inside other ones."""
    pending: list[Term] = [part for triple in formula.triples for part in triple]
    while pending:
        part = pending.pop()
        if isinstance(part, Formula):
            yield part
        elif isinstance(part, ListTerm):
            pending.extend(part.items)


def _identified(formula: Formula) -> _Identity:
    quoted: set[BlankNode] = set()
    own: set[BlankNode] = set()
    is_open = False
    pending: list[Term] = [part for triple in formula.triples for part in triple]
    while pending:
        part = pending.pop()
        if isinstance(part, ListTerm):
            pending.extend(part.items)
        elif isinstance(part, BlankNode) and part.scope.endswith("}"):
            own.add(part)
        elif isinstance(part, Variable):
            is_open = True
        elif isinstance(part, Formula):
            inner = _identity(part)
            quoted |= inner.quoted
            is_open = is_open or inner.is_open
    if own:
        lines = [_line(triple, own) for triple in formula.triples]
        texts, names = named_lines(lines, _MOST_TRIALS, _MOST_VISITS)
        numbers = {node: number for node, number in names.items() if isinstance(node, BlankNode)}
    else:
        texts = sorted({" ".join(map(spelling, triple)) for triple in formula.triples})
        numbers = {}
    digest = digest_of("\n".join(texts), 32)
    return _Identity(digest, numbers, frozenset(quoted | own), is_open)


def _line(triple: "Triple", own: set[BlankNode]) -> Line:
    nodes: list[BlankNode] = []

    def hole(node: BlankNode) -> str:
        if node not in own:
            return spelled_node(node)
        nodes.append(node)
        return "\0"

    text = " ".join(spelling(part, hole, own) for part in triple)
    return Line(tuple(text.split("\0")), tuple(nodes))


def spelled_node(node: BlankNode) -> str:
    """Return the text of a blank node in ``spelling``."""
    return f"_:{node.label!r}{node.scope!r}"


def spelling(
    term: "Term",
    node_text: Callable[[BlankNode], str] = spelled_node,
    shared: "set[BlankNode] | frozenset[BlankNode]" = frozenset(),
) -> str:
    """Return a text that differs for different terms, and is the same for equal ones.

    A formula is its digest, unless blank nodes that are ``shared`` with what is around stand in it.
    """
    if isinstance(term, IRI):
        return f"<{term.value!r}>"
    spelled: list[str] = []
    pending: list[Term | str] = [term]
    while pending:
        part = pending.pop()
        match part:
            case str():
                spelled.append(part)
            case IRI(value):
                spelled.append(f"<{value!r}>")
            case Literal(lexical, datatype, language):
                spelled.append(repr((lexical, datatype, language)))
            case BlankNode():
                spelled.append(node_text(part))
            case Variable(name):
                spelled.append(f"?{name!r}")
            case ListTerm(items):
                pending += [")", *reversed(items), "("]
            case Formula(triples):
                identity = _identity(part)
                if identity.quoted.isdisjoint(shared):
                    spelled.append(f"{{{identity.digest}}}")
                else:
                    pending += [
                        "}",
                        *(item for triple in reversed(triples) for item in reversed(triple)),
                        "{",
                    ]
    return " ".join(spelled)


def variables_of(terms: Iterable[Term]) -> Iterator[str]:
    """Yield the names of the variables in ``terms``, also inside lists and formulas, with repetitions."""
    pending = list(terms)[::-1]
    while pending:
        term = pending.pop()
        match term:
            case Variable(name):
                yield name
            case ListTerm(items):
                pending.extend(reversed(items))
            case Formula(triples):
                pending.extend(part for triple in reversed(triples) for part in reversed(triple))
            case _:
                pass


def put_together(part: Term, results: list[Term]) -> None:
    """Replace the parts at the end of ``results`` by the list or formula like ``part`` that they make up."""
    if isinstance(part, ListTerm):
        start = len(results) - len(part.items)
        results[start:] = [ListTerm(tuple(results[start:]))]
    elif isinstance(part, Formula):
        start = len(results) - 3 * len(part.triples)
        parts = iter(results[start:])
        results[start:] = [Formula(tuple(Triple(*each) for each in zip(parts, parts, parts, strict=True)))]
