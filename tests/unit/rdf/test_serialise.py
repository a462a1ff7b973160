"""Triples as text: N-Triples, Turtle for people, and the entity of a request."""

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import ProgramError
from agent.rdf.convert import to_ox_triples
from agent.rdf.documents import parse_document
from agent.rdf.serialise import body_turtle, sorted_ntriples, term_text, to_ntriples, to_turtle
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    RDF_TYPE,
    XSD_INTEGER,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import THIS_BASE
from tests.support.depth import depth

S, P = IRI("http://e/s"), IRI("http://e/p")


def on_the_wire(*terms: Term) -> str:
    return body_turtle([Triple(IRI(THIS_BASE), P, term) for term in terms]).decode()


def test_ntriples_come_in_the_order_given_or_sorted() -> None:
    triples = [Triple(S, P, Literal("b")), Triple(S, P, BlankNode("q", "doc")), Triple(S, P, Literal("a"))]
    assert to_ntriples(triples) == (
        '<http://e/s> <http://e/p> "b" .\n<http://e/s> <http://e/p> _:b0 .\n<http://e/s> <http://e/p> "a" .\n'
    )
    assert sorted_ntriples(triples) == [
        '<http://e/s> <http://e/p> "a" .\n',
        '<http://e/s> <http://e/p> "b" .\n',
        "<http://e/s> <http://e/p> _:b0 .\n",
    ]
    assert sorted_ntriples([*triples, Triple(Literal("a"), P, S)]) is None
    assert sorted_ntriples([]) == []


def test_blank_nodes_are_told_apart_by_what_they_are_and_not_by_the_object_that_stands_for_them() -> None:
    predicate = IRI("http://e/p")
    triples = (Triple(BlankNode("x", "one"), predicate, BlankNode("x", "two")) for _ in range(2))

    assert to_ntriples(triples) == "_:b0 <http://e/p> _:b1 .\n" * 2


sayable: list[Term] = [
    *(IRI(f"http://e/{name}") for name in "abp"),
    Literal("a\n"),
    BlankNode("x"),
    BlankNode("x", "two"),
]
anything = [*sayable, Literal("b", "no iri"), IRI("no iri"), Variable("x"), ListTerm((S, P))]


@given(
    st.sampled_from([sayable, anything, [*sayable, Variable("x")]]).flatmap(
        lambda terms: st.lists(st.builds(Triple, *[st.sampled_from(terms)] * 3), max_size=5)
    )
)
@settings(max_examples=depth(200, 3000), deadline=None)
def test_ntriples_hold_what_pyoxigraph_can_hold_one_triple_after_the_other(triples: list[Triple]) -> None:
    nodes = dict.fromkeys(term for triple in triples for term in triple if isinstance(term, BlankNode))
    short: dict[Term, Term] = {node: BlankNode(f"b{place}") for place, node in enumerate(nodes)}
    renamed = [Triple(*(short.get(term, term) for term in triple)) for triple in triples]

    assert to_ntriples(triples) == "".join(f"{triple} .\n" for triple in to_ox_triples(renamed))


def test_turtle_for_people_groups_subjects_and_shortens_names() -> None:
    triples = [Triple(S, RDF_TYPE, P), Triple(P, P, Literal("x")), Triple(S, P, Literal("y"))]
    assert to_turtle(triples, {"e": "http://e/"}) == (
        '@prefix e: <http://e/> .\ne:p e:p "x" .\ne:s a e:p ;\n\te:p "y" .\n'
    )


