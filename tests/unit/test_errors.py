"""Errors say where, what and what to do, in few lines."""

import re

import pytest

from agent.codes import CODES
from agent.errors import (
    MAX_LINES,
    BudgetError,
    BugError,
    ClashError,
    Finding,
    MilepostError,
    Place,
    ProgramError,
    UsageError,
    WorldError,
    closest,
    counted,
    describe,
    describe_finding,
    did_you_mean,
)


def test_an_error_shows_the_place_the_code_the_message_the_excerpt_and_the_remedy() -> None:
    place = Place("rules.n3", 3, 5, 9, "ex:a exb a ex:c .")
    error = ProgramError("N3001", "exb is no prefixed name", place=place, hint="write ex:b")

    assert describe(error) == (
        "rules.n3:3:5  error N3001  exb is no prefixed name\n"
        "    3 | ex:a exb a ex:c .\n"
        "      |     ^^^^\n"
        "  write ex:b"
    )


@pytest.mark.parametrize(
    ("before", "wrong", "columns_before", "columns"),
    [
        (':a :b "', "ab", 7, 2),
        (':温度 :b "', "温度", 10, 4),
        (':a :b "e\u0301\u200d', "o\u0308x", 8, 2),
        (':a :b "😀', "😀x", 9, 3),
        (":a\t:b\t\x07", "x", 7, 1),
    ],
)
def test_the_carets_stand_below_the_characters_however_wide_they_are(
    before: str, wrong: str, columns_before: int, columns: int
) -> None:
    start = len(before) + 1
    place = Place("rules.n3", 3, start, start + len(wrong), f"{before}{wrong} .")
    carets = describe(ProgramError("N3001", "wrong", place=place)).splitlines()[2]
    assert carets == "      | " + " " * columns_before + "^" * columns


def test_an_error_without_a_place_starts_with_its_code() -> None:
    assert str(WorldError("NET001", "http://h/ refused")) == "error NET001  http://h/ refused"


def test_a_finding_shows_its_severity() -> None:
    finding = Finding("warning", "ASM001", "unsafe", Place("a.n3", 1, 2))

    assert str(finding) == "a.n3:1:2  warning ASM001  unsafe"


def test_no_character_that_people_put_into_a_name_breaks_a_message_into_lines() -> None:
    name = "<#a\x85b\u2028c\x0bd>"
    finding = Finding("error", "GSM012", f"{name} is defined nowhere", Place("m.ttl", 1, 1), "correct it")
    error = ProgramError("N3001", f"{name} is no name")

    assert len(describe_finding(finding).split("\n")) == 2
    assert len(describe(error).split("\n")) == 1


def test_a_long_error_is_cut_and_says_how_much_is_missing() -> None:
    lines = describe(ProgramError("N3001", "\n".join(f"line {n}" for n in range(40)))).splitlines()

    assert len(lines) == MAX_LINES
    assert lines[-1] == "  ... 29 more lines"


def test_the_excerpt_of_a_long_line_is_cut_around_the_place() -> None:
    place = Place("a.n3", 1, 501, 504, "x" * 500 + "bad" + "y" * 500)
    _, excerpt, caret = describe(ProgramError("N3001", "bad", place=place)).splitlines()

    assert len(excerpt) < 120
    assert excerpt[caret.index("^") : caret.rindex("^") + 1] == "bad"


@pytest.mark.parametrize(
    ("error", "exit_code"),
    [
        (UsageError, 2),
        (ProgramError, 1),
        (WorldError, 3),
        (ClashError, 4),
        (BudgetError, 5),
        (BugError, 70),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error: type[MilepostError], exit_code: int) -> None:
    assert error("X", "text").exit_code == exit_code


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_known_prefix_three_digits_and_whole_sentences(code: str) -> None:
    row = CODES[code]

    assert re.fullmatch(r"(USE|N3|ASM|GSM|NET|LDP|SCH|BUG)\d{3}", code)
    assert row.title[0].islower() or row.title.split()[0].isupper()
    assert not row.title.endswith(".")
    assert row.meaning.endswith(".")
    assert row.remedy.endswith(".")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hasGaurd", "hasGuard"),
        ("HASGUARD", "hasGuard"),
        ("hasGuard", "hasGuard"),
        ("zebra", None),
        ("", None),
    ],
)
def test_the_closest_name_is_found_across_case_and_slips(name: str, expected: str | None) -> None:
    assert closest(name, ["hasGuard", "hasStage", "achieves"]) == expected


def test_the_suggestion_is_a_question_or_nothing() -> None:
    assert did_you_mean("htp", ["http", "ldp"]) == "did you mean http?"
    assert did_you_mean("zebra", ["http", "ldp"]) == ""


def test_things_are_counted_in_words() -> None:
    assert [counted(count, "rule") for count in (0, 1, 2000)] == ["0 rules", "1 rule", "2000 rules"]
