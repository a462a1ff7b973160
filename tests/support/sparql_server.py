"""A SPARQL endpoint on loopback: the SPARQL 1.1 protocol, CONSTRUCT queries over real data, and what goes wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

import pyoxigraph as ox
from aiohttp import web

from tests.support.ports import free_port

Trouble = Literal["", "500", "broken off", "cut"]


@dataclass
class Endpoint:
    """A running endpoint. ``trouble``: an error status, half a message, or a whole message of half a document."""

    url: str
    store: ox.Store = field(default_factory=ox.Store)
    trouble: Trouble = ""
    methods: list[str] = field(default_factory=list)

    def holds(self, turtle: str) -> None:
        """Replace the data."""
        self.store.clear()
        self.store.load(turtle.encode(), format=ox.RdfFormat.TURTLE)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a query as the protocol says (SPARQL 1.1 Protocol, section 2.1)."""
        self.methods.append(request.method)
        text = request.query.get("query") if request.method == "GET" else await _posted(request)
        if self.trouble == "500":
            return web.Response(status=500, text="out of order")
        try:
            result = self.store.query(text or "")
        except SyntaxError as error:
            return web.Response(status=400, text=str(error))
        assert isinstance(result, ox.QueryTriples)
        body = result.serialize(format=ox.RdfFormat.TURTLE) or b""
        half = body[: len(body) * 2 // 3]
        if self.trouble == "cut":
            return web.Response(body=half, content_type="text/turtle")
        if self.trouble == "broken off":
            response = web.StreamResponse(headers={"Content-Length": str(len(body))})
            response.content_type = "text/turtle"
            await response.prepare(request)
            await response.write(half)
            assert request.transport is not None
            request.transport.close()
            return response
        return web.Response(body=body, content_type="text/turtle")


@asynccontextmanager
async def sparql_endpoint(host: str = "127.0.0.1") -> AsyncIterator[Endpoint]:
    """Serve an empty endpoint on loopback; its URL calls the machine ``host``."""
    port = free_port()
    endpoint = Endpoint(f"http://{host}:{port}/sparql")
    app = web.Application()
    app.router.add_route("*", "/sparql", endpoint.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield endpoint
    finally:
        await runner.cleanup()


async def _posted(request: web.Request) -> str:
    if request.content_type == "application/sparql-query":
        return await request.text()
    return str((await request.post()).get("query", ""))
