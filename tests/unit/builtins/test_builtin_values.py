"""What each builtin computes: one readable line a case, the whole answer asserted."""

import resource
from pathlib import Path

import pytest

from agent.n3.builtins import BUILTINS
from agent.rdf.terms import Literal, Term
from tests.support.builtin_answers import CWM, answers, terms

VALUES = {
    # arithmetic and the types of its results
    "(1 2 3) math:sum ?a": "6",
    "() math:sum ?a": "0",
    "() math:product ?a": "1",
    "(0.1 0.2) math:sum ?a": "0.3",
    "(1 0.5) math:sum ?a": "1.5",
    "(1 1.5e0) math:sum ?a": '"2.5E0"^^xsd:double',
    '("1.5"^^xsd:float 1) math:sum ?a': '"2.5E0"^^xsd:float',
    '("16777216"^^xsd:float 1) math:sum ?a': '"1.6777216E7"^^xsd:float',
    '("1"^^xsd:byte 1) math:sum ?a': "2",
    "(123456789012345678901234567890 1) math:sum ?a": "123456789012345678901234567891",
    "(0.1 0.1) math:product ?a": "0.01",
    "(5 7) math:difference ?a": "-2",
    "(5 7 1) math:difference ?a": "",
    # what is no number, and what has no value
    '(1 "2") math:sum ?a': "",
    '"16" math:sqrt ?a': "",
    '(1 "2"@en) math:sum ?a': "",
    '(1 "2"^^:t) math:sum ?a': "",
    '(1 "0x1") math:sum ?a': "",
    '(1 "") math:sum ?a': "",
    "(1 :b) math:sum ?a": "",
    ":b math:sum ?a": "",
    '("x"^^xsd:integer 1) math:sum ?a': "",
    "(7 2) math:quotient ?a": "3.5",
    "(6 2) math:quotient ?a": '"3"^^xsd:decimal',
    "(1 3) math:quotient ?a": '"0.3333333333333333333333333333333333"^^xsd:decimal',
    "(1 0) math:quotient ?a": "",
    "(1 0e0) math:quotient ?a": '"INF"^^xsd:double',
    "(-1e0 0) math:quotient ?a": '"-INF"^^xsd:double',
    "(0e0 0) math:quotient ?a": '"NaN"^^xsd:double',
    "(7 3) math:remainder ?a": "1",
    "(-7 3) math:remainder ?a": "-1",
    "(7.5 -2) math:remainder ?a": "1.5",
    "(7 0) math:remainder ?a": "",
    "(2 10) math:exponentiation ?a": "1024",
    "(1.5 2) math:exponentiation ?a": "2.25",
    "(2 -1) math:exponentiation ?a": '"5.0E-1"^^xsd:double',
    "(-8 0.5) math:exponentiation ?a": "",
    "(0 0) math:exponentiation ?a": "1",
    "(-1 1000000000001) math:exponentiation ?a": "-1",
    "(10 1000000000) math:exponentiation ?a": "",
    "(1e308 2) math:exponentiation ?a": "",
    "9 math:sqrt ?a": '"3.0E0"^^xsd:double',
    "-9 math:sqrt ?a": "",
    "-2.50 math:absoluteValue ?a": "2.5",
    "2 math:negation ?a": "-2",
    "?a math:negation 2": "-2",
    "-0.0e0 math:absoluteValue ?a": '"0.0E0"^^xsd:double',
    # functions test an object that is known, by value
    "(1 2) math:sum 3": ":yes",
    "(1 2) math:sum 3.0": ":yes",
    "(1 2) math:sum 4": "",
    "2 math:negation -2.0": ":yes",
    # comparisons read any literal
    '25 math:notLessThan "0.6"^^xsd:double': ":yes",
    '"abc" math:notLessThan "0.6"^^xsd:double': "",
    '"0.60"^^xsd:double math:notLessThan "0.6"^^xsd:double': ":yes",
    '"2" math:lessThan " 10 "': ":yes",
    '"2"^^:odd math:equalTo 2.0': ":yes",
    "1 math:notEqualTo 1.0": "",
    ":a math:notEqualTo :b": "",
    '"NaN"^^xsd:double math:equalTo "NaN"^^xsd:double': "",
    '"NaN"^^xsd:double math:notEqualTo 1': ":yes",
    '"NaN"^^xsd:double math:notLessThan 1': "",
    '"-INF"^^xsd:double math:lessThan -99999999999999999999999': ":yes",
    "2 math:greaterThan 1": ":yes",
    "2 math:notGreaterThan 1": "",
    "0.1 math:equalTo 0.1e0": ":yes",
    # text
    '"2026-01-01T00:00:00.000Z"^^xsd:dateTime string:lessThan "2026-01-01T00:00:00.001Z"': ":yes",
    '"b" string:greaterThan "a"': ":yes",
    '"a" string:notLessThan "a"': ":yes",
    '"b" string:notGreaterThan "a"': "",
    ":b string:greaterThan :a": "",
    '"Zebra" string:lessThan "apple"': ":yes",
    '"http://127.0.1.1/x" string:contains "127.0.1.1"': ":yes",
    '"Door" string:containsIgnoringCase "OO"': ":yes",
    '"the  OPEN\\n door" string:containsRoughly "open door"': ":yes",
    '"the open door" string:notContainsRoughly "Open  Door"': "",
    "1 string:notContainsRoughly :b": "",
    '"door" string:startsWith "do"': ":yes",
    '"door" string:endsWith "do"': "",
    '"Straße" string:equalIgnoringCase "STRASSE"': ":yes",
    '"a" string:notEqualIgnoringCase "A"': "",
    '("a" 1 "b"@en) string:concatenation ?a': '"a1b"',
    "() string:concatenation ?a": '""',
    '("a" :b) string:concatenation ?a': '"ahttp://e.example/#b"',
    '("a" ("b")) string:concatenation ?a': "",
    '("hello" "l+" "[$0]") string:replace ?a': '"he[ll]o"',
    '("hello" "(" "x") string:replace ?a': "",
    '("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" "(a+)+$" "x") string:replace ?a': (
        '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"'
    ),
    # terms
    ":b log:equalTo ?a": ":b",
    "?a log:equalTo :b": ":b",
    "1 log:equalTo 1.0": "",
    "1 log:notEqualTo 1.0": ":yes",
    ":b log:notEqualTo :b": "",
    ":b log:uri ?a": '"http://e.example/#b"',
    '?a log:uri "http://e.example/#b"': ":b",
    ":b log:uriToString ?a": '"http://e.example/#b"',
    '"http://e.example/#b" log:stringToUri ?a': ":b",
    '"not an iri" log:stringToUri ?a': "",
    "1 log:uri ?a": "",
    '("1" xsd:integer) log:dtlit ?a': "1",
    '?a log:dtlit "x"@en': "",
    "(1 2 2) list:member ?a": "1, 2",
    "?a list:in (1 :b)": "1, :b",
    "1.0 list:in (1 2)": "",
    "() list:member ?a": "",
    # time
    '"" time:localTime ?a': '"2026-01-02T03:04:05.678Z"^^xsd:dateTime',
    "[] time:gmTime ?a": '"2026-01-02T03:04:05.678Z"^^xsd:dateTime',
    '"1970-01-01T01:00:00+01:00"^^xsd:dateTime time:inSeconds ?a': "0",
    '"1970-01-01T00:00:01.5Z"^^xsd:dateTime time:inSeconds ?a': "1.5",
    '"1969-12-31T23:59:59.250Z"^^xsd:dateTime time:inSeconds ?a': "-0.75",
    '"1970-01-01T00:00:00"^^xsd:dateTime time:inSeconds ?a': "",
    '"1970-13-01T00:00:00Z"^^xsd:dateTime time:inSeconds ?a': "",
    # names
    "(<http://h/c/> <http://h/c/i1#it> <http://h/m#s>) ag:elementDocument ?a": "<http://h/c/i1.122b557aadc983f0>",
    "(<http://h/c/> <http://h/c/i1#it>) ag:elementDocument ?a": "",
    '(<http://h/c/> <http://h/c/i1#it> "s") ag:elementDocument ?a': "",
    '(<http://h/sparql> "DESCRIBE ?s") ag:resultDocument ?a': "<http://h/sparql?query=DESCRIBE%20%3Fs>",
    '(<http://h/sparql?x=1#it> "&") ag:resultDocument ?a': "<http://h/sparql?x=1&query=%26>",
    "(<http://h/sparql> <http://h/q>) ag:resultDocument ?a": "",
    '("http://h/sparql" "q") ag:resultDocument ?a': "",
    # what the SPARQL engine makes of terms and conditions
    '3 ag:satisfies "?v0 > 2"': ":yes",
    '1 ag:satisfies "?v0 > 2"': "",
    '(1 2) ag:satisfies "?v0 + 1 = ?v1"': ":yes",
    '("a" 2) ag:satisfies "?v0 < ?v1"': "",
    '("abc" "^b") ag:satisfies "regex(?v0, ?v1)"': "",
    '3 ag:satisfies "no condition"': "",
    '"a" ag:isKnownToSparql "object"': ":yes",
    '"a" ag:isKnownToSparql "subject"': "",
    '"01"^^xsd:integer ag:isWrittenAs ?a': "1",
    "1 ag:isWrittenAs ?a": "",
    ":b ag:isWrittenAs ?a": "",
}


