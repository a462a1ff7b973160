"""Schedulers in simulated time with a service that does as it is told: tries, rests, crashes, order."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from agent.rdf.terms import IRI
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from agent.serve import accepting, scheduler, schedulers
from agent.serve.keeping import parse
from agent.serve.observing import Observation
from agent.serve.schedulers import Schedulers
from agent.serve.sending import Outgoing
from agent.transport.client import NoReplyError, Reply
from agent.vocab import SCHED
from ldp_server import MemoryStore, Preferences, Problem, Settings, Writing
from ldp_server.documents import EMPTY, read_document
from ldp_server.storage.port import Outcome, Reason, Refusal, Write
from ldp_server.syntaxes import TURTLE
from ldp_server.validators import NO_PRECONDITION
from tests.support.scheduling import PREFIXES, order

BASE = "http://milepost.example"
SERVICE = "http://service.example/"
REFUSED = NoReplyError("connection refused")
LOST = NoReplyError("the answer broke off", was_sent=True)


@dataclass
class Shop:
    """Schedulers at ``now_s``; each request that is sent waits for ``answer``."""

    store: MemoryStore = field(default_factory=MemoryStore)
    now_s: float = 1_000_000.0
    sent: list[str] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    answers: "dict[str, asyncio.Future[Reply]]" = field(default_factory=dict)
    observation: Observation = field(default_factory=lambda: Observation(Facts()))
    looks: int = 0

    def __post_init__(self) -> None:
        self.schedulers = Schedulers(
            self.store, BASE, now=lambda: self.now_s, send=self._send, observe=self._observe
        )

    async def _send(self, outgoing: Outgoing) -> Reply:
        key = dict(outgoing.headers)["Idempotency-Key"]
        self.sent.append(key)
        self.stored.append(await self.status(key))
        self.answers[key] = asyncio.get_running_loop().create_future()
        return await self.answers[key]

    async def _observe(self, _containers: tuple[str, ...]) -> Observation:
        self.looks += 1
        return self.observation

    async def write(self, path: str, turtle: str, **preferences: bool) -> int:
        draft = read_document((PREFIXES + turtle).encode(), TURTLE, BASE + path, Settings())
        wanted = Preferences(respond_async=preferences.get("respond_async", True))
        done = await self.schedulers.write(Writing("PUT", path, draft, NO_PRECONDITION, wanted))
        return done.status

    async def create(self, capacity: int = 1, more: str = "") -> None:
        await self.write(
            "/schedulers/e/",
            f"<#it> a sched:SchedulerProxy ; sched:forService <{SERVICE}> ; sched:capacity {capacity} ;"
            f" sched:responseTime 1.0 {more} .",
        )

    async def put(self, *keys: str, method: str = "POST") -> None:
        for key in keys:
            text = order(SERVICE + key, method=method).removeprefix(PREFIXES)
            assert await self.write(f"/schedulers/e/queue/{key}", text) == 202

    async def advance(self) -> None:
        """Do what is due, and let what was sent get on its way."""
        await self.schedulers.advance()
        for _ in range(10):
            await asyncio.sleep(0)

    async def end(self, key: str, end: int | NoReplyError = 200) -> None:
        """Let the service answer the request ``key``."""
        if isinstance(end, NoReplyError):
            self.answers[key].set_exception(end)
        else:
            self.answers[key].set_result(Reply(SERVICE, end, {}, b""))
        for _ in range(10):
            await asyncio.sleep(0)

    async def facts(self, path: str) -> Facts:
        page = await self.schedulers.page(path)
        record = await self.store.read(path)
        assert record is not None
        return facts_of(parse(record.text if page is None else page.text, BASE + path))

    async def status(self, key: str) -> str:
        path = f"/schedulers/e/queue/{key}"
        value = (await self.facts(path)).value(IRI(BASE + path), terms.STATUS)
        assert isinstance(value, IRI)
        return value.value.removeprefix(SCHED)


@asynccontextmanager
async def open_shop(store: MemoryStore | None = None) -> AsyncIterator[Shop]:
    shop = Shop(store or MemoryStore())
    await shop.schedulers.open()
    yield shop
    for answer in shop.answers.values():
        answer.cancel()
    await asyncio.sleep(0)


async def test_a_request_is_stored_as_running_before_it_leaves() -> None:
    async with open_shop() as shop:
        await shop.create(capacity=2)
        await shop.put("a", "b", "c")

        await shop.advance()

        assert (shop.sent, shop.stored) == (["a", "b"], ["Running", "Running"])


async def test_what_never_left_is_tried_again_after_growing_rests_while_others_go_ahead() -> None:
    async with open_shop() as shop:
        await shop.create()
        await shop.put("a", "b")
        rests = []
        await shop.advance()
        for _ in range(8):
            await shop.end("a", REFUSED)
            assert await shop.status("a") == "Pending"
            await shop.advance()
            if "b" in shop.answers and not shop.answers["b"].done():
                await shop.end("b")
            await shop.advance()
            due_s = shop.schedulers.next_due()
            assert due_s is not None
            rests.append(due_s - shop.now_s)
            shop.now_s = due_s
            await shop.advance()

        assert rests == [1, 2, 4, 8, 16, 32, 60, 60]
        assert shop.sent == ["a", "b", *["a"] * 8]
        assert await shop.status("b") == "Done"


@pytest.mark.parametrize(
    ("method", "more", "end", "status"),
    [
        ("POST", "", 200, "Done"),
        ("POST", "", 303, "Done"),
        ("POST", "", 307, "Failed"),
        ("POST", "", 404, "Failed"),
        ("PUT", "", 404, "Failed"),
        ("POST", "", 503, "Failed"),
        ("PATCH", "", 503, "Failed"),
        ("PUT", "", 503, "Pending"),
        ("DELETE", "", 503, "Pending"),
        ("POST", "; sched:honoursIdempotencyKey true", 503, "Pending"),
        ("POST", "", LOST, "Uncertain"),
        ("PATCH", "", LOST, "Uncertain"),
        ("PUT", "", LOST, "Pending"),
        ("POST", "; sched:honoursIdempotencyKey true", LOST, "Pending"),
        ("POST", "", REFUSED, "Pending"),
    ],
)
async def test_how_a_request_ends_decides_what_it_is(
    method: str, more: str, end: int | NoReplyError, status: str
) -> None:
    async with open_shop() as shop:
        await shop.create(more=more)
        await shop.put("a", method=method)
        await shop.advance()

        await shop.end("a", end)

        assert await shop.status("a") == status


async def test_a_restart_keeps_the_order_of_arrival_within_one_instant() -> None:
    async with open_shop() as shop:
        await shop.create()
        await shop.put("z", "b", "y", "a", method="PUT")
        await shop.advance()
        async with open_shop(shop.store) as again:
            await again.put("c", method="PUT")
            for key in ("z", "b", "y", "a", "c"):
                await again.advance()
                await again.end(key)

            assert again.sent == ["z", "b", "y", "a", "c"]


@pytest.mark.parametrize(
    ("method", "more", "sent", "status"),
    [
        ("PUT", "", ["a"], "Running"),
        ("POST", "; sched:honoursIdempotencyKey true", ["a"], "Running"),
        ("POST", "", ["b"], "Uncertain"),
    ],
)
async def test_after_a_crash_only_what_may_be_repeated_is_sent_again(
    method: str, more: str, sent: list[str], status: str
) -> None:
    async with open_shop() as shop:
        await shop.create(more=more)
        await shop.put("a", "b", method=method)
        await shop.advance()
        async with open_shop(shop.store) as again:
            await again.advance()

            assert again.sent == sent
            assert await again.status("a") == status


async def test_only_the_latest_decisions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "KEPT_DECISIONS", 3)
    async with open_shop() as shop:
        await shop.create(capacity=9)
        await shop.put(*"abcde")
        await shop.advance()

        listing = await shop.store.read_listing("/schedulers/e/decisions/")

        assert listing is not None
        assert [path.rpartition("/")[2] for path in listing[1]] == ["3", "4", "5"]


async def test_a_full_queue_says_when_to_come_again_and_stores_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(accepting, "MOST_OPEN", 2)
    async with open_shop() as shop:
        await shop.create()
        await shop.put("a", "b")

        with pytest.raises(Problem) as refusal:
            await shop.put("c")

        assert (refusal.value.status, refusal.value.headers) == (503, {"Retry-After": "10"})
        assert await shop.store.read("/schedulers/e/queue/c") is None


async def test_instances_are_looked_at_only_while_something_waits_and_faults_are_shown() -> None:
    async with open_shop() as shop:
        await shop.create(
            more="; sched:adaptationPeriod 5.0 ; sched:observes <http://elsewhere.example/wf/> ;"
            " sched:policy [ a sched:SlaPenaltyPolicy ]"
        )
        shop.observation = Observation(Facts(), ("http://elsewhere.example/wf/: connection refused",))
        await shop.advance()
        idle = (shop.looks, shop.schedulers.next_due())
        await shop.put("a", "b")
        await shop.advance()
        due_s = shop.schedulers.next_due()
        await shop.advance()

        assert idle == (0, None)
        assert (shop.looks, due_s) == (1, shop.now_s + 5.0)
        outcome = (await shop.facts("/schedulers/e/")).value(
            IRI(f"{BASE}/schedulers/e/#it"), IRI(SCHED + "adaptationOutcome")
        )
        assert "connection refused" in str(outcome)
        assert shop.sent == ["a"]


class FailingStore(MemoryStore):
    """A store whose disk is full as long as ``is_full``."""

    is_full = False

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        if self.is_full:
            return [Refusal(Reason.FAILED, "/") for _ in writes]
        return await super().commit(writes)


async def test_a_request_goes_on_when_the_store_works_again_and_leaves_once() -> None:
    store = FailingStore()
    async with open_shop(store) as shop:
        await shop.create()
        await shop.put("a")
        store.is_full = True
        await shop.advance()
        unsent = list(shop.sent)
        store.is_full = False
        shop.now_s += 2.0

        await shop.advance()

        assert (unsent, shop.sent, shop.stored) == ([], ["a"], ["Running"])


async def test_an_answer_is_kept_until_the_store_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "_STORE_PAUSE_S", 0.0)
    store = FailingStore()
    async with open_shop(store) as shop:
        await shop.create()
        await shop.put("a", "b")
        await shop.advance()
        store.is_full = True
        await shop.end("a")
        seen = await shop.status("a")
        store.is_full = False
        await shop.schedulers.wait_for_answers(0)

        await shop.advance()

        assert (seen, await shop.status("a"), shop.sent) == ("Running", "Done", ["a", "b"])


async def test_a_scheduler_with_an_uncertain_entry_and_no_open_one_can_be_deleted_after_a_crash() -> None:
    async with open_shop() as shop:
        await shop.create()
        await shop.put("a")
        await shop.advance()
        async with open_shop(shop.store) as again:
            assert await again.status("a") == "Uncertain"
            path = "/schedulers/e/"

            done = await again.schedulers.write(Writing("DELETE", path, EMPTY, NO_PRECONDITION))

            assert done.status == 204
            assert await again.store.read(path) is None


async def test_requests_go_on_while_a_look_at_the_instances_comes_to_no_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(schedulers, "_LOOK_S", 0.01)
    never, stop = asyncio.Event(), asyncio.Event()

    async def look(_shop: Shop, _containers: tuple[str, ...]) -> Observation:
        await never.wait()
        raise AssertionError

    monkeypatch.setattr(Shop, "_observe", look)
    async with open_shop() as shop:
        await shop.create(
            more="; sched:observes <http://elsewhere.example/wf/> ; sched:policy [ a sched:SlaPenaltyPolicy ]"
        )
        run = asyncio.create_task(shop.schedulers.run(stop))
        await shop.put("a", "b", "c")
        async with asyncio.timeout(30):
            for number, key in enumerate("abc", start=1):
                while len(shop.sent) < number:  # noqa: ASYNC110  nothing else tells
                    await asyncio.sleep(0.001)
                await shop.end(key)
        stop.set()
        await run

        assert shop.sent == ["a", "b", "c"]


async def test_the_order_of_arrival_outlasts_several_restarts() -> None:
    store = MemoryStore()
    async with open_shop(store) as shop:
        await shop.create()
        await shop.put("z", "y")
    async with open_shop(store) as shop:
        await shop.put("b", "a")
    async with open_shop(store) as shop:
        for key in ("z", "y", "b", "a"):
            await shop.advance()
            await shop.end(key)

        assert shop.sent == ["z", "y", "b", "a"]
