"""Builtins on formulas, and scopes that are formulas."""

import pytest

from agent.errors import BudgetError
from tests.support.reasoning import finished, said


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("{ :a :p 1 . :b :p 2 } log:includes { :a :p 1 }", True),
        ("{ :a :p 1 . :b :p 2 } log:includes { ?s :p 2 . :a :p ?n }", True),
        ("{ :a :p 1 } log:includes { :a :p 1 . ?s :p ?n }", True),
        ("{ :a :p 1 } log:includes { ?s :p ?s }", False),
        ("{ :a :p _:x } log:includes { :a :p [] }", True),
        ("{ :a :p [ :q 1 ] } log:includes { :a :p [ :q 1 ] }", True),
        ("{ :a :p [ :q 1 ] . [] :q 2 } log:includes { :a :p [ :q 2 ] }", False),
        ("{ :a :p { :b :q 1 } } log:includes { :a :p { :b :q ?n } }", True),
        ("{ :a :p { :b :q 1 } } log:includes { :b :q ?n }", False),
        ("{ } log:includes { :a log:equalTo :a }", False),
        ("{ :a :p (1 2) } log:includes { :a :p [ rdf:first 1 ; rdf:rest [ rdf:first ?x ] ] }", True),
        ("{ :a :p (1 2) } log:includes { :a :p (1 ?x) }", True),
        ("{ } log:includes { }", True),
        (":a log:includes { :a :p 1 }", False),
        ("{ :a :p 1 } log:notIncludes { :a :p 2 }", True),
        ("{ :a :p 1 } log:notIncludes { :a :p ?any }", False),
        ("1 log:equalTo ?f . ?f log:notIncludes { :a :p 2 }", False),
        ("1 log:equalTo ?f . ?f log:includes { }", False),
        ("({ :a :p ?x . ?x :q ?y } { :b :p 1 }) log:forAllIn { :a :p 1 }", True),
        ("({ :a :p ?x } { ?x :q ?any }) log:forAllIn { :a :p 1 , 2 . 1 :q 0 . 2 :q 0 }", True),
        ("({ :a :p ?x } { ?x :q ?any }) log:forAllIn { :a :p 1 , 2 . 1 :q 0 }", False),
        ("(?x { :a :p ?x } (1 2)) log:collectAllIn { :a :p 2 , 1 }", True),
        ("((?x) { :a :p ?x . ?x :q ?y } ((1) (1))) log:collectAllIn { :a :p 1 . 1 :q 3 , 4 }", True),
        ("(?x { :a :none ?x } ()) log:collectAllIn { :a :p 2 }", True),
        ("(?x { :a :p ?x } (1 2)) log:collectAllIn :a", True),
        ("({ :a :p 1 } { :b :p 2 . :a :p 1 } { }) log:conjunction { :b :p 2 . :a :p 1 }", True),
        ("({ [] :p 1 } { [] :p 2 }) log:conjunction { _:x :p 1 . _:y :p 2 }", True),
        ("({ [] :p 1 } { [] :p 2 }) log:conjunction { _:x :p 1 , 2 }", False),
        ("({ :a :p 1 } 2) log:conjunction ?f", False),
        ("({ :a :p 1 }) log:conjunction ?f . ?f log:includes { :a :p 1 }", True),
        (
            "{ :a :p 1 . { ?x :p ?y } => { ?y :q ?x } } log:conclusion ?f . ?f log:includes { 1 :q :a . :a :p 1 }",
            True,
        ),
        (
            "{ :a :p 1 . { ?x :p ?y } => { ?x :q [] } } log:conclusion { :a :p 1 ; :q [] . { ?u :p ?v } => { ?u :q [] } }",
            True,
        ),
        (
            "{ [] :p 1 . { ?x :p ?y } => { ?x :q 2 } } log:conclusion ?f . ?f log:includes { _:x :p 1 ; :q 2 }",
            True,
        ),
        ("{ :a :p 1 . { ?x :p ?y } => { ?x :q ?z } } log:conclusion ?f", False),
        ("{ :a :p 1 . { ?x :p ?y } => { ?y :q ?x } } log:supports { 1 :q ?z }", True),
        ("{ :a :p 1 . { ?x :p ?y } => { ?y :q ?x } } log:supports { :a :q ?z }", False),
        (
            "{ :a :is { :b :p 1 } . { ?s :is ?f . ?f log:conclusion ?g } => { ?s :has ?g } } log:supports { :a :has ?z }",
            True,
        ),
    ],
)
def test_a_scope_is_the_triples_of_a_formula(condition: str, holds: bool) -> None:
    facts = ":a :p 2 , 1 ." if condition.endswith("collectAllIn :a") else ""
    assert said(finished(f"{facts} {{ {condition} }} => {{ :r :is 1 }} ."), "is") == [":r 1"] * holds


def test_conclusions_that_lead_to_ever_new_conclusions_end_with_the_budget() -> None:
    # Each conclusion concludes its own formula again, with a longer list in it.
    step = (
        "{ ?f :len ?l . (?l 1) math:sum ?m . ({ :f :len ?m } { :x :x :x }) log:conjunction ?g ."
        " ?rule :is ?r . ({ :f :len ?m } ?r) log:conjunction ?h . ?h log:conclusion ?i } => { :g :is ?i }"
    )
    with pytest.raises(BudgetError, match="conclusions inside conclusions"):
        finished(
            f":rule :is {{ {step} }} . :f :len 0 ."
            f"{{ :rule :is ?r . ({{ :f :len 0 . :rule :is ?r }} ?r) log:conjunction ?f . ?f log:conclusion ?g }} => {{ :g :is ?g }} .".replace(
                "({ :f :len ?m } ?r) log:conjunction ?h",
                "({ :f :len ?m . :rule :is ?r } ?r) log:conjunction ?h",
            )
        )
