"""A connection that knows the heads of writes does and says, byte for byte, what one does on which everything is worked out."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server import MemoryStore, Settings
from ldp_server.storage import Store
from tests.support.depth import depth
from tests.support.ldp_connections import BASE, Line, exchange

FIRST = 5
HOST = "Host: 127.0.0.1:7070"
TURTLE = "Content-Type: text/turtle"
VALUE = "<#it> <http://v/p> {} ."
BODIES = {
    "PUT": [VALUE.format(1), VALUE.format(2), VALUE.format(33), "[] <#p> [] .", "", "<#it> <#p> ", "<#it> <#p> \"\xe9\" ."],
    "POST": [VALUE.format(1), VALUE.format(2), "<> <#p> <x> .", "<", ""],
    "PATCH": [
        "DELETE { ?s <http://v/p> ?o } INSERT { ?s <http://v/p> 2 } WHERE { ?s <http://v/p> ?o }",
        "DELETE { ?s <http://v/p> ?o } INSERT { ?s <http://v/p> 3 } WHERE { ?s <http://v/p> ?o }",
        "INSERT DATA { <#x> <http://v/q> 1 }",
        "DELETE DATA { <#x> <http://v/q> 1 }",
        "CLEAR ALL",
        "DELETE DATA { ?x <http://v/q> 1 }",
    ],
}  # fmt: skip
TARGETS = {
    "PUT": ["/a/b", "/a/b", "/a/b", "/a/n", "/a/", "/", "/a/b/c", "/a%2fb", "/a/b?x", "/.milepost/x", "/a/photo", "http://evil.example/a/b"],
    "POST": ["/a/", "/a/", "/a/", "/b/", "/a/b", "/a"],
    "PATCH": ["/a/b", "/a/b", "/a/b", "/a/n", "/a/photo"],
}  # fmt: skip
FIELDS = [
    "Slug: n", "Slug: n", 'If-Match: "5-ttl"', 'If-Match: "6-ttl"', "If-None-Match: *", "Origin: https://app.example", "Origin: null", "Expect: 100-continue", "Connection: close",
    'Link: <http://www.w3.org/ns/ldp#BasicContainer>; rel="type"', "Content-Type: image/png", "Content-Encoding: gzip", "Content-Range: bytes 0-1/2", "Transfer-Encoding: chunked",
    "Authorization: Bearer x", "X-Long: " + 2100 * "y", HOST, "Broken",
]  # fmt: skip


@st.composite
def heads(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Draw the method and the lines of a head, most often a plain one, without the length of the body."""
    method = draw(st.sampled_from(list(BODIES)))
    kind = "Content-Type: application/sparql-update" if method == "PATCH" else TURTLE
    odd = draw(st.lists(st.sampled_from(FIELDS), max_size=1)) if draw(st.integers(0, 2)) == 0 else []
    version = draw(st.sampled_from(["1.1", "1.1", "1.1", "1.0"]))
    return method, [f"{method} {draw(st.sampled_from(TARGETS[method]))} HTTP/{version}", HOST, kind, *odd]


def asked(head: tuple[str, list[str]], choice: int) -> bytes:
    method, lines = head
    body = BODIES[method][choice % len(BODIES[method])].encode()
    length = f"Content-Length: {len(body)}"
    return "\r\n".join([*lines, length, "", ""]).encode() + body


DELETE = f"DELETE /a/b HTTP/1.1\r\n{HOST}\r\n\r\n".encode()
GETS = [f"GET {path} HTTP/1.1\r\n{HOST}\r\n\r\n".encode() for path in ("/a/b", "/a/", "/", "/a/n", "/a/1")]

NEIGHBOURS = st.sampled_from(
    [b"/a/b", b"/a/c", b"/a/nn", b"/a/n-1", b"/a/photo", b"/a/%62", b"/a/b.c", b"/a/.."]
)
"""Other targets with the same head otherwise."""
MATCH = b'If-Match: "6-ttl"'
TAGS = ['"{}-ttl"', '"{}-ttl"', '"{}-jsonld"', '"{}-ttl-typed"', 'W/"{}-ttl"', '"{}-ttl", "x"', "*", '"{}-odd"', '"0{}-ttl"', '"1{}-ttl"']  # fmt: skip


