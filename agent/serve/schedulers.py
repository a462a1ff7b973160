"""All schedulers of a server: they come and go by PUT and DELETE, and each works off its queue.

    schedulers = Schedulers(store, base, now=time.time, send=sender, observe=observer)
    await schedulers.open()
    await schedulers.run(stop)

Or, in simulated time, instead of ``run``: ``advance`` whenever ``next_due`` has come and whenever something has
happened. ``Schedulers`` is a service of the server (see ``ldp_server.services``).
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from agent.errors import ProgramError
from agent.schedulers.descriptions import Scheduler
from agent.schedulers.process import Process, State
from agent.schedulers.workflow import Place, read_processes
from agent.serve.accepting import post_entry, put_entry, put_policy, read_description, read_policy_document
from agent.serve.keeping import Keeper, page_of, unprocessable
from agent.serve.observing import Observe
from agent.serve.pages import entry_page, queue_page, scheduler_page
from agent.serve.places import PREFIX, Addresses, Spot, spot
from agent.serve.scheduler import RunningScheduler
from agent.serve.sending import Send
from ldp_server import Done, Page, Problem, Store, Writing
from ldp_server.documents import EMPTY, Draft
from ldp_server.paths import read_base_url
from ldp_server.refusals import problem_of
from ldp_server.storage.port import Committed, Delete, Put, Reason, Refusal, Write
from ldp_server.syntaxes import TURTLE
from ldp_server.validators import entity_tag

LOG = logging.getLogger(__name__)
STOP_TIMEOUT_S = 5.0
_AFTER_FAULT_S = 1.0
_LOOK_S = 0.5
"""Requests wait so long for a look at the instances to end; a host that does not answer must not stop the queue."""


class Schedulers:
    """The schedulers in ``store``, of the server at ``base`` (with or without final slash).

    ``now`` is the time in seconds since 1970; ``send`` and ``observe`` are the ways to services and instances.
    """

    def __init__(
        self, store: Store, base: str, *, now: Callable[[], float], send: Send, observe: Observe
    ) -> None:
        self.store = store
        self.base = read_base_url(base)
        self._now = now
        self._send = send
        self._observe = observe
        self._running: dict[str, RunningScheduler] = {}
        self._seen_s: dict[tuple[str, ...], dict[Place, float]] = {}
        self._woken: dict[str, asyncio.Event] = {}
        self._loops: dict[str, asyncio.Task[None]] = {}
        self._runs = False
        self._writing = asyncio.Lock()

    # The service port.

    @property
    def prefix(self) -> str:
        """Return the path below which the schedulers are."""
        return PREFIX

    def methods(self, path: str) -> str | None:
        """Return what the resource at ``path`` takes."""
        return spot(path).methods

    async def page(self, path: str) -> Page | None:
        """Return the pages that say more than is stored: of schedulers, queues, and entries that wait."""
        where = spot(path)
        scheduler = self._running.get(where.name)
        if scheduler is None:
            return None
        if where.kind == "scheduler":
            record = await self.store.read(path)
            own = b"" if record is None else record.text
            return page_of(scheduler_page(scheduler.at, own, scheduler.adapted))
        if where.kind == "queue":
            statuses = {key: held.entry.status for key, held in scheduler.held.items() if held.kept is None}
            return page_of(queue_page(scheduler.at, statuses, scheduler.places()))
        if where.kind == "entry" and where.key in scheduler.places():
            place = scheduler.places()[where.key]
            record = await self.store.read(path)
            return None if record is None else page_of(entry_page(scheduler.at, record.text, place))
        return None

    async def write(self, writing: Writing) -> Done:
        """Carry out a write to a resource of a scheduler."""
        where = spot(writing.path)
        if where.kind == "scheduler":
            async with self._writing:
                return await (
                    self._delete(where) if writing.method == "DELETE" else self._put(where, writing)
                )
        scheduler = self._running.get(where.name)
        if scheduler is None:
            home = f"{self.base}{PREFIX}{where.name}/"
            raise Problem("SCH030", f"There is no scheduler {home}. Create it with a PUT.", status=404)
        if where.kind == "policy":
            return await put_policy(scheduler, writing)
        if where.kind == "queue":
            return await post_entry(scheduler, writing)
        return await put_entry(scheduler, where.key, writing)

    # Coming and going of schedulers.

    async def open(self) -> None:
        """Take up the schedulers in the store; what a crash left is sorted out (ADR 0108)."""
        if await self.store.read(PREFIX) is None:
            await self.store.commit([Put(PREFIX, EMPTY)])
        listing = await self.store.read_listing(PREFIX)
        for path in listing[1] if listing else ():
            where = spot(path)
            if where.kind == "scheduler":
                try:
                    await self._open_one(where.name)
                except (ProgramError, Problem) as error:
                    LOG.error("%s%s is no usable scheduler and stays as it is: %s", self.base, path, error)  # noqa: TRY400  the reason is the whole fault

    async def _open_one(self, name: str) -> None:
        keeper = self._keeper(name)
        record = await self.store.read(keeper.at.home)
        policy = await self.store.read(keeper.at.policy)
        if record is None or policy is None:
            raise ProgramError("SCH003", "its policy is missing")
        present = read_policy_document(policy.text, keeper.at)
        description, _ = read_description(record.text, keeper.at, present)
        scheduler = self._new(name, keeper, description)
        scheduler.policy_version = policy.version
        await scheduler.recover()
        self._take_up(name, scheduler)

    async def _put(self, where: Spot, writing: Writing) -> Done:
        keeper = self._keeper(where.name)
        present = self._running.get(where.name)
        await self._check(writing)
        text = writing.draft.named("")
        old = None if present is None else present.description
        description, own = read_description(text, keeper.at, None if old is None else old.policy)
        if present is not None and old is not None and description.service != old.service:
            _refuse_while_open(present)
        writes: list[Write] = [Put(keeper.at.home, Draft((own,)))]
        if old is None or description.policy != old.policy:
            writes.append(keeper.policy_write(description.policy))
        if present is None:
            writes += [Put(keeper.at.queue, EMPTY), Put(keeper.at.decisions, EMPTY)]
        done = await keeper.must(*writes)
        if present is None:
            present = self._new(where.name, keeper, description)
            await _recover(present)
            self._take_up(where.name, present)
        else:
            present.redescribe(description)
        if len(writes) > 1:
            present.set_policy(description.policy, done[1].version)
        page = page_of(scheduler_page(keeper.at, own, present.adapted))
        headers = {"ETag": entity_tag(page.version, TURTLE.short)}
        if old is None:
            headers["Location"] = self.base + keeper.at.home
        return Done(201 if old is None else 204, headers)

    async def _check(self, writing: Writing) -> None:
        page = await self.page(writing.path)
        if not writing.precondition.holds(None if page is None else page.version):
            raise problem_of(Refusal(Reason.PRECONDITION, writing.path), self.base)

    async def _delete(self, where: Spot) -> Done:
        scheduler = self._running.get(where.name)
        keeper = self._keeper(where.name)
        if scheduler is not None:
            _refuse_while_open(scheduler)
            del self._running[where.name]
            await self._end_loop(where.name)
            scheduler.stop_looking()
        elif await self.store.read(keeper.at.home) is None:
            raise problem_of(Refusal(Reason.ABSENT, keeper.at.home), self.base)
        entries = [keeper.at.queue + key for key in await keeper.members(keeper.at.queue)]
        decisions = [keeper.at.decisions + key for key in await keeper.members(keeper.at.decisions)]
        folders = [keeper.at.queue, keeper.at.decisions, keeper.at.policy, keeper.at.home]
        outcomes = await keeper.commit(*(Delete(path) for path in (*entries, *decisions, *folders)))
        if not isinstance(outcomes[-1], Committed):
            if scheduler is not None:
                self._take_up(where.name, scheduler)
            raise problem_of(outcomes[-1], self.base)
        return Done(204)

    def _keeper(self, name: str) -> Keeper:
        return Keeper(self.store, Addresses(self.base, name))

    def _new(self, name: str, keeper: Keeper, description: Scheduler) -> RunningScheduler:
        woken = self._woken[name] = asyncio.Event()
        return RunningScheduler(
            description,
            keeper,
            now=self._now,
            send=self._send,
            processes=partial(self._processes, name),
            changed=woken.set,
        )

    def _take_up(self, name: str, scheduler: RunningScheduler) -> None:
        self._running[name] = scheduler
        if self._runs:
            self._loops[name] = asyncio.create_task(self._work(scheduler, self._woken[name]))

    # The loop.

    def next_due(self) -> float | None:
        """Return when ``advance`` has something to do, in seconds since 1970; None if only an event brings that."""
        dues = (scheduler.next_due() for scheduler in self._running.values())
        return min((due for due in dues if due is not None), default=None)

    async def advance(self) -> None:
        """Do what is due now. When this returns, what was decided is stored and what was let through is being sent."""
        for scheduler in tuple(self._running.values()):
            await scheduler.advance()

    @property
    def on_the_way(self) -> int:
        """Return how many requests have been sent and are not known to be answered."""
        return len(self._deliveries())

    async def wait_for_answers(self, rest: int) -> None:
        """Wait until no more than ``rest`` requests are on their way and what became of the others is stored."""
        while len(deliveries := self._deliveries()) > rest:
            await asyncio.wait(deliveries, return_when=asyncio.FIRST_COMPLETED)

    def _deliveries(self) -> "frozenset[asyncio.Task[None]]":
        return frozenset[asyncio.Task[None]]().union(*(one.deliveries for one in self._running.values()))

    async def run(self, stop: asyncio.Event) -> None:
        """Work in real time until ``stop`` is set, each scheduler for itself."""
        self._runs = True
        for name, scheduler in self._running.items():
            self._take_up(name, scheduler)
        await stop.wait()
        await self.close()

    async def close(self) -> None:
        """Stop deciding, and wait a little for the answers to what is on its way."""
        self._runs = False
        for name in tuple(self._loops):
            await self._end_loop(name)
        await asyncio.gather(*(scheduler.close(STOP_TIMEOUT_S) for scheduler in self._running.values()))

    async def _end_loop(self, name: str) -> None:
        loop = self._loops.pop(name, None)
        if loop is not None:
            loop.cancel()
            await asyncio.gather(loop, return_exceptions=True)

    async def _work(self, scheduler: RunningScheduler, woken: asyncio.Event) -> None:
        while True:
            woken.clear()
            try:
                await scheduler.advance(_LOOK_S)
                due_s = scheduler.next_due()
            except Exception:
                LOG.exception("the scheduler %s failed and goes on", scheduler.at.it)
                due_s = self._now() + _AFTER_FAULT_S
            try:
                wait_s = None if due_s is None else max(due_s - self._now(), 0.0)
                await asyncio.wait_for(woken.wait(), wait_s)
            except TimeoutError:
                continue

    async def _processes(self, name: str, now_s: float) -> tuple[tuple[Process, ...], str]:
        """Return the processes that the scheduler ``name`` observes, and what came of looking."""
        containers = self._running[name].description.observes
        observation = await self._observe(containers)
        processes, complaints = read_processes(
            observation.facts,
            now_s,
            services={
                one.description.service: one.description.response_time_s for one in self._running.values()
            },
            queued=self._queued(),
            seen_s=self._seen_s.setdefault(containers, {}),
        )
        faults = [*observation.faults, *(error.message for error in complaints)]
        for fault in faults:
            LOG.warning("%s: %s", self._running[name].at.it, fault)
        told = f"{len(processes)} instances under way"
        return processes, f"{told}; {len(faults)} faults, the first: {faults[0]}" if faults else told

    def _queued(self) -> dict[Place, tuple[State, float]]:
        states: dict[str, State] = {"Pending": "pending", "Running": "running"}
        return {
            (held.entry.order.instance, held.entry.order.activity): (
                states[held.entry.status],
                held.since_s,
            )
            for scheduler in self._running.values()
            for held in scheduler.held.values()
            if held.is_open and held.entry.order.instance
        }


def _refuse_while_open(scheduler: RunningScheduler) -> None:
    if scheduler.open_count:
        detail = f"{scheduler.open_count} requests wait or are on their way. Try again when they are done."
        raise Problem("SCH033", detail, status=409)


async def _recover(scheduler: RunningScheduler) -> None:
    """Take up what waits in the store from a scheduler of this name that could not be opened; raises Problem."""
    try:
        await scheduler.recover()
    except ProgramError as error:
        raise unprocessable(error) from None
