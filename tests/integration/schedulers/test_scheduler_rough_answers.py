"""Answers of services that break the rules of HTTP: no requester gets hurt, and every entry says what is known."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.support.scheduling import order, scheduling

HI = b"Content-Length: 2\r\n\r\nhi"


@asynccontextmanager
async def _answering(answer: bytes) -> AsyncIterator[str]:
    """Run a service that answers every request with these bytes and hangs up; yield its URI."""

    async def answer_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer_one, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


@pytest.mark.parametrize(
    ("answer", "seen", "status"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/\x01plain\r\n" + HI, (200, b"hi"), "Done"),
        (b"HTTP/1.1 201 Created\r\nLocation: http://[\x01\r\n" + HI, (201, b"hi"), "Done"),
        (b"HTTP/1.1 201 Created\r\nLocation: /a\x01b\r\n" + HI, (201, b"hi"), "Done"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n" + HI, (200, b"hi"), "Done"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", (202, b""), "Uncertain"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", (202, b""), "Uncertain"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n" + HI, (202, b""), "Uncertain"),
        (b"\x00\x01\r\n\r\n", (202, b""), "Uncertain"),
        (b"", (202, b""), "Uncertain"),
    ],
)
async def test_a_rough_answer_ends_well_for_the_requester_and_is_told_by_the_entry(
    answer: bytes, seen: tuple[int, bytes], status: str
) -> None:
    async with scheduling() as bench, _answering(answer) as uri:
        bench.service.base = uri
        await bench.create("e", path="")

        reply = await bench.ldp.put("/schedulers/e/queue/k", order(uri), Prefer="wait=30")

        assert (reply.status, reply.body) == seen
        assert await bench.status("e", "k") == status
