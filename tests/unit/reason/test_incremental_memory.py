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
from agent.reason.incremental.maintenance import MANY
from agent.reason.incremental.memory import MOST_FORMER_TERMS
from agent.reason.incremental.run_reasoner import RunReasoner

PREDICATE, OBJECT = IRI("http://w.example/other"), IRI("http://w.example/o")
CONTEXT = Context("2026-01-01T00:00:00.000Z")
PREFIXES = """@prefix : <http://w.example/> . @prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> . @prefix time: <http://www.w3.org/2000/10/swap/time#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
"""
FOLLOW = """{ } => { [] http:mthd httpm:GET ; http:requestURI :start } .
{ ?x :see ?document } => { [] http:mthd httpm:GET ; http:requestURI ?document } .
"""


def program(text: str) -> Program:
    return read_program(PREFIXES + text, source="rules.n3", base="http://w.example/rules.n3")


def step(reasoner: RunReasoner, documents: Mapping[str, str], given: str = "") -> set[Triple]:
    """Run a step in which documents say ``documents``, by the names of their URIs, and return the memory."""
    reasoner.begin(program(given).facts, CONTEXT)
    read: set[str] = set()
    while new := reasoner.wanted().keys() - read:
        read |= new
        reasoner.answer({uri: said(documents.get(uri.removeprefix("http://w.example/"), "")) for uri in new})
    reasoner.finish()
    return set(reasoner.facts)


def said(text: str) -> Sequence[Triple]:
    return program(text).facts


def documents_of(reasoner: RunReasoner) -> list[str]:
    return sorted(uri.removeprefix("http://w.example/") for uri in reasoner.wanted())


def test_a_document_that_alone_asks_for_itself_goes_with_what_it_says() -> None:
    reasoner = RunReasoner(program(FOLLOW + "{ ?x :p ?y } => { ?y :q ?x } ."))
    itself = ":a :see :other ; :p :b ."
    assert step(reasoner, {"start": ":a :see :other .", "other": itself}) == {*said(itself + ":b :q :a .")}
    assert documents_of(reasoner) == ["other", "start"]
    assert step(reasoner, {"start": "", "other": itself}) == set()
    assert (documents_of(reasoner), reasoner.reason) == (["start"], None)


def test_what_two_documents_say_stays_when_one_of_them_drops_it() -> None:
    reasoner = RunReasoner(program(FOLLOW + "{ ?x :p ?y } => { ?y :q ?x } ."))
    links = ":a :see :one , :two ."
    step(reasoner, {"start": links, "one": ":b :p :c .", "two": ":b :p :c ."})
    assert step(reasoner, {"start": links, "one": "", "two": ":b :p :c ."}) == {
        *said(links + ":b :p :c . :c :q :b .")
    }
    assert step(reasoner, {"start": links}) == {*said(links)}


def test_a_conclusion_with_another_support_survives_and_a_circle_does_not_hold_itself() -> None:
    reasoner = RunReasoner(
        program(
            "{ ?x :reaches ?y . ?y :reaches ?z } => { ?x :reaches ?z } .",
        )
    )
    circle = ":a :reaches :b . :b :reaches :a ."
    assert step(reasoner, {}, circle + ":a :reaches :c .") >= {*said(":b :reaches :c . :a :reaches :a .")}
    assert step(reasoner, {}, ":b :reaches :a . :a :reaches :c .") == {
        *said(":b :reaches :a , :c . :a :reaches :c .")
    }


def test_negation_follows_what_comes_and_goes_on_every_level() -> None:
    rules = """{ ?x a :Door . [] log:notIncludes { ?x :isOpen true } } => { ?x :isShut true } .
    { ?x a :House . [] log:notIncludes { ?door :of ?x . [] log:notIncludes { ?door :isShut true } } } => { ?x :isSafe true } ."""
    reasoner = RunReasoner(program(rules))
    house = ":h a :House . :d a :Door ; :of :h . :e a :Door ; :of :h ."
    safe = said(":h :isSafe true .")[0]
    assert safe in step(reasoner, {}, house)
    assert safe not in step(reasoner, {}, house + ":e :isOpen true .")
    assert safe in step(reasoner, {}, house)
    assert reasoner.reason is None


