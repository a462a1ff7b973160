"""The polling loop: step after step until the run has ended (ADR 0017).

A run on instances ends when all of them have, or when those that have not are parked; a run on a container, or of a bare program, never by itself. The number
of steps, K quiet steps, or a stop request end any run. ``run_step`` ends a read phase and finishes a write phase when
a stop is requested; the loop takes no further step then.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct, field

from agent.clock import Clock, lexical, next_instant
from agent.runtime.machine import Machine, Phase
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import OVER, StepReport

End: TypeAlias = Literal["ended", "parked", "settled", "quiet", "steps", "interrupted"]
RunStep: TypeAlias = Callable[[Machine], Awaitable[StepReport]]


class Timer(Protocol):
    """How the loop waits and measures; ``seconds`` is monotonic."""

    def seconds(self) -> float:
        """Return a time in seconds that never goes back."""
        ...

    async def pause(self, seconds: float, stop: asyncio.Event) -> None:
        """Wait for ``seconds``, or until ``stop`` is set."""
        ...


class LoopTimer:
    """The timer of the running event loop."""

    def seconds(self) -> float:
        """Return the time of the event loop."""
        return asyncio.get_running_loop().time()

    async def pause(self, seconds: float, stop: asyncio.Event) -> None:
        """Wait for ``seconds``, or until ``stop`` is set."""
        try:
            await asyncio.wait_for(stop.wait(), seconds)
        except TimeoutError:
            return


class LoopSettings(Struct, frozen=True):
    """When the loop steps and when it ends.

    ``interval_s`` is measured from the end of a step to the start of the next. ``steps`` and ``until_quiet`` are
    counts, None: no such end. ``instances`` are the workflow instances that the run is on; none: no end by itself.
    """

    interval_s: float = 1.0
    steps: int | None = None
    until_quiet: int | None = None
    instances: frozenset[str] = frozenset()


class StepTimes(Struct, frozen=True):
    """How long the phases of a step took, in milliseconds, by name of the phase."""

    ms: dict[str, float]


class LoopResult(Struct, frozen=True):
    """How a run ended, after how many steps, and what the last step reported.

    ``parked``: every instance that has not ended is parked. ``settled``: K quiet steps of a run on instances without an active stage; ``quiet``: of any other run.
    """

    end: End
    steps: int
    last: StepReport | None


class Loop(Struct):
    """A run: ``plan`` is executed step after step by ``run_step``.

    ``fresh_id`` mints a UUID per step; ``on_step`` gets number, report and times of each step, also of a failed one. ``reasoning`` keeps what is known from
    step to step; without it every step begins with an empty memory.
    """

    plan: StepPlan
    settings: LoopSettings
    run_step: RunStep
    clock: Clock
    fresh_id: Callable[[], str]
    on_step: Callable[[int, StepReport, StepTimes], None] = lambda *_: None
    timer: Timer = field(default_factory=LoopTimer)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    reasoning: Reasoning | None = None
    _last_instant: datetime | None = None

    async def run(self) -> LoopResult:
        """Run to the end. Raises the failure of a step (ClashError, BudgetError), after ``on_step`` has seen it."""
        number = 0
        quiet_steps = 0
        report: StepReport | None = None
        while not self.stop.is_set():
            number += 1
            report, times = await self._step()
            self.on_step(number, report, times)
            if report.failure is not None:
                raise report.failure
            quiet_steps = count_quiet(quiet_steps, report)
            end = self._end(number, quiet_steps, report)
            if end is not None:
                return LoopResult(end, number, report)
            await self.timer.pause(self.settings.interval_s, self.stop)
        return LoopResult("interrupted", number, report)

    async def _step(self) -> tuple[StepReport, StepTimes]:
        self._last_instant = next_instant(self.clock.now(), self._last_instant)
        watch = _Stopwatch(self.timer)
        machine = Machine(
            self.plan, lexical(self._last_instant), self.fresh_id(), watch.enter, self.reasoning
        )
        report = await self.run_step(machine)
        return report, StepTimes(watch.ms)

    def _end(self, number: int, quiet_steps: int, report: StepReport) -> End | None:
        settings = self.settings
        if report.interrupted:
            return "interrupted"
        status = {instance.uri: instance for instance in report.instances}
        mine = [status[uri] for uri in settings.instances if uri in status]
        if mine and len(mine) == len(settings.instances):
            if all(one.status in OVER for one in mine):
                return "ended"
            if all(one.status in OVER or one.status == "parked" for one in mine):
                return "parked"
        if settings.until_quiet is not None and quiet_steps >= settings.until_quiet:
            return "settled" if mine and not any(one.active for one in mine) else "quiet"
        if settings.steps is not None and number >= settings.steps:
            return "steps"
        return None


def count_quiet(quiet_steps: int, report: StepReport) -> int:
    """Return the number of quiet steps after this one: a request sets it to 0, a step of open questions keeps it."""
    match report.quiet:
        case "quiet":
            return quiet_steps + 1
        case "busy":
            return 0
        case "unsettled":
            return quiet_steps


class _Stopwatch:
    """Measures the phases of a step."""

    def __init__(self, timer: Timer) -> None:
        self.ms: dict[str, float] = {}
        self._timer = timer
        self._phase: Phase | None = None
        self._since = 0.0

    def enter(self, phase: Phase) -> None:
        now = self._timer.seconds()
        if self._phase is not None:
            self.ms[self._phase] = round((now - self._since) * 1000, 3)
        self._phase, self._since = phase, now
