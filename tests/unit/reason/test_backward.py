"""Backward rules: what they answer, that they end, and what is said when they cannot."""

import pytest

from agent.errors import BudgetError, ProgramError
from agent.reason.budget import Budget
from agent.reason.fixpoint import Reasoner
from tests.support.reasoning import CONTEXT, asked, finished, iri, program, said, triples

FACTORIAL = (
    "{ (0) :fact 1 } <= true ."
    "{ (?n) :fact ?r } <= { ?n math:greaterThan 0 . (?n 1) math:difference ?m . (?m) :fact ?s . (?n ?s) math:product ?r } ."
)
RING = ":a :edge :b . :b :edge :c . :c :edge :a . :c :edge :d ."


def test_a_backward_rule_answers_and_its_conclusions_are_not_in_the_memory() -> None:
    reasoner = finished(f"{FACTORIAL} :a :n 5 . :b :n 0 . {{ ?x :n ?n . (?n) :fact ?r }} => {{ ?x :r ?r }} .")
    assert said(reasoner, "r") == [":a 120", ":b 1"]
    assert said(reasoner, "fact") == []


@pytest.mark.parametrize(
    "step",
    [
        "{ ?x :path ?y . ?y :edge ?z }",
        "{ ?x :edge ?y . ?y :path ?z }",
        "{ ?x :path ?y . ?y :path ?z }",
        "{ ?x :way ?z } . { ?x :way ?z } <= { ?x :path ?y . ?y :edge ?z }",
    ],
)
@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (":a :path ?y", [":a", ":b", ":c", ":d"]),
        ("?y :path :d", [":a", ":b", ":c"]),
        ("?y :path ?y", [":a", ":b", ":c"]),
        (":d :path ?y", []),
    ],
)
def test_left_right_double_and_mutual_recursion_end_with_all_answers(
    step: str, question: str, answers: list[str]
) -> None:
    rules = f"{RING} {{ ?x :path ?y }} <= {{ ?x :edge ?y }} . {{ ?x :path ?z }} <= {step} ."
    reasoner = finished(f"{rules} {{ {question} }} => {{ :all :are ?y }} .")
    assert said(reasoner, "are") == [f":all {answer}" for answer in answers]


def test_questions_ten_thousand_deep_need_no_stack() -> None:
    reasoner = finished(
        "{ (0) :sum 0 } <= true ."
        "{ (?n) :sum ?r } <= { ?n math:greaterThan 0 . (?n 1) math:difference ?m . (?m) :sum ?s . (?n ?s) math:sum ?r } ."
        "{ (10000) :sum ?r } => { :a :is ?r } ."
    )
    assert said(reasoner, "is") == [":a 50005000"]


def test_facts_of_the_same_predicate_count_as_well() -> None:
    reasoner = finished(
        ":a :big 1 . :b :n 9 . { ?x :big 2 } <= { ?x :n 9 } . { ?x :big ?y } => { ?x :is ?y } ."
    )
    assert said(reasoner, "is") == [":a 1", ":b 2"]


def test_answers_follow_what_forward_rules_derive_later() -> None:
    reasoner = finished(
        ":a :next :b . :b :next :c . :a :on 1 ."
        "{ ?x :lit ?y } <= { ?x :on ?y } . { ?x :lit 1 . ?x :next ?y } => { ?y :on 1 } ."
    )
    assert said(reasoner, "on") == [":a 1", ":b 1", ":c 1"]


def test_lists_in_heads_and_questions_are_taken_apart_both_ways() -> None:
    reasoner = finished(
        "{ (?a ?b) :swapped (?b ?a) } <= true . { (?a ?b) :pair ?c } <= { ?a :has ?b , ?c } . :x :has 1 , 2 ."
        "{ (1 2) :swapped ?l } => { :a :list ?l } ."
        "{ (1 (2 3)) :swapped (?u ?v) } => { :u :is ?u . :v :is ?v } ."
        "{ (?x 1) :pair 2 } => { ?x :found 1 } ."
    )
    assert said(reasoner, "list") == [":a ( 2 1 )"]
    assert said(reasoner, "is") == [":u ( 2 3 )", ":v 1"]
    assert said(reasoner, "found") == [":x 1"]


def test_a_new_node_of_a_head_is_the_same_in_all_triples_of_the_rule() -> None:
    reasoner = finished(
        ":a :p 1 . { ?x :owner _:o . _:o :owns ?x } <= { ?x :p 1 } ."
        "{ :a :owner ?o . ?o :owns ?x } => { ?x :same 1 } . { ?o :owns :a } => { ?o :q 1 } ."
    )
    assert said(reasoner, "same") == [":a 1"]
    assert said(reasoner, "q") == ["_:b0 1"]


def test_a_head_with_a_variable_as_predicate_answers_for_every_predicate_that_is_read() -> None:
    reasoner = finished(
        ":a :old 1 . :old :now :new . { ?s ?p ?o } <= { ?q :now ?p . ?s ?q ?o } . { ?x :new ?y } => { ?x :is ?y } ."
    )
    assert said(reasoner, "is") == [":a 1"]


def test_requests_and_retrievals_ask_backward_rules() -> None:
    reasoner = finished(
        ":a :n 4 . <http://h.example/x> :n 6 . { ?x :half ?h } <= { ?x :n ?n . (?n 2) math:quotient ?h } ."
        "{ ?x :half 2 } => { [] http:mthd m:PUT ; http:requestURI <http://h.example/> ; http:body { ?x :p 1 } } ."
        "{ ?x :half 3 } => { [] http:mthd m:GET ; http:requestURI ?x } ."
    )
    assert asked(reasoner) == ["x=:a"]
    assert list(reasoner.retrievals()) == ["http://h.example/x"]


