"""Writes whose head came before: which are known, what is refused, what comes too early, and who may no longer write."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from ldp_server import MemoryStore, Settings
from ldp_server.storage import Committed, Outcome, Reason, Refusal
from ldp_server.tokens import TokenFile, add_token
from tests.support.ldp_connections import BASE, Exchange, exchange
from tests.support.ldp_writes import GET, HOST, ONE, TWO, patch, put, statuses

BROKEN = "<#it> <#p> 3 ;"


def is_known(server: Exchange, asked: bytes) -> bool:
    """Tell whether the head of ``asked`` is known; then the write is done."""
    return server.known.heads.begin(asked, lambda _known, _outcomes: None)


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
    for store in stores:
        await store.close()
    return said[3:]


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

    async def follow() -> list[Outcome]:
        store = MemoryStore(first=5)
        store.claim_base(BASE)
        async with exchange(store) as server:
            line = await server.line(by_heart=True)
            for request in (put(ONE), put_back(TWO, 6), put_back(ONE, 7)):
                await line.send(request)
            told: list[Outcome] = []
            odd = [put_back(TWO, 10), put(ONE, "if-match: *"), put(TWO, 'If-Match: "8-ttl", "9-ttl"')]
            assert not any(is_known(server, request) for request in odd)
            for request in (
                put_back(TWO, 8),
                put_back(TWO, 8),
                put_back(TWO, 9, path="/c"),
                put_back(ONE, 9),
            ):
                assert server.known.heads.begin(request, lambda _known, outcomes: told.extend(outcomes))
            return told

    said = asyncio.run(pair([[turn] for turn in turns]))
    assert [statuses(answer) for answer in said] == [
        [b"204"],
        [b"204"],
        [b"204"],
        [b"412"],
        [b"204"],
        [b"204"],
    ]
    assert asyncio.run(follow()) == [
        Committed("/b", 9),
        Refusal(Reason.PRECONDITION, "/b"),
        Refusal(Reason.PRECONDITION, "/c"),
        Committed("/b", 10),
    ]


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
