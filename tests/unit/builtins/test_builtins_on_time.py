"""What the builtins on time compute in both numeric modes: one line a case, the whole answer asserted."""

import pytest

from tests.support.builtin_answers import CWM, STRICT, answers, terms

# body, its answers under strict, its answers under cwm (nothing: the same)
CASES: list[tuple[str, str] | tuple[str, str, str]] = [
    ('"2002-06-22T22:09:32.75-05:00"^^xsd:dateTime time:year ?a', "2002"),
    ('"2002-06-22T22:09:32.75-05:00"^^xsd:dateTime time:month ?a', "6"),
    ('"2002-06-22T22:09:32.75-05:00"^^xsd:dateTime time:day ?a', "22"),
    ('"2002-06-22T22:09:32.75-05:00"^^xsd:dateTime time:hour ?a', "22"),
    ('"2002-06-22T22:09:32.75-05:00"^^xsd:dateTime time:minute ?a', "9"),
    ('"2002-06-22T22:09:32.75-05:00"^^xsd:dateTime time:second ?a', "32"),
    ('"2002-06-22T22:09:32.75-05:00" time:dayOfWeek ?a', "6"),
    ('"2002-06-22T22:09:32.75-05:00" time:timeZone ?a', '"-05:00"'),
    ('"2002-06-22T22:09:32Z" time:timeZone ?a', ""),
    ('"2002-06-22T22:09:32" time:timeZone ?a', ""),
    ('"2002-06-23" time:dayOfWeek ?a', "0"),
    # what is not written is not there
    ('"2002-06-22"^^xsd:date time:day ?a', "22"),
    ('"2002-06-22"^^xsd:date time:hour ?a', ""),
    ('"2002-06-22T12:34Z" time:minute ?a', "34"),
    ('"2002-06-22T12:34Z" time:second ?a', ""),
    ('"2002-06"^^xsd:gYearMonth time:month ?a', "6"),
    ('"2002"^^xsd:gYear time:year ?a', "2002"),
    ('"2002" time:month ?a', ""),
    ('"2002" time:dayOfWeek ?a', "", "2"),
    ('"2002-06-22T12:34Z" time:month 06', ":yes"),
    # no instants
    ('"2002-02-30" time:day ?a', ""),
    ('"2002-06-22T25:00:00Z" time:hour ?a', ""),
    ('"0000-01-01" time:year ?a', ""),
    ('"22:09:32"^^xsd:time time:hour ?a', ""),
    ("2002 time:year ?a", ""),
    ('"2002"@en time:year ?a', ""),
    (":b time:year ?a", ""),
    # seconds
    ('"1999-12-31T23:59:59.99Z" time:inSeconds ?a', "946684799.99", "946684799"),
    ('"2002-06-22T22:09:32-05:00" time:inSeconds ?a', "1024801772"),
    ('"2002-06-22T12:34Z" time:inSeconds ?a', "", "1024749240"),
    ('"2002-06-22" time:inSeconds ?a', "", "1024704000"),
    ('"2002" time:inSeconds ?a', "", "1009843200"),
    ('"1970-01-01T00:00:01Z" time:inSeconds 1.0', ":yes"),
    ("?a time:inSeconds 1000000000", '"2001-09-09T01:46:40Z"^^xsd:dateTime', '"2001-09-09T01:46:40Z"'),
    ("?a time:inSeconds -0.25", '"1969-12-31T23:59:59.75Z"^^xsd:dateTime', ""),
    ("?a time:inSeconds -62135596800", '"0001-01-01T00:00:00Z"^^xsd:dateTime', '"0001-01-01T00:00:00Z"'),
    ("?a time:inSeconds 1e9", ""),
    ("?a time:inSeconds 999999999999999999", ""),
    ("?a time:inSeconds 0.0000000000001", ""),
    ('?a time:inSeconds "0"', "", '"1970-01-01T00:00:00Z"'),
    ("?a time:inSeconds :b", ""),
    # the present
    ("[] time:localTime ?n . ?n time:year ?a", "2026"),
    ("[] time:gmTime ?n . ?n time:inSeconds ?a", "1767323045.678", "1767323045"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_builtin_on_time_gives(case: tuple[str, ...]) -> None:
    body, strict, *cwm = case
    assert (answers(body, STRICT), answers(body, CWM)) == (terms(strict), terms(cwm[0] if cwm else strict))
