"""Programs that run away are stopped, named, and leave the memory whole."""

import pytest

from agent.errors import BudgetError
from agent.reason.budget import Budget
from agent.reason.fixpoint import Reasoner
from tests.support.reasoning import CONTEXT, finished, iri, program, said, triples

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


DOUBLING = {"lists": ("(?x ?x)", 21), "formulas": ("{ ?x :and ?x }", 20)}


@pytest.mark.parametrize("name", DOUBLING)
def test_a_term_that_doubles_itself_is_stopped_before_nobody_can_write_it(name: str) -> None:
    made, count = DOUBLING[name]
    rule = f"{{ ?y :is ?x }} => {{ :a :is {made} }} ."
    reasoner = Reasoner(program(rule), CONTEXT, Budget(rounds=100))
    with pytest.raises(
        BudgetError, match=r"more than 3000000 parts of a term .* by rule test\.n3:\d+"
    ) as stop:
        reasoner.add(triples(":a :is 0 ."))
    assert stop.value.code == "ASM020"
    assert len(list(reasoner.facts)) == count


CROSS_PRODUCTS = {
    "any triples": "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } => { :x :y :z } .",
    "triples of one predicate": "{ ?a :p ?b . ?c :p ?d . ?e :p ?f } => { ?a :r ?d } .",
    "members of lists": "{ :all :in ?l . ?l list:member ?a , ?b . ?l list:member ?c } => { :x :y ?a } .",
    "what a negated group may be": (
        "{ ?a :p ?b . [] log:notIncludes { ?c :p ?d . ?e :p ?f . ?f :q ?e } } => { :x :y ?a } ."
    ),
    "one node that all have": "{ ?a :to :hub . ?b :to :hub . ?c :to :hub } => { :x :y :z } .",
}


@pytest.mark.parametrize("name", CROSS_PRODUCTS)
def test_a_rule_that_combines_each_with_each_is_stopped_inside_its_round(name: str) -> None:
    data = "".join(f":s{n} :p :o{n} ; :to :hub .\n" for n in range(300))
    budget = Budget(bindings=50_000)
    harmless = "{ ?x :to ?y } => { ?y :from ?x } .\n"
    members = " ".join(f":s{n}" for n in range(300))
    with pytest.raises(BudgetError) as stop:
        finished(f"{data}:all :in ({members}) .\n{harmless}{CROSS_PRODUCTS[name]}", budget=budget)
    assert (stop.value.code, stop.value.message) == (
        "ASM020",
        "more than 50000 bindings tried in one step, the last of them by rule test.n3:313",
    )


def test_the_memory_is_whole_after_a_cross_product() -> None:
    reasoner = Reasoner(program(CROSS_PRODUCTS["any triples"]), CONTEXT, Budget(bindings=10_000))
    data = triples("".join(f":s{n} :p :o{n} .\n" for n in range(100)))
    with pytest.raises(BudgetError):
        reasoner.add(data)
    assert set(reasoner.facts) == set(data)


def test_a_rule_that_asks_for_too_many_requests_is_stopped() -> None:
    data = "".join(f":s{n} :p :o{n} .\n" for n in range(20))
    rule = "{ ?a :p ?b . ?c :p ?d } => { [] http:mthd m:PUT ; http:requestURI ?a ; http:body { ?a :q ?d } } ."
    reasoner = finished(data + rule, budget=Budget(facts=399))
    with pytest.raises(BudgetError, match=r"more than 399 requests of a rule .* test\.n3:31"):
        list(reasoner.request_bindings())


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
