"""A day at the insurance: the agent runs the processes of all claims, step by step, until every claim is closed."""

import asyncio
import math
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from msgspec import Struct, field

from agent.act.perform import Performer
from agent.clock import lexical
from agent.errors import BugError
from agent.fetch.pace import UNPACED
from agent.fetch.polling import Sources
from agent.gsm.ruleset import workflow_program
from agent.rdf.terms import IRI, Literal, document_of
from agent.runtime.driver import World, run_step
from agent.runtime.hosts import VouchingWorkflows
from agent.runtime.loop import LoopTimer
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.report import OVER, StepReport
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of, read_agreement
from agent.settings import Settings
from agent.sim.books import Books, Closing
from agent.sim.claim_files import CONCERNS, INS
from agent.sim.office import LONGEST_WAIT_S, Office
from agent.transport.client import Client

MOST_STEPS = 500
"""A day that takes longer than this has come to a stand."""
ENDS = (IRI(INS + "appraised"), IRI(INS + "notified"))


class Day(Struct):
    """A day at ``office``. ``on_step`` is told the report of each step; ``pause_s`` is waited for after each.

    An instance is left alone once it has ended.
    """

    office: Office
    on_step: Callable[[StepReport], Awaitable[None]] | None = None
    pause_s: float = 0.0
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    ended: set[str] = field(default_factory=set)

    async def run(self) -> bool:
        """Work until every claim is closed; return False if ``stop`` was set before."""
        office = self.office
        settings = Settings(step_deadline_s=LONGEST_WAIT_S, request_timeout_s=LONGEST_WAIT_S)
        # Writes go out one at a time, so that their order does not depend on which connection is faster.
        in_order = replace(settings, requests_per_host=1)
        async with Client(settings) as client, Client(in_order, client.policy) as writer:
            client.policy.name(office.base)
            sources = Sources(client, asyncio.get_running_loop().time, pace=UNPACED)
            try:
                return await self._work(client, World(sources, Performer(writer), self.stop))
            finally:
                await sources.close()

    async def _work(self, client: Client, world: World) -> bool:
        for number in range(1, MOST_STEPS + 1):
            await self.office.advance(self.office.rush.step_s)
            report = await run_step(self._machine(number, client), world)
            if report.failure is not None:
                raise report.failure
            if self.on_step is not None:
                await self.on_step(report)
            self.ended |= {one.uri for one in report.instances if one.status in OVER}
            if self.stop.is_set():
                return False
            if not self.office.expected and self.ended == set(self.office.processes):
                return True
            if self.pause_s:
                await LoopTimer().pause(self.pause_s, self.stop)
        raise BugError("BUG001", f"claims are still open after {MOST_STEPS} steps")

    def _machine(self, number: int, client: Client) -> Machine:
        office = self.office
        running = {uri: office.container for uri in office.processes if uri not in self.ended}
        program, workflows = workflow_program(running)
        plan = StepPlan(
            program,
            given=office.scheduling,
            workflows=VouchingWorkflows(workflows, client.policy, map(document_of, running)),
        )
        fresh_id = uuid.uuid5(uuid.NAMESPACE_URL, f"{office.rush.seed}/{number}")
        return Machine(plan, lexical(office.clock.now()), str(fresh_id))


async def close_books(office: Office, policy: str) -> Books:
    """Return what ``office`` owes for the claims of its day, as their documents and agreements tell it."""
    closings = [await _closing(office, instance) for instance in office.processes]
    work_s = math.fsum(order.takes_s for order in office.services.orders)
    return Books(policy, tuple(closings), work_s)


async def _closing(office: Office, instance: str) -> Closing:
    process = facts_of((await office.files.read(instance))[0])
    claim = process.value(IRI(instance), CONCERNS)
    agreement = process.value(IRI(instance), terms.GOVERNED_BY)
    if not (isinstance(claim, IRI) and isinstance(agreement, IRI)):
        raise BugError("BUG001", f"{instance} does not say what it concerns and what governs it")
    said = facts_of((await office.files.read(claim.value))[0])
    promised = facts_of((await office.files.read(agreement.value))[0])
    begun = _instants(process.value(IRI(instance), terms.STARTED))
    ended = _instants(*(said.value(claim, end) for end in ENDS))
    if not (begun and ended):
        raise BugError("BUG001", f"{claim.value} is not closed")
    duration_s = (min(ended) - begun[0]).total_seconds()
    penalty = read_agreement(promised, agreement).of(duration_s)
    return Closing(office.processes[instance], duration_s, penalty)


def _instants(*values: object) -> list[datetime]:
    return [datetime.fromisoformat(value.lexical) for value in values if isinstance(value, Literal)]