def matching(version: int, tag: str, way: int) -> bytes:
    """Return the field that asks for a state, in one of four ways to write it."""
    value = tag.format(version)
    ways = [
        f"If-Match: {value}",
        f"if-match: {value}",
        f"If-Match:{value} ",
        f'If-Match: {value}\r\nIf-Match: "x"',
    ]
    return ways[way].encode()


@st.composite
def turns(draw: st.DrawFn) -> list[bytes]:
    """Draw pieces of requests: of one head again and again, with other bodies, and what comes between."""
    head, choices = draw(heads()), draw(st.lists(st.integers(0, 6), min_size=2, max_size=9))
    requests = [asked(head, choice) for choice in choices]
    if head[1][0].split()[1] == "/a/b" and draw(st.booleans()):
        requests = [request.replace(b" /a/b ", b" " + draw(NEIGHBOURS) + b" ") for request in requests]
    ways = st.sampled_from([0, 0, 0, 1, 2, 3])
    requests = [
        request.replace(MATCH, matching(6 + number, draw(st.sampled_from(TAGS)), draw(ways)))
        for number, request in enumerate(requests)
    ]
    if draw(st.integers(0, 3)) == 0:
        requests.insert(draw(st.integers(0, len(requests))), draw(st.sampled_from([DELETE, *GETS])))
    if draw(st.integers(0, 5)) == 0:
        text, place = b"".join(requests), draw(st.integers(1, 4000))
        return [piece for piece in (text[:place], text[place:]) if piece]
    return requests


COURSES = st.lists(st.tuples(turns(), st.booleans()), min_size=1, max_size=6)
"""Pieces, and whether they come at once, before anything is answered."""
LIMITS = st.sampled_from(
    [
        Settings(),
        Settings(cors_origins=frozenset({"https://app.example"}), shows_types=True),
        Settings(requires_match=True, keeps_names=True),
    ]
)


@given(COURSES, LIMITS)
@settings(max_examples=depth(80, 3000), deadline=None)
def test_writes_by_heart_are_the_writes_that_would_be_done(
    course: Sequence[tuple[list[bytes], bool]], limits: Settings
) -> None:
    asyncio.run(follow(course, limits, MemoryStore(first=FIRST), MemoryStore(first=FIRST)))


async def follow(
    course: Sequence[tuple[list[bytes], bool]], limits: Settings, one: Store, other: Store
) -> None:
    for store in (one, other):
        store.claim_base(BASE)
    try:
        await compare(course, limits, one, other)
    finally:
        await one.close()
        await other.close()


async def compare(
    course: Sequence[tuple[list[bytes], bool]], limits: Settings, one: Store, other: Store
) -> None:
    async with exchange(one, limits) as knowing, exchange(other, limits) as careful:
        known, worked_out = await knowing.line(by_heart=True), await careful.line(by_heart=False)
        for pieces, are_at_once in [
            ([asked(("PUT", ["PUT /a/b HTTP/1.1", HOST, TURTLE]), 0)], True),
            *course,
        ]:
            if known.is_closed:
                known, worked_out = await knowing.line(by_heart=True), await careful.line(by_heart=False)
            for coming in [pieces] if are_at_once else [[piece] for piece in pieces]:
                said, expected = await heard(known, coming), await heard(worked_out, coming)
                assert said == expected
                assert known.is_closed == worked_out.is_closed
        looking = [await knowing.line(by_heart=False), await careful.line(by_heart=False)]
        for get in GETS:
            one_says, other_says = [await heard(line, [get]) for line in looking]
            assert one_says == other_says


async def heard(line: Line, pieces: list[bytes]) -> bytes:
    """Return what is said to ``pieces``, until nothing is said any more."""
    return await line.send(*pieces) + await line.send()
