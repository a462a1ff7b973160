"""Terms there and back, in pyoxigraph and in rdflib."""

import pyoxigraph as ox
import pytest
import rdflib

from agent.rdf.convert import from_ox, to_ox, to_ox_triples
from agent.rdf.rdflib_terms import from_rdflib, to_rdflib
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    XSD_BOOLEAN,
    XSD_INTEGER,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)

PLAIN = [
    IRI("http://e/安全#it"),
    Literal("plain"),
    Literal("007", XSD_INTEGER),
    Literal("1", XSD_BOOLEAN),
    Literal("not a number", XSD_INTEGER),
    Literal("hallo", LANG_STRING, "de-at"),
]
P = IRI("http://e/p")


@pytest.mark.parametrize("term", PLAIN)
def test_plain_terms_survive_both_libraries_with_their_lexical_forms(term: Term) -> None:
    assert from_ox(to_ox(term), "", {}) == term
    assert from_rdflib(to_rdflib(term)) == term


def test_a_plain_literal_of_rdflib_is_a_string() -> None:
    assert (
        from_rdflib(rdflib.Literal("a"))
        == from_rdflib(rdflib.Literal("a", datatype=rdflib.XSD.string))
        == Literal("a")
    )


def test_language_tags_are_lower_case() -> None:
    expected = Literal("colour", LANG_STRING, "en-gb")
    assert from_ox(ox.Literal("colour", language="en-GB"), "", {}) == expected
    assert from_rdflib(rdflib.Literal("colour", lang="en-GB")) == expected


def test_blank_nodes_keep_apart_by_scope_and_stay_the_same_by_value() -> None:
    mine, same, other = (
        BlankNode("b0", "http://d/1"),
        BlankNode("b0", "http://d/1"),
        BlankNode("b0", "http://d/2"),
    )
    for convert in (to_ox, to_rdflib):
        assert convert(mine) == convert(same)
        assert convert(mine) != convert(other)


def test_blank_nodes_of_pyoxigraph_are_numbered_as_they_appear() -> None:
    labels: dict[str, BlankNode] = {}
    terms = [from_ox(ox.BlankNode(label), "http://d/1", labels) for label in ("z", "a", "z")]
    assert terms == [
        BlankNode("b0", "http://d/1"),
        BlankNode("b1", "http://d/1"),
        BlankNode("b0", "http://d/1"),
    ]


def test_variables_exist_in_rdflib_only() -> None:
    assert from_rdflib(to_rdflib(Variable("x"))) == Variable("x")
    with pytest.raises(ValueError, match="cannot hold a Variable"):
        to_ox(Variable("x"))


@pytest.mark.parametrize("term", [ListTerm(()), Formula(())])
def test_what_plain_rdf_cannot_hold_is_refused(term: Term) -> None:
    for convert in (to_ox, to_rdflib):
        with pytest.raises(ValueError, match="cannot hold a"):
            convert(term)


def test_triples_that_plain_rdf_cannot_hold_are_left_out() -> None:
    good = Triple(IRI("http://e/s"), P, Literal("x"))
    bad = [
        Triple(Literal("x"), P, P),
        Triple(P, BlankNode("b"), P),
        Triple(P, P, ListTerm(())),
        Triple(P, P, Variable("x")),
        Triple(P, P, Formula((good,))),
        Triple(P, P, IRI("http://e/a b")),
    ]
    assert list(to_ox_triples([*bad[:3], good, *bad[3:]])) == [
        ox.Triple(ox.NamedNode("http://e/s"), ox.NamedNode("http://e/p"), ox.Literal("x"))
    ]
