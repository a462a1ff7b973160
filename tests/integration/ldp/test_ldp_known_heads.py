"""Writes whose head came before: what is refused, what comes too early, who may no longer write, and who hangs up."""

import asyncio
import gc
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ldp_server import MemoryStore, Settings
from ldp_server.serving import serve
from ldp_server.storage import Outcome, Write, open_sqlite_store
from ldp_server.storage.database import DATA_FILE
from ldp_server.tokens import TokenFile, add_token
from tests.support.ldp_connections import BASE, Exchange, Line, exchange

HOST = "Host: 127.0.0.1:7070"
GET = f"GET /b HTTP/1.1\r\n{HOST}\r\n\r\n".encode()
ONE, TWO, BROKEN = "<#it> <#p> 1 .", "<#it> <#p> 2 .", "<#it> <#p> 3 ;"


def put(body: str, *fields: str, length: int | None = None, path: str = "/b") -> bytes:
    sent = body.encode()
    lines = [f"PUT {path} HTTP/1.1", HOST, "Content-Type: text/turtle", *fields]
    lines.append(f"Content-Length: {len(sent) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + sent


def patch(body: str, path: str = "/b") -> bytes:
    sent = body.encode()
    lines = [f"PATCH {path} HTTP/1.1", HOST, "Content-Type: application/sparql-update"]
    return "\r\n".join([*lines, f"Content-Length: {len(sent)}", "", ""]).encode() + sent


def is_known(server: Exchange, asked: bytes) -> bool:
    """Tell whether the head of ``asked`` is known; then the write is done."""
    return server.known.heads.begin(asked, lambda _answer: None)


async def pair(turns: Sequence[Sequence[bytes]], limits: Settings | None = None) -> list[bytes]:
    """Return what a connection says to each turn that knows the head of ``put``; another one says the same."""
    stores = [MemoryStore(first=5), MemoryStore(first=5)]
    for store in stores:
        store.claim_base(BASE)
    said = []
    async with exchange(stores[0], limits) as knowing, exchange(stores[1], limits) as careful:
        known, worked_out = await knowing.line(by_heart=True), await careful.line(by_heart=False)
        for turn in [[put(ONE)], [put(TWO)], [put(ONE)], *turns]:
            said.append(await known.send(*turn) + await known.send())
            assert said[-1] == await worked_out.send(*turn) + await worked_out.send()
            assert known.is_closed == worked_out.is_closed
        assert is_known(knowing, put(TWO)), "the head is known, or nothing is tested"
    return said[3:]


def statuses(answers: bytes) -> list[bytes]:
    return [part[:3] for part in answers.split(b"HTTP/1.1 ")[1:]]


def test_what_is_refused_is_refused_with_its_reason_and_nothing_is_done() -> None:
    refused, seen = asyncio.run(pair([[put(BROKEN)], [GET]]))
    assert refused.startswith(b"HTTP/1.1 400 ")
    assert b"LDP001" in refused
    assert b'"8-ttl"' in seen


def test_what_comes_before_the_answer_waits_for_it() -> None:
    [said] = asyncio.run(pair([[put(TWO), GET, put(ONE), GET[:20], GET[20:]]]))
    assert statuses(said) == [b"204", b"200", b"204", b"200"]
    assert said.index(b'"9-ttl"') < said.index(b'"10-ttl"')


def test_another_request_in_the_same_piece_is_not_part_of_the_body() -> None:
    [said] = asyncio.run(pair([[put(TWO) + GET]]))
    assert statuses(said) == [b"204", b"200"]


def test_what_follows_the_body_in_the_same_piece_is_not_part_of_it() -> None:
    [said] = asyncio.run(pair([[put(TWO) + ONE.encode() + b"\r\n\r\n"]]))
    assert said.startswith(b"HTTP/1.0 400 ")


def test_a_body_that_comes_later_is_waited_for() -> None:
    whole = put(TWO)
    [head, rest] = asyncio.run(pair([[whole[:-5]], [whole[-5:]]]))
    assert (head, statuses(rest)) == (b"", [b"204"])


def test_a_head_is_known_for_other_names_in_the_container_that_are_not_longer() -> None:
    paths = [
        "/c",
        "/_",
        "/cc",
        "/c.",
        "/c/",
        "/",
        "/c/c",
        "/%63",
        "/c?",
        "/c#",
        "http://127.0.0.1:7070/c",
        "//c",
        "/.milepost/c",
    ]

    async def follow() -> list[str]:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await server.line(by_heart=True)
            for path in ("/a", "/b", "/a"):
                await line.send(put(ONE, path=path))
            return [path for path in paths if is_known(server, put(TWO, path=path))]

    assert asyncio.run(follow()) == ["/c", "/_"]


def test_a_description_is_told_apart_from_a_document_in_its_place() -> None:
    photo = f"PUT /photo HTTP/1.1\r\n{HOST}\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\nx".encode()
    gone = f"DELETE /photo HTTP/1.1\r\n{HOST}\r\n\r\n".encode()
    patches = [[patch(f"INSERT DATA {{ <#it> <#p> {number} }}", "/photo.meta")] for number in range(4)]
    said = asyncio.run(pair([[photo], *patches, [gone], *patches]))
    assert [b'rel="describes"' in answer for answer in said] == [False, *[True] * 4, False, *[False] * 4]


def test_who_writes_back_what_was_read_has_the_same_head_but_for_the_tag() -> None:
    def put_back(body: str, version: int, path: str = "/b") -> bytes:
        return put(body, f'If-Match: "{version}-ttl"', path=path)

    turns = [
        put_back(ONE, 8),
        put_back(TWO, 9),
        put_back(ONE, 10),
        put_back(TWO, 9),
        put_back(ONE, 11),
        put(TWO),
    ]

    async def follow() -> list[bytes | None]:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await server.line(by_heart=True)
            for request in (put(ONE), put_back(TWO, 6), put_back(ONE, 7)):
                await line.send(request)
            told: list[bytes | None] = []
            odd = [put_back(TWO, 10), put(ONE, "if-match: *"), put(TWO, 'If-Match: "8-ttl", "9-ttl"')]
            assert not any(is_known(server, request) for request in odd)
            for request in (
                put_back(TWO, 8),
                put_back(TWO, 8),
                put_back(TWO, 9, path="/c"),
                put_back(ONE, 9),
            ):
                assert server.known.heads.begin(request, told.append)
            return [answer[9:12] if answer else answer for answer in told]

    said = asyncio.run(pair([[turn] for turn in turns]))
    assert [statuses(answer) for answer in said] == [
        [b"204"],
        [b"204"],
        [b"204"],
        [b"412"],
        [b"204"],
        [b"204"],
    ]
    assert asyncio.run(follow()) == [b"204", None, None, b"204"]


def test_longer_names_are_known_when_one_was_done() -> None:
    lengths = [[put(TWO, path="/" + name)] for name in ("cc", "dd", "e", "fff", "ggg", "h")]
    assert [statuses(said) for said in asyncio.run(pair(lengths))] == [[b"201"]] * 6


def test_where_another_route_could_answer_a_head_is_known_for_its_own_target_alone() -> None:
    async def follow() -> list[bytes]:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store, page="/p") as server:
            line = await server.line(by_heart=True)
            said = [
                await line.send(put(ONE, path=path))
                for path in ("/b", "/b", "/b", "/p", "/c", "/c", "/c", "/p")
            ]
            known = [is_known(server, put(ONE, path=path)) for path in ("/b", "/c", "/d", "/p")]
            assert known == [True, True, False, False]
            return [answer[9:12] for answer in said]

    assert asyncio.run(follow()) == [b"201", b"204", b"204", b"200", b"201", b"204", b"204", b"200"]


