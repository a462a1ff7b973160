"""A memory that is kept: what goes with a document, what forces recomputing, what a step that was too much leaves."""

from collections.abc import Mapping, Sequence

import pytest

from agent.errors import BudgetError
from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, Triple
from agent.reason.budget import Budget
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.memory import MOST_FORMER_TERMS
from agent.reason.incremental.session import Session

PREDICATE, OBJECT = IRI("http://w.example/other"), IRI("http://w.example/o")
CONTEXT = Context("2026-01-01T00:00:00.000Z")
PREFIXES = """@prefix : <http://w.example/> . @prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> . @prefix time: <http://www.w3.org/2000/10/swap/time#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
FOLLOW = """{ } => { [] http:mthd httpm:GET ; http:requestURI :start } .
{ ?x :see ?document } => { [] http:mthd httpm:GET ; http:requestURI ?document } .
"""


def program(text: str) -> Program:
    return read_program(PREFIXES + text, source="rules.n3", base="http://w.example/rules.n3")


def step(session: Session, documents: Mapping[str, str], given: str = "") -> set[Triple]:
    """Run a step in which documents say ``documents``, by the names of their URIs, and return the memory."""
    session.begin(program(given).facts, CONTEXT)
    read: set[str] = set()
    while new := session.wanted().keys() - read:
        read |= new
        session.answer({uri: said(documents.get(uri.removeprefix("http://w.example/"), "")) for uri in new})
    session.finish()
    return set(session.facts)


def said(text: str) -> Sequence[Triple]:
    return program(text).facts


def documents_of(session: Session) -> list[str]:
    return sorted(uri.removeprefix("http://w.example/") for uri in session.wanted())


def test_a_document_that_alone_asks_for_itself_goes_with_what_it_says() -> None:
    session = Session(program(FOLLOW + "{ ?x :p ?y } => { ?y :q ?x } ."))
    itself = ":a :see :other ; :p :b ."
    assert step(session, {"start": ":a :see :other .", "other": itself}) == {*said(itself + ":b :q :a .")}
    assert documents_of(session) == ["other", "start"]
    assert step(session, {"start": "", "other": itself}) == set()
    assert (documents_of(session), session.reason) == (["start"], None)


def test_what_two_documents_say_stays_when_one_of_them_drops_it() -> None:
    session = Session(program(FOLLOW + "{ ?x :p ?y } => { ?y :q ?x } ."))
    links = ":a :see :one , :two ."
    step(session, {"start": links, "one": ":b :p :c .", "two": ":b :p :c ."})
    assert step(session, {"start": links, "one": "", "two": ":b :p :c ."}) == {
        *said(links + ":b :p :c . :c :q :b .")
    }
    assert step(session, {"start": links}) == {*said(links)}


def test_a_conclusion_with_another_support_survives_and_a_circle_does_not_hold_itself() -> None:
    session = Session(
        program(
            "{ ?x :reaches ?y . ?y :reaches ?z } => { ?x :reaches ?z } .",
        )
    )
    circle = ":a :reaches :b . :b :reaches :a ."
    assert step(session, {}, circle + ":a :reaches :c .") >= {*said(":b :reaches :c . :a :reaches :a .")}
    assert step(session, {}, ":b :reaches :a . :a :reaches :c .") == {
        *said(":b :reaches :a , :c . :a :reaches :c .")
    }


def test_negation_follows_what_comes_and_goes_on_every_level() -> None:
    rules = """{ ?x a :Door . [] log:notIncludes { ?x :isOpen true } } => { ?x :isShut true } .
    { ?x a :House . [] log:notIncludes { ?door :of ?x . [] log:notIncludes { ?door :isShut true } } } => { ?x :isSafe true } ."""
    session = Session(program(rules))
    house = ":h a :House . :d a :Door ; :of :h . :e a :Door ; :of :h ."
    safe = said(":h :isSafe true .")[0]
    assert safe in step(session, {}, house)
    assert safe not in step(session, {}, house + ":e :isOpen true .")
    assert safe in step(session, {}, house)
    assert session.reason is None


def test_rows_of_requests_come_and_go_with_what_they_rest_on() -> None:
    rule = """{ ?x :wants ?y . [] log:notIncludes { ?y :is :taken } } =>
    { [] http:mthd httpm:PUT ; http:requestURI ?x ; http:body { ?x :gets ?y } } ."""
    session = Session(program(rule))

    def rows() -> list[str]:
        return sorted(str(binding["x"]) for _, binding in session.request_bindings())

    wants = ":a :wants :c . :b :wants :c ."
    step(session, {}, wants)
    assert len(rows()) == 2
    step(session, {}, wants + ":c :is :taken .")
    assert rows() == []
    step(session, {}, ":b :wants :c .")
    assert len(rows()) == 1


def test_header_fields_follow_the_facts_that_give_them() -> None:
    rule = """{ ?x :token ?token } => { [] http:mthd httpm:GET ; http:requestURI ?x ;
    http:headers ( [ http:fieldName "x-token" ; http:fieldValue ?token ] ) } ."""
    session = Session(program(rule))
    step(session, {}, ':d :token "one" .')
    assert dict(session.wanted()) == {"http://w.example/d": (("x-token", "one"),)}
    step(session, {}, ':d :token "two" .')
    assert dict(session.wanted()) == {"http://w.example/d": (("x-token", "two"),)}


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("{ ?x :p ?y } <= { ?y :q ?x } .", "is a backward rule"),
        ("{ (?x { ?x :p ?y } ?all) log:collectAllIn [] } => { :a :has ?all } .", "uses log:collectAllIn"),
        ("{ ?x :p (?y ?z) } => { ?y :q ?z } .", "looks into lists or formulas of the memory"),
        (
            "{ ?x :p ?y . ?x time:localTime ?now } => { ?y :q ?now } .",
            "whose value changes although no fact does",
        ),
        ("{ ?x :p ?y . ?y log:includes { ?a :b ?c } } => { ?a :q ?c } .", "which looks into formulas"),
    ],
)
def test_what_is_not_maintained_is_named_with_its_rule(rule: str, reason: str) -> None:
    found = why_not_incremental(program(rule))
    assert found is not None
    assert found.startswith("rule rules.n3:")
    assert found.endswith(reason)


def test_a_memory_in_which_negation_feeds_itself_is_recomputed_from_then_on() -> None:
    rules = """{ ?narrow rdfs:subPropertyOf ?wide . ?x ?narrow ?y } => { ?x ?wide ?y } .
    { ?x :p ?y . [] log:notIncludes { ?x :q ?y } } => { ?x :r ?y } ."""
    session = Session(program(rules))
    assert step(session, {}, ":a :p :b .") == {*said(":a :p :b ; :r :b .")}
    assert session.reason is None
    paradox = ":a :p :b . :r rdfs:subPropertyOf :q ."
    assert step(session, {}, paradox) == {*said(paradox + ":a :r :b ; :q :b .")}
    assert session.reason is not None
    assert step(session, {}, ":a :p :b .") == {*said(":a :p :b ; :r :b .")}


def test_a_step_that_is_too_much_names_its_rule_and_the_next_one_is_right() -> None:
    session = Session(program("{ ?x :n ?n . (?n 1) math:sum ?m } => { ?x :n ?m } ."), budget=Budget(facts=50))
    with pytest.raises(BudgetError, match=r"rules\.n3:"):
        step(session, {}, ":a :n 1 .")
    assert step(session, {}, ":a :p :b .") == {*said(":a :p :b .")}
    assert session.reason is None


def test_a_memory_that_met_many_terms_is_made_anew() -> None:
    session = Session(program("{ ?x :p ?y } => { ?y :q ?x } ."))
    step(session, {}, ":a :p :b .")
    many = [
        Triple(IRI(f"http://w.example/t{number}"), PREDICATE, OBJECT)
        for number in range(MOST_FORMER_TERMS + 1_000)
    ]
    session.begin(many, CONTEXT)
    session.finish()
    grown = len(session.facts.table.terms)
    assert step(session, {}, ":a :p :b .") == {*said(":a :p :b . :b :q :a .")}
    assert len(session.facts.table.terms) < grown // 1000


@pytest.mark.parametrize("recompute", [False, True])
def test_what_is_answered_before_it_is_wanted_counts_from_then_on(recompute: bool) -> None:
    session = Session(program(FOLLOW + "{ ?x :p ?y } => { ?y :q ?x } ."), recompute=recompute)
    session.begin((), CONTEXT)
    session.answer({"http://w.example/other": said(":b :p :c .")})
    assert set(session.facts) == set()
    session.answer({"http://w.example/start": said(":a :see :other .")})
    session.finish()
    assert set(session.facts) == {*said(":a :see :other . :b :p :c . :c :q :b .")}
