"""One scheduler at work: what waits, what is on its way, what comes next.

An entry is durable before anybody is told that it was taken, and its status Running is durable before the request
leaves. So after a crash nothing is lost, and what was on its way can be told from what was not (ADR 0108).
"""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from agent.messages import Headers
from agent.schedulers.decision import Decision
from agent.schedulers.descriptions import Scheduler
from agent.schedulers.entries import Entry, Order
from agent.schedulers.policy import Policy
from agent.schedulers.process import Process
from agent.schedulers.proxy import Place, Proxy
from agent.serve.held import Held, ended, instant_of, pending, seconds_of
from agent.serve.keeping import Keeper
from agent.serve.places import Addresses
from agent.serve.sending import Outgoing, Send, judge, may_repeat, patience_s, pause_s
from agent.transport.client import NoReplyError, Reply
from ldp_server.storage.port import Committed, Write

LOG = logging.getLogger(__name__)
KEPT_DECISIONS = 1000
"""Older decisions are forgotten."""
IDEMPOTENCY_KEY = "Idempotency-Key"
_OWN_AFFAIRS = frozenset({IDEMPOTENCY_KEY.lower(), "prefer"})
"""Header fields that are not passed on: whether the requester waits for the answer was settled with the requester."""
_STORE_PAUSE_S = 1.0
_APART_S = 1e-5

Processes = Callable[[float], Awaitable[tuple[tuple[Process, ...], str]]]
"""Returns the processes of the observed instances at a time, and what came of looking, in words."""


