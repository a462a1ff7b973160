"""Connections of the server without sockets: bytes go in as they are cut, and what the server writes is collected."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from ldp_server import Keyring, Settings, Store
from ldp_server.app import by_heart_of, create_app
from ldp_server.by_heart import ByHeart
from ldp_server.connections import Connection
from ldp_server.services import Service

BASE = "http://127.0.0.1:7070"
_DATE = re.compile(rb"\r\nDate: [^\r]*GMT(?=\r\n)")
_TURNS = 30
"""Turns of the event loop in which a server in memory answers what it was asked."""


def asking(path: str, *fields: str, method: str = "GET", version: str = "1.1") -> bytes:
    """Return a request without a body."""
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: 127.0.0.1:7070", *fields, "", ""]).encode()


class _Wire(asyncio.Transport):
    """The end of a connection where bytes are written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 9)})
        self.written = bytearray()
        self.is_closed = False
        self.is_read = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return len(self.written)

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True


@dataclass(frozen=True, slots=True)
class Line:
    """One connection, seen from the client."""

    _connection: Connection
    _wire: _Wire

    async def send(self, *pieces: bytes) -> bytes:
        """Let pieces come at once, each by itself, and return what the server writes, with its dates left out."""
        for piece in pieces:
            if not self._wire.is_closed:
                self._connection.data_received(piece)
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        answered = _DATE.sub(b"", bytes(self._wire.written))
        self._wire.written.clear()
        return answered

    async def hear(self, *pieces: bytes) -> bytes:
        """Let pieces come at once, and return what the server writes until all reads that came whole are answered.

        Raises TimeoutError after some 10 s.
        """
        said = await self.send(*pieces)
        for _ in range(10_000):
            if self._wire.is_closed or self._connection._is_idle():
                return said
            await asyncio.sleep(0.001)
            said += await self.send()
        raise TimeoutError

    def begin(self, *pieces: bytes) -> None:
        """Let pieces come, and nothing go on yet."""
        for piece in pieces:
            self._connection.data_received(piece)

    @property
    def is_closed(self) -> bool:
        return self._wire.is_closed

    @property
    def is_read(self) -> bool:
        """Tell whether the server takes what comes."""
        return self._wire.is_read

    def stop_reading(self) -> None:
        self._connection.pause_writing()

    def read_on(self) -> None:
        self._connection.resume_writing()

    def hang_up(self) -> None:
        self._connection.connection_lost(None)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A server whose connections are opened by hand; ``known`` is what it knows by heart."""

    server: web.Server
    limits: Settings
    known: ByHeart

    async def line(self, *, by_heart: bool) -> Line:
        """Open a connection that may answer from what it knows, or one on which everything is worked out."""
        wire = _Wire()
        connection = Connection(self.server, self.limits, Counter(), self.known if by_heart else None)
        connection.connection_made(wire)
        await asyncio.sleep(0)
        return Line(connection, wire)


async def _answer_page(_request: web.Request) -> web.Response:
    return web.Response(text="page")


@asynccontextmanager
async def exchange(
    store: Store,
    limits: Settings | None = None,
    tokens: Keyring | None = None,
    services: Sequence[Service] = (),
    *,
    page: str = "",
) -> AsyncIterator[Exchange]:
    """Open a server; a ``page`` is the path of what another route answers for, in one word."""
    app = create_app(store, base_url=BASE, settings=limits, tokens=tokens, services=services)
    if page:
        app.router.add_route("*", page, _answer_page)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    known = by_heart_of(app)
    assert runner.server is not None
    assert known is not None
    try:
        yield Exchange(runner.server, limits or Settings(), known)
    finally:
        await runner.cleanup()
