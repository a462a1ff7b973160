"""A client of server-sent events over a plain socket, which can be torn at any moment::

async with listening(ldp.base, "/.milepost/changes?topic=/c/") as stream:
    event = await stream.next_event()
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``last_id`` is what a client would send to resume after it."""

    kind: str
    data: dict[str, object]
    last_id: str

    @property
    def change(self) -> tuple[str, str]:
        """What happened and to which path."""
        return str(self.data["type"]), urlsplit(str(self.data["object"])).path


@dataclass
class EventStream:
    """``status`` and ``headers`` of the answer; ``last_id`` moves with everything that comes."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int
    headers: dict[str, str]
    last_id: str = ""
    pulses: int = 0
    is_over: bool = False
    _text: bytes = field(default=b"")

    async def next_event(self) -> Event:
        """Return the next event; EOFError at the end of the stream."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while b"\n\n" not in self._text:
                    await self._read_chunk()
                block, _, self._text = self._text.partition(b"\n\n")
                if (event := self._event_of(block.decode())) is not None:
                    return event

    async def next_pulse(self) -> None:
        """Return when a comment has come; an event before it is an error."""
        seen = self.pulses
        async with asyncio.timeout(PATIENCE_S):
            while self.pulses == seen:
                while b"\n\n" not in self._text:
                    await self._read_chunk()
                block, _, self._text = self._text.partition(b"\n\n")
                assert self._event_of(block.decode()) is None, block

    def _event_of(self, block: str) -> Event | None:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        self.pulses += ":" in (line[:1] for line in block.split("\n"))
        self.last_id = fields.get("id", self.last_id)
        if "data" not in fields:
            return None
        return Event(fields.get("event", "message"), json.loads(fields["data"]), self.last_id)

    async def _read_chunk(self) -> None:
        size = int((await self.reader.readline()).strip() or b"0", 16) if not self.is_over else 0
        if size == 0:
            self.is_over = True
            raise EOFError
        self._text += await self.reader.readexactly(size)
        await self.reader.readexactly(2)

    async def changes(self, count: int) -> list[tuple[str, str]]:
        """Return what the next events tell."""
        return [(await self.next_event()).change for _ in range(count)]

    def tear(self) -> None:
        """Break the connection without a word."""
        self.writer.transport.abort()


@asynccontextmanager
async def listening(
    base: str, target: str, *, last_id: str | None = None, receive_buffer: int | None = None, token: str = ""
) -> AsyncIterator[EventStream]:
    """Open a stream; ``last_id`` is sent as Last-Event-ID, a ``token`` as that of its holder; a small ``receive_buffer`` makes a slow reader felt."""
    host = urlsplit(base)
    plain = socket.socket()
    if receive_buffer is not None:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, (host.hostname, host.port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=receive_buffer or 65536)
    resumed = "" if last_id is None else f"Last-Event-ID: {last_id}\r\n"
    resumed += f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {host.netloc}\r\n{resumed}\r\n".encode())
    try:
        async with asyncio.timeout(PATIENCE_S):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in head[1:] if line)
        yield EventStream(reader, writer, int(head[0].split()[1]), headers)
    finally:
        writer.transport.abort()
