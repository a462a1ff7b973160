"""A scheduler over real sockets, and a service behind it that records what reaches it.

async with scheduling() as bench:              # a server in this process, in memory
    await bench.create("e", capacity=1)
    await bench.send("e", "k1", Prefer="respond-async")
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from agent.rdf.documents import parse_document
from agent.rdf.terms import IRI
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from agent.serve.app import create_app
from agent.vocab import SCHED
from ldp_server import MemoryStore, Store, listen
from tests.support.ldp import Answer, Ldp

PREFIXES = """
@prefix sched: <https://w3id.org/milepost/scheduling#> .
@prefix gsm: <http://purl.org/gsm/vocab#> .
@prefix http: <http://www.w3.org/2011/http#> .
@prefix m: <http://www.w3.org/2011/http-methods#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Call:
    method: str
    path: str
    key: str
    body: str


@dataclass
class RecordingService:
    """Answers 200 after ``takes_s``, or what ``statuses`` says next; holds every answer back while ``gate`` is clear."""

    calls: list[Call] = field(default_factory=list)
    executed: Counter[str] = field(default_factory=Counter)
    statuses: list[int] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    base: str = ""
    takes_s: float = 0.0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    came: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def serve(self, request: web.Request) -> web.Response:
        call = Call(
            request.method, request.path, request.headers.get("Idempotency-Key", ""), await request.text()
        )
        self.busy += 1
        self.most_busy = max(self.busy, self.most_busy)
        self._execute(call)
        async with self.came:
            self.calls.append(call)
            self.came.notify_all()
        try:
            await self.gate.wait()
            await asyncio.sleep(self.takes_s)
        finally:
            self.busy -= 1
        status = self.statuses.pop(0) if self.statuses else 200
        return web.Response(status=status, text=f"did {call.body}")

    def _execute(self, call: Call) -> None:
        """Do the work: below /once/ once for a key, a PUT by its path, anything else each time."""
        name = call.path if call.method == "PUT" else call.key
        if (call.method == "PUT" or call.path.startswith("/once/")) and self.executed[name]:
            return
        self.executed[name] += 1

    async def wait_for(self, count: int) -> None:
        async with self.came, asyncio.timeout(LIMIT_S):
            await self.came.wait_for(lambda: len(self.calls) >= count)


@asynccontextmanager
async def recording_service() -> AsyncIterator[RecordingService]:
    service = RecordingService()
    service.gate.set()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", service.serve)
    async with listen(lambda _base: app, port=0) as server:
        service.base = server.base_url
        yield service
        service.gate.set()


def order(uri: str, *, method: str = "POST", body: str = "work", more: str = "") -> str:
    return f'{PREFIXES}<> http:mthd m:{method} ; http:requestURI <{uri}> ; http:body "{body}" {more} .'


@dataclass
class Bench:
    ldp: Ldp
    service: RecordingService

    async def create(self, name: str, *, path: str = "shop/", capacity: int = 1, more: str = "") -> Answer:
        return await self.ldp.put(
            f"/schedulers/{name}/",
            f"{PREFIXES}<#it> a sched:SchedulerProxy ; sched:forService <{self.service.base}{path}> ;"
            f' sched:capacity {capacity} ; sched:responseTime "PT1S"^^xsd:duration {more} .',
        )

    async def send(self, name: str, key: str, *, method: str = "POST", **headers: str) -> Answer:
        """PUT a request under ``key`` to the queue of the scheduler ``name``; its body is the key."""
        text = order(f"{self.service.base}shop/{key}", method=method, body=key)
        return await self.ldp.put(f"/schedulers/{name}/queue/{key}", text, **headers)

    async def facts(self, path: str) -> Facts:
        answer = await self.ldp.get(path, Accept="application/n-triples")
        assert answer.status == 200, path
        return facts_of(
            parse_document(answer.body, "application/n-triples", self.ldp.base + path, strict=True).triples
        )

    async def status(self, name: str, key: str) -> str:
        path = f"/schedulers/{name}/queue/{key}"
        value = (await self.facts(path)).value(IRI(self.ldp.base + path), terms.STATUS)
        assert isinstance(value, IRI)
        return value.value.removeprefix(SCHED)

    async def statuses(self, name: str) -> dict[str, str]:
        """Return the statuses of all entries, by key, as the page of the queue tells them."""
        path = f"/schedulers/{name}/queue/"
        facts = await self.facts(path)
        return {
            entry.value.removeprefix(self.ldp.base + path): status.value.removeprefix(SCHED)
            for entry, _, status in facts.match(None, terms.STATUS, None)
            if isinstance(entry, IRI) and isinstance(status, IRI)
        }

    async def wait_until(self, name: str, key: str, status: str) -> None:
        async with asyncio.timeout(LIMIT_S):
            while await self.status(name, key) != status:  # noqa: ASYNC110  only its page tells
                await asyncio.sleep(0.01)


@asynccontextmanager
async def scheduling(store: Store | None = None) -> AsyncIterator[Bench]:
    held = store or MemoryStore()
    async with recording_service() as service:
        try:
            async with (
                listen(lambda base: create_app(held, base_url=base), port=0) as server,
                Ldp(server) as ldp,
            ):
                yield Bench(ldp, service)
                service.gate.set()
        finally:
            await held.close()
