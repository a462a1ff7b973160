"""Programs that run away are stopped, named, and leave the memory whole."""

import pytest

from agent.errors import BudgetError
from agent.reason.budget import Budget
from agent.reason.fixpoint import Reasoner
from tests.support.reasoning import CONTEXT, iri, program, said, triples

RUNAWAYS = {
    "counts": ("{ ?x :n ?n . (?n 1) math:sum ?m } => { ?x :n ?m } .", Budget(rounds=50)),
    "invents": ("{ ?x :n ?n } => { ?n :n [] } .", Budget(facts=50)),
    "names": ("{ ?x :n ?n . ('x' ?n) string:concatenation ?m } => { ?x :n ?m } .", Budget(terms=60)),
}


@pytest.mark.parametrize("name", RUNAWAYS)
def test_a_rule_that_runs_away_is_named_and_memory_holds_all_finished_rounds(name: str) -> None:
    rule, budget = RUNAWAYS[name]
    reasoner = Reasoner(program(rule), CONTEXT, budget)
    with pytest.raises(BudgetError, match=r"test\.n3:\d+") as stop:
        reasoner.add(triples(":a :n 0 . :b :other 1 ."))
    assert stop.value.code == "ASM020"
    assert said(reasoner, "other") == [":b 1"]
    for triple in list(reasoner.facts):
        assert triple in reasoner.facts
        assert triple.object in set(reasoner.facts.objects(triple.subject, triple.predicate))
        assert triple.subject in set(reasoner.facts.subjects(triple.predicate, triple.object))
    assert len(list(reasoner.facts)) == len(reasoner.facts) <= budget.facts


def test_data_alone_may_exceed_the_budget_and_changes_nothing_then() -> None:
    reasoner = Reasoner(program(":a :p 1 ."), CONTEXT, Budget(facts=3))
    with pytest.raises(BudgetError):
        reasoner.add(triples(":a :p 2 , 3 , 4 ."))
    assert said(reasoner, "p") == [":a 1"]


def test_exactly_the_budget_is_allowed() -> None:
    reasoner = Reasoner(program(":a :p 1 . { ?x :p ?y } => { ?x :q ?y ; :r ?y } ."), CONTEXT, Budget(facts=3))
    assert len(reasoner.facts) == 3


@pytest.mark.parametrize(
    "rule",
    [
        "{ ?x :n ?n . (10 1000000000) math:exponentiation ?m } => { ?x :m ?m } .",
        "{ ?x :n ?n . (?n ?n) math:product ?m } => { ?x :n ?m } .",
        "{ ?x :s ?s . (?s ?s) string:concatenation ?t } => { ?x :s ?t } .",
        "{ ?x :n ?n . (?n ?n) math:exponentiation ?m } => { ?x :n ?m } .",
    ],
)
def test_terms_that_grow_end_at_their_limit(rule: str) -> None:
    reasoner = Reasoner(program(":a :n 7 ; :s 'ab' ." + rule), CONTEXT)
    assert len(reasoner.facts) < 40


def test_a_number_of_a_hundred_thousand_digits_is_no_number() -> None:
    reasoner = Reasoner(program("{ ?x :n ?n . (?n 1) math:sum ?m } => { ?x :m ?m } ."), CONTEXT)
    reasoner.add(triples(f":a :n {'9' * 100_000} ."))
    assert said(reasoner, "m") == []
    assert next(reasoner.facts.objects(iri("a"), iri("n")), None) is not None
