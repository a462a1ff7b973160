"""What a run says while it goes on: a few lines for each step that acts, every warning once."""

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from agent.cli.console import echo
from agent.decide.request import Request
from agent.decide.updates import Clash
from agent.errors import counted, printable
from agent.runtime.loop import End
from agent.runtime.report import InstanceReport, RequestReport, StepReport

if TYPE_CHECKING:
    from rich.status import Status

ENDINGS: dict[End, str] = {
    "ended": "the workflow has ended",
    "parked": "parked: the agent sends nothing more until somebody looks at it",
    "settled": "nothing more happens, and no stage is active",
    "quiet": "nothing more happens",
    "steps": "all steps are taken",
    "interrupted": "stopped; the same command goes on where the documents say it was",
}


_TERMINALS = {"FORCE_COLOR", "TTY_COMPATIBLE"}
"""By these rich may take for a terminal what says that it is none."""

HELD = frozenset({"paused", "parked", "cancelled"})


class Progress:
    """Prints steps as they come in; on a terminal a last line tells of steps in which nothing was sent."""

    def __init__(self, *, dry_run: bool) -> None:
        self._dry_run = dry_run
        self._warned: set[tuple[str, str]] = set()
        self._troubled: frozenset[str] = frozenset()
        self._held: dict[str, str] = {}
        self._status: Status | None = None

    def __enter__(self) -> Self:
        """Show the last line, if there is a terminal."""
        if sys.stderr.isatty() or os.environ.keys() & _TERMINALS:
            from rich.console import Console

            console = Console(stderr=True)
            if console.is_terminal:
                self._status = console.status("reading")
                self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the last line away."""
        if self._status is not None:
            self._status.stop()

    def step(self, number: int, report: StepReport) -> None:
        """Print step ``number`` if it acted, and what was not told yet."""
        heading = (
            f"step {number}  {counted(len(report.gets), 'document')}, {counted(report.facts, 'fact')}, "
            f"{counted(len(report.requests), 'request')}"
        )
        if self._status is not None:
            self._status.update(heading)
        if report.requests:
            echo(heading)
        for request in report.requests:
            echo(printable(self._line(request)))
        self._tell_held(report)
        self._warn(report)
        self._tell_troubles(report)

    def _warn(self, report: StepReport) -> None:
        """Print each warning and each clash once in the whole run."""
        warnings = [((finding.code, str(finding.place)), str(finding)) for finding in report.findings]
        warnings += [(("clash", text), text) for text in map(_clash, report.clashes)]
        for key, text in warnings:
            if key not in self._warned:
                self._warned.add(key)
                echo(printable(text), err=True)

    def _tell_held(self, report: StepReport) -> None:
        """Print once that an instance is paused, parked or cancelled, and that it goes on."""
        held = {one.uri: one.status for one in report.instances if one.status in HELD}
        reasons = {one.uri: f": {one.reason}" for one in report.instances if one.reason}
        for uri, status in sorted(held.items()):
            if self._held.get(uri) != status:
                echo(printable(f"{uri} is {status}{reasons.get(uri, '')}"))
        for one in report.instances:
            if one.uri in self._held and one.uri not in held:
                echo(printable(f"{one.uri} goes on"))
        self._held = dict(held)

    def _tell_troubles(self, report: StepReport) -> None:
        """Print troubles of documents and instances when they begin and when they are over."""
        troubles = dict(_troubles(report))
        for uri in sorted(troubles.keys() - self._troubled):
            echo(printable(f"{uri} {troubles[uri]}"), err=True)
        seen = {get.uri for get in report.gets} | {instance.uri for instance in report.instances}
        seen |= {sentry.sentry for sentry in report.sentries}
        over = (self._troubled - troubles.keys()) & seen
        for uri in sorted(over):
            echo(printable(f"{uri} is known again"), err=True)
        self._troubled = (self._troubled | troubles.keys()) - over

    def _line(self, request: RequestReport) -> str:
        head = f"  {request.method} {request.uri}  "
        if not (self._dry_run and request.outcome == "decided"):
            return head + _became(request)
        body = (request.body or b"").decode("utf-8", "replace").splitlines()
        return "\n".join((f"{head}would be sent", *(f"    {line}" for line in body)))


def farewell(end: End, steps: int) -> str:
    """Return the last words of a run."""
    return f"{ENDINGS[end]} ({counted(steps, 'step')})"


def _became(request: RequestReport) -> str:
    if request.outcome == "confirmed":
        return str(request.status)
    detail = request.reason or (str(request.status) if request.status else "")
    return f"{request.outcome}: {detail}" if detail else request.outcome


def _troubles(report: StepReport) -> Iterator[tuple[str, str]]:
    """Yield the names of documents, instances and sentries that are not, or not wholly, known, and why."""
    for get in report.gets:
        if get.outcome == "failed":
            yield get.uri, f"is not known: {get.reason}"
        elif get.outcome == "gone":
            yield get.uri, f"is not there: the server answered {get.status}"
        elif get.skipped:
            yield get.uri, f"has {counted(len(get.skipped), 'bad statement')}, skipped: {get.skipped[0]}"
    for sentry in report.sentries:
        if sentry.value == "broken":
            yield sentry.sentry, f"is broken, so it never holds: {sentry.reason}"
    for instance in report.instances:
        if instance.status == "blocked":
            yield instance.uri, f"is blocked: {_obstacles(instance)}"


def _obstacles(instance: InstanceReport) -> str:
    if not instance.obstacles:
        return "the status of its root, a stage or a milestone is not known"
    first, *others = instance.obstacles
    return f"{first} (and {len(others)} more)" if others else first


def _clash(clash: Clash) -> str:
    sent = "both are sent" if clash.both_sent else f"{clash.winner.method} of {_rules(clash.winner)} wins"
    return f"{clash.uri} clash of {_rules(clash.winner)} and {_rules(clash.loser)}: {sent}"


def _rules(request: Request) -> str:
    return ", ".join(sorted({edge.rule for edge in request.edges}))
