"""What a document says is worked out once, and again only when it says something else."""

import pytest
from msgspec.structs import replace

from agent.messages import Answer, NoAnswer
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content, Failed, Gone, Outcome
from agent.runtime.read_memo import ReadMemo

URI = "http://w/d"
PAGE = Answer(URI, URI, 200, "text/turtle", '"1"', b"<#it> a <#Thing> .")
ABSENT = Answer(URI, URI, 404, "text/plain", "", b"no such page at 12:00")
BROKEN = Answer(URI, URI, 200, "text/turtle", '"1"', b"<#it> a ")
SILENT = NoAnswer(URI, "no answer within 2 s")
Event = Answer | NoAnswer


def copied(event: Event) -> Event:
    """Return an equal event that shares nothing with ``event``."""
    if isinstance(event, NoAnswer):
        return NoAnswer(event.uri, event.reason)
    return replace(event, body=bytes(bytearray(event.body)))


def outcomes(*events: Event) -> list[Outcome]:
    memo = ReadMemo()
    found = []
    for event in events:
        memo.begin_step()
        found.append(memo.read(event).outcome)
    return found


@pytest.mark.parametrize("event", [PAGE, ABSENT, BROKEN, SILENT], ids=["page", "gone", "broken", "silent"])
def test_what_is_said_again_is_the_same_object(event: Event) -> None:
    memo = ReadMemo()

    first = memo.read(event)
    again = memo.read(event)
    repeated = memo.read(copied(event))

    assert first.outcome == read_answer(event)
    assert first is again
    assert (repeated.outcome is first.outcome, repeated.report is first.report) == (True, True)


def test_a_confirmed_document_is_the_same() -> None:
    first, confirmed = outcomes(PAGE, replace(PAGE, unchanged=True))

    assert first is confirmed


@pytest.mark.parametrize(
    "other",
    [
        replace(PAGE, body=b"<#it> a <#Other> ."),
        replace(PAGE, media_type="text/plain"),
        replace(PAGE, final_uri="http://w/elsewhere"),
        replace(PAGE, status=503),
        ABSENT,
        SILENT,
    ],
    ids=["body", "media type", "base", "status", "gone", "silent"],
)
def test_what_is_said_anew_is_read_anew(other: Event) -> None:
    assert outcomes(PAGE, other, PAGE) == [read_answer(PAGE), read_answer(other), read_answer(PAGE)]


def test_a_new_validator_comes_with_the_same_triples() -> None:
    first, second = outcomes(PAGE, replace(PAGE, etag='"2"'))

    assert isinstance(first, Content)
    assert isinstance(second, Content)
    assert second == replace(first, etag='"2"')
    assert second.triples is first.triples


def test_absence_is_one_outcome_however_it_is_worded() -> None:
    first, second = outcomes(ABSENT, replace(ABSENT, body=b"no such page at 12:01"))

    assert first == Gone(URI, 404)
    assert first is second


def test_the_reason_of_a_failure_is_that_of_this_step() -> None:
    assert outcomes(SILENT, NoAnswer(URI, "refused")) == [
        Failed(URI, SILENT.reason),
        Failed(URI, "refused"),
    ]


def test_what_no_step_asked_for_is_forgotten() -> None:
    memo = ReadMemo()
    first = memo.read(PAGE).outcome
    memo.begin_step()
    assert memo.read(copied(PAGE)).outcome is first
    memo.begin_step()
    memo.begin_step()
    again = memo.read(copied(PAGE)).outcome
    assert again == first
    assert again is not first


def test_reports_keep_bodies_only_if_asked_to() -> None:
    bodies = [ReadMemo(keep_bodies=keep).read(PAGE).report.body for keep in (True, False)]

    assert bodies == [PAGE.body, None]
