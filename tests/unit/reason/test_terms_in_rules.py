"""Formulas and lists as terms of rules: what their patterns match, and scopes that are formulas."""

import pytest

from agent.errors import BudgetError, ProgramError
from agent.reason.budget import Budget
from agent.reason.fixpoint import Reasoner
from tests.support.reasoning import CONTEXT, finished, program, said, triples


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ :mars :beats ?z }", [":venus"]),
        ("{ ?z :beats :venus }", [":mars"]),
        ("{ :mars :beats ?z . ?z :beats ?any }", []),
        ("{ :mars ?z :venus }", [":beats"]),
        ("{ :mars ?z ?z }", []),
    ],
)
def test_a_formula_of_the_body_is_matched_as_a_graph_of_equal_size(pattern: str, expected: list[str]) -> None:
    rule = f"{{ :juno :says {pattern} . ?z a ?any }} => {{ :r :is ?z }} ."
    reasoner = finished(":juno :says { :mars :beats :venus } . :mars a 1 . :venus a 1 . :beats a 1 ." + rule)
    assert said(reasoner, "is") == [f":r {value}" for value in expected]


def test_every_way_in_which_a_formula_matches_is_found() -> None:
    reasoner = finished(
        ":f :of { :a :to :b . :c :to :d . :b :n 1 } . { :f :of { ?x :n ?n . ?y :to ?x . ?z :to ?w } } => { ?z :way ?w } ."
        "{ :f :of { ?x :to ?y . ?z :to ?w . ?u :n ?n } } => { ?x :any ?w } ."
    )
    assert said(reasoner, "way") == [":c :d"]
    assert said(reasoner, "any") == [":a :d", ":c :b"]


def test_blank_nodes_of_a_quoted_formula_match_those_of_the_other_one_alone() -> None:
    for pattern, expected in (
        ("{ [] :p ?y . ?y :p ?z }", [":r :end"]),
        ("{ _:u :p _:v . _:v :p ?z }", [":r :end"]),
        ("{ _:u :p _:v . _:v :p _:w . ?z :p ?z }", []),
        ("{ ?x :p _:v . _:w :p ?z }", []),
        ("{ _:u :p ?y . ?y :p ?z }", [":r :end"]),
    ):
        rule = f"{{ :f :is {pattern} }} => {{ :r :hit ?z }} ."
        assert said(finished(":f :is { _:a :p _:b . _:b :p :end } ." + rule), "hit") == expected


def test_a_blank_node_taken_out_of_a_formula_stays_itself() -> None:
    reasoner = finished(
        ":f :is { _:a :p 1 ; :q 2 } . :g :is { _:x :q 2 . _:x :p 1 } ."
        "{ :f :is { ?x :p 1 ; :q 2 } } => { ?x :one 1 } . { :g :is { ?x :q 2 ; :p 1 } } => { ?x :two 1 } ."
        "{ ?x :one 1 ; :two 1 . :f :is ?f . ?f log:includes { ?x :p 1 } } => { :they :are :same } ."
    )
    assert said(reasoner, "are") == [":they :same"]


def test_variables_and_rules_inside_quoted_formulas_are_matched() -> None:
    reasoner = finished(
        ":doc :has { { ?x a :Man } => { ?x a :Mortal } . :s a :Man } ."
        "{ :doc :has ?f . ?f log:includes { { ?a a ?c } => { ?a a ?d } } } => { ?c :to ?d } ."
    )
    assert said(reasoner, "to") == [":Man :Mortal"]


