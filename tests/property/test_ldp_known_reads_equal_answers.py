"""A connection that knows the heads of reads says, byte for byte, what one says on which everything is worked out."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server import MemoryStore, Settings, Store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.storage import Delete, Put, Write
from ldp_server.storage.sqlite import SqliteStore
from tests.support.depth import depth
from tests.support.ldp_connections import BASE, exchange

FIRST = 5
HOST = "Host: 127.0.0.1:7070"
DRAFTS = [
    Draft((text,))
    for text in (
        b"",
        b'<http://127.0.0.1:7070/a/b#it> <http://v/p> "%s of 100 %" .\n',
        b'<http://127.0.0.1:7070/a/b#it> <http://v/p> "\x01" .\n',
        b'<http://127.0.0.1:7070/a/b#it> <http://v/p> "' + 40_000 * b"x" + b'" .\n',
    )
]
"""Nothing, what templates could trip over, what RDF/XML cannot say, and what is written outside the event loop."""
USUAL, UNUSUAL = ["b", "c", "dd"], ["none", "photo", "photo.meta", "%62", "", "x/y", "b?as=nt", "b c"]
PLAIN = [
    [],
    ["Accept: text/turtle"],
    ["If-None-Match: {0}"],
    ["If-None-Match: {0}"],
    ["Accept: */*", "If-None-Match: {0}"],
]
ODD = [
    "Accept: application/ld+json", "Accept: text/html", "Accept: application/rdf+xml, text/turtle;q=0.5", "Accept: image/png",
    "If-None-Match: {0}\r\nIf-None-Match: {1}", "if-none-match: {0}", "If-None-Match:{0} ", "If-None-Match: {0}\r\n x", "If-Match: {0}",
    "Origin: https://app.example", "Origin: null", "Origin: http://x\udcff", "Connection: close", "Expect: 100-continue", "Content-Length: 0", "Range: bytes=0-3",
    "Prefer: return=minimal", "Authorization: Bearer x", "X-Long: " + 2100 * "y", HOST, "Broken",
]  # fmt: skip
FORMS = ['"{}-ttl"', '"{}-ttl"', '"{}-ttl"', '"{}-jsonld"', '"{}-ttl-typed"', 'W/"{}-ttl"', '"x", "{}-ttl"', "*", '"{}-odd"', '"0{}-ttl"', '"1{}-ttl"']  # fmt: skip
TAGS = st.builds(str.format, st.sampled_from(FORMS), st.integers(5, 12))
PATHS = st.sampled_from(["/a/b", "/a/c", "/a/dd", "/a/x/y"])
WRITES: st.SearchStrategy[Write] = st.one_of(
    st.builds(Put, PATHS, st.sampled_from(DRAFTS)),
    st.builds(Delete, PATHS),
    st.builds(Put, st.just("/a/photo"), st.just(Binary("image/png", 1, b"p"))),
    st.builds(Delete, st.just("/a/photo")),
)
LIMITS = st.sampled_from(
    [
        Settings(),
        Settings(cors_origins=frozenset({"https://app.example"}), shows_types=True),
        Settings(cors_origins=frozenset({"*"})),
        Settings(keeps_names=True, cached_bytes=4000),
    ]
)
Turn = list[bytes] | Write
"""Pieces that come at once, or a write between requests."""


@st.composite
def courses(draw: st.DrawFn) -> list[Turn]:
    """Draw requests with one head, most often a plain one, about several documents and under several tags."""
    fields = draw(
        st.sampled_from(PLAIN) if draw(st.booleans()) else st.lists(st.sampled_from(ODD), max_size=2)
    )
    version = draw(st.sampled_from(["1.1", "1.1", "1.1", "1.0"]))
    head = "\r\n".join([f"GET /a/{{2}} HTTP/{version}", HOST, *fields, "", ""])
    turns: list[Turn] = []
    for way in draw(st.lists(st.integers(0, 9), min_size=4, max_size=25)):
        if way == 0:
            turns.append(draw(WRITES))
            continue
        name = draw(st.sampled_from(UNUSUAL if way == 1 else USUAL))
        request = head.format(draw(TAGS), draw(TAGS), name).encode(errors="surrogateescape")
        cut = draw(st.integers(1, len(request) - 1)) if way == 2 else 0
        turns.append([piece for piece in (request[:cut], request[cut:], request * (way == 3)) if piece])
    return turns


@given(courses(), LIMITS)
@settings(max_examples=depth(120, 4000), deadline=None)
def test_documents_are_shown_by_heart_as_they_are_otherwise(course: Sequence[Turn], limits: Settings) -> None:
    asyncio.run(follow(course, limits, MemoryStore(first=FIRST)))


@given(courses(), LIMITS)
@settings(max_examples=depth(15, 300), deadline=None)
def test_documents_on_the_disk_are_shown_by_heart_as_they_are_otherwise(
    course: Sequence[Turn], limits: Settings
) -> None:
    async def run(folder: Path) -> None:
        await follow(course, limits, SqliteStore(folder, first=FIRST, cached_bytes=100_000))

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(run(Path(name) / "data"))


async def follow(course: Sequence[Turn], limits: Settings, store: Store) -> None:
    store.claim_base(BASE)
    await store.commit([Put(path, DRAFTS[1]) for path in ("/a/b", "/a/c", "/a/dd")])
    try:
        await compare(course, limits, store)
    finally:
        await store.close()


async def compare(course: Sequence[Turn], limits: Settings, store: Store) -> None:
    async with exchange(store, limits) as server:
        known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
        for turn in course:
            if not isinstance(turn, list):
                await store.commit([turn])
                continue
            if known.is_closed:
                known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
            assert await known.hear(*turn) == await worked_out.hear(*turn)
            assert known.is_closed == worked_out.is_closed
