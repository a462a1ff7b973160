"""Triples as one value with each term once, and how quads of pyoxigraph become one."""

from typing import cast

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.rdf.convert import OxTerm, from_ox, from_ox_quads
from agent.rdf.documents import parse_document
from agent.rdf.plain_lines import cut_plain_lines
from agent.rdf.serialise import to_ntriples
from agent.rdf.statements import Grouped, Statements, statements_of
from agent.rdf.terms import IRI, RDF_NIL, BlankNode, ListTerm, Literal, Triple
from agent.reason.facts import TermTable
from tests.support.depth import depth

A, B, P = IRI("http://t.example/a"), IRI("http://t.example/b"), IRI("http://t.example/p")
THREE = (Triple(A, P, B), Triple(B, P, A), Triple(A, P, Literal("one")))

# Only like this does pyoxigraph leave the case of languages alone.
AS_WRITTEN = """{"@id": "http://t.example/a", "http://t.example/p": [
    {"@value": "1", "@language": "en-GB"}, {"@value": "1", "@language": "EN-gb"}]}"""

names = st.sampled_from([ox.NamedNode(f"http://t.example/{name}") for name in "abp"])
nodes = st.sampled_from([ox.BlankNode(label) for label in ("x", "y", "b0")])
literals = st.sampled_from(
    [
        ox.Literal("1"),
        ox.Literal("1", datatype=ox.NamedNode("http://t.example/a")),
        ox.Literal("1", language="en"),
        *(quad.object for quad in ox.parse(AS_WRITTEN, ox.RdfFormat.JSON_LD, lenient=True)),
    ]
)
quoted = st.builds(lambda name, node: ox.Triple(name, name, node), names, nodes)
quads = st.builds(
    ox.Quad,
    st.one_of(names, nodes),
    names,
    st.one_of(names, nodes, literals, quoted),
    names,
)


def one_by_one(given_quads: list[ox.Quad]) -> tuple[tuple[Triple, ...], list[ox.Quad]]:
    """Return what ``from_ox_quads`` has to give, and the quads that it has to refuse."""
    labels: dict[str, BlankNode] = {}
    triples: dict[Triple, None] = {}
    refused = []
    for quad in given_quads:
        try:
            s, p, o = (from_ox(cast("OxTerm", term), "d", labels) for term in quad.triple)
            triples[Triple(s, p, o)] = None
        except ValueError:
            refused.append(quad)
    return tuple(triples), refused


def cut_statements(said: list[Triple]) -> Statements:
    """Return what plain lines say of ``said``, as cutting them gives it."""
    cut = cut_plain_lines(to_ntriples(said).encode(), "d", len(said))
    assert cut is not None
    return cut


def test_statements_read_like_a_sequence_of_triples() -> None:
    said = statements_of(THREE)
    assert (len(said), tuple(said), said[1], said[-1]) == (3, THREE, THREE[1], THREE[2])
    assert tuple(said[1:]) == THREE[1:]
    assert isinstance(said[1:], Statements)
    assert THREE[1] in said
    assert len(said.terms) == 4


def test_rows_by_predicate_read_like_a_sequence_of_rows() -> None:
    first, second = (3, [0, 1, 0], [1, 2, 2]), (4, [0], [1])
    rows = Grouped((first, second), (first, second, first, first))
    listed = [(0, 3, 1), (0, 4, 1), (1, 3, 2), (0, 3, 2)]
    assert (len(rows), list(rows), rows[1], rows[-1]) == (4, listed, listed[1], listed[3])
    assert list(rows[1:3]) == listed[1:3]
    again = rows.renumbered((7, 5, 6, 0, 9))
    assert list(again) == [(7, 0, 5), (7, 9, 5), (5, 0, 6), (7, 0, 6)]


def test_statements_are_equal_when_they_say_the_same_in_the_same_order() -> None:
    said, again = (
        statements_of(THREE),
        Statements((P, Literal("one"), B, A), ((3, 0, 2), (2, 0, 3), (3, 0, 1))),
    )
    assert said == again
    assert hash(said) == hash(again)
    assert said != statements_of(reversed(THREE))
    assert said != THREE


@given(st.lists(quads, max_size=25))
@settings(max_examples=depth(100, 2000), deadline=None)
def test_quads_become_what_their_terms_become_one_by_one(given_quads: list[ox.Quad]) -> None:
    refused: list[ox.Quad] = []
    said = from_ox_quads(given_quads, "d", lambda quad, _: refused.append(quad))
    assert (tuple(said), refused) == one_by_one(given_quads)
    assert len(set(said.terms)) == len(said.terms)
    assert len(set(said.rows)) == len(said.rows)


plain = [*(IRI(f"http://t.example/{number}") for number in range(12)), Literal("http://t.example/1"), RDF_NIL]
plain_triples = st.builds(Triple, *[st.sampled_from(plain)] * 3)
any_triples = st.builds(Triple, *[st.sampled_from([*plain, ListTerm(()), ListTerm((A, B))])] * 3)
documents = st.one_of(
    st.lists(plain_triples, max_size=9).map(statements_of),
    st.lists(any_triples, max_size=4).map(statements_of),
    st.lists(plain_triples, max_size=9).map(cut_statements),
)


@given(st.lists(documents, max_size=5))
@settings(max_examples=depth(150, 3000), deadline=None)
def test_statements_get_the_numbers_of_their_triples(given_documents: list[Statements]) -> None:
    table = TermTable()
    for said in given_documents:
        rows = list(table.intern_all(said))
        assert [tuple(table.terms[number] for number in row) for row in rows] == [
            tuple(RDF_NIL if part == ListTerm(()) else part for part in triple) for triple in said
        ]
        assert table.intern_all(tuple(said)) == rows
        assert len(set(table.terms)) == len(table.terms)
        assert [table.find(term) for term in table.terms] == list(range(len(table.terms)))


def test_a_text_that_breaks_after_good_statements_is_read_again_without_the_bad_one() -> None:
    body = b"_:x <http://p> 1 .\n<http://a> <http://p> [] .\n<http://a> <bad iri> 2 .\n_:x <http://p> 3 .\n"
    document = parse_document(body, "text/turtle", "http://d/", strict=False)
    assert [
        str(triple.object) for triple in document.triples if triple.subject == BlankNode("b0", "http://d/")
    ] == [str(Literal(lexical, "http://www.w3.org/2001/XMLSchema#integer")) for lexical in "13"]
    assert (len(document.triples), len(document.skipped)) == (3, 1)