@pytest.mark.parametrize(
    ("iri", "text"),
    [
        (THIS_BASE, "<>"),
        (THIS_BASE + "#it", "<#it>"),
        (THIS_BASE + "child", "<child>"),
        (THIS_BASE + "a:b", "<./a:b>"),
        (THIS_BASE + "/a", "<.//a>"),
        (THIS_BASE + "?q=a:b", "<?q=a:b>"),
        (THIS_BASE.removesuffix("N-Triples/") + "sibling#x", "<../sibling#x>"),
        (THIS_BASE.removesuffix("URIs/in/N-Triples/"), "<../../../>"),
        ("http://this.nxparser.github.io/root", "</root>"),
        ('http://e/a b"c', "<http://e/a\\u0020b\\u0022c>"),
        ("http://e/安全", "<http://e/安全>"),
    ],
)
def test_references_to_the_document_itself_go_out_relative(iri: str, text: str) -> None:
    assert on_the_wire(IRI(iri)) == f"<> <http://e/p> {text} .\n"


@pytest.mark.parametrize(
    "reference", ["#it", "", "child", "a:b/../c", "/root", "../x", "../../../x", "?q", "./", "../"]
)
def test_a_receiver_resolves_them_as_the_author_wrote_them(reference: str) -> None:
    def resolved(text: bytes, base: str) -> set[Triple]:
        return set(parse_document(text, "text/turtle", base, strict=True).triples)

    written = f"<> <http://e/p> <{reference}> .".encode()
    body = body_turtle(resolved(written, THIS_BASE))
    assert b"nxparser" not in body
    target = "http://h/1/2/3/4/5/6/7/8/9/10/11/12/13/"
    assert resolved(body, target) == resolved(written, target)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Literal('a "b"\n\t\\\r'), r'"a \"b\"\n\t\\\r"'),
        (Literal("\x00\x1f\x7f"), r'"\u0000\u001F\u007F"'),
        (Literal("x", LANG_STRING, "en"), '"x"@en'),
        (Literal("01", XSD_INTEGER), '"01"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (Literal("x", THIS_BASE + "#type"), '"x"^^<#type>'),
        (ListTerm((Literal("1"), ListTerm((Literal("2"),)), IRI(THIS_BASE + "#a"))), '( "1" ( "2" ) <#a> )'),
    ],
)
def test_terms_on_the_wire(term: Term, text: str) -> None:
    assert on_the_wire(term) == f"<> <http://e/p> {text} .\n"


def test_blank_nodes_are_named_as_they_appear_inside_lists_too() -> None:
    one, two = BlankNode("same", "a"), BlankNode("same", "b")
    assert (
        on_the_wire(ListTerm((one, two)), two) == "<> <http://e/p> ( _:b0 _:b1 ) .\n<> <http://e/p> _:b1 .\n"
    )


def test_bodies_are_turtle() -> None:
    body = body_turtle(
        [
            Triple(
                BlankNode("x"),
                P,
                ListTerm((Literal("a\x7f\u2028"), Literal("é", LANG_STRING, "fr"), BlankNode("x"))),
            )
        ]
    )
    assert len(list(ox.parse(body, ox.RdfFormat.TURTLE, base_iri="http://h/"))) == 7


@pytest.mark.parametrize(
    ("triple", "what"),
    [
        (Triple(Literal("x"), P, S), "a literal as subject"),
        (Triple(S, BlankNode("x"), S), "a blank node as predicate"),
        (Triple(S, Literal("x"), S), "a literal as predicate"),
        (Triple(S, P, Formula(())), "a quoted formula"),
        (Triple(S, P, ListTerm((ListTerm((Variable("x"),)),))), "a variable"),
    ],
)
def test_what_turtle_cannot_say_is_a_fault_of_the_program(triple: Triple, what: str) -> None:
    with pytest.raises(ProgramError) as caught:
        body_turtle([triple])
    assert (caught.value.code, caught.value.message) == (
        "N3052",
        f"the body of a request holds {what}, which Turtle cannot say",
    )


def test_any_term_has_a_text_whatever_its_depth() -> None:
    triple = Triple(Variable("x"), P, Literal("1"))
    assert term_text(Formula((triple, triple))) == '{ ?x <http://e/p> "1" . ?x <http://e/p> "1" . }'
    term: Term = S
    for _ in range(50_000):
        term = ListTerm((term,))
    assert term_text(term).count("( ") == 50_000
