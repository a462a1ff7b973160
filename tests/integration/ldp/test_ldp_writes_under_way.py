"""Writes by heart that are under way: what ends meanwhile, what waits, and what fails."""

import asyncio
import gc
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ldp_server import MemoryStore, Settings
from ldp_server.serving import serve
from ldp_server.storage import Committed, Outcome, Write, open_sqlite_store
from ldp_server.storage.database import DATA_FILE
from tests.support.gated_store import GatedStore
from tests.support.ldp_connections import BASE, Exchange, Line, exchange
from tests.support.ldp_writes import GET, ONE, TWO, patch, put, statuses

Seen = TypeVar("Seen")


async def waiting(store: GatedStore, server: Exchange) -> Line:
    """Return a connection on which a write by heart waits at the gate."""
    line = await server.line(by_heart=True)
    for body in (ONE, TWO, ONE):
        await line.send(put(body))
    store.gate.clear()
    assert await line.send(put(TWO)) == b""
    return line


def followed(course: Callable[[], Awaitable[Seen]]) -> tuple[Seen, list[dict[str, object]]]:
    """Return what a course comes to, and the faults that nobody met in it."""
    faults: list[dict[str, object]] = []

    async def follow() -> Seen:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, fault: faults.append(fault))
        seen = await course()
        gc.collect()
        return seen

    return asyncio.run(follow()), faults


def test_who_hangs_up_during_a_write_harms_nobody() -> None:
    async def follow() -> bytes:
        store = GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            line.begin(GET)
            line.hang_up()
            store.gate.set()
            other = await server.line(by_heart=True)
            return await other.send(GET)

    said, faults = followed(follow)
    assert b'"9-ttl"' in said
    assert faults == []


class _BrokenStore(MemoryStore):
    """A store that fails in a way that nobody foresaw, when a commit is done."""

    is_broken = False

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        if not self.is_broken:
            super().submit(writes, tell)
            return
        super().submit(writes, lambda _outcomes: None)
        self.fail(tell)

    def fail(self, tell: Callable[[list[Outcome]], None]) -> None:
        raise RuntimeError("not foreseen")


class _OddStore(_BrokenStore):
    """A store that tells of a commit what nobody can word."""

    def fail(self, tell: Callable[[list[Outcome]], None]) -> None:
        odd: Any = "nine"  # a number is promised
        told: list[Outcome] = [Committed("/b", odd)]
        asyncio.get_running_loop().call_soon(tell, told)


@pytest.mark.parametrize("kind", [_BrokenStore, _OddStore])
def test_a_write_that_may_be_done_is_not_done_again_and_ends_the_connection(kind: type[_BrokenStore]) -> None:
    async def follow() -> tuple[bytes, bool, bytes]:
        store = kind(first=5)
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await server.line(by_heart=True)
            for body in (ONE, TWO, ONE):
                await line.send(put(body))
            store.is_broken = True
            said = await line.send(put(TWO))
            return said, line.is_closed, await (await server.line(by_heart=True)).send(GET)

    said, is_closed, seen = asyncio.run(follow())
    assert (said, is_closed) == (b"", True)
    assert b'"9-ttl"' in seen


def stored(data: Path) -> str:
    with closing(sqlite3.connect(f"file:{data / DATA_FILE}?mode=ro", uri=True)) as database:
        [(text,)] = database.execute("SELECT text FROM resource WHERE parent || name = '/b'")
    return bytes(text).decode()


def test_writes_by_heart_are_on_the_disk_when_they_are_answered(tmp_path: Path) -> None:
    async def follow() -> None:
        store = open_sqlite_store(tmp_path / "data", first=5)
        async with serve(store, port=0) as server:
            reader, writer = await asyncio.open_connection(server.host, server.port)
            for number in range(100, 140):
                body = f"<#it> <#p> {number} ."
                sent = put(body).replace(b":7070", f":{server.port}".encode())
                writer.write(sent)
                assert (await reader.readuntil(b"\r\n\r\n"))[9:12] in {b"201", b"204"}
                assert f'"{number}"' in stored(tmp_path / "data")
            writer.close()
        await store.close()

    asyncio.run(follow())


def test_a_patch_by_heart_waits_for_one_that_takes_long() -> None:
    quick = patch("DELETE { ?s <#p> ?o } INSERT { ?s <#p> 2 } WHERE { ?s <#p> ?o }")
    slow = patch("INSERT { ?s <#q> ?n } WHERE { ?s <#p> ?o BIND(?o + 1 AS ?n) }")

    async def follow() -> tuple[bytes, int]:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store) as server:
            line, other = await server.line(by_heart=True), await server.line(by_heart=True)
            for request in (put(ONE), quick, quick, quick):
                await line.send(request)
            other.begin(slow)
            asked, said, told = 0, 0, b""
            for _ in range(20_000):
                if told:
                    break
                if asked == said:
                    line.begin(quick)
                    asked += 1
                said += len(statuses(await line.send()))
                told = await other.send()
                await asyncio.sleep(0.001)
            return told, said

    told, said = asyncio.run(follow())
    assert statuses(told) == [b"204"]
    assert said < 10, "who waits does not come between again and again"


def test_a_write_under_way_is_answered_before_the_server_ends() -> None:
    async def follow() -> bytes:
        store = GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            asyncio.get_running_loop().call_later(0.02, store.gate.set)
        return await line.send()

    assert statuses(asyncio.run(follow())) == [b"204"]


def test_a_connection_is_not_closed_for_silence_while_a_write_is_under_way() -> None:
    async def follow() -> tuple[bytes, bool]:
        store = GatedStore()
        store.claim_base(BASE)
        async with exchange(store, Settings(keepalive_timeout_s=0.05)) as server:
            line = await waiting(store, server)
            await asyncio.sleep(0.3)
            store.gate.set()
            said = await line.send()
            await asyncio.sleep(0.3)
            return said, line.is_closed

    said, is_closed = asyncio.run(follow())
    assert (statuses(said), is_closed) == ([b"204"], True)


def test_what_waits_behind_a_write_that_an_end_waits_for_harms_nobody() -> None:
    async def follow() -> None:
        store = GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            line.begin(put(ONE))
            asyncio.get_running_loop().call_later(0.02, store.gate.set)
            [connection] = server.server.connections
            await connection.shutdown(1)
            await asyncio.sleep(0.02)

    assert followed(follow) == (None, [])


def test_no_more_is_read_until_a_write_is_answered() -> None:
    async def follow() -> list[object]:
        store = GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            seen: list[object] = [line.is_read, await line.send(GET), line.is_read]
            store.gate.set()
            return [*seen, statuses(await line.send()), line.is_read]

    assert asyncio.run(follow()) == [True, b"", False, [b"204", b"200"], True]
