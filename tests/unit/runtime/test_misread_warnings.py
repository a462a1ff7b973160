"""What is no number where one is wanted is told once for each builtin, by the reasoner alone and by a step."""

import pytest

from agent.errors import Finding, Place
from agent.n3.builtins import Numeric
from agent.n3.builtins.misread import MAX_TEXTS, Misreadings
from agent.rdf.terms import Literal
from agent.runtime.derive import derive
from tests.support.plans import plan
from tests.support.reasoning import program
from tests.support.world import FakeWorld

SMALL = "{ ?x :v ?v . ?v math:lessThan 5 } => { ?x :is :small } .\n"
NEXT = "{ ?x :v ?v . (?v 1) math:sum ?w } => { ?x :next ?w } .\n"


def warnings(text: str, numeric: Numeric = "strict") -> list[str]:
    """Return the warnings of the rules and facts in ``text``, each as one line without its code."""
    found = derive(program(text), numeric=numeric).findings
    assert {(each.severity, each.code) for each in found} <= {("warning", "N3035")}
    return [f"{each.place} {each.message}" for each in found]


def test_different_texts_are_counted_and_the_first_is_shown() -> None:
    assert warnings(SMALL + ':a :v "x", "abc", 3, "4" . :b :v "abc" .') == [
        'math:lessThan did not hold because 2 texts are no numbers to it, "abc" for one'
    ]


def test_arithmetic_wants_numeric_datatypes_unless_numbers_are_those_of_cwm() -> None:
    facts = ':a :v 3, "4", "x"@en .'
    assert warnings(NEXT + facts) == [
        'math:sum did not hold because 2 texts are no numbers to it, "4" for one'
    ]
    assert warnings(NEXT + facts, "cwm") == ['math:sum did not hold because "x"@en is no number to it']


@pytest.mark.parametrize(
    "text",
    [
        SMALL + ":a :v 7 .",  # it did not hold, but for the value
        SMALL + ":a :v :b, (1) .",  # no text at all
        NEXT + ":a :v :b .",
        '{ ?x :v ?v . (?v 1 "x") math:difference ?w } => { ?x :next ?w } . :a :v 3 .',  # it wants two
        '{ ?x :v ?v . (?v "x" :b) math:sum ?w } => { ?x :next ?w } . :a :v 3 .',
        '{ ?x :v ?v . ?v time:year ?w } => { ?x :next ?w } . :a :v "x" .',  # no builtin on numbers
        '{ ?x :v ?v . ?v string:lessThan "b" } => { ?x :is :small } . :a :v "a" .',
    ],
)
def test_nothing_is_told_of_what_does_not_hold_for_another_reason(text: str) -> None:
    assert warnings("@prefix time: <http://www.w3.org/2000/10/swap/time#> .\n" + text) == []


def test_the_count_does_not_depend_on_how_often_a_rule_tries_a_text() -> None:
    alone = warnings(SMALL + ':a :v "x" .')
    many = warnings(SMALL + "".join(f':a{i} :v "x" . :a{i} :w {i} .\n' for i in range(50)))
    twice = warnings(
        SMALL + "{ ?x :v ?v . ?y :w ?w . ?v math:lessThan ?w } => { ?x :p ?y } . " + ':a :v "x" ; :w 1, 2 .'
    )
    assert alone == many == twice == ['math:lessThan did not hold because "x" is no number to it']


def test_every_builtin_is_told_of_apart_and_by_name() -> None:
    text = '{ ?x :v ?v . ?v math:sin ?w } => { ?x :p ?w } . { ?x :v ?v . ?w math:negation ?v } => { ?x :p ?w } . :a :v "x" .'
    assert warnings(text) == [
        'math:negation did not hold because "x" is no number to it',
        'math:sin did not hold because "x" is no number to it',
    ]


def test_a_long_text_is_cut_and_another_datatype_is_named() -> None:
    assert warnings(SMALL + f':a :v "{"y" * 100}" .') == [
        f'math:lessThan did not hold because "{"y" * 39}…" is no number to it'
    ]
    assert warnings(SMALL + ':a :v "1x"^^<http://e/t> .') == [
        'math:lessThan did not hold because "1x"^^<http://e/t> is no number to it'
    ]


def test_a_thousand_texts_are_counted_and_no_more_are_kept() -> None:
    facts = " . ".join(f':a :v "x{number:05}"' for number in range(MAX_TEXTS + 5))
    assert warnings(f"{SMALL} {facts} .") == [
        'math:lessThan did not hold because 1000 or more texts are no numbers to it, "x00000" for one'
    ]


def test_texts_beyond_the_limit_are_not_kept() -> None:
    tally = Misreadings()
    for number in range(3 * MAX_TEXTS):
        tally.note("math:sum", Literal(f"x{number}"))
    assert repr(tally).count("Literal(") == MAX_TEXTS + 1


def test_a_step_reports_it_as_a_finding_and_goes_on() -> None:
    world = FakeWorld({})
    text = "{ ?x :value ?v . ?v math:lessThan 5 } => { [] http:mthd m:PUT ; http:requestURI ?x ; http:body { ?x :value ?v } } .\n"
    report = world.step(plan(text + 'w:a :value "warm" . w:b :value 3 .'))
    assert report.findings == (
        Finding("warning", "N3035", 'did not hold because "warm" is no number to it', Place("math:lessThan")),
    )
    assert ([request.uri for request in report.requests], report.failure) == (["http://w/b"], None)
