"""The names that random programs are drawn from, few enough to meet often."""

from agent.errors import Place
from agent.n3.program import Pattern
from agent.rdf.terms import IRI, XSD_DECIMAL, XSD_INTEGER, Literal, Term, Triple, Variable

NOWHERE = Place("random.n3")


def integer(value: int) -> Literal:
    """Return an xsd:integer."""
    return Literal(str(value), XSD_INTEGER)


DOCUMENTS = [f"http://w.example/d{number}" for number in range(3)]
THINGS: list[Term] = [*(IRI(uri) for uri in DOCUMENTS), IRI(DOCUMENTS[0] + "#a"), IRI(DOCUMENTS[1] + "#b")]
VALUES: list[Term] = [integer(0), integer(1), integer(2), Literal("2.0", XSD_DECIMAL), Literal("a")]
PREDICATES: list[Term] = [IRI(f"http://w.example/v#p{number}") for number in range(3)]
VARIABLES = [Variable(name) for name in "xyzw"]
# Variables come often, because constants make most joins empty.
OPEN: list[Term] = list(VARIABLES)


def pattern(subject: Term, predicate: Term, object_: Term) -> Pattern:
    """Return a pattern of no particular place."""
    return Pattern(Triple(subject, predicate, object_), NOWHERE)
