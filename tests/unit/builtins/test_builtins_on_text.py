"""What the builtins on text and the digests compute: one line a case, the whole answer asserted in both numeric modes."""

import hashlib

import pytest

from agent.rdf.terms import Literal
from tests.support.builtin_answers import CWM, STRICT, answers, terms

CASES = {
    # regular expressions match anywhere
    '"asdf" string:matches "sd"': ":yes",
    '"asdf" string:matches "^sd"': "",
    '"asdf" string:matches "^a.*f$"': ":yes",
    '"asdf" string:matches ""': ":yes",
    '"ASDF" string:matches "(?i)sd"': ":yes",
    '12 string:matches "^[0-9]+$"': ":yes",
    '"asdf" string:matches "("': "",
    '"asdf" string:notMatches "("': "",
    '"asdf" string:matches "(a)\\\\1"': "",
    '"asdf" string:notMatches "^sd"': ":yes",
    '"asdf" string:notMatches "sd"': "",
    ':b string:notMatches "x"': "",
    '"x" string:notMatches :b': "",
    '"a" string:notMatches "((a{1000}){1000}){1000}"': "",
    # references to groups
    '("k=v" "(.)=(.)" "$2$1x") string:replace ?a': '"vkx"',
    '("k=v" "(.)=(.)" "\\\\$1 $ $9 \\\\\\\\") string:replace ?a': '"$1 $  \\\\"',
    '("a.b" "." "$0") string:replace ?a': '"a.b"',
    '("a-b" "-" "$") string:replace ?a': '"a$b"',
    # what a group matches
    '("abcdef" "ab(..)ef") string:scrape ?a': '"cd"',
    '("abXcdef" "ab(..)ef") string:scrape ?a': "",
    '("k=v" "k=(.*)") string:scrape ?a': '"v"',
    '("k=" "k=(.*)") string:scrape ?a': '""',
    '("a1b2" "[a-z]([0-9])") string:scrape ?a': '"1"',
    '("a\\nb1" "b([0-9])") string:scrape ?a': '"1"',
    '("abc" "b") string:scrape ?a': "",
    '("abc" "(?:b)") string:scrape ?a': "",
    '("abc" "[(]b") string:scrape ?a': "",
    '("ac" "a(b)?c") string:scrape ?a': '""',
    '("abc" "(") string:scrape ?a': "",
    '("abc") string:scrape ?a': "",
    '("abc" :b) string:scrape ?a': "",
    # formats
    '("%s-%d" "a" 1) string:format ?a': '"a-1"',
    '("%5.2f|%-4d|%04d|%+d" 3.14159 7 42 3) string:format ?a': '" 3.14|7   |0042|+3"',
    '("%x %X %o %e %g %c%%" 255 255 8 1.5 0.5 "abc") string:format ?a': '"ff FF 10 1.500000e+00 0.5 a%"',
    '("%d" "12") string:format ?a': '"12"',
    '("%d" 2.9) string:format ?a': '"2"',
    '("%s %s" <http://h/x> 1.50) string:format ?a': '"http://h/x 1.5"',
    '("plain") string:format ?a': '"plain"',
    '("%s") string:format ?a': "",
    '("%s" "a" "b") string:format ?a': "",
    '("%d" "a") string:format ?a': "",
    '("%d" "NaN"^^xsd:double) string:format ?a': "",
    '("%f" "INF"^^xsd:double) string:format ?a': '"inf"',
    '("%y" 1) string:format ?a': "",
    '("%" 1) string:format ?a': "",
    '("%99999s" "a") string:format ?a': "",
    '("%s" ("a")) string:format ?a': "",
    '("%c" "") string:format ?a': "",
    "(:b) string:format ?a": "",
    "() string:format ?a": "",
    # as XPath casts to strings
    '(1.50 " " 1.23E3 " " true " " "1"^^xsd:boolean " " <http://h/x>) string:concatenation ?a': (
        '"1.5 1230 true true http://h/x"'
    ),
    '(1e7 " " -0e0 " " 1e-7 " " "0.1"^^xsd:float " " 0.5e-3) string:concatenation ?a': '"1.0E7 -0 1.0E-7 0.1 0.0005"',
    '("007" " " "abc"^^xsd:integer " " "2026-01-01"^^xsd:date) string:concatenation ?a': '"007 abc 2026-01-01"',
    '("NaN"^^xsd:double "INF"^^xsd:float) string:concatenation ?a': '"NaNINF"',
    # length and case
    '"Zürich" string:length ?a': "6",
    '"" string:length ?a': "0",
    "1.50 string:length ?a": "4",
    ":b string:length ?a": "",
    '"ab" string:length 2': ":yes",
    '"Straße" string:upperCase ?a': '"STRASSE"',
    '"Tür"@de string:upperCase ?a': '"TÜR"@de',
    '"ÄB" string:lowerCase ?a': '"äb"',
    "true string:upperCase ?a": '"TRUE"',
    '"hELLO wORLD"@en string:capitalize ?a': '"Hello world"@en',
    '"" string:capitalize ?a': '""',
    "(1) string:capitalize ?a": "",
    # parts of IRIs
    '"a/b#c d~é" string:encodeForURI ?a': '"a%2Fb#c%20d~%C3%A9"',
    '"a/b#c d~é" string:encodeForFragID ?a': '"a/b%23c%20d%7E%C3%A9"',
    ":b string:encodeForURI ?a": "",
    ":b string:encodeForFragID ?a": "",
    # digests
    '"abc" crypto:sha ?a': '"a9993e364706816aba3e25717850c26c9cd0d89d"',
    '"abc" crypto:sha256 ?a': '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"',
    '"abc" crypto:md5 ?a': '"900150983cd24fb0d6963f7d28e17f72"',
    '"abc"@en crypto:md5 "900150983cd24fb0d6963f7d28e17f72"': ":yes",
    ":b crypto:sha512 ?a": "",
    '("abc") crypto:sha ?a': "",
}


