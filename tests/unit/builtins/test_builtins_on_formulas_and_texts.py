"""Formulas as texts, texts as formulas, and names made of terms."""

import pytest

from agent.n3.builtins import BUILTINS, Context
from agent.n3.builtins.order import sort_key
from agent.n3.parser import parse
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term
from agent.vocab import LOG
from tests.support.builtin_answers import answers, terms

BASE = "http://e.example/rules/first.n3"
CONTEXT = Context("2026-01-02T03:04:05.678Z", base=BASE)


def value(name: str, subject: Term, context: Context = CONTEXT) -> Term | None:
    """Return the object that ``log:name`` gives for a subject."""
    return next((other for _, other in BUILTINS[LOG + name].evaluate(subject, None, context)), None)


def formula(text: str) -> Formula:
    """Return the formula in ``text``."""
    (lone,) = parse(f"@prefix : <http://e.example/#> . {{ {text} }}", source="t", base=BASE).lone
    assert isinstance(lone.term, Formula)
    return lone.term


def test_a_formula_becomes_a_text_with_sorted_triples_and_numbered_nodes() -> None:
    assert value("n3String", formula(":b :p _:y . :a :p _:x, (1 _:x) . ?v a :C")) == Literal(
        "<http://e.example/#a> <http://e.example/#p> ( 1 _:n0 ) .\n"
        "<http://e.example/#a> <http://e.example/#p> _:n0 .\n"
        "<http://e.example/#b> <http://e.example/#p> _:n1 .\n"
        "?v a <http://e.example/#C> .\n"
    )


SAME = [
    (":a :p 1 . :b :p 2", ":b :p 2 . :a :p 1 . :a :p 1"),
    ("_:x :p _:y", "_:one :p _:other"),
    ("_:x :p :a . _:y :p :b", "_:x :p :b . _:y :p :a"),
    (":s :says { :a :p 1 . :b :p _:u }", ":s :says { :b :p _:v . :a :p 1 }"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_formulas_become_the_same_text_and_name_and_have_the_same_place(one: str, other: str) -> None:
    assert value("n3String", formula(one)) == value("n3String", formula(other))
    assert value("skolem", formula(one)) == value("skolem", formula(other))
    assert sort_key(formula(one)) == sort_key(formula(other))


@pytest.mark.parametrize(
    "text", [*(one for one, _ in SAME), "", "?x :p \"'\\\"\", 'a'@en, 1.5", "() :p (() ({}))"]
)
def test_a_formula_is_read_back_from_its_text(text: str) -> None:
    written = value("n3String", formula(text))
    assert written is not None
    assert value("parsedAsN3", written) == formula(text)


def test_what_is_no_formula_has_no_text() -> None:
    subjects: list[Term] = [IRI("http://x/"), Literal("a"), ListTerm((Literal("a"),)), BlankNode("b")]
    assert [value("n3String", subject) for subject in subjects] == [None] * 4


PARSED = {
    "@prefix : <http://e.example/#> . :a :p :b": None,
    "@prefix : <http://e.example/#> . :a :p :b .": ":a :p :b",
    "<#a> <../up> <x> .": "<http://e.example/rules/first.n3#a> <http://e.example/up> <http://e.example/rules/x>",
    "": "",
    ":a :b": None,
    "no n3": None,
    "<http://e.example/#a>.": "",
    "} { ": None,
    "\0": None,
}


@pytest.mark.parametrize(("text", "expected"), PARSED.items())
def test_a_text_states_a_formula_or_nothing_at_all(text: str, expected: str | None) -> None:
    found = value("parsedAsN3", Literal(text))
    assert found == (None if expected is None else formula(expected))


def test_relative_references_need_a_program_that_has_a_place() -> None:
    nowhere = Context("2026-01-02T03:04:05.678Z")
    assert value("parsedAsN3", Literal("<a> <b> <c> ."), nowhere) is None
    assert value("parsedAsN3", Literal("<u:a> <u:b> _:c ."), nowhere) == formula("<u:a> <u:b> _:c")


def test_blank_nodes_of_two_texts_are_not_the_same() -> None:
    one, other = (value("parsedAsN3", Literal(f"_:x <u:p> {n} .")) for n in (1, 2))
    assert isinstance(one, Formula)
    assert isinstance(other, Formula)
    assert one.triples[0].subject != other.triples[0].subject
    assert one.triples[0].subject in one.own_nodes


def test_only_plain_text_is_parsed() -> None:
    assert value("parsedAsN3", Literal("", language="en", datatype="x")) is None
    assert value("parsedAsN3", IRI("u:a")) is None


def test_texts_and_formulas_beyond_the_limits_give_nothing() -> None:
    assert value("parsedAsN3", Literal("# " + "x" * 1_000_000)) is None
    doubled: Term = Literal("a")
    for _ in range(40):
        doubled = ListTerm((doubled, doubled))
    assert value("skolem", doubled) is None
    assert (
        value("n3String", formula("").__class__((formula(":a :b :c").triples[0]._replace(object=doubled),)))
        is None
    )


def test_nesting_of_ten_thousand_levels_is_read_and_written() -> None:
    text = "<u:a> <u:b> " + "{ <u:a> <u:b> " * 10_000 + "<u:c>" + " }" * 10_000 + " ."
    found = value("parsedAsN3", Literal(text))
    assert isinstance(found, Formula)
    assert value("parsedAsN3", value("n3String", found) or Literal("")) == found


def test_a_made_name_depends_on_the_term_alone() -> None:
    name = value("skolem", ListTerm((IRI("u:a"), Literal("1"))))
    assert name == IRI("https://w3id.org/.well-known/genid/milepost/2bef65d535f5dc33ab7e8bbf32d70c69")
    others: list[Term] = [
        ListTerm((Literal("1"), IRI("u:a"))),
        ListTerm((IRI("u:a"), Literal("1", "u:t"))),
        ListTerm((ListTerm((IRI("u:a"), Literal("1"))),)),
        BlankNode("a"),
        BlankNode("a", "u:a"),
    ]
    assert len({name, *(value("skolem", other) for other in others)}) == 6


def test_a_known_object_is_compared_with_what_is_made() -> None:
    assert answers('"<u:a> <u:b> 1 ." log:parsedAsN3 { <u:a> <u:b> ?a }') == terms("1")
    assert answers('{ <u:a> <u:b> _:x } log:n3String "<u:a> <u:b> _:n0 .\\n"') == terms(":yes")
    assert answers("(1) log:skolem ?x . (1) log:skolem ?x") == terms(":yes")
    assert answers("(1) log:skolem ?x . (2) log:skolem ?x") == terms("")
