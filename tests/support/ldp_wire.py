"""Many clients of an LDP server at little cost: connections that stay open and requests that are plain bytes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from ldp_server import RunningServer

_PATIENCE_S = 60


class WireAnswer(NamedTuple):
    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def tag(self) -> str:
        return self.headers[b"etag"].decode()


@dataclass(frozen=True, slots=True)
class Wire:
    """One connection; a request is answered before the next one goes out."""

    host: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, method: str, path: str, body: bytes = b"", /, **headers: str) -> WireAnswer:
        fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {path} HTTP/1.1\r\n{fields}Content-Length: {len(body)}\r\n".encode()
        self.writer.write(head + b"Host: " + self.host + b"\r\n\r\n" + body)
        async with asyncio.timeout(_PATIENCE_S):
            first, *lines = (await self.reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
            answered = {name.lower(): value for name, _, value in (line.partition(b": ") for line in lines)}
            length = int(answered.get(b"content-length", b"0"))
            content = await self.reader.readexactly(length) if length else b""
        return WireAnswer(int(first[9:12]), answered, content)

    async def put(self, path: str, body: str, /, **headers: str) -> WireAnswer:
        return await self.send("PUT", path, body.encode(), Content_Type="text/turtle", **headers)


@asynccontextmanager
async def wires(server: RunningServer, number: int) -> AsyncIterator[Sequence[Wire]]:
    """Open ``number`` connections to the server, and close them at the end."""
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(number):
            reader, writer = await asyncio.open_connection(server.host, server.port)
            stack.callback(writer.close)
            opened.append(Wire(f"{server.host}:{server.port}".encode(), reader, writer))
        yield opened