@pytest.mark.parametrize(("body", "expected"), CASES.items())
def test_a_builtin_on_text_gives_in_both_numeric_modes(body: str, expected: str) -> None:
    assert (answers(body, STRICT), answers(body, CWM)) == (terms(expected), terms(expected))


def test_a_digest_is_that_of_the_text_in_utf_8() -> None:
    assert answers('"é" crypto:sha512 ?a') == {Literal(hashlib.sha512("é".encode()).hexdigest())}


def test_a_text_of_more_than_a_million_characters_is_not_made() -> None:
    assert answers(f'"{"ß" * 500_001}" string:upperCase ?a') == set()
    assert answers(f'"{"é" * 200_000}" string:encodeForURI ?a') == set()
    assert answers(f'("{"%9999s" * 101}" {"1 " * 101}) string:format ?a') == set()


TEN_THOUSAND = "a" * 10_000


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # literals as patterns have no limit but that of texts
        (
            f'("{TEN_THOUSAND * 50}" "aa" "b") string:replace ?a . ?a string:length ?n',
            '"' + "b" * 250_000 + '"',
        ),
        (f'("{TEN_THOUSAND}" "a" "{"b" * 200}") string:replace ?a', ""),
        (f'("{TEN_THOUSAND}" "a+" "$0b") string:replace ?a', f'"{TEN_THOUSAND}b"'),
        # what would take long is not tried
        (f'("{TEN_THOUSAND * 10}" "a.*b|a" "c") string:replace ?a', ""),
        (f'"{TEN_THOUSAND * 10}b" string:matches "a{{1000}}b"', ""),
        (f'"{TEN_THOUSAND * 10}b" string:notMatches "((a{{10}}){{10}}){{10}}c"', ""),
        (f'"{TEN_THOUSAND}b" string:matches "a{{1000}}b"', ":yes"),
        (f'"{TEN_THOUSAND}" string:matches "{TEN_THOUSAND}"', ""),
        (f'("{TEN_THOUSAND * 10}b" "(a{{1000}})b") string:scrape ?a', ""),
        (f'"" string:matches "{"[" * 10_000}"', ""),
        (f'"" string:notMatches "{"a" * 10_001}"', ""),
    ],
    ids=range(11),
)
def test_a_regular_expression_that_is_too_large_for_its_text_does_not_hold(body: str, expected: str) -> None:
    assert answers(body) == terms(expected)
