"""Rules whose head is false: what they find, how it is told, and that no step writes then."""

from agent.errors import Finding
from agent.runtime.derive import derive
from tests.support.reasoning import finished, program, said

HINT = "its head is false, so this must never be: correct the data, or the rule"


def found(text: str) -> list[str]:
    """Return what is told of the inconsistencies of the program ``text``."""
    findings: list[Finding] = list(derive(program(text)).findings)
    assert all((each.severity, each.code, each.hint) == ("error", "ASM031", HINT) for each in findings)
    return [each.message.removeprefix("inconsistency: the body of rule ") for each in findings]


def test_each_rule_tells_its_place_and_its_first_bindings() -> None:
    people = "".join(f":p{number} a :Dead , :Alive ." for number in range(5))
    [finding] = derive(program(people + "\n{ ?x a :Dead , :Alive } => false .")).findings
    assert (finding.severity, finding.code, str(finding.place)) == ("error", "ASM031", "test.n3:12:1")
    assert finding.message == (
        "inconsistency: the body of rule test.n3:12 holds for ?x = :p0; ?x = :p1; ?x = :p2; and 2 more"
    )


def test_all_rules_that_hold_are_told_and_the_others_are_not() -> None:
    rules = "{ ?x :p ?y . ?y :p ?x } => false .\n false <= { ?x :q ?x } .\n { ?x :r ?x } => false .\n"
    assert found(rules + ":a :p :a ; :r :b . :b :q :b .") == [
        "test.n3:11 holds for ?x = :a, ?y = :a",
        "test.n3:12 holds for ?x = :b",
    ]


def test_a_body_without_variables_and_one_with_blank_nodes_are_told_without_values() -> None:
    assert found(":a :p 1 . { :a :p 1 } => false .\n{ [] :p 1 } => false .") == [
        "test.n3:11 holds",
        "test.n3:12 holds",
    ]


def test_what_is_derived_absent_computed_or_answered_counts() -> None:
    rules = (
        "{ ?x :n ?n . ?n math:greaterThan 5 } => { ?x a :Big } . { ?x :small 1 } <= { ?x :n ?n . ?n math:lessThan 9 } ."
        "{ ?x a :Big ; :small 1 . [] log:notIncludes { ?x :ok 1 } } => false .\n"
    )
    assert found(rules + ":a :n 4 . :b :n 7 . :c :n 8 ; :ok 1 .") == ["test.n3:11.3 holds for ?x = :b"]


def test_true_false_the_empty_text_and_zero_are_literals_like_others() -> None:
    reasoner = finished(
        ':a :p false , "" , 0 , true . { ?x :p ?v } => { ?x :copy ?v } . { ?x :p false } => { :all :saw false } .'
        '{ ?v :of ?x } <= { ?x :p ?v } . { false :of ?x . "" :of ?x . 0 :of ?x } => { ?x :all 0 } .'
        '{ ?x :p "" . 0 :of ?x } => { false :said "" } .'
    )
    assert said(reasoner, "copy") == [":a ", ":a 0", ":a false", ":a true"]
    assert said(reasoner, "saw") == [":all false"]
    assert said(reasoner, "all") == [":a 0"]
    assert said(reasoner, "said") == ["false "]
