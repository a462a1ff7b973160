"""Playing a scenario: the agent runs on the instance over real HTTP, the environment follows its script.

Each step is told as it ends: what the environment did before it, what went wrong, what it did. Between steps nothing
is waited for unless an interval asks for it, so a story of twenty steps takes as long as twenty steps take; with an
interval, a long rest is told once.
"""

import asyncio
import uuid
from collections.abc import Callable

from msgspec import Struct, field

from agent.act.perform import Performer
from agent.clock import WallClock
from agent.fetch.pace import UNPACED
from agent.fetch.polling import Sources
from agent.gsm.ruleset import workflow_program
from agent.n3.load import read_program
from agent.rdf.terms import document_of
from agent.resources import read_bundled
from agent.runtime.driver import World as Surroundings
from agent.runtime.driver import run_step
from agent.runtime.hosts import VouchingWorkflows
from agent.runtime.loop import Loop, LoopResult, LoopSettings
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import StepReport
from agent.settings import Settings
from agent.sim.chronicle import Status, effects_of, tell
from agent.sim.faults import Fault
from agent.sim.scenario import Effect, Scenario
from agent.sim.troubles import Troubles
from agent.sim.world import World
from agent.transport.client import Client

PATIENCE_S = 10.0
"""How long a device may take to answer, to a GET as to a task: a busy machine is no broken device."""


class Pace(Struct, frozen=True):
    """How fast a scenario is played: seconds between steps, and after how many steps it is over (None: never)."""

    interval_s: float = 0.0
    steps: int | None = None
    patience_s: float = PATIENCE_S


class Breakdown(Struct, frozen=True):
    """Before ``step``, the device ``device`` gets ``fault``, or is repaired (None)."""

    step: int
    device: str
    fault: Fault | None


class Play(Struct):
    """One performance of ``scenario`` in ``world``; ``say`` gets a line at a time, ``effects`` collects what happened."""

    world: World
    scenario: Scenario
    pace: Pace
    say: Callable[[str], None]
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    breakdowns: tuple[Breakdown, ...] = ()
    effects: list[Effect] = field(default_factory=list)
    _status: Status = field(default_factory=Status)
    _step: int = 0
    _told: int = 0
    _is_resting: bool = False

    async def run(self) -> LoopResult:
        """Play to the end, or until ``stop`` is set; the writes of a step that has begun to write are finished."""
        patience = self.pace.patience_s
        async with Client(Settings(step_deadline_s=patience, request_timeout_s=patience)) as client:
            client.policy.name(self.world.instance)
            monotonic = asyncio.get_running_loop().time
            sources = Sources(client, monotonic, pace=UNPACED, interval_s=self.pace.interval_s)
            surroundings = Surroundings(sources, Performer(client), self.stop)
            try:
                return await self._loop(self._plan(client), surroundings).run()
            finally:
                await sources.close()

    def _plan(self, client: Client) -> StepPlan:
        instance = self.world.instance
        program, workflows = workflow_program({instance: self.world.container})
        for file in self.scenario.programs:
            program += read_program(read_bundled(file), source=file, base=f"https://w3id.org/milepost/{file}")
        vouching = VouchingWorkflows(workflows, client.policy, [document_of(instance)])
        return StepPlan(program, workflows=vouching)

    def _loop(self, plan: StepPlan, surroundings: Surroundings) -> Loop:
        troubles = Troubles(self.world.labels)

        async def step(machine: Machine) -> StepReport:
            self._step += 1
            await self._prepare()
            report = await run_step(machine, surroundings)
            await self._tell(report, troubles)
            return report

        settings = LoopSettings(
            self.pace.interval_s, steps=self.pace.steps, instances=frozenset({self.world.instance})
        )
        return Loop(
            plan,
            settings,
            step,
            WallClock(),
            lambda: str(uuid.uuid4()),
            stop=self.stop,
            reasoning=Reasoning(plan),
        )

    async def _prepare(self) -> None:
        """Let the environment act, and note how things stand before the step."""
        for change in self.scenario.changes(self._step):
            self.world.pages.devices.set(change.device, change.state, "script")
            self._say(f"({change.story}: {change.device} {change.state.lexical})")
        for breakdown in self.breakdowns:
            if breakdown.step == self._step:
                self._break(breakdown)
        if self._step == 1:
            self._status = await self.world.status()

    def _break(self, breakdown: Breakdown) -> None:
        if breakdown.fault is None:
            self.world.pages.faults.pop(breakdown.device, None)
            self._say(f"({breakdown.device} is repaired)")
        else:
            self.world.pages.faults[breakdown.device] = breakdown.fault
            self._say(f"({breakdown.device} {breakdown.fault})")

    async def _tell(self, report: StepReport, troubles: Troubles) -> None:
        after = await self.world.status()
        happenings = self.world.pages.devices.happenings
        effects = effects_of(self._step, self._status, after, happenings[self._told :])
        self._told = len(happenings)
        self.effects += effects
        self._status = after
        news = troubles.news(report)
        for line in news:
            self._say(f"! {line}")
        for line in tell(effects, self.world.labels, self.world.model, after):
            self._say(line)
        is_quiet = not effects and not news and report.quiet == "quiet"
        if is_quiet and not (self._is_resting and self.pace.interval_s):
            self._say("quiet")
        self._is_resting = is_quiet

    def _say(self, text: str) -> None:
        for position, line in enumerate(text.splitlines()):
            self.say(f"step {self._step:2}  {line}" if position == 0 else f"         {line}")
