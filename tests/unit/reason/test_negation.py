"""Negation: what it means, in which order it is decided, what is refused."""

from collections.abc import Iterable

import pytest

from agent.errors import ProgramError
from agent.rdf.terms import IRI, TRUE, Triple
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.vocab import SR
from tests.support.reasoning import CONTEXT, asked, finished, iri, program, said


def test_a_negated_group_shares_the_variables_of_the_body_and_leaves_the_others_open() -> None:
    reasoner = finished(
        ":a :p 1 . :b :p 1 ; :q :c . :c :r 1 . { ?x :p 1 . [] log:notIncludes { ?x :q ?y . ?y :r 1 } } => { ?x :free 1 } ."
    )
    assert said(reasoner, "free") == [":a 1"]


def test_every_kind_of_scope_that_means_the_memory_is_taken() -> None:
    for scope in ("[]", "_:s", "?scope", "1", ":memory"):
        reasoner = finished(
            f":a :p 1 . :b :p 1 ; :q 1 . {{ ?x :p 1 . {scope} log:notIncludes {{ ?x :q 1 }} }} => {{ ?x :free 1 }} ."
        )
        assert said(reasoner, "free") == [":a 1"]


def test_builtins_and_negation_work_inside_a_negated_group() -> None:
    reasoner = finished(
        ":a :n 1 ; :max 5 . :b :n 9 ; :max 5 . :c :n 9 ; :max 5 ; :forgiven 1 ."
        "{ ?x :max ?m . [] log:notIncludes { ?x :n ?n . ?n math:greaterThan ?m . [] log:notIncludes { ?x :forgiven 1 } } }"
        " => { ?x :fine 1 } ."
    )
    assert said(reasoner, "fine") == [":a 1", ":c 1"]


def test_a_rule_waits_until_what_it_negates_is_complete() -> None:
    reasoner = finished(
        ":a :p 1 . :b :p 1 ; :bad 1 ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :good 1 } } => { ?x :rejected 1 } ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :bad 1 } } => { ?x :fair 1 } ."
        "{ ?x :fair 1 } => { ?x :good 1 } ."
    )
    assert said(reasoner, "rejected") == [":b 1"]


def test_rules_of_one_stratum_see_the_memory_as_it_was_before() -> None:
    reasoner = finished(
        ":a :p 1 . :q :same :r ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :r 1 } } => { ?x :q 1 } ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :none 1 } } => { ?x :s 1 } ."
        "{ ?x ?p ?y . ?p :same ?q } => { ?x ?q ?y } ."
        "{ ?x :s 1 . [] log:notIncludes { ?x :r 1 } } => { ?x :late 1 } ."
    )
    assert said(reasoner, "q") == [":a 1"]
    assert said(reasoner, "r") == [":a 1"]
    assert said(reasoner, "s") == [":a 1"]
    # A head with a variable predicate does not count for the order, so :late runs beside the rules that lead to :r.
    assert said(reasoner, "late") == [":a 1"]


def test_what_a_stratum_derives_does_not_change_what_it_negates() -> None:
    reasoner = finished(
        ":a :p 1 . :q :same :r ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :none 1 } } => { ?x :q 1 } ."
        "{ ?x ?p ?y . ?p :same ?q } => { ?x ?q ?y } ."
        "{ ?x :r 1 } => { ?x :slow 1 } ."
        "{ ?x :slow 1 . [] log:notIncludes { ?x :r 1 } } => { ?x :late 1 } ."
    )
    assert said(reasoner, "r") == [":a 1"]
    assert said(reasoner, "late") == [":a 1"]


def test_a_cycle_through_negation_is_refused_and_named() -> None:
    with pytest.raises(ProgramError) as refusal:
        Reasoner(
            program(
                "{ ?x :p 1 . [] log:notIncludes { ?x :lose 1 } } => { ?x :win 1 } .\n"
                "{ ?x :win 1 } => { ?x :move 1 } .\n"
                "{ ?x :move 1 } => { ?x :lose 1 } .\n"
            ),
            CONTEXT,
        )
    assert refusal.value.code == "ASM021"
    for name in ("win", "move", "lose"):
        assert f"#{name}>" in refusal.value.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{ ?x :p ?f . [] log:notIncludes ?f } => { ?x :r 1 } .", "ASM022"),
        (
            "{ ?x :p 1 . [] log:notIncludes { ?x :q 1 } } => { [] http:mthd m:GET ; http:requestURI ?x } .",
            "ASM023",
        ),
        ("{ ?x :p 1 . [] log:notIncludes { ?y math:lessThan 1 } } => { ?x :r 1 } .", "ASM001"),
    ],
)
def test_what_has_no_meaning_is_refused(text: str, code: str) -> None:
    with pytest.raises(ProgramError) as refusal:
        Reasoner(program(text), CONTEXT)
    assert refusal.value.code == code


def test_negations_nested_without_end_are_refused() -> None:
    text = "{ ?x :q 1 }"
    for _ in range(40):
        text = f"{{ ?x :q 1 . [] log:notIncludes {text} }}"
    with pytest.raises(ProgramError):
        Reasoner(program(f"{{ ?x :p 1 . [] log:notIncludes {text} }} => {{ ?x :r 1 }} ."), CONTEXT)


def test_negation_in_requests_sees_the_final_memory() -> None:
    reasoner = finished(
        ":a :p 1 . :b :p 1 . { :b :p 1 . [] log:notIncludes { :x :y :z } } => { :b :done 1 } ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :done 1 } } => { [] http:mthd m:PUT ; http:requestURI ?x } ."
    )
    assert asked(reasoner) == ["x=:a"]


def test_what_is_concluded_comes_after_all_that_does_not_depend_on_it_and_before_the_rest() -> None:
    seen: list[list[str]] = []

    def conclude(facts: Facts) -> Iterable[Triple]:
        seen.append(sorted(str(triple.object) for triple in facts.match(None, iri("first"), None)))
        return [Triple(iri("sentry"), IRI(SR + "boolean"), TRUE)]

    reasoner = finished(
        ":a :p 1 ."
        "{ ?x :p 1 . [] log:notIncludes { ?x :none 1 } } => { ?x :first 1 } ."
        "{ ?x :p 1 . [] log:notIncludes { :sentry sr:boolean true } } => { ?x :otherwise 1 } ."
        "{ ?x sr:boolean true . :a :first 1 } => { ?x :holds 1 } ."
        "{ ?x :p 1 . [] log:notIncludes { :sentry :holds 1 } } => { ?x :missed 1 } .",
        conclude=conclude,
    )
    assert len(seen) == 1
    assert len(seen[0]) == 1
    assert said(reasoner, "holds") == [":sentry 1"]
    assert said(reasoner, "otherwise") == said(reasoner, "missed") == []


def test_nothing_is_retrieved_for_what_negation_derives() -> None:
    reasoner = finished(
        "<http://e.example/d> :p 1 . { ?x :p 1 . [] log:notIncludes { ?x :q 1 } } => { ?x :wanted 1 } ."
        "{ ?x :wanted 1 } => { [] http:mthd m:GET ; http:requestURI ?x } ."
    )
    assert said(reasoner, "wanted") == ["<http://e.example/d> 1"]
    assert reasoner.retrievals() == {}
