"""HTTP/1.1 over plain sockets, so that the client takes as little of the machine as it can."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from msgspec import Struct

_MOST = 1 << 24
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_TAG = re.compile(rb"\r\netag: *([^\r]*)", re.IGNORECASE)
_WITHOUT_BODY = frozenset({204, 304})


class Answer(Struct, frozen=True):
    """An answer: its status, the bytes of its head and of its body."""

    status: int
    head: bytes
    body: bytes

    @property
    def tag(self) -> str:
        """Return its entity tag with the quotes, or the empty text."""
        found = _TAG.search(self.head)
        return found[1].decode("latin-1").strip() if found else ""

    @property
    def size(self) -> int:
        """Return how many bytes came."""
        return len(self.head) + len(self.body)


@dataclass(slots=True)
class Connection:
    """A kept connection to ``host`` and ``port``, open while its context is; one exchange at a time."""

    host: str
    port: int
    _reader: asyncio.StreamReader = field(init=False)
    _writer: asyncio.StreamWriter = field(init=False)

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(self.host, self.port, limit=_MOST)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()
        with suppress(OSError):  # the server may have hung up first
            await self._writer.wait_closed()

    async def exchange(self, request: bytes) -> Answer:
        """Send ``request`` and return the answer; OSError or EOFError if the server hangs up."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        return Answer(status, head, b"" if status in _WITHOUT_BODY else await self._body(head))

    async def _body(self, head: bytes) -> bytes:
        if length := _LENGTH.search(head):
            return await self._reader.readexactly(int(length[1]))
        if not _CHUNKED.search(head):
            return b""
        pieces = []
        while size := int((await self._reader.readuntil(b"\r\n")).split(b";")[0], 16):
            pieces.append(await self._reader.readexactly(size))
            await self._reader.readexactly(2)
        await self._reader.readuntil(b"\r\n")
        return b"".join(pieces)
