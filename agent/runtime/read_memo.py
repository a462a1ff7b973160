"""What documents said when they were last read: one that has not changed is neither parsed nor hashed again.

A document is the same if the same URI answered with the same bytes in the same media type; its validator is no
evidence. Its outcome and its report are then the very objects of the step before, so that whoever comes next can tell
with ``is`` that there is nothing to do. If only the validator is new, the triples are the same tuple.
"""

from msgspec import Struct
from msgspec.structs import replace

from agent.messages import Answer, NoAnswer
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content, Failed, Gone, Outcome
from agent.runtime.report import GetReport


class Read(Struct, frozen=True):
    """An answer to a Get, the outcome of its document, and what the report of the step says of it."""

    event: Answer | NoAnswer
    outcome: Outcome
    report: GetReport


class ReadMemo:
    """The documents of a run; it forgets what no step has asked for since the last but one began.

    ``keep_bodies`` keeps the bodies of answers in the reports.
    """

    def __init__(self, *, keep_bodies: bool = False) -> None:
        self._keep_bodies = keep_bodies
        self._now: dict[str, Read] = {}
        self._before: dict[str, Read] = {}

    def begin_step(self) -> None:
        """Take note that a new step begins."""
        self._before, self._now = self._now, {}

    def read(self, event: Answer | NoAnswer) -> Read:
        """Return what ``event`` says: the same object as last time if it says the same."""
        known = self._now.get(event.uri) or self._before.get(event.uri)
        if known is None or known.event is not event:
            known = self._again(known, event)
        self._now[event.uri] = known
        return known

    def _again(self, known: Read | None, event: Answer | NoAnswer) -> Read:
        """Return what ``event``, which is new, says; ``known`` is what the document said before."""
        if known is None or not _says_the_same(known.event, event):
            outcome = read_answer(event)
        elif isinstance(known.outcome, Content) and known.outcome.etag != _etag(event):
            outcome = replace(known.outcome, etag=_etag(event))
        else:
            outcome = known.outcome
        if known is not None and isinstance(outcome, Gone) and outcome == known.outcome:
            outcome = known.outcome  # pages that say so may differ from time to time
        report = report_of(event, outcome, keep_body=self._keep_bodies)
        if known is not None and report == known.report:
            report = known.report
        return Read(event, outcome, report)


def report_of(event: Answer | NoAnswer, outcome: Outcome, *, keep_body: bool) -> GetReport:
    """Return what the report of the step says of a document."""
    if isinstance(event, NoAnswer):
        return GetReport(event.uri, event.uri, "failed", None, "", "", event.reason)
    body = event.body if keep_body else None
    known = (event.uri, event.final_uri), (event.status, event.etag), (event.media_type, body)
    match outcome:
        case Content(sha256=sha256, skipped=skipped):
            return GetReport(*known[0], "content", *known[1], sha256, "", skipped, *known[2])
        case Gone():
            return GetReport(*known[0], "gone", *known[1], "", "", (), *known[2])
        case Failed(reason=reason):
            return GetReport(*known[0], "failed", *known[1], "", reason, (), *known[2])


def _says_the_same(one: Answer | NoAnswer, other: Answer | NoAnswer) -> bool:
    """Tell whether the outcomes of two answers to a Get of the same document differ in nothing but the validator."""
    if isinstance(one, NoAnswer) or isinstance(other, NoAnswer):
        return one == other
    return (
        one.status == other.status
        and one.media_type == other.media_type
        and one.final_uri == other.final_uri
        and one.body == other.body
    )


def _etag(event: Answer | NoAnswer) -> str:
    return event.etag if isinstance(event, Answer) else ""
