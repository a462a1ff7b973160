"""What a run says while it goes on: a few lines for each step that acts, every warning once."""

from collections.abc import Iterator
from typing import Self

import typer
from rich.console import Console
from rich.status import Status

from agent.decide.request import Request
from agent.decide.updates import Clash
from agent.runtime.loop import End
from agent.runtime.report import RequestReport, StepReport

ENDINGS: dict[End, str] = {
    "ended": "the workflow has ended",
    "settled": "nothing more happens, and no stage is active",
    "quiet": "nothing more happens",
    "steps": "all steps are taken",
    "interrupted": "stopped; the same command goes on where the documents say it was",
}


class Progress:
    """Prints steps as they come in; on a terminal a last line tells of steps in which nothing was sent."""

    def __init__(self, *, dry_run: bool) -> None:
        self._dry_run = dry_run
        self._told: set[str] = set()
        self._status: Status | None = None

    def __enter__(self) -> Self:
        """Show the last line, if there is a terminal."""
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
            f"step {number}  {_count(len(report.gets), 'document')}, {_count(report.facts, 'fact')}, "
            f"{_count(len(report.requests), 'request')}"
        )
        if self._status is not None:
            self._status.update(heading)
        if report.requests:
            typer.echo(heading)
        for request in report.requests:
            typer.echo(self._line(request))
        for warning in _warnings(report):
            if warning not in self._told:
                self._told.add(warning)
                typer.echo(warning, err=True)

    def _line(self, request: RequestReport) -> str:
        head = f"  {request.method} {request.uri}  "
        if not (self._dry_run and request.outcome == "decided"):
            return head + _became(request)
        body = (request.body or b"").decode("utf-8", "replace").splitlines()
        return "\n".join((f"{head}would be sent", *(f"    {line}" for line in body)))


def farewell(end: End, steps: int) -> str:
    """Return the last words of a run."""
    return f"{ENDINGS[end]} ({_count(steps, 'step')})"


def _became(request: RequestReport) -> str:
    if request.outcome == "confirmed":
        return str(request.status)
    detail = request.reason or (str(request.status) if request.status else "")
    return f"{request.outcome}: {detail}" if detail else request.outcome


def _warnings(report: StepReport) -> Iterator[str]:
    yield from (str(finding) for finding in report.findings)
    yield from (_clash(clash) for clash in report.clashes)
    for get in report.gets:
        if get.outcome == "failed":
            yield f"{get.uri} is not known: {get.reason}"
        if get.outcome == "gone":
            yield f"{get.uri} is not there: the server answered {get.status}"
        if get.skipped:
            yield f"{get.uri} has bad statements, skipped: {get.skipped[0]} ({len(get.skipped)} in all)"
    yield from (
        f"{uri} is blocked: the status of its root, a stage or a milestone is not known"
        for uri in report.blocked
    )


def _clash(clash: Clash) -> str:
    sent = "both are sent" if clash.both_sent else f"{clash.winner.method} of {_rules(clash.winner)} goes first"
    return f"{clash.uri} clash of {_rules(clash.winner)} and {_rules(clash.loser)}: {sent}"


def _rules(request: Request) -> str:
    return ", ".join(sorted({edge.rule for edge in request.edges}))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
