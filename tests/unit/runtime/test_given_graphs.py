"""rdflib graphs go in and come out unchanged, but for what they cannot hold."""

import rdflib
from rdflib.compare import isomorphic

from agent.rdf.terms import IRI, Formula, Literal, Triple
from agent.runtime.graphs import read_graph, to_graph

TURTLE = """
@prefix : <http://example.org/> .
:a :b :c , "text" , "Text"@en , 01 , 1.50 , _:x .
_:x :list ( 1 2 ) .
"""


def test_a_graph_survives_the_way_in_and_out() -> None:
    graph = rdflib.Graph().parse(data=TURTLE, format="turtle")

    assert isomorphic(to_graph(read_graph(graph)), graph)


def test_what_rdflib_cannot_hold_is_left_out() -> None:
    a, b = IRI("http://example.org/a"), IRI("http://example.org/b")

    graph = to_graph(
        [Triple(a, b, a), Triple(a, b, Formula(())), Triple(Literal("x"), b, a), Triple(a, Literal("x"), a)]
    )

    assert list(graph) == [(rdflib.URIRef(a.value), rdflib.URIRef(b.value), rdflib.URIRef(a.value))]
