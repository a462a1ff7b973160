"""A server of one test: real HTTP on a free port, each path with a script of behaviours, good and bad."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from aiohttp import web

Behaviour: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that a device got."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Device:
    """Answers by script: the behaviours of a path come one after another, the last one for ever."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.base = ""
        self.arrived = asyncio.Event()
        self.released = asyncio.Event()
        self._scripts: dict[str, list[Behaviour]] = defaultdict(list)

    def does(self, path: str, *behaviours: Behaviour) -> str:
        """Set the script of ``path`` and return its URI."""
        self._scripts[path] = list(behaviours)
        return self.base + path

    def methods(self, path: str) -> list[str]:
        """Return the methods that ``path`` was asked with, in order."""
        return [asked.method for asked in self.asked if asked.path == path]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Note the request and do what the script says."""
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append(Asked(request.method, request.raw_path, headers, body))
        self.arrived.set()
        script = self._scripts[request.raw_path]
        if not script:
            return web.Response(status=404, text="no such device")
        return await (script.pop(0) if len(script) > 1 else script[0])(request)

    def hang(self, then: Behaviour | None = None) -> Behaviour:
        """Answer nothing until ``released`` is set, then behave as ``then``, or answer with one triple."""

        async def behave(request: web.Request) -> web.StreamResponse:
            await self.released.wait()
            return await (then or answer("<#late> a <#Answer> .", etag='"late"'))(request)

        return behave


def answer(
    body: str | bytes = "<#it> a <#Thing> .",
    content_type: str = "text/turtle",
    *,
    status: int = 200,
    etag: str = "",
    headers: dict[str, str] | None = None,
) -> Behaviour:
    """Answer with ``body``; with ``etag``, 304 to a request that has it."""

    async def behave(request: web.Request) -> web.StreamResponse:
        fields = dict(headers or {})
        if etag:
            fields["ETag"] = etag
            if request.headers.get("If-None-Match") == etag:
                return web.Response(status=304, headers=fields)
        if content_type:
            fields["Content-Type"] = content_type
        raw = body.encode() if isinstance(body, str) else body
        response = web.Response(status=status, body=raw, headers=fields)
        if not content_type:
            del response.headers["Content-Type"]
        return response

    return behave


def redirect(to: str, status: int = 302) -> Behaviour:
    """Redirect to ``to``."""
    return answer("", status=status, headers={"Location": to})


def half_a_body(*, chunked: bool = False) -> Behaviour:
    """Promise a body, send half of it and hang up."""

    async def behave(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/turtle"})
        if chunked:
            response.enable_chunked_encoding()
        else:
            response.content_length = 1000
        await response.prepare(request)
        await response.write(b"<#it> a <#Thing> .\n")
        assert request.transport is not None
        request.transport.close()
        return response

    return behave


def hang_up() -> Behaviour:
    """Close the connection without an answer."""

    async def behave(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    return behave


@asynccontextmanager
async def device(host: str = "127.0.0.1") -> AsyncIterator[Device]:
    """Run a device on a free port of ``host`` while the context is open."""
    it = Device()
    application = web.Application(client_max_size=1 << 24)
    application.router.add_route("*", "/{path:.*}", it.handle)
    runner = web.AppRunner(application, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, host, 0)
    await site.start()
    address = runner.addresses[0]
    it.base = f"http://{host}:{address[1]}"
    try:
        yield it
    finally:
        it.released.set()
        await runner.cleanup()


@asynccontextmanager
async def spoken(answer: bytes) -> AsyncIterator[str]:
    """Answer everything with the bytes ``answer``, which may be no HTTP, and hang up; yield the URI to ask."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
