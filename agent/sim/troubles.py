"""What went wrong in a step, in the agent's words: one line each, the element and its place in it.

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
        self._lasting: dict[str, str] = {}

    def news(self, report: StepReport) -> list[str]:
        """Return what is new in ``report``: troubles that began, single mishaps, troubles that ended."""
        lasting = {end: text for text, end in _lasting(report, self._labels)}
        began = [text for end, text in lasting.items() if end not in self._lasting]
        ended = [end for end in self._lasting if end not in lasting]
        self._lasting = lasting
        return [*began, *_mishaps(report), *ended]


def _lasting(report: StepReport, labels: Labels) -> Iterator[tuple[str, str]]:
    """Yield what is to be said of each trouble while it lasts and when it has ended."""
    unknown = {sentry.sentry for sentry in report.sentries if sentry.value == "unknown"}
    for get in report.gets:
        if get.outcome == "failed":
            names = " and ".join(
                f'"{labels.of(sentry)}"' for sentry in labels.asking(get.uri) if sentry in unknown
            )
            so = f"; so {names} cannot be known" if names else ""
            yield f"{get.uri} failed: {get.reason}{so}", f"{get.uri} answers again"
        if get.skipped:
            yield f"{get.uri} was read in part: {get.skipped[0]}", f"{get.uri} is read in full again"
    for broken in sorted({sentry.sentry for sentry in report.sentries if sentry.value == "broken"}):
        name = f'the sentry "{labels.of(broken)}" ({broken})'
        yield f"{name} is broken", f"{name} is whole again"
    for instance in report.blocked:
        yield f"{instance} is blocked: not all of its status is known", f"{instance} goes on"


def _mishaps(report: StepReport) -> Iterator[str]:
    for request in report.requests:
        if request.outcome in {"refused", "unknown", "stopped"}:
            why = request.reason or f"status {request.status}"
            yield f"{request.method} {request.uri} {request.outcome}: {why}"
    if report.failure is not None:
        yield describe(report.failure)
