"""Terms and triples: immutable values that compare by what they say (RDF 1.1 concepts, section 3).

Literals compare lexically, as RDF term equality demands; numbers are compared by value only in builtins.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from agent.vocab import RDF, XSD

XSD_STRING = XSD + "string"
XSD_BOOLEAN = XSD + "boolean"
XSD_INTEGER = XSD + "integer"
XSD_DECIMAL = XSD + "decimal"
XSD_DOUBLE = XSD + "double"
XSD_DATETIME = XSD + "dateTime"
LANG_STRING = RDF + "langString"


@dataclass(frozen=True, slots=True)
class IRI:
    """An absolute IRI, compared as a string of code points."""

    value: str


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node; ``scope`` is the document, formula or rule it belongs to, ``label`` its name in there."""

    label: str
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal; plain literals carry xsd:string, tagged ones rdf:langString and a lower-case language."""

    lexical: str
    datatype: str = XSD_STRING
    language: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a rule, without its question mark."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ListTerm:
    """A list of a rule as one term; data keep rdf:first and rdf:rest.

    The hash is taken once and equality needs no recursion, because hostile texts nest thousands of levels deep.
    """

    items: "tuple[Term, ...]"
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(("list", self.items)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListTerm) and _are_equal(self, other)


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A quoted formula: triples in the order of the text; hash and equality are those of ``ListTerm``."""

    triples: "tuple[Triple, ...]"
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(("formula", self.triples)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and _are_equal(self, other)


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
            case (Formula(triples), Formula(others)):
                if hash(left) != hash(right) or len(triples) != len(others):
                    return False
                for mine, theirs in zip(triples, others, strict=True):
                    pending.extend(zip(mine, theirs, strict=True))
            case _:
                if left != right:
                    return False
    return True


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
