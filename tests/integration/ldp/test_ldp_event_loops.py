"""The server on event loops whose transports are not those of Python: the same answers, and the same limits."""

import asyncio
import re
import select
import socket
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
import uvloop

from ldp_server import MemoryStore, Settings
from tests.support.gated_store import GatedStore
from tests.support.ldp import Ldp, running_ldp
from tests.support.ldp_raw import request

Seen = TypeVar("Seen")

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
TURTLE = b"Content-Type: text/turtle\r\n"
_FLOOD = 64 * 1024 * 1024


def run_on(loop: str, course: Coroutine[Any, Any, Seen]) -> Seen:
    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        return runner.run(course)


@pytest.mark.parametrize("loop", list(LOOPS))
def test_a_client_that_asks_and_never_reads_is_let_go(loop: str) -> None:
    limits = Settings(max_body=40_000_000, unread_timeout_s=0.3)
    text = "".join(f'<http://x/> <http://x/p> "{number} {"x" * 900_000}" .\n' for number in range(30))

    async def follow() -> None:
        async with running_ldp(settings=limits) as server, Ldp(server) as others:
            assert (await others.put("/x", text, "application/n-triples")).status == 201
            with socket.socket() as silent:
                silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                silent.connect(("127.0.0.1", server.port))
                silent.sendall(request(server.port, "GET", b"/x", b"Accept: application/n-triples\r\n"))
                ended = select.poll()
                ended.register(silent, 0)

                assert await asyncio.to_thread(ended.poll, 20_000), "the connection is held for ever"
            whole = await others.get("/x", Accept="application/n-triples")
            assert (whole.status, len(whole.body) > 27_000_000) == (200, True)

    run_on(loop, follow())


@pytest.mark.parametrize("loop", list(LOOPS))
def test_who_sends_on_while_a_write_waits_is_not_read(loop: str) -> None:
    async def follow() -> int:
        store = GatedStore()
        async with running_ldp(store, settings=Settings(stop_timeout_s=0.1)) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            for value in b"1234":
                writer.write(_kept_open(request(server.port, "PUT", b"/x", TURTLE, b"<> <#p> %c ." % value)))
                await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
            store.gate.clear()
            writer.write(_kept_open(request(server.port, "PUT", b"/x", TURTLE, b"<> <#p> 5 .")))
            await asyncio.sleep(0.1)
            writer.write(_kept_open(request(server.port, "GET", b"/x")) * (_FLOOD // 50))
            await asyncio.sleep(0.5)
            left = writer.transport.get_write_buffer_size()
            store.gate.set()
            assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)).startswith(b"HTTP/1.1 204")
            writer.transport.abort()
            return left

    assert run_on(loop, follow()) > _FLOOD // 2


def _kept_open(asked: bytes) -> bytes:
    return asked.replace(b"Connection: close\r\n", b"")


def test_the_event_loops_answer_alike() -> None:
    def answers(loop: str) -> list[bytes]:
        async def follow() -> list[bytes]:
            async with running_ldp(MemoryStore(first=5)) as server:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                said = []
                for asked in _course(server.port):
                    writer.write(asked)
                    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
                    length = re.search(rb"Content-Length: (\d+)", head)
                    body = await reader.readexactly(int(length[1])) if length else b""
                    text = (head + body).replace(b":%d" % server.port, b"")
                    said.append(re.sub(rb"Date: [^\r]*", b"Date", text))
                writer.close()
                await writer.wait_closed()
                return said

        return run_on(loop, follow())

    assert answers("uvloop") == answers("asyncio")


def _course(port: int) -> list[bytes]:
    """Return requests of every method; each comes often enough to be known by heart."""
    patch = b"INSERT DATA { <> <#q> %d }"
    return [
        _kept_open(asked)
        for number in range(5)
        for asked in (
            request(port, "PUT", b"/a/b", TURTLE, b"<> <#p> %d ." % number),
            request(port, "POST", b"/a/", TURTLE, b"<> <#p> %d ." % number),
            request(port, "PATCH", b"/a/b", b"Content-Type: application/sparql-update\r\n", patch % number),
            *[request(port, "GET", b"/a/b")] * 3,
            request(port, "GET", b"/a/?since=5"),
            request(port, "PUT", b"/a/b", b"Content-Type: text/turtle\r\n", b"no Turtle"),
            request(port, "OPTIONS", b"/a/"),
            request(port, "DELETE", b"/a/%d" % (number + 1)),
        )
    ]