class RunningScheduler:
    """A scheduler with its queue; ``changed`` is called whenever there may be something to do."""

    def __init__(
        self,
        description: Scheduler,
        keeper: Keeper,
        *,
        now: Callable[[], float],
        send: Send,
        processes: Processes,
        changed: Callable[[], None],
    ) -> None:
        self.description = description
        self.held: dict[str, Held] = {}
        self.policy_version = 0
        self.adapted: tuple[str, str] | None = None
        self.keeper = keeper
        self._now = now
        self._send = send
        self._processes = processes
        self._changed = changed
        self._proxy = _proxy(description)
        self._places: dict[str, Place] | None = None
        self._open_count = 0
        self._number = 0
        self._latest_s = 0.0
        self._decisions: list[int] = []
        self._last_decision = 0
        self._adapted_s: float | None = None
        self._look: asyncio.Future[tuple[tuple[Process, ...], str]] | None = None
        self._is_stale = False
        self._resting: dict[str, tuple[Held, float]] = {}
        self._turn = asyncio.Lock()
        self._on_the_way: set[asyncio.Task[None]] = set()

    @property
    def at(self) -> Addresses:
        """Return where its resources are."""
        return self.keeper.at

    @property
    def open_count(self) -> int:
        """Return how many entries wait or are on their way."""
        return self._open_count

    @property
    def deliveries(self) -> "frozenset[asyncio.Task[None]]":
        """Return the requests on their way; each ends when what became of it is stored."""
        return frozenset(self._on_the_way)

    def places(self) -> dict[str, Place]:
        """Return where the waiting entries stand, by key."""
        if self._places is None:
            self._places = {place.key: place for place in self._proxy.ranking()}
        return self._places

    def lets_through(self) -> bool:
        """Tell whether slots are free for all that wait."""
        return 0 < self._proxy.free >= self._proxy.waiting_count

    # Coming and going of entries.

    def reserve(self, key: str, order: Order) -> Held:
        """Give a request the next place in line; it waits once ``enqueue`` is called."""
        now_s = self._now()
        self._number += 1
        entry = Entry(order, "Pending", self._number, created=instant_of(now_s))
        held = self.held[key] = Held(key, entry, self._arrival_s(now_s))
        self._open_count += 1
        return held

    def forget(self, held: Held) -> None:
        """Take back a reservation."""
        del self.held[held.key]
        self._open_count -= 1

    def next_key(self) -> str:
        """Return a name for an entry that comes without one: its place in line and when it came.

        The name is the entry's idempotency key, so it must not come again, also when the scheduler is made anew.
        """
        taken = f"{self.at.iri(self.at.queue)} {self._number + 1} {instant_of(self._now())}"
        return str(uuid.uuid5(uuid.NAMESPACE_URL, taken))

    def enqueue(self, held: Held) -> None:
        """Let an entry whose document says Pending wait."""
        self._proxy.enqueue(held.waiting())
        self._touch()

    def reopen(self, held: Held, version: int) -> None:
        """Let an entry wait again whose document says Pending since now."""
        held.entry, held.version, held.tries = pending(held.entry), version, 0
        self._open_count += 1
        self.enqueue(held)

    def set_policy(self, policy: Policy, version: int) -> None:
        """Decide by another policy from the next decision on."""
        self.description = replace(self.description, policy=policy)
        self.policy_version = version
        self._proxy.set_policy(policy)
        self.stop_looking()
        self._adapted_s = None
        self._touch()

    def redescribe(self, description: Scheduler) -> None:
        """Go on as described anew; the policy stays what it is."""
        self.stop_looking()
        old = self._proxy
        self.description = replace(description, policy=self.description.policy)
        self._proxy = _proxy(self.description)
        for request in old.running:
            self._proxy.occupy(request)
        for request in old.waiting:
            self._proxy.enqueue(request)
        self._adapted_s = None
        self._touch()

    # After a start.

    async def recover(self) -> None:
        """Take up everything as the store has it: order, numbers, and requests that were on their way."""
        self._decisions = sorted(
            int(key) for key in await self.keeper.members(self.at.decisions) if key.isdecimal()
        )
        self._last_decision = self._decisions[-1] if self._decisions else 0
        found = [(key, *await self.keeper.entry(key)) for key in await self.keeper.members(self.at.queue)]
        for key, entry, version in sorted(found, key=lambda one: one[1].number):
            self._number = entry.number
            held = Held(key, entry, self._arrival_s(seconds_of(entry.created)), version)
            self.held[key] = held
            if entry.status == "Pending":
                self._proxy.enqueue(held.waiting())
            elif entry.status == "Running":
                await self._recover_running(held)
            self._open_count += held.is_open
        self._touch()

    async def _recover_running(self, held: Held) -> None:
        if self._may_repeat(held):
            self._proxy.occupy(held.waiting())
            self._start(held)
            return
        LOG.warning("%s: whether it was carried out is not known", self.at.iri(self.at.queue + held.key))
        await self._write(held, ended(held.entry, "Uncertain", instant_of(self._now())))

    # The loop.

    def next_due(self) -> float | None:
        """Return when ``advance`` has something to do, in seconds since 1970, or None if only an event brings that."""
        now_s = self._now()
        dues = [again_s for _, again_s in self._resting.values()]
        if self._proxy.waiting_count:
            if self._is_stale:
                return now_s
            hold_ends_s = self._proxy.hold_ends_s(now_s)
            dues += [] if hold_ends_s is None else [hold_ends_s]
            if self._adapts() and self._look is None:
                dues.append(self._next_adaptation_s(now_s))
        return min(dues, default=None)

    async def advance(self, look_s: float | None = None) -> None:
        """Do what is due now: look at the instances, decide, send. Requests are on their way afterwards.

        A look that takes more than ``look_s`` seconds goes on by itself, and counts when it comes to its end.
        """
        async with self._turn:
            now_s = self._now()
            self._is_stale = False
            self._resume(now_s)
            if self._adapts() and self._proxy.waiting_count and self._next_adaptation_s(now_s) <= now_s:
                await self._adapt(now_s, look_s)
            decisions = self._proxy.dispatch(now_s)
            if decisions:
                await self._begin(decisions, now_s)

    def stop_looking(self) -> None:
        """Break off the look at the instances that is under way, if any."""
        if self._look is not None:
            self._look.cancel()
            self._look = None

    async def close(self, patience_s: float) -> None:
        """Wait for the answers to what is on its way, ``patience_s`` seconds at most, and send nothing more."""
        await self._turn.acquire()
        self.stop_looking()
        if self._on_the_way:
            await asyncio.wait(self._on_the_way, timeout=patience_s)
        late = tuple(self._on_the_way)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _adapts(self) -> bool:
        return self._proxy.wants_processes and bool(self.description.observes)

    def _next_adaptation_s(self, now_s: float) -> float:
        return now_s if self._adapted_s is None else self._adapted_s + self.description.adaptation_period_s

    async def _adapt(self, now_s: float, look_s: float | None) -> None:
        look = self._look
        if look is None:
            look = self._look = asyncio.ensure_future(self._processes(now_s))
            await asyncio.wait({look}, timeout=look_s)
            if not look.done():
                look.add_done_callback(lambda _: self._touch())
        if look is not self._look or not look.done():
            return  # the scheduler was changed meanwhile, or the look goes on
        self._look = None
        processes, outcome = look.result()
        self._proxy.adapt(processes, now_s)
        self._adapted_s = now_s
        self.adapted = (instant_of(now_s), outcome)
        self._places = None

    def _resume(self, now_s: float) -> None:
        for held, again_s in tuple(self._resting.values()):
            if again_s <= now_s:
                del self._resting[held.key]
                self._proxy.enqueue(held.waiting())
                self._places = None

    async def _begin(self, decisions: tuple[Decision, ...], now_s: float) -> None:
        """Make durable that requests leave, and why these; then let them leave."""
        self._places = None
        instant = instant_of(now_s)
        chosen = [self.held[decision.selected] for decision in decisions]
        entries = [replace(held.entry, status="Running", started=instant) for held in chosen]
        writes = [
            self.keeper.entry_write(held.key, entry) for held, entry in zip(chosen, entries, strict=True)
        ]
        outcomes = await self.keeper.commit(*writes, *self._records(decisions, instant))
        for held, entry, outcome in zip(chosen, entries, outcomes, strict=False):
            if isinstance(outcome, Committed):
                held.entry, held.version = entry, outcome.version
                self._start(held)
            else:
                LOG.error("the store did not take %s: %s", outcome.path, outcome.reason.value)
                self._rest(held, now_s + _STORE_PAUSE_S)

    def _records(self, decisions: tuple[Decision, ...], instant: str) -> list[Write]:
        writes: list[Write] = []
        for decision in decisions:
            self._last_decision += 1
            self._decisions.append(self._last_decision)
            oldest = self._decisions.pop(0) if len(self._decisions) > KEPT_DECISIONS else 0
            writes += self.keeper.decision_writes(
                self._last_decision, decision, instant, self.policy_version, oldest
            )
        return writes

    # On the way.

    def _start(self, held: Held) -> None:
        task = asyncio.create_task(self._deliver(held))
        self._on_the_way.add(task)
        task.add_done_callback(self._on_the_way.discard)

    async def _deliver(self, held: Held) -> None:
        """Send one request and take note of how it ended."""
        held.tries += 1
        end: Reply | NoReplyError
        try:
            end = await self._send(self._outgoing(held))
            if end.status < 200:
                end = NoReplyError(f"the status {end.status} is no answer", was_sent=True)
        except NoReplyError as error:
            end = error
            LOG.warning("%s: %s", held.entry.order.uri, error.reason)
        except Exception:
            LOG.exception("sending %s failed", self.at.iri(self.at.queue + held.key))
            end = NoReplyError("a fault of ours", was_sent=True)
        verdict = judge(end, is_repeatable=self._may_repeat(held))
        now_s = self._now()
        if verdict == "Again":
            await self._write(held, pending(held.entry))
            self._rest(held, now_s + pause_s(held.tries))
            return
        code = end.status if isinstance(end, Reply) else None
        await self._write(held, ended(held.entry, verdict, instant_of(now_s), code))
        self._proxy.answered(held.key)
        self._open_count -= 1
        for waiter in held.waiters:
            if not waiter.done():
                waiter.set_result(end if isinstance(end, Reply) else None)
        held.waiters.clear()
        self._touch()

    async def _write(self, held: Held, entry: Entry) -> None:
        """Make ``entry`` durable, however often the store has to be asked."""
        while True:
            [outcome] = await self.keeper.commit(self.keeper.entry_write(held.key, entry))
            if isinstance(outcome, Committed):
                held.entry, held.version = entry, outcome.version
                return
            LOG.error("the store did not take %s: %s", outcome.path, outcome.reason.value)
            await asyncio.sleep(_STORE_PAUSE_S)

    def _rest(self, held: Held, again_s: float) -> None:
        """Keep an entry out of the line for a while; its slot is free for others."""
        self._proxy.answered(held.key)
        self._resting[held.key] = held, again_s
        self._touch()

    def _outgoing(self, held: Held) -> Outgoing:
        order, description = held.entry.order, self.description
        own: Headers = tuple(field for field in order.headers if field[0].lower() not in _OWN_AFFAIRS)
        return Outgoing(
            description.service,
            order.method,
            order.uri,
            (*own, (IDEMPOTENCY_KEY, held.key)),
            None if order.body is None else order.body.encode(),
            patience_s(description.response_time_s),
        )

    def _may_repeat(self, held: Held) -> bool:
        return may_repeat(held.entry.order.method, honours_key=self.description.honours_key)

    def _touch(self) -> None:
        self._places = None
        self._is_stale = True
        self._changed()

    def _arrival_s(self, created_s: float) -> float:
        """Return the time that stands for an arrival: those of one instant keep their order."""
        self._latest_s = max(created_s, self._latest_s + _APART_S)
        return self._latest_s


def _proxy(description: Scheduler) -> Proxy:
    return Proxy(
        description.service,
        description.capacity,
        description.response_time_s,
        description.policy,
        description.adaptation_period_s,
    )