def test_a_retrieval_is_asked_for_as_soon_as_later_data_answer() -> None:
    reasoner = Reasoner(
        program(
            "{ ?x :see ?y } <= { ?x :link ?y } ."
            "{ :a :see ?y } => { [] http:mthd m:GET ; http:requestURI ?y } ."
        ),
        CONTEXT,
    )
    assert list(reasoner.retrievals()) == []
    reasoner.add(triples(":a :link <http://h.example/x> ."))
    assert list(reasoner.retrievals()) == ["http://h.example/x"]


def test_questions_inside_negated_groups_are_answered_from_the_memory_before() -> None:
    reasoner = finished(
        f"{RING} {{ ?x :path ?y }} <= {{ ?x :edge ?y }} . {{ ?x :path ?z }} <= {{ ?x :path ?y . ?y :edge ?z }} ."
        "{ ?x :edge ?y . [] log:notIncludes { ?y :path ?x } } => { ?x :oneway ?y } ."
    )
    assert said(reasoner, "oneway") == [":c :d"]


def test_a_rule_that_asks_a_negating_rule_waits_for_what_that_negates() -> None:
    reasoner = finished(
        ":a :p 1 . :b :p 1 . { ?x :free 1 } <= { ?x :p 1 . [] log:notIncludes { ?x :taken 1 } } ."
        "{ ?x :free 1 } => { ?x :is 1 } . { :a :p 1 } => { :a :late 1 } . { ?x :late 1 } => { ?x :taken 1 } ."
    )
    assert said(reasoner, "is") == [":b 1"]


def test_a_cycle_through_a_backward_rule_and_negation_is_refused() -> None:
    with pytest.raises(ProgramError) as caught:
        finished(
            "{ ?x :free 1 } <= { ?x :p 1 . [] log:notIncludes { ?x :taken 1 } } . { ?x :free 1 } => { ?x :taken 1 } ."
        )
    assert caught.value.code == "ASM021"


def test_a_retrieval_by_a_negating_backward_rule_is_refused() -> None:
    with pytest.raises(ProgramError) as caught:
        finished(
            "{ ?x :free 1 } <= { ?x :p 1 . [] log:notIncludes { ?x :taken 1 } } ."
            "{ ?x :free 1 } => { [] http:mthd m:GET ; http:requestURI ?x } ."
        )
    assert caught.value.code == "ASM023"


def test_rules_that_never_end_are_named_when_the_budget_is_spent() -> None:
    with pytest.raises(BudgetError) as caught:
        finished(
            "{ ?n :up ?r } <= { (?n 1) math:sum ?m . ?m :up ?r } . { 1 :up ?r } => { :a :is ?r } .",
            budget=Budget(questions=50),
        )
    assert caught.value.code == "ASM020"
    assert "more than 50 questions to backward rules" in caught.value.message
    assert "rule test.n3:11" in caught.value.message


def test_a_question_that_tells_too_little_is_an_error_that_names_both_rules() -> None:
    with pytest.raises(ProgramError) as caught:
        finished("{ ?n :twice ?r } <= { (?n 2) math:product ?r } .\n{ ?x :twice ?r } => { ?x :is ?r } .")
    assert caught.value.code == "ASM030"
    assert caught.value.message.startswith(
        "rule test.n3:12 asks for <http://e.example/#twice> knowing neither subject nor object"
    )
    assert "rule test.n3:11: nothing binds ?n" in caught.value.message


def test_rules_for_several_ways_to_ask_complete_each_other() -> None:
    rules = "{ ?c :in ?f } <= { (?c 32) math:sum ?f } . { ?c :in ?f } <= { (?f 32) math:difference ?c } ."
    reasoner = finished(f"{rules} {{ 10 :in ?f }} => {{ :f :is ?f }} . {{ ?c :in 50 }} => {{ :c :is ?c }} .")
    assert said(reasoner, "is") == [":c 18", ":f 42"]


def test_a_variable_of_the_head_may_be_bound_by_the_question_alone() -> None:
    rule = "{ ?x :likes ?y } <= { ?x a :Fan } . :a a :Fan ."
    assert said(
        finished(f"{rule} :t :for :m . {{ ?u :for ?y . ?x :likes ?y }} => {{ ?x :is ?y }} ."), "is"
    ) == [":a :m"]
    with pytest.raises(ProgramError) as caught:
        finished(f"{rule} {{ :a :likes ?y }} => {{ ?y :is 1 }} .")
    assert (caught.value.code, "?y" in caught.value.message) == ("ASM030", True)


def test_a_node_that_a_head_quantifies_is_new_for_each_values_and_the_same_in_every_run() -> None:
    text = ":a :p 1 . :b :p 1 . { ?x :p ?y } => { @forSome :k . ?x :r :k . :k :s ?y } ."
    first, again = finished(text), finished(text)
    assert set(first.facts) == set(again.facts)
    nodes = {triple.object for triple in first.facts.match(None, iri("r"), None)}
    assert len(nodes) == 2
    assert nodes == {triple.subject for triple in first.facts.match(None, iri("s"), None)}


def test_a_variable_of_the_head_that_nothing_binds_is_refused_at_its_place() -> None:
    with pytest.raises(ProgramError) as caught:
        program("{ ?x :p ?y }\n=> { ?x :q ?z } .")
    assert (caught.value.code, "?z" in caught.value.message) == ("ASM001", True)
    assert str(caught.value.place) == "test.n3:12:12"
