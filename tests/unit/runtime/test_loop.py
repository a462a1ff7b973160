"""When a run steps and when it ends."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from agent.clock import SteppingClock
from agent.errors import ClashError
from agent.runtime.loop import Loop, LoopResult, LoopSettings, count_quiet
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.report import Quiet, StepReport
from tests.support.plans import W, get, plan
from tests.support.world import FakeWorld

START = datetime(2024, 5, 6, 7, 8, 9, 123456, UTC)
IDLE = "w:a :value 1 .\n"
BUSY = "{ [] http:mthd m:PUT ; http:requestURI w:d ; http:body { this:it :value 1 } } .\n"
INSTANCE = get(W + "i") + "w:i\\#it ag:isExecuted true .\n"
STATE = "<#it> <http://purl.org/gsm/vocab#hasState> <http://purl.org/gsm/vocab#{}> ."


@dataclass(slots=True)
class FakeTimer:
    """Time that passes by a quarter of a second at each look, and pauses that only tell their length."""

    pauses: list[float] = field(default_factory=list)
    then: Callable[[int], None] = lambda _: None
    _seconds: float = 0.0

    def seconds(self) -> float:
        self._seconds += 0.25
        return self._seconds

    async def pause(self, seconds: float, stop: asyncio.Event) -> None:
        self.pauses.append(seconds)
        self.then(len(self.pauses))


@dataclass(slots=True)
class Run:
    """A loop over a fake world, with everything that can be observed about it."""

    plan: StepPlan
    settings: LoopSettings
    world: FakeWorld = field(default_factory=lambda: FakeWorld({}))
    timer: FakeTimer = field(default_factory=FakeTimer)
    steps: list[tuple[int, str, dict[str, float]]] = field(default_factory=list)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    def loop(self) -> Loop:
        ids = iter(range(1000))
        return Loop(
            self.plan,
            self.settings,
            self.world.run_step,
            SteppingClock(START, timedelta(0)),
            lambda: f"id-{next(ids)}",
            lambda number, report, times: self.steps.append((number, report.instant, times.ms)),
            self.timer,
            self.stop,
        )


async def test_steps_are_counted_and_pauses_lie_between_them() -> None:
    run = Run(plan(IDLE), LoopSettings(interval_s=5, steps=3))
    result = await run.loop().run()
    assert (result.end, result.steps, run.timer.pauses) == ("steps", 3, [5, 5])
    assert run.steps == [
        (1, "2024-05-06T07:08:09.123Z", {"reading": 250.0, "deciding": 250.0}),
        (2, "2024-05-06T07:08:09.124Z", {"reading": 250.0, "deciding": 250.0}),
        (3, "2024-05-06T07:08:09.125Z", {"reading": 250.0, "deciding": 250.0}),
    ]


async def test_the_write_phase_is_measured_too() -> None:
    run = Run(plan(BUSY), LoopSettings(steps=1))
    await run.loop().run()
    assert list(run.steps[0][2]) == ["reading", "deciding", "writing"]


async def test_a_bare_program_never_ends_by_itself() -> None:
    run = Run(plan(IDLE), LoopSettings())
    run.timer.then = lambda pauses: run.stop.set() if pauses == 50 else None
    assert (await run.loop().run()).steps == 50


async def test_quiet_steps_end_a_run() -> None:
    result = await Run(plan(IDLE), LoopSettings(until_quiet=2)).loop().run()
    assert (result.end, result.steps) == ("quiet", 2)


async def test_open_questions_neither_count_as_quiet_nor_start_over() -> None:
    world = FakeWorld({W + "x": ""})
    run = Run(plan(get(W + "x")), LoopSettings(until_quiet=2), world)

    def disturb(pauses: int) -> None:
        world.get_faults = {W + "x": 503} if pauses in {1, 2} else {}

    run.timer.then = disturb
    result = await run.loop().run()
    assert (result.end, result.steps) == ("quiet", 4)


@pytest.mark.parametrize(("quiet", "after"), [("quiet", 3), ("busy", 0), ("unsettled", 2)])
def test_a_request_starts_the_count_over(quiet: Quiet, after: int) -> None:
    assert count_quiet(2, StepReport("", "", quiet=quiet)) == after


async def test_a_run_on_an_instance_ends_when_the_instance_has_ended() -> None:
    world = FakeWorld({W + "i": STATE.format("active")})
    run = Run(plan(INSTANCE), LoopSettings(instances=frozenset({W + "i#it"})), world)
    run.timer.then = lambda pauses: world.put(W + "i", STATE.format("inactive")) if pauses == 3 else None
    result = await run.loop().run()
    assert (result.end, result.steps) == ("ended", 4)
    assert result.last is not None
    assert [one.status for one in result.last.instances] == ["ended"]


async def test_a_run_on_two_instances_ends_with_the_later_one() -> None:
    world = FakeWorld({W + "i": STATE.format("inactive"), W + "j": STATE.format("active")})
    program = INSTANCE + INSTANCE.replace("w:i", "w:j").replace("/i>", "/j>")
    run = Run(plan(program), LoopSettings(instances=frozenset({W + "i#it", W + "j#it"})), world)
    run.timer.then = lambda pauses: world.put(W + "j", STATE.format("inactive")) if pauses == 2 else None
    assert (await run.loop().run()).steps == 3


async def test_an_instance_that_cannot_be_read_has_not_ended() -> None:
    world = FakeWorld({W + "i": STATE.format("inactive")}, get_faults={W + "i": 503})
    result = (
        await Run(plan(INSTANCE), LoopSettings(steps=2, instances=frozenset({W + "i#it"})), world)
        .loop()
        .run()
    )
    assert result.end == "steps"


async def test_an_instance_that_is_not_executed_has_not_ended() -> None:
    world = FakeWorld({W + "i": STATE.format("inactive")})
    settings = LoopSettings(steps=2, instances=frozenset({W + "i#it", W + "k#it"}))
    assert (await Run(plan(INSTANCE), settings, world).loop().run()).end == "steps"


@pytest.mark.parametrize(("stage", "end"), [("inactive", "settled"), ("active", "quiet")])
async def test_quiet_without_an_active_stage_is_settled(stage: str, end: str) -> None:
    world = FakeWorld({W + "i": STATE.format("active")})
    program = INSTANCE + f"w:s gsm:inArtifactInstance w:i\\#it ; gsm:hasState gsm:{stage} .\n"
    settings = LoopSettings(until_quiet=1, instances=frozenset({W + "i#it"}))
    result = await Run(plan(program), settings, world).loop().run()
    assert (result.end, result.steps) == (end, 1)


async def test_a_failed_step_is_reported_before_it_ends_the_run() -> None:
    run = Run(plan(BUSY + BUSY.replace("value 1", "value 2"), on_conflict="error"), LoopSettings())
    with pytest.raises(ClashError):
        await run.loop().run()
    assert [number for number, _, _ in run.steps] == [1]


@pytest.mark.parametrize(
    ("program", "stored", "outcomes"),
    [(get(W + "d") + BUSY, {W + "d": ""}, []), (BUSY, {}, ["confirmed"])],
    ids=["reading", "writing"],
)
async def test_a_stop_request_ends_the_run_with_the_step_that_it_meets(
    program: str, stored: dict[str, str], outcomes: list[str]
) -> None:
    world = FakeWorld(stored)
    run = Run(plan(program), LoopSettings(), world)

    async def stopped(machine: Machine) -> StepReport:
        (instruction,) = machine.start()
        run.stop.set()
        machine.stop()
        machine.handle(world.answer(instruction))
        assert machine.report is not None
        return machine.report

    loop = run.loop()
    loop.run_step = stopped
    result = await loop.run()
    assert (result.end, result.steps, len(run.steps)) == ("interrupted", 1, 1)
    assert result.last is not None
    assert [one.outcome for one in result.last.requests] == outcomes


async def test_a_stop_request_before_the_first_step_takes_none() -> None:
    run = Run(plan(BUSY), LoopSettings())
    run.stop.set()
    assert await run.loop().run() == LoopResult("interrupted", 0, None)
    assert run.world.sends == []


async def test_the_real_timer_wakes_up_for_a_stop_request() -> None:
    run = Run(plan(IDLE), LoopSettings(interval_s=3600))
    loop = Loop(run.plan, run.settings, run.world.run_step, SteppingClock(START, timedelta(0)), lambda: "id")

    def stop_soon(*_: object) -> None:
        asyncio.get_running_loop().call_soon(loop.stop.set)

    loop.on_step = stop_soon
    assert (await loop.run()).end == "interrupted"
