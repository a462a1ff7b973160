"""The insurance as a world of its own: a server with claims, processes, services and a scheduler, and one clock for all.

    /insurance/    models, agreements, and the facts about schedulers
    /claims/       a document per claim, in which the services write their results
    /processes/    a process instance per claim, with its stages and milestones
    /services/     the services, see ``services``
    /schedulers/   the scheduler in front of the experts

The clock stands still while the agent takes a step, and between steps moves from one event to the next: a claim comes
in, a service begins or ends, a scheduler decides. Everything that follows from an event has happened before the clock
moves on. So what happens depends on the seed alone, not on how fast the machine is.
"""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from aiohttp import ClientSession, ClientTimeout, web
from msgspec import Struct, field

from agent.clock import lexical
from agent.errors import BugError, WorldError
from agent.rdf.documents import parse_document
from agent.rdf.terms import Triple
from agent.resources import read_bundled
from agent.serve.app import create_app
from agent.serve.observing import Observer
from agent.serve.schedulers import Schedulers
from agent.serve.sending import Sender
from agent.settings import Settings
from agent.sim.claim_files import INS, TURTLE, ClaimFiles
from agent.sim.claims import Claim, Rush
from agent.sim.service_quality import QUALITIES, Chance
from agent.sim.services import Services
from agent.sim.virtual_time import VirtualClock
from agent.vocab import AG, GSM, LDP, PROV, SCHED, XSD
from ldp_server import MemoryStore, ServerError, listen

EXAMPLE = "rules/examples/insurance/"
MODELS = ("comprehensive-claim", "liability-claim", "agreements", "schedulers")
CONTAINER_LINK = f'<{LDP}BasicContainer>; rel="type"'
OPENING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SCHEDULER = "schedulers/expertise/"
LONGEST_WAIT_S = 30.0
"""How long anything may take on the real clock; the simulated one stands still meanwhile."""
MOST_EVENTS = 10_000


class Office(Struct):
    """A running office; URIs are absolute.

    ``expected`` are the claims that are still to come, ``processes`` the instances of those that have come.
    ``scheduling`` are the facts that a run is given with ``-i``: which service has a scheduler.
    """

    base: str
    rush: Rush
    clock: VirtualClock
    services: Services
    schedulers: Schedulers
    files: ClaimFiles
    expected: list[Claim]
    scheduling: tuple[Triple, ...]
    processes: dict[str, Claim] = field(default_factory=dict)

    @property
    def container(self) -> str:
        """Return the container of the process instances and their elements."""
        return f"{self.base}processes/"

    async def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass, event by event."""
        end_s = self.clock.seconds() + seconds
        for _ in range(MOST_EVENTS):
            due_s = self._next_event_s()
            if due_s > end_s:
                self.clock.move_to(end_s)
                return
            self.clock.move_to(due_s)
            await self._receive_claims()
            async with asyncio.timeout(LONGEST_WAIT_S):
                await self.services.advance()
                await self.schedulers.wait_for_answers(self.services.held)
                await self.schedulers.advance()
                await self.services.wait_for_held(self.schedulers.on_the_way)
        raise BugError("BUG001", f"more than {MOST_EVENTS} events within {seconds:g} simulated seconds")

    def _next_event_s(self) -> float:
        arrives_s = self.clock.start_s + self.expected[0].arrives_s if self.expected else math.inf
        dues = (arrives_s, self.services.next_due(), self.schedulers.next_due())
        return min(due_s for due_s in dues if due_s is not None)

    async def _receive_claims(self) -> None:
        """Put up the claims that come in now, each with a process that is not set up yet."""
        while self.expected and self.clock.start_s + self.expected[0].arrives_s <= self.clock.seconds():
            claim = self.expected.pop(0)
            instance = f"{self.container}{claim.name}"
            await self.files.put(f"{self.base}claims/{claim.name}", f"<#it> a <{INS}Claim> .")
            await self.files.put(instance, self._process(claim))
            self.processes[f"{instance}#it"] = claim

    def _process(self, claim: Claim) -> str:
        model = f"{self.base}insurance/{claim.cover.model}#{claim.cover.model}"
        return f"""
            <#it> a <{GSM}ArtifactInstance> ;
              <{GSM}isInstanceOf> <{model}> ;
              <{GSM}hasState> <{GSM}uninitialized> ;
              <{PROV}startedAtTime> "{lexical(self.clock.now())}"^^<{XSD}dateTime> ;
              <{SCHED}governedBy> </insurance/agreements#{claim.cover.agreement}> ;
              <{INS}concerns> </claims/{claim.name}#it> ;
              <{AG}source> </claims/{claim.name}> ."""


@asynccontextmanager
async def open_office(rush: Rush, policy: str, port: int = 0) -> AsyncIterator[Office]:
    """Open an office for ``rush`` whose scheduler has the bundled ``policy``, at nine o'clock, with no claims yet.

    WorldError when the port is taken or the server refuses what is put up.
    """
    clock, store = VirtualClock(OPENING), MemoryStore()
    services = Services(clock, Chance(rush.seed), rush.qualities)
    sender, observers, made = Sender(Settings()), [], []

    def build(base: str) -> web.Application:
        observers.append(Observer(store, base.rstrip("/")))
        made.append(Schedulers(store, base, now=clock.seconds, send=sender, observe=observers[0]))
        app = create_app(store, base_url=base, schedulers=made[0])
        services.mount(app)
        return app

    try:
        async with (
            listen(build, port=port) as server,
            ClientSession(timeout=ClientTimeout(LONGEST_WAIT_S)) as session,
        ):
            files = ClaimFiles(session)
            services.open(files)
            await made[0].open()
            facts = await _furnish(server.base_url, rush, policy, files)
            yield Office(server.base_url, rush, clock, services, made[0], files, rush.arriving(), facts)
            await made[0].close()
    except ServerError as error:
        raise WorldError(error.code, error.message) from None
    finally:
        await sender.close()
        for observer in observers:
            await observer.close()
        await store.close()


async def _furnish(base: str, rush: Rush, policy: str, files: ClaimFiles) -> tuple[Triple, ...]:
    """Put up what an office needs, and return the facts about its scheduler."""
    for name in MODELS:
        await files.put(f"{base}insurance/{name}", read_bundled(f"{EXAMPLE}{name}.ttl"))
    for container in ("claims/", "processes/"):
        await files.put(f"{base}{container}", "", Link=CONTAINER_LINK)
    usual = f"sched:capacity {QUALITIES['expertise'].capacity} "
    scheduler = read_bundled(f"{EXAMPLE}expertise.ttl")
    await files.put(f"{base}{SCHEDULER}", scheduler.replace(usual, f"sched:capacity {rush.experts} "))
    await files.put(f"{base}{SCHEDULER}policy", read_bundled(f"{EXAMPLE}{policy}.ttl"))
    uri = f"{base}insurance/schedulers"
    facts = read_bundled(f"{EXAMPLE}schedulers.ttl").encode()
    return parse_document(facts, TURTLE, uri, strict=True).triples