@pytest.mark.parametrize(
    "field", ["Expect: 100-continue", "Connection: close", "Origin: https://app.example"]
)
def test_a_head_that_asks_for_more_is_worked_out_each_time(field: str) -> None:
    limits = Settings(cors_origins=frozenset({"https://app.example"}))

    async def follow() -> bool:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store, limits if field.startswith("Origin") else None) as server:
            for _ in range(3):
                await (await server.line(by_heart=True)).send(put(ONE, field))
            return not is_known(server, put(ONE, field))

    assert asyncio.run(follow())


def test_who_lost_the_token_writes_no_more(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    token, now = add_token(file, "agent"), [0.0]
    tokens = TokenFile(file, lambda: now[0])
    field = f"Authorization: Bearer {token}"

    async def follow() -> list[bytes]:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store, tokens=tokens) as server:
            line = await server.line(by_heart=True)
            said = [await line.send(put(body, field)) for body in (ONE, TWO, ONE, TWO)]
            assert is_known(server, put(TWO, field))
            file.write_text("")
            now[0] += 2
            return [*said, await line.send(put(ONE, field))]

    assert [statuses(said) for said in asyncio.run(follow())] == [[b"201"], *[[b"204"]] * 3, [b"401"]]


class _GatedStore(MemoryStore):
    """A store whose commits wait at a gate, as on a slow disk."""

    def __init__(self) -> None:
        super().__init__(first=5)
        self.gate = asyncio.Event()
        self.gate.set()

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        asyncio.get_running_loop().create_task(self.gate.wait()).add_done_callback(
            lambda _opened: super(_GatedStore, self).submit(writes, tell)
        )


async def waiting(store: _GatedStore, server: Exchange) -> Line:
    """Return a connection on which a write by heart waits at the gate."""
    line = await server.line(by_heart=True)
    for body in (ONE, TWO, ONE):
        await line.send(put(body))
    store.gate.clear()
    assert await line.send(put(TWO)) == b""
    return line


def test_who_hangs_up_during_a_write_harms_nobody() -> None:
    faults: list[dict[str, object]] = []

    async def follow() -> bytes:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, fault: faults.append(fault))
        store = _GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            line.begin(GET)
            line.hang_up()
            store.gate.set()
            other = await server.line(by_heart=True)
            said = await other.send(GET)
        gc.collect()
        return said

    assert b'"9-ttl"' in asyncio.run(follow())
    assert faults == []


class _BrokenStore(MemoryStore):
    """A store whose commits fail in a way that nobody foresaw, when they are done."""

    is_broken = False

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        if self.is_broken:
            super().submit(writes, lambda _outcomes: None)
            raise RuntimeError("not foreseen")
        super().submit(writes, tell)


def test_a_write_that_fails_when_it_may_be_done_is_not_done_again() -> None:
    async def follow() -> tuple[bytes, bool, bytes]:
        store = _BrokenStore(first=5)
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
        [(text,)] = database.execute("SELECT text FROM resource WHERE path = '/b'")
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
        store = _GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            asyncio.get_running_loop().call_later(0.02, store.gate.set)
        return await line.send()

    assert statuses(asyncio.run(follow())) == [b"204"]


def test_no_more_is_read_until_a_write_is_answered() -> None:
    async def follow() -> list[object]:
        store = _GatedStore()
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await waiting(store, server)
            seen: list[object] = [line.is_read, await line.send(GET), line.is_read]
            store.gate.set()
            return [*seen, statuses(await line.send()), line.is_read]

    assert asyncio.run(follow()) == [True, b"", False, [b"204", b"200"], True]
