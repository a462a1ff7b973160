"""The server against the Linked Data Platform, in both profiles, and the runner that tells it."""

from collections import Counter
from pathlib import Path

import pytest

from ldp_server import open_sqlite_store
from ldp_server.settings import PROFILES
from tests.conformance.ldp.__main__ import judge_profile
from tests.conformance.ldp.checks import Check, LeftOutError, NotMetError, Parameters, Subject
from tests.conformance.ldp.expected import (
    EXPECTED,
    Key,
    Row,
    differences,
    read_rows,
    rows_of,
    write_rows,
)
from tests.conformance.ldp.judging import CHECKS, Verdict
from tests.conformance.ldp.links import Link, read_links
from tests.conformance.ldp.report import PAGE, counted, with_figures


@pytest.mark.parametrize("profile", list(PROFILES))
async def test_every_check_ends_as_committed(profile: str) -> None:
    found = await judge_profile(profile)

    committed = {key: row for key, row in read_rows(EXPECTED).items() if key.profile == profile}
    assert differences(found, committed) == []


async def test_on_the_disk_every_check_ends_as_in_memory(tmp_path: Path) -> None:
    found = await judge_profile("conformance", open_sqlite_store(tmp_path))

    assert {row.word for row in found.values()} == {"pass"}
    assert len(found) == 99


def test_there_are_sixty_checks_and_ninety_nine_runs_of_them() -> None:
    assert Counter(check.level for check in CHECKS) == {"MUST": 35, "SHOULD": 15, "MAY": 10}
    assert sum(len(check.kinds) for check in CHECKS) == 99
    assert len({check.number for check in CHECKS}) == 60


def test_the_page_shows_the_committed_verdicts() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert with_figures(page, read_rows(EXPECTED)) == page


def _check(number: str = "C7") -> Check:
    return next(check for check in CHECKS if check.number == number)


def test_a_failure_that_is_meant_is_told_as_such_in_its_profile_only() -> None:
    failed = [Verdict(_check("C7"), "document", "fail", "the status is 204")]

    assert [row.word for row in rows_of(failed, "relaxed").values()] == ["on purpose"]
    assert rows_of(failed, "conformance") == {
        Key("C7", "document", "conformance"): Row("fail", "the status is 204")
    }


def test_verdicts_survive_their_file_and_a_changed_one_is_told(tmp_path: Path) -> None:
    rows = {
        Key("C2", "document", "relaxed"): Row("pass", ""),
        Key("K53", "container", "relaxed"): Row("fail", "no PATCH"),
    }
    write_rows(tmp_path / "rows.tsv", rows)

    kept = read_rows(tmp_path / "rows.tsv")

    assert kept == rows
    assert differences({Key("C2", "document", "relaxed"): Row("fail", "no tag")}, kept) == [
        "C2 document relaxed: expected pass, got fail: no tag",
        "K53 container relaxed: expected fail, got not run",
    ]


def test_a_check_counts_once_and_fails_with_one_of_its_kinds() -> None:
    rows = {
        Key("C2", "document", "relaxed"): Row("pass", ""),
        Key("C2", "binary", "relaxed"): Row("fail", "no tag"),
        Key("C9", "document", "relaxed"): Row("skip", "PUT without If-Match is accepted"),
        Key("C9", "binary", "relaxed"): Row("pass", ""),
    }

    assert counted(rows)["relaxed", "MUST"] == {"fail": 1, "pass": 1}


def test_links_are_split_outside_brackets_and_quotes_and_resolved() -> None:
    header = '<a,b>; rel="type describedby"; title="x, <y>; rel=no", <c>; rel=item; anchor="/d"'

    assert read_links(header, "http://h/e/f") == [
        Link("http://h/e/a,b", frozenset({"type", "describedby"}), "http://h/e/f"),
        Link("http://h/e/c", frozenset({"item"}), "http://h/d"),
    ]


def test_a_check_is_left_out_when_options_does_not_allow_its_method() -> None:
    subject = Subject("document", "http://h/d", "http://h/", frozenset({"GET"}), frozenset(), Parameters())

    with pytest.raises(LeftOutError, match="does not name PUT"):
        _check("R17").judge(subject)
    with pytest.raises(LeftOutError, match="does not name POST"):
        _check("K38").judge(subject)
    with pytest.raises(NotMetError, match="does not name HEAD"):
        _check("C11").judge(subject)
