"""A run says what it does, and every trouble when it begins and when it is over."""

import pytest
from msgspec.structs import replace

from agent.cli.progress import Progress, farewell
from agent.errors import Finding, Place
from agent.runtime.report import GetReport, InstanceReport, RequestReport, StepReport

CALM = StepReport("2026-01-01T00:00:00.000Z", "id")
WELL = GetReport("http://h/a", "http://h/a", "content", 200, "", "")


def told(capsys: pytest.CaptureFixture[str], *reports: StepReport, dry_run: bool = False) -> tuple[str, str]:
    with Progress(dry_run=dry_run) as progress:
        for number, report in enumerate(reports, 1):
            progress.step(number, report)
    printed = capsys.readouterr()
    return printed.out, printed.err


def test_steps_without_requests_are_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, CALM, replace(CALM, gets=(WELL,), facts=3)) == ("", "")


def test_a_step_that_acts_lists_its_requests_and_what_became_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    request = RequestReport((), "PUT", "http://h/x", ("p.n3:1",), (), "confirmed", 204)
    requests = (
        request,
        replace(request, uri="http://h/y", outcome="refused", status=412),
        replace(request, uri="http://h/z", outcome="unknown", status=None, reason="connection refused"),
        replace(request, uri="http://h/w", outcome="dropped", status=None, reason="lost a clash"),
        replace(request, uri="http://h/v", outcome="stopped", status=None),
    )

    out, err = told(capsys, replace(CALM, gets=(WELL,), facts=1, requests=requests))

    assert (out.splitlines(), err) == (
        [
            "step 1  1 document, 1 fact, 5 requests",
            "  PUT http://h/x  204",
            "  PUT http://h/y  refused: 412",
            "  PUT http://h/z  unknown: connection refused",
            "  PUT http://h/w  dropped: lost a clash",
            "  PUT http://h/v  stopped",
        ],
        "",
    )


def test_a_dry_run_shows_bodies_of_what_would_be_sent(capsys: pytest.CaptureFixture[str]) -> None:
    request = RequestReport(
        (), "PUT", "http://h/x", (), (), "decided", body=b"<#it> a <#A> .\n<#it> a <#B> .\n"
    )

    out, _ = told(capsys, replace(CALM, requests=(request,)), dry_run=True)

    assert out.splitlines()[1:] == [
        "  PUT http://h/x  would be sent",
        "    <#it> a <#A> .",
        "    <#it> a <#B> .",
    ]


def test_a_trouble_is_told_when_it_begins_and_when_it_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    failed = replace(WELL, outcome="failed", status=None, reason="refused; asked again in 1 s")
    later = replace(failed, reason="refused; asked again in 2 s")
    tainted = replace(WELL, skipped=("line 3: no IRI", "line 9: no IRI"))
    gone = replace(WELL, outcome="gone", status=404)
    steps = [replace(CALM, gets=(get,)) for get in (WELL, failed, later, tainted, WELL, gone)]

    out, err = told(capsys, *steps)

    assert (out, err.splitlines()) == (
        "",
        [
            "http://h/a is not known: refused; asked again in 1 s",
            "http://h/a is known again",
            "http://h/a is not there: the server answered 404",
        ],
    )


def test_a_pause_a_park_and_a_cancel_are_told_once_and_so_is_going_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    well = InstanceReport("http://h/wf#it", "waiting")
    paused, parked = replace(well, status="paused"), replace(well, status="parked", reason="round")
    cancelled = replace(well, status="cancelled")
    course = (well, paused, paused, parked, parked, well, cancelled, cancelled)

    out, err = told(capsys, *(replace(CALM, instances=(one,)) for one in course))

    assert (out.splitlines(), err) == (
        [
            "http://h/wf#it is paused",
            "http://h/wf#it is parked: round",
            "http://h/wf#it goes on",
            "http://h/wf#it is cancelled",
        ],
        "",
    )


def test_bad_statements_and_blocked_instances_are_troubles_too(capsys: pytest.CaptureFixture[str]) -> None:
    tainted = replace(WELL, skipped=("line 3: no IRI",))
    obstacles = ("http://h/m#s has no status, or not all of it was read", "http://h/m#t is there twice")
    blocked = InstanceReport("http://h/wf#it", "blocked", (), obstacles)
    well = replace(blocked, status="active")

    _, err = told(
        capsys,
        replace(CALM, gets=(tainted,), instances=(blocked,)),
        replace(CALM, gets=(WELL,), instances=(well,)),
    )

    assert err.splitlines() == [
        "http://h/a has 1 bad statement, skipped: line 3: no IRI",
        "http://h/wf#it is blocked: http://h/m#s has no status, or not all of it was read (and 1 more)",
        "http://h/a is known again",
        "http://h/wf#it is known again",
    ]


def test_a_document_that_is_not_asked_for_any_more_is_not_known_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    failed = replace(CALM, gets=(replace(WELL, outcome="failed", status=None, reason="refused"),))

    _, err = told(capsys, failed, CALM, failed, CALM, replace(CALM, gets=(WELL,)))

    assert err.splitlines() == ["http://h/a is not known: refused", "http://h/a is known again"]


def test_a_terminal_is_told_nothing_that_it_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    request = RequestReport((), "PUT", "http://h/x", (), (), "unknown", reason="\x1b]0;mine\x07")
    failed = replace(WELL, outcome="failed", status=None, reason="text/\x9b31m is no RDF syntax")
    finding = Finding("warning", "ASM101", '"\x1b[2J" is not an IRI', Place("p.n3", 4, 1))

    out, err = told(capsys, replace(CALM, gets=(failed,), requests=(request,), findings=(finding,)))

    assert out.splitlines()[1:] == ["  PUT http://h/x  unknown: \ufffd]0;mine\ufffd"]
    assert err.splitlines() == [
        'p.n3:4:1  warning ASM101  "\ufffd[2J" is not an IRI',
        "http://h/a is not known: text/\ufffd31m is no RDF syntax",
    ]


def test_a_warning_is_told_once_in_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    warning = Finding("warning", "ASM114", "rule not applied once", Place("p.n3", 4, 1))
    again = replace(warning, message="rule not applied twice")

    _, err = told(capsys, replace(CALM, findings=(warning,)), CALM, replace(CALM, findings=(again,)))

    assert err == "p.n3:4:1  warning ASM114  rule not applied once\n"


def test_the_last_words_tell_how_the_run_ended() -> None:
    assert farewell("ended", 17) == "the workflow has ended (17 steps)"
    assert farewell("steps", 1) == "all steps are taken (1 step)"
