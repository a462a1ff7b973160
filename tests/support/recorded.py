"""A real server that writes down every exchange, and the real command line as a process pointed at it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from ldp_server import MemoryStore, create_app
from tests.support.command_line import Done, run_milepost
from tests.support.ports import free_port

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
"""What answers a scripted path instead of the container."""

PREFIXES = """
@prefix http: <http://www.w3.org/2011/http#> .
@prefix m: <http://www.w3.org/2011/http-methods#> .
@prefix ldp: <http://www.w3.org/ns/ldp#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> .
@prefix string: <http://www.w3.org/2000/10/swap/string#> .
@prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix ag: <https://w3id.org/milepost/agent#> .
@prefix gsm: <http://purl.org/gsm/vocab#> .
@prefix sp: <http://spinrdf.org/sp#> .
@prefix sr: <http://www.w3.org/2005/sparql-results#> .
@prefix ex: <http://example.org/vocab#> .
@prefix this: <http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/for/representing/permanently/relative/URIs/in/N-Triples/#> .
"""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as it came over the wire; ``began`` and ``ended`` are ordinals of all events of the server."""

    method: str
    path: str
    body: str
    headers: dict[str, str]
    status: int
    began: int
    ended: int


@dataclass
class Recorded:
    """A running server with its log; ``scripted`` paths are answered by the test instead of the container."""

    base: str = ""
    log: list[Exchange] = field(default_factory=list)
    scripted: dict[str, Handler] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    events: int = 0
    back: str = ""
    session: aiohttp.ClientSession | None = None

    async def forward(self, request: web.Request) -> web.Response:
        """Answer ``request`` as the container does."""
        assert self.session is not None
        url = URL(self.back + request.raw_path, encoded=True)
        async with self.session.request(
            request.method, url, data=await request.read(), headers=request.headers, allow_redirects=False
        ) as answer:
            headers = [
                (k, v) for k, v in answer.headers.items() if k not in {"Content-Length", "Date", "Server"}
            ]
            return web.Response(status=answer.status, headers=CIMultiDict(headers), body=await answer.read())

    def requests(self, *methods: str) -> list[tuple[str, str]]:
        """Return (method, path) of the logged requests with one of ``methods``, in order of arrival."""
        return [(e.method, e.path) for e in self.log if not methods or e.method in methods]

    def writes(self) -> list[tuple[str, str]]:
        """Return (method, path) of all unsafe requests, in order of arrival."""
        return self.requests("PUT", "POST", "DELETE", "PATCH")

    def sent(self, method: str, path: str) -> list[Exchange]:
        """Return the exchanges with ``method`` on ``path``."""
        return [e for e in self.log if (e.method, e.path) == (method, path)]

    async def put(self, path: str, turtle: str) -> None:
        """Store ``turtle`` at ``path``, outside the log."""
        async with aiohttp.ClientSession() as session:
            headers = {"Content-Type": "text/turtle", "X-Setup": "1"}
            body = (PREFIXES + turtle.replace("BASE", self.base)).encode()
            async with session.put(self.base + path, data=body, headers=headers) as answer:
                assert answer.status in {200, 201, 204}, await answer.text()

    async def get(self, path: str, media_type: str = "application/n-triples") -> str:
        """Return what stands at ``path`` now, outside the log."""
        async with aiohttp.ClientSession() as session:
            headers = {"Accept": media_type, "X-Setup": "1"}
            async with session.get(self.base + path, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
                return await answer.text()


@asynccontextmanager
async def recorded_server(port: int = 0) -> AsyncIterator[Recorded]:
    """Serve an empty container on ``port`` of loopback (0: a free one), behind a proxy that writes down what comes."""
    recorded = Recorded()
    front, back = port or free_port(), free_port()
    recorded.base = f"http://127.0.0.1:{front}"
    container = web.AppRunner(create_app(MemoryStore(), base_url=recorded.base), shutdown_timeout=0.1)
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        recorded.session, recorded.back = session, f"http://127.0.0.1:{back}"
        proxy = web.AppRunner(_proxy(recorded), shutdown_timeout=0.1)
        for runner, listening in ((container, back), (proxy, front)):
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", listening).start()
        try:
            yield recorded
        finally:
            await proxy.cleanup()
            await container.cleanup()


def _proxy(recorded: Recorded) -> web.Application:
    async def record(request: web.Request) -> web.StreamResponse:
        if "X-Setup" in request.headers:
            return await recorded.forward(request)
        recorded.events += 1
        began = recorded.events
        body = (await request.read()).decode("utf-8", "replace")
        await asyncio.sleep(recorded.delays.get(request.path, 0))
        status = 0
        try:
            answer = await recorded.scripted.get(request.raw_path, recorded.forward)(request)
            status = answer.status
        finally:
            recorded.events += 1
            headers = dict(request.headers)
            recorded.log.append(
                Exchange(request.method, request.raw_path, body, headers, status, began, recorded.events)
            )
        return answer

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", record)
    return app


class Bench:
    """A recorded server and a folder for programs: what most acceptance tests need."""

    def __init__(self, server: Recorded, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.trace: list[dict[str, Any]] = []

    async def run(self, program: str, *options: str, name: str = "program.n3") -> Done:
        """Run ``program`` (BASE stands for the server) with ``options``; the trace is kept."""
        file = self.folder / name
        file.write_text(PREFIXES + program.replace("BASE", self.server.base), encoding="utf-8")
        return await self.run_command("run", "-p", file, *options)

    async def run_command(self, *arguments: str | Path) -> Done:
        """Run the command line ``arguments`` with a trace, which is kept."""
        trace = self.folder / "trace.jsonl"
        trace.unlink(missing_ok=True)
        done = await run_milepost(*map(str, arguments), "--trace", str(trace), cwd=self.folder)
        lines = trace.read_text(encoding="utf-8").splitlines() if trace.exists() else []
        self.trace = [json.loads(line) for line in lines]
        return done


@asynccontextmanager
async def bench(folder: Path, port: int = 0) -> AsyncIterator[Bench]:
    """Offer a recorded server on ``port`` (0: a free one) together with ``folder``."""
    async with recorded_server(port) as server:
        yield Bench(server, folder)
