"""A run from beginning to end: what the URIs are, the plan, the HTTP client, the loop."""

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from functools import partial

from msgspec import Struct, field

from agent.act.perform import Performer
from agent.clock import WallClock
from agent.decide.updates import OnConflict
from agent.errors import UsageError
from agent.fetch.pace import POLITE, UNPACED
from agent.fetch.polling import Sources
from agent.gsm.ruleset import workflow_program
from agent.n3.program import Program
from agent.rdf.terms import Triple, document_of
from agent.runtime.collecting import sparing_memory
from agent.runtime.driver import World, run_step
from agent.runtime.hosts import VouchingWorkflows, endpoints_of, uris_of
from agent.runtime.looking import read_outcome
from agent.runtime.loop import End, Loop, LoopSettings, StepTimes
from agent.runtime.machine import Machine
from agent.runtime.parking import Parking
from agent.runtime.plan import Limits, StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import StepReport
from agent.runtime.targets import Targets, find_targets
from agent.settings import Settings
from agent.transport.client import Client

OnStep = Callable[[int, StepReport, StepTimes], None]


class RunOrder(Struct, frozen=True):
    """What to run and how; ``uris`` are instances and containers, ``program`` and ``facts`` come on top.

    ``interval_s`` None: 1 for URIs, 0 for a program. ``steps`` None: no end for URIs, 1 for a program that nothing
    else ends. A dry run takes one step if nothing is said. ``container`` keeps the elements of instances of which
    nothing tells theirs.
    """

    uris: tuple[str, ...] = ()
    program: Program = field(default_factory=Program)
    facts: tuple[Triple, ...] = ()
    interval_s: float | None = None
    steps: int | None = None
    until_quiet: int | None = None
    on_conflict: OnConflict = "pick"
    dry_run: bool = False
    keep_bodies: bool = False
    keep_grounds: bool = False
    max_documents: int | None = None
    container: str = ""
    recompute: bool = False

    def loop_settings(self, instances: frozenset[str]) -> LoopSettings:
        """Return when the loop steps and ends."""
        interval = self.interval_s if self.interval_s is not None else float(bool(self.uris))
        endless = self.steps is None and self.until_quiet is None
        once = endless and (self.dry_run or not (self.uris or self.interval_s is not None))
        return LoopSettings(interval, 1 if once else self.steps, self.until_quiet, instances)


class RunResult(Struct, frozen=True):
    """How a run ended, after how many steps, what the last step reported, and its memory."""

    end: End
    steps: int
    last: StepReport | None
    memory: tuple[Triple, ...]


async def run_agent(
    order: RunOrder, settings: Settings, *, on_step: OnStep, stop: asyncio.Event
) -> RunResult:
    """Run ``order`` until it ends or ``stop`` is set; a write phase that began is finished.

    UsageError USE005 if there is nothing to run, WorldError if a URI cannot be read, and the failures of steps.
    """
    if not (order.uris or order.program.requests or order.program.derivations or order.program.facts):
        raise UsageError("USE005", "there is nothing to run", hint="Give a URI, or a program with -p.")
    async with Client(settings) as client:
        client.policy.name(*order.uris, order.container, *uris_of(order.program))
        client.policy.name(*uris_of(Program(facts=order.facts)))
        client.policy.name_endpoints(*endpoints_of((*order.program.facts, *order.facts)))
        targets = await _unless(
            stop, find_targets(order.uris, partial(read_outcome, client), order.container)
        )
        if targets is None:
            return RunResult("interrupted", 0, None, ())
        containers = (*targets.containers, *targets.instances.values())
        monotonic = asyncio.get_running_loop().time
        interval_s = order.loop_settings(frozenset()).interval_s
        sources = Sources(
            client,
            monotonic,
            pace=POLITE if interval_s else UNPACED,
            interval_s=interval_s,
            is_status=lambda uri: uri.startswith(containers),
        )
        # A workflow's tasks go to devices, and the step outlasts none of them; a program waits for all it writes.
        performer = Performer(client, is_awaited=lambda uri: not order.uris or uri.startswith(containers))
        try:
            world = World(sources, performer, stop)
            plan = plan_of(order, targets, client)
            parking = Parking(client, sources.wrote) if order.uris and not order.dry_run else None
            return await _loop(order, targets, plan, world, on_step, parking)
        finally:
            await performer.close()
            await sources.close()


async def _unless(stop: asyncio.Event, finding: Coroutine[None, None, Targets]) -> Targets | None:
    """Return what ``finding`` comes to, or None if ``stop`` is set before."""
    found, stopped = asyncio.ensure_future(finding), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({found, stopped}, return_when=asyncio.FIRST_COMPLETED)
        return await found if found.done() else None
    finally:
        for task in (found, stopped):
            task.cancel()
        await asyncio.gather(found, stopped, return_exceptions=True)


def plan_of(order: RunOrder, targets: Targets, client: Client) -> StepPlan:
    """Return what all steps of the run have in common; ``client`` learns the hosts that its documents vouch for."""
    program = order.program
    workflows: VouchingWorkflows | None = None
    if order.uris:
        lifecycle, found = workflow_program(targets.instances, targets.containers)
        program += lifecycle
        workflows = VouchingWorkflows(found, client.policy, map(document_of, targets.instances))
    return StepPlan(
        program,
        given=order.facts,
        workflows=workflows,
        on_conflict=order.on_conflict,
        dry_run=order.dry_run,
        limits=Limits() if order.max_documents is None else Limits(documents=order.max_documents),
        keep_bodies=order.keep_bodies or order.dry_run,
        keep_grounds=order.keep_grounds,
    )


async def _loop(
    order: RunOrder,
    targets: Targets,
    plan: StepPlan,
    world: World,
    on_step: OnStep,
    parking: Parking | None,
) -> RunResult:
    last: list[Machine] = []

    async def step(machine: Machine) -> StepReport:
        last[:] = [machine]
        report = await run_step(machine, world)
        set_aside(len(machine.memory))
        return report if parking is None else await parking.after_step(report, machine.memory)

    settings = order.loop_settings(frozenset() if targets.containers else frozenset(targets.instances))
    loop = Loop(
        plan,
        settings,
        step,
        WallClock(),
        lambda: str(uuid.uuid4()),
        on_step,
        stop=world.stop,
        # Compiling rules pays from the second step on.
        reasoning=Reasoning(plan, recompute=order.recompute or settings.steps == 1),
    )
    with sparing_memory() as set_aside:
        ending = await loop.run()
    return RunResult(ending.end, ending.steps, ending.last, tuple(last[0].memory) if last else ())
