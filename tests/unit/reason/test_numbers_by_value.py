"""Numbers that are equal in value and not in form: a memory that is kept knows what one made anew would know."""

import pytest

from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.fixpoint import Reasoner
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.runtime.derive import derive

CONTEXT = Context("2026-01-01T00:00:00.000Z")
PREFIXES = """@prefix : <http://w.example/> . @prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> . @prefix http: <http://www.w3.org/2011/http#> .
@prefix httpm: <http://www.w3.org/2011/http-methods#> .
"""
NEXT = "?x :is ?n . (?n 1) math:sum ?s"
ALONE = "{ ?x :is ?n . ?S log:notIncludes { :all :below ?m . (?m 1) math:sum ?n } } => { ?x :free ?n } ."
AROUND = f"{{ {NEXT} . ?S log:notIncludes {{ ?x :was ?m . (?m 1) math:sum ?s }} }} => {{ ?x :new ?s }} ."


def program(text: str) -> Program:
    return read_program(PREFIXES + text, source="rules.n3", base="http://w.example/rules.n3")


def told(reasoner: RunReasoner | Reasoner) -> tuple[object, ...]:
    """Return the memory, the requests and the contradictions of a finished step."""
    found = (reasoner.request_bindings(), reasoner.contradictions())
    rows = [{(rule.name, frozenset(binding.items())) for rule, binding in each} for each in found]
    return set(reasoner.facts), *rows


def anew(rules: Program, facts: tuple[Triple, ...]) -> tuple[object, ...]:
    reasoner = Reasoner(rules, CONTEXT)
    reasoner.add(facts)
    reasoner.finish()
    return told(reasoner)


@pytest.mark.parametrize(
    ("rules", "steps"),
    [
        (f"{{ {NEXT} }} => {{ ?x :next ?s }} .", [":a :is 1, 1.0 .", ":a :is 1 .", ":a :is 1.0 ."]),
        (f"{{ {NEXT} }} => {{ ?x :has [ :next ?s ] }} .", [":a :is 1, 1.0 .", ":a :is 1 ."]),
        (
            f"{{ {NEXT} . ?S log:notIncludes {{ ?x :not ?s }} }} => false .",
            [":a :is 1.0 ; :not 2 .", ":a :is 1.0 .", ":a :is 1 ."],
        ),
        (
            f"{{ {NEXT} }} => {{ [] http:mthd httpm:PUT ; http:requestURI :t ; http:body {{ :t :is ?s }} }} .",
            [":a :is 1, 1.0 .", ":a :is 1 ."],
        ),
        (
            f"{{ {NEXT} . ?S log:notIncludes {{ ?x :not ?s }} }} => {{ ?x :next ?s }} .",
            [":a :is 1.0 ; :not 2 .", ":a :is 1.0 .", ":a :is 1 ."],
        ),
        (ALONE, [":a :is 2.0 . :all :below 1 .", ":a :is 2 . :all :below 1.0 .", ":a :is 3 ."]),
    ],
    ids=["derived", "of a new node", "contradicted", "requested", "negated", "negated alone"],
)
def test_what_was_computed_goes_with_its_number_though_an_equal_one_stays(
    rules: str, steps: list[str]
) -> None:
    loaded = program(rules)
    reasoner = RunReasoner(loaded)
    for step in (*steps, *reversed(steps)):
        facts = program(step).facts
        reasoner.begin(facts, CONTEXT)
        reasoner.finish()
        assert told(reasoner) == anew(loaded, facts), step
    assert reasoner.reason is None


def test_rules_that_compute_a_number_both_in_a_negation_and_around_it_are_recomputed() -> None:
    reason = why_not_incremental(program(AROUND))
    assert reason is not None
    assert reason.endswith(
        "negates <http://www.w3.org/2000/10/swap/math#sum> of what is computed outside the negation"
    )


@pytest.mark.parametrize("rules", [ALONE, AROUND], ids=["alone", "around"])
def test_in_bulk_a_negation_tests_numbers_by_value_too(rules: str) -> None:
    many = " ".join(f":other :p {number} ." for number in range(300))
    facts = program(f":a :is 2.0 ; :was 2 . :all :below 1 . {many}").facts
    found = [derive(program(rules), facts, instant=CONTEXT.instant, recompute=each) for each in (False, True)]
    assert [set(each.derived) for each in found] == [set(), set()]
