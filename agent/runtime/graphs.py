"""rdflib graphs at the edge: what callers hand in, and what they get back."""

from collections.abc import Iterable

import rdflib

from agent.rdf.rdflib_terms import from_rdflib, to_rdflib
from agent.rdf.terms import IRI, Literal, Triple

SCOPE = "given graph"


def read_graph(graph: rdflib.Graph) -> tuple[Triple, ...]:
    """Return the triples of ``graph``; its blank nodes stay apart from those of documents."""
    return tuple(Triple(*(from_rdflib(term, SCOPE) for term in triple)) for triple in graph)


def to_graph(triples: Iterable[Triple]) -> rdflib.Graph:
    """Return a graph of the triples that plain RDF can hold; the others are left out."""
    graph = rdflib.Graph()
    for triple in triples:
        if isinstance(triple.subject, Literal) or not isinstance(triple.predicate, IRI):
            continue
        try:
            subject, predicate, object_ = map(to_rdflib, triple)
        except ValueError:
            continue
        graph.add((subject, predicate, object_))
    return graph
