"""Reads whose head came before: which documents they are answered about at once, and what goes the careful way."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from ldp_server import MemoryStore, Settings, TokenFile, add_token, open_sqlite_store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.known_reads import KnownReads
from ldp_server.storage import Delete, Put
from tests.support.ldp_connections import BASE, Exchange, asking, exchange

FIRST = 5
TEXT = b'<http://127.0.0.1:7070/a/b#it> <http://v/p> "%d" .\n'
LONG = b"".join(TEXT % number for number in range(1000))


async def filled() -> MemoryStore:
    """Return a store with documents from version 6 on: b, c and d in /a/, and others."""
    store = MemoryStore(first=FIRST)
    store.claim_base(BASE)
    drafts = [
        Put(path, Draft((TEXT % number,)))
        for number, path in enumerate(("/a/b", "/a/c", "/a/d", "/a/longer", "/b/b"))
    ]
    await store.commit(
        [*drafts, Put("/a/photo", Binary("image/png", 1, b"p")), Put("/a/big", Draft((LONG,)))]
    )
    return store


async def known_after(server: Exchange, *requests: bytes) -> bool:
    """Tell whether the last request is answered from what is known once the others have come."""
    line = await server.line(by_heart=True)
    for request in requests[:-1]:
        await line.send(request)
    return server.known.reads.answer(requests[-1]) is not None


def with_tag(path: str, tag: str) -> bytes:
    return asking(path, "Accept: text/turtle", f"If-None-Match: {tag}")


@pytest.mark.parametrize(
    "requests",
    [
        [asking("/a/b"), asking("/a/c"), asking("/a/d")],
        [asking("/a/b", "Accept: application/ld+json"), asking("/a/c", "Accept: application/ld+json")] * 2,
        [with_tag("/a/b", '"1-ttl"'), with_tag("/a/c", '"2-ttl"'), with_tag("/a/b", '"3-ttl"')],
        [with_tag("/a/b", '"6-ttl"'), with_tag("/a/c", '"7-ttl"'), with_tag("/a/d", '"8-ttl"')],
        [with_tag("/a/b", '"1-ttl"')] * 2 + [with_tag("/a/b", '"6-ttl"')] * 2 + [with_tag("/a/d", '"8-ttl"')],
        [asking("/a/longer", "X: y"), asking("/a/longer", "X: y"), asking("/a/b", "X: y")],
    ],
)
async def test_a_document_is_shown_at_once_to_who_asks_as_others_did(requests: Sequence[bytes]) -> None:
    async with exchange(await filled()) as server:
        assert await known_after(server, *requests)
        known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
        assert [await known.send(requests[-1]) for _ in range(3)] == [await worked_out.send(requests[-1])] * 3


@pytest.mark.parametrize(
    "requests",
    [
        [asking("/a/b"), asking("/a/c")],
        [asking("/a/b"), asking("/a/c"), asking("/b/b")],
        [asking("/a/b"), asking("/a/c"), asking("/a/none")],
        [asking("/a/b"), asking("/a/c"), asking("/a/longer")],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/photo")],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/big")],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/b?as=nt")],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/%62")],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/d") + asking("/a/d")],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/d")[:-2]],
        [asking("/a/longer"), asking("/a/longer"), asking("/a/d", method="HEAD")],
        [asking("/a/b", "Accept: text/html"), asking("/a/c", "Accept: text/html")] * 2,
        [asking("/a/b", "Accept: application/rdf+xml"), asking("/a/c", "Accept: application/rdf+xml")] * 2,
        [asking("/a/b", "Content-Length: 2") + b"xx"] * 3,
        [asking("/a/b", 'If-Match: "6-ttl"')] * 3,
        [asking("/a/b", version="1.0"), asking("/a/c", version="1.0")] * 2,
        [with_tag("/a/b", 'W/"2-ttl"')] * 3,
        [with_tag("/a/b", '"2-ttl", "3-ttl"')] * 3,
        [with_tag("/a/b", '"1-ttl"')[:-2] + b'If-None-Match: "2-ttl"\r\n\r\n'] * 3,
        [asking("/a/b", 'if-none-match: "2-ttl"')] * 3,
        [with_tag("/a/b", '"1-ttl"'), with_tag("/a/b", '"2-ttl"'), with_tag("/a/b", '"6-ttl"')],
        [with_tag("/a/b", '"1-ttl"'), with_tag("/a/b", '"2-ttl"'), with_tag("/a/b", '"30-ttl"')],
        [asking("/a/"), asking("/a/"), asking("/a/")],
        [asking("/.milepost/constraints")] * 3,
    ],
)
async def test_what_is_not_the_same_for_all_documents_goes_the_careful_way(requests: Sequence[bytes]) -> None:
    async with exchange(await filled()) as server:
        assert not await known_after(server, *requests)


async def test_tags_and_origins_of_other_settings_are_known_too() -> None:
    origin = "https://app.example"
    limits = Settings(shows_types=True, cors_origins=frozenset({origin}))
    async with exchange(await filled(), limits) as server:
        asked = [
            asking(path, f"Origin: {origin}", f'If-None-Match: "{number}-ttl-typed"')
            for number, path in ((6, "/a/b"), (7, "/a/c"), (8, "/a/d"))
        ]
        assert await known_after(server, *asked)
        known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
        told = await known.send(asked[-1])
        assert told.startswith(b"HTTP/1.1 304 ")
        assert origin.encode() in told
        assert told == await worked_out.send(asked[-1])


async def test_a_document_that_cannot_be_shown_is_told_as_such() -> None:
    store = await filled()
    await store.commit([Put("/a/d", Draft((b"damaged",)))])
    async with exchange(store) as server:
        line = await server.line(by_heart=True)
        told = [await line.send(asking(path)) for path in ("/a/b", "/a/c", "/a/d", "/a/c")]
        assert [answer[:13] for answer in told] == [
            b"HTTP/1.1 200 ",
            b"HTTP/1.1 200 ",
            b"HTTP/1.1 500 ",
            b"HTTP/1.1 200 ",
        ]


async def test_an_origin_that_is_no_text_is_answered_as_before(caplog: pytest.LogCaptureFixture) -> None:
    async with exchange(await filled(), Settings(cors_origins=frozenset({"*"}))) as server:
        known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
        for path in ("/a/b", "/a/b", "/a/b", "/a/c", "/a/d", "/a/c"):
            asked = asking(path, "Origin: http://x?").replace(b"?", b"\xff")
            assert await known.send(asked) == await worked_out.send(asked)
    assert caplog.text == ""


async def test_what_cannot_be_kept_harms_no_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(KnownReads, "keep", fail)
    async with exchange(await filled()) as server:
        line = await server.line(by_heart=True)
        told = [await line.send(asking("/a/b")) for _ in range(3)]
        assert told[0].startswith(b"HTTP/1.1 200 ")
        assert told[1:] == [told[0]] * 2
    assert "an answer could not be kept: b'GET /a/b HTTP/1.1'" in caplog.text


async def test_what_is_asked_again_whole_is_known_whole_until_a_commit() -> None:
    store = await filled()
    async with exchange(store) as server:
        line = await server.line(by_heart=True)
        asked = asking("/a/d")
        answers = [await line.send(request) for request in (asking("/a/b"), asking("/a/c"), asked, asked)]
        assert server.known.repeats.answer(asked) is not None
        assert b'"8-ttl"' in answers[-1]
        await store.commit([Put("/a/d", Draft((b"",)))])
        assert server.known.repeats.answer(asked) is None
        shown = await line.send(asked)
        assert b'"13-ttl"' in shown
        assert shown.endswith(b"\r\n\r\n"), "the document is empty"
        await store.commit([Delete("/a/d")])
        assert (await line.send(asked)).startswith(b"HTTP/1.1 404 ")


async def test_a_token_that_was_taken_back_shows_no_document(tmp_path: Path) -> None:
    file, now = tmp_path / "tokens", [0.0]
    token = f"Authorization: Bearer {add_token(file, 'alice')}"
    async with exchange(await filled(), tokens=TokenFile(file, lambda: now[0])) as server:
        assert await known_after(server, *(asking(path, token) for path in ("/a/b", "/a/c", "/a/d")))
        assert server.known.reads.answer(asking("/a/d")) is None
        file.write_text("")
        now[0] = 2.0
        line = await server.line(by_heart=True)
        assert (await line.send(asking("/a/d", token))).startswith(b"HTTP/1.1 401 ")


async def test_where_other_routes_answer_for_some_paths_each_is_asked() -> None:
    async with exchange(await filled(), page="/a/d") as server:
        line = await server.line(by_heart=True)
        answers = [await line.send(asking(path)) for path in ("/a/b", "/a/c", "/a/b", "/a/d")]
        assert answers[-1].endswith(b"\r\n\r\npage")


async def test_documents_on_the_disk_are_shown_at_once_when_they_are_in_memory(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path / "data", first=FIRST)
    store.claim_base(BASE)
    await store.commit([Put(path, Draft((TEXT % 1,))) for path in ("/a/b", "/a/c", "/a/d")])
    await store.close()
    store = open_sqlite_store(tmp_path / "data")
    async with exchange(store, Settings()) as server:
        assert store.at_hand("/a/d") is None
        for path in ("/a/b", "/a/c"):
            assert await store.read(path) is not None
        assert not await known_after(server, *(asking(path) for path in ("/a/b", "/a/c", "/a/d")))
        assert await store.read("/a/d") is not None
        assert server.known.reads.answer(asking("/a/d")) is not None
        await store.commit([Put("/a/d", Draft((TEXT % 2,)))])
        assert b'"9-ttl"' in (server.known.reads.answer(asking("/a/d")) or b"")
    await store.close()