def test_rows_of_requests_come_and_go_with_what_they_rest_on() -> None:
    rule = """{ ?x :wants ?y . [] log:notIncludes { ?y :is :taken } } =>
    { [] http:mthd httpm:PUT ; http:requestURI ?x ; http:body { ?x :gets ?y } } ."""
    reasoner = RunReasoner(program(rule))

    def rows() -> list[str]:
        return sorted(str(binding["x"]) for _, binding in reasoner.request_bindings())

    wants = ":a :wants :c . :b :wants :c ."
    step(reasoner, {}, wants)
    assert len(rows()) == 2
    step(reasoner, {}, wants + ":c :is :taken .")
    assert rows() == []
    step(reasoner, {}, ":b :wants :c .")
    assert len(rows()) == 1


def test_header_fields_follow_the_facts_that_give_them() -> None:
    rule = """{ ?x :token ?token } => { [] http:mthd httpm:GET ; http:requestURI ?x ;
    http:headers ( [ http:fieldName "x-token" ; http:fieldValue ?token ] ) } ."""
    reasoner = RunReasoner(program(rule))
    step(reasoner, {}, ':d :token "one" .')
    assert dict(reasoner.wanted()) == {"http://w.example/d": (("x-token", "one"),)}
    step(reasoner, {}, ':d :token "two" .')
    assert dict(reasoner.wanted()) == {"http://w.example/d": (("x-token", "two"),)}


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
    reasoner = RunReasoner(program(rules))
    assert step(reasoner, {}, ":a :p :b .") == {*said(":a :p :b ; :r :b .")}
    assert reasoner.reason is None
    paradox = ":a :p :b . :r rdfs:subPropertyOf :q ."
    assert step(reasoner, {}, paradox) == {*said(paradox + ":a :r :b ; :q :b .")}
    assert reasoner.reason is not None
    assert step(reasoner, {}, ":a :p :b .") == {*said(":a :p :b ; :r :b .")}


def test_a_step_that_is_too_much_names_its_rule_and_the_next_one_is_right() -> None:
    reasoner = RunReasoner(
        program("{ ?x :n ?n . (?n 1) math:sum ?m } => { ?x :n ?m } ."), budget=Budget(facts=50)
    )
    with pytest.raises(BudgetError, match=r"rules\.n3:"):
        step(reasoner, {}, ":a :n 1 .")
    assert step(reasoner, {}, ":a :p :b .") == {*said(":a :p :b .")}
    assert reasoner.reason is None


def test_a_memory_that_met_many_terms_is_made_anew() -> None:
    reasoner = RunReasoner(program("{ ?x :p ?y } => { ?y :q ?x } ."))
    step(reasoner, {}, ":a :p :b .")
    many = [
        Triple(IRI(f"http://w.example/t{number}"), PREDICATE, OBJECT)
        for number in range(MOST_FORMER_TERMS + 1_000)
    ]
    reasoner.begin(many, CONTEXT)
    reasoner.finish()
    grown = len(reasoner.facts.table.terms)
    assert step(reasoner, {}, ":a :p :b .") == {*said(":a :p :b . :b :q :a .")}
    assert len(reasoner.facts.table.terms) < grown // 1000


@pytest.mark.parametrize("recompute", [False, True])
def test_what_is_answered_before_it_is_wanted_counts_from_then_on(recompute: bool) -> None:
    reasoner = RunReasoner(program(FOLLOW + "{ ?x :p ?y } => { ?y :q ?x } ."), recompute=recompute)
    reasoner.begin((), CONTEXT)
    reasoner.answer({"http://w.example/other": said(":b :p :c .")})
    assert set(reasoner.facts) == set()
    reasoner.answer({"http://w.example/start": said(":a :see :other .")})
    reasoner.finish()
    assert set(reasoner.facts) == {*said(":a :see :other . :b :p :c . :c :q :b .")}


def test_lists_that_rules_make_have_cells_however_many_facts_come_at_once() -> None:
    rules = program(
        """{ ?x :counts ?y } => { ?x :list (?y 2) . ?x :b 1 . ?x :c 1 } .
           { ?x :list ?l . ?l rdf:first ?f } => { ?x :has ?f } ."""
    )
    given = " ".join(f":x{number} :counts {number} ." for number in range(MANY + 1))
    known = step(RunReasoner(rules), {}, given)
    assert {*said(" ".join(f":x{number} :has {number} ." for number in range(MANY + 1)))} <= known
