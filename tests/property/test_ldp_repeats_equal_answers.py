"""A connection that answers from what it knows says, byte for byte, what one says on which everything is worked out."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server import MemoryStore, Settings
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.storage import Delete, Put, Write
from tests.support.depth import depth
from tests.support.ldp_connections import BASE, exchange

FIRST = 5
TEXT = f'<http://127.0.0.1:7070/a/b#it> <http://v/p> "{"x" * 30}" .\n'.encode()

TARGETS = st.sampled_from(
    ["/a/b", "/a/b", "/a/", "/a/", "/", "/a/c", "/a/photo", "/a/photo.meta", "/a", "/a/b?as=nt", "/a/?since=5", "/a/?inlined", "/a/%62", "/a//b", "/a/b#x",
     "/.milepost/constraints", "*", "http://127.0.0.1:7070/a/b", "http://evil.example/a/b", "a/b", "/a/b/../b", "/a/b HTTP/1.1\r\nX: y", "//a/b"]
)  # fmt: skip
HOSTS = st.sampled_from(
    ["Host: 127.0.0.1:7070", "Host: 127.0.0.1:7070", "Host: 127.0.0.1:7070", "host:localhost:7070", "Host: LOCALHOST:7070 ", "Host: evil.example", "X-Host: y",
     "Host: 127.0.0.1:7070\r\nHost: 127.0.0.1:7070"]
)  # fmt: skip
TAGS = st.sampled_from(["5-ttl", "6-ttl", "7-ttl", "8-ttl", "9-ttl", "6-nt", "7-ttl-minimal", "7-html", "x"])
FIELDS = st.one_of(
    st.builds(lambda text: f"Accept: {text}", st.sampled_from(
        ["text/turtle", "*/*", "", "text/html", "application/rdf+xml", "image/png", "application/ld+json;q=0.5, text/turtle;q=0.4", "text/turtle;q=2", ",,;"]
    )),
    st.builds(
        lambda tag, form: f"If-None-Match: {form.format(tag)}",
        TAGS,
        st.sampled_from(['"{0}"', '"{0}"', 'W/"{0}"', '"a", "{0}"', "{0}", "*", '"{0}', "", '"\u00e9", "{0}"']),
    ),
    st.builds(lambda tag: f'If-Match: "{tag}"', TAGS),
    st.sampled_from(
        ["Connection: close", "Connection: keep-alive", "Origin: https://app.example", "Origin: null", "Origin: http://x\udcff", "Range: bytes=0-3", "Content-Length: 0", "Expect: 100-continue",
         'Prefer: return=representation; include="http://www.w3.org/ns/ldp#PreferMinimalContainer"', "Authorization: Bearer x", "Upgrade: h2c\r\nConnection: upgrade",
         "X-Long: " + 2100 * "y", " folded", "Broken", "Transfer-Encoding: chunked"]
    ),
)  # fmt: skip


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Draw a request that changes nothing, most often a plain GET."""
    method = draw(st.sampled_from(["GET", "GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "get", "BREW"]))
    version = draw(st.sampled_from(["1.1", "1.1", "1.1", "1.1", "1.0", "2"]))
    fields = [draw(HOSTS), *draw(st.lists(FIELDS, max_size=3))]
    lines = [f"{method} {draw(TARGETS)} HTTP/{version}", *fields, "", ""]
    return (
        draw(st.sampled_from(["\r\n", "\r\n", "\r\n", "\r\n", "\n"]))
        .join(lines)
        .encode(errors="surrogateescape")
    )


REFUSED = (
    b'PUT /a/b HTTP/1.1\r\nHost: 127.0.0.1:7070\r\nIf-Match: "x"\r\nContent-Type: text/turtle\r\nContent-Length: %d\r\n\r\n'
    % len(TEXT)
) + TEXT
"""A request with a body, of the kind that is refused when the body was read."""

PATHS = st.sampled_from(["/a/b", "/a/b", "/a/c", "/a/d/e", "/z"])
WRITES: st.SearchStrategy[Write] = st.one_of(
    st.builds(Put, PATHS, st.sampled_from([b"", TEXT]).map(lambda text: Draft((text,)))),
    st.builds(Delete, PATHS),
    st.builds(Put, st.just("/a/photo"), st.just(Binary("image/png", 1, b"p"))),
    st.builds(Delete, st.just("/a/photo")),
    st.builds(Put, st.just("/a/photo.meta"), st.just(Draft((TEXT,)))),
)


def cut(text: bytes, places: Sequence[int]) -> list[bytes]:
    ends = [*sorted({place % (len(text) + 1) for place in places} - {0}), len(text)]
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False) if start < end]


PIECES = st.one_of(
    requests().map(lambda request: [request]),
    requests().map(lambda request: [request, request, request]),
    st.builds(
        cut,
        st.lists(st.one_of(requests(), requests(), st.just(REFUSED)), min_size=1, max_size=3).map(b"".join),
        st.lists(st.integers(0, 5000), max_size=4),
    ),
)
TURNS = st.tuples(PIECES, st.booleans())
"""Pieces, and whether they come at once, before anything is answered."""
LIMITS = st.sampled_from(
    [
        Settings(),
        Settings(cors_origins=frozenset({"*"})),
        Settings(cors_origins=frozenset({"https://app.example"}), shows_types=True),
    ]
)


@given(st.lists(st.one_of(TURNS, TURNS, TURNS, WRITES), min_size=1, max_size=12), LIMITS)
@settings(max_examples=depth(60, 3000), deadline=None)
def test_who_asks_again_gets_what_is_true_by_then(
    course: Sequence[tuple[list[bytes], bool] | Write], limits: Settings
) -> None:
    asyncio.run(follow(course, limits))


async def follow(course: Sequence[tuple[list[bytes], bool] | Write], limits: Settings) -> None:
    store = MemoryStore(first=FIRST)
    store.claim_base(BASE)
    await store.commit([Put("/a/b", Draft((TEXT,))), Put("/a/photo", Binary("image/png", 1, b"p"))])
    async with exchange(store, limits) as server:
        known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
        for turn in course:
            if not isinstance(turn, tuple):
                await store.commit([turn])
                continue
            if known.is_closed:
                known, worked_out = await server.line(by_heart=True), await server.line(by_heart=False)
            pieces, are_at_once = turn
            for coming in [pieces] if are_at_once else [[piece] for piece in pieces]:
                assert await known.send(*coming) == await worked_out.send(*coming)
                assert known.is_closed == worked_out.is_closed
    await store.close()