LISTS = [
    (":l :is (1 2) . { :l :is (?x ?y) } => { ?x :r ?y } .", ["1 2"]),
    ("{ } => { :l :is (1 2) } . { :l :is (?x ?y) } => { ?x :r ?y } .", ["1 2"]),
    (":l :is (1 2) . { :l :is (1 2) } => { 1 :r 2 } .", ["1 2"]),
    ("(1 2) :is :l . { (?x 2) :is ?y } => { ?x :r ?y } .", ["1 :l"]),
    (":l :is (1 (2 3)) . { :l :is (1 (?x ?y)) } => { ?x :r ?y } .", ["2 3"]),
    (":l :is (1 (2 3)) . { :l :is (1 ?m) . ?m rdf:first ?x ; rdf:rest (?y) } => { ?x :r ?y } .", ["2 3"]),
    ("{ } => { :l :is (1 2) } . { :l :is ?l . ?l rdf:rest ?m . ?m rdf:first ?y } => { 1 :r ?y } .", ["1 2"]),
    ("{ (1 2) rdf:first ?x ; rdf:rest (?y) } => { ?x :r ?y } .", ["1 2"]),
    (":l :is (1 2) . { :l :is (?x ?x) } => { ?x :r ?x } .", []),
    (":l :is (1 2) . { :l :is (?x) } => { ?x :r ?x } .", []),
    ("_:c rdf:first 1 . :l :is _:c . { :l :is (?x) } => { ?x :r ?x } .", []),
    ("_:c rdf:first 1 ; rdf:rest _:c . :l :is _:c . { :l :is (?x ?y) } => { ?x :r ?y } .", []),
    (":k :is (1 2) . :l :is (1 2) . { (1 ?y) ^ :is :has 1 . ?l :is (1 ?y) } => { ?l :r ?y } .", []),
    (":k :is (1 2) . :l :is (1 2) . { ?k :is (1 ?y) . ?l :is (1 ?y) } => { ?k :r ?l } .", [":k :k", ":k :l", ":l :k", ":l :l"]),
    (":l :is (1 2) . { ((3) ?l) list:member ?m . :l :is ?l . ?m rdf:first ?x } => { ?x :r ?x } .", ["1 1", "3 3"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_lists_match_terms_and_cells_alike(text: str, expected: list[str]) -> None:
    assert said(finished(text), "r") == expected


def test_a_list_is_found_when_its_cells_arrive_late_and_one_by_one() -> None:
    given = triples(":l :is (1 (2)) .")
    for order in (given, given[::-1]):
        reasoner = Reasoner(program("{ :l :is (?x (?y)) } => { ?x :r ?y } ."), CONTEXT)
        for triple in order:
            assert said(reasoner, "r") == []
            reasoner.add([triple])
        assert said(reasoner, "r") == ["1 2"]


def test_lists_in_the_memory_do_not_show_their_cells() -> None:
    reasoner = finished("{ } => { :l :is (1 2) } . { ?s ?p ?o } => { ?p :used 1 } .")
    assert said(reasoner, "used") == [":is 1", ":used 1"]


def test_the_memory_is_included_by_its_triples_and_builtins() -> None:
    reasoner = finished(
        ":a :n 3 . :b :n 9 . { [] log:includes { ?x :n ?n . ?n math:greaterThan 5 } } => { ?x :big ?n } ."
    )
    assert said(reasoner, "big") == [":b 9"]


def test_lists_are_collected_from_the_complete_memory() -> None:
    reasoner = finished(
        ":t :member :a , :b . { ?x :member ?y } => { ?y :in ?x } . :a :age 5 . :b :age 3 . :c :age 9 ."
        "{ ?t :member ?any . (?n { ?p :in ?t ; :age ?n } ?list) log:collectAllIn [] . ?list math:sum ?sum } => { ?t :sum ?sum } ."
        "{ ?t :sum ?n . ({ ?p :in ?t } { ?p :age ?a . ?a math:lessThan ?n }) log:forAllIn [] } => { ?t :all ?n } ."
        "{ ?t :sum ?n . ({ ?p :in ?t } { ?p :age ?a . ?a math:greaterThan 3 }) log:forAllIn [] } => { ?t :most ?n } ."
    )
    assert said(reasoner, "sum") == [":t 8"]
    assert said(reasoner, "all") == [":t 8"]
    assert said(reasoner, "most") == []


def test_a_rule_may_test_a_formula_and_still_ask_for_a_document() -> None:
    reasoner = finished(
        ":f :is { :a :p 1 } . { :f :is ?f . ?f log:notIncludes { :a :p 2 } }"
        " => { [] http:mthd m:GET ; http:requestURI <http://d.example/> } ."
    )
    assert list(reasoner.retrievals()) == ["http://d.example/"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{ ?x :p ?f . [] log:includes ?f } => { ?x :r 1 } .", "ASM022"),
        ("{ ?x :p ?f . (?x ?f) log:collectAllIn [] } => { ?x :r 1 } .", "ASM022"),
        ("{ ?x :p 1 . ?f log:includes { ?x :q ?f } } => { ?x :r 1 } .", "ASM001"),
        ("{ (?z { ?x :p 1 } ?l) log:collectAllIn [] } => { :a :r ?l } .", "ASM001"),
        ("{ (?x { ?x :p ?m } ?l) log:collectAllIn [] . (?x { ?x :p ?l } ?m) log:collectAllIn [] } => { :a :r ?l } .", "ASM024"),
        ("{ (?x { ?x :p ?m } ?l) log:collectAllIn [] } => { ?x :p ?l } .", "ASM001"),
        ("{ (?x { ?x :p ?m } ?l) log:collectAllIn [] } => { :a :p ?l } .", "ASM021"),
        ("{ (?x { ?x :p ?m } ?l) log:collectAllIn [] } => { [] http:mthd m:GET ; http:requestURI <http://d/> } .", "ASM023"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_in_a_scope_is_refused(text: str, code: str) -> None:
    with pytest.raises(ProgramError) as refusal:
        finished(text)
    assert refusal.value.code == code


def test_a_hostile_match_ends_with_the_rule_that_tried_it() -> None:
    many = " . ".join(f":a :p {number}" for number in range(9))
    pattern = " . ".join(f":a :p ?y{number}" for number in range(9))
    with pytest.raises(BudgetError, match="bindings tried"):
        finished(
            f":f :is {{ {many} }} . {{ :f :is {{ {pattern} }} }} => {{ :r :is 1 }} .",
            budget=Budget(bindings=20_000),
        )
