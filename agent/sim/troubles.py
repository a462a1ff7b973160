"""What went wrong in a step, in the agent's words: one line each, the element and the place first.

Only news is told: a trouble that lasts is told when it begins, and its end when it ends.
"""

from collections.abc import Iterator

from agent.errors import describe
from agent.runtime.report import StepReport
from agent.sim.chronicle import Labels


class Troubles:
    """The troubles of a run so far; ``labels`` tell what elements are called."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._lasting: set[str] = set()

    def news(self, report: StepReport) -> list[str]:
        """Return what is new in ``report``: troubles that began, single mishaps, troubles that ended."""
        lasting = list(_lasting(report, self._labels))
        began = [text for text in lasting if text not in self._lasting]
        ended = sorted(self._lasting.difference(lasting))
        self._lasting = set(lasting)
        return [*began, *_mishaps(report), *(f"over: {text}" for text in ended)]


def _lasting(report: StepReport, labels: Labels) -> Iterator[str]:
    for get in report.gets:
        if get.outcome == "failed":
            yield f"{get.uri} failed: {get.reason}"
        for skipped in get.skipped:
            yield f"{get.uri} was read in part: {skipped}"
    for sentry in sorted(report.sentries, key=lambda value: (value.instance, value.sentry)):
        if sentry.value == "unknown":
            yield f'whether "{labels.of(sentry.sentry)}" holds cannot be known ({sentry.sentry})'
        elif sentry.value == "broken":
            yield f'the sentry "{labels.of(sentry.sentry)}" is broken ({sentry.sentry})'
    for instance in report.blocked:
        yield f"{instance} is blocked: not all of its status is known"


def _mishaps(report: StepReport) -> Iterator[str]:
    for request in report.requests:
        if request.outcome in {"refused", "unknown", "stopped"}:
            why = request.reason or f"status {request.status}"
            yield f"{request.method} {request.uri} {request.outcome}: {why}"
    if report.failure is not None:
        yield describe(report.failure)