@pytest.mark.parametrize(("body", "expected"), VALUES.items())
def test_a_builtin_gives(body: str, expected: str) -> None:
    assert answers(body) == terms(expected)


CWM_VALUES = {
    # plain strings that spell numbers are numbers, as they would be without their quotes
    '(1 "2") math:sum ?a': "3",
    '("+1" " 2.50 ") math:sum ?a': "3.5",
    '("2" "1e0") math:sum ?a': '"3.0"^^xsd:double',
    '("6" "4") math:quotient ?a': "1.5",
    '"16" math:sqrt ?a': '"4.0"^^xsd:double',
    '("INF" 1) math:sum ?a': '"INF"^^xsd:double',
    '(1 "2"@en) math:sum ?a': "",
    '(1 "2"^^:t) math:sum ?a': "",
    '(1 "0x1") math:sum ?a': "",
    '(1 "") math:sum ?a': "",
    '("x" 1) math:sum ?a': "",
    "(1 1.5e0) math:sum ?a": '"2.5"^^xsd:double',
    "(-7 3) math:remainder ?a": "2",
    '"4" math:sqrt ?a': '"2.0"^^xsd:double',
    '"abc" math:lessThan 1': "",
}


@pytest.mark.parametrize(("body", "expected"), CWM_VALUES.items())
def test_a_builtin_gives_with_the_numbers_of_cwm(body: str, expected: str) -> None:
    assert answers(body, CWM) == terms(expected)


def test_every_builtin_has_a_case() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    names = {iri.rpartition("/")[2].replace("#", ":").replace("agent:", "ag:") for iri in BUILTINS}
    assert {name for name in names if f"{name} " not in written} == set()


def _replacing(text: str, pattern: str, by: str) -> set[Term]:
    return answers(f'("{text}" "{pattern}" "{by}") string:replace ?a')


def test_what_a_replacement_may_become_is_known_before_it_is_made() -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert _replacing("a" * 20_000, "a", "y" * 20_000) == set()
    assert _replacing("a" * 20_000, "(a*)", "$1" * 10_000) == set()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 150_000
    assert _replacing("a" * 999 + "b", "b", "y" * 2000) == {Literal("a" * 999 + "y" * 2000)}
    assert _replacing("ab" * 600, "b", "y" * 1000) == {Literal(("a" + "y" * 1000) * 600)}
    assert _replacing("a" * 1000, "a", "y" * 1001) == set()
