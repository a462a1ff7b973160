"""Terms and triples: immutable values that compare by what they say (RDF 1.1 concepts, section 3).

Literals compare lexically, as RDF term equality demands; numbers are compared by value only in builtins.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class ListTerm:
    """A list of a rule as one term; data keep rdf:first and rdf:rest."""

    items: "tuple[Term, ...]"


@dataclass(frozen=True, slots=True)
class Formula:
    """A quoted formula: triples in the order of the text."""

    triples: "tuple[Triple, ...]"


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
