"""Broken, slow and hostile clients: never a 500, never a hang, and nobody else notices."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server import Settings, open_sqlite_store
from tests.support.depth import depth
from tests.support.ldp import Ldp, LdpProcess, ldp_process, running_ldp
from tests.support.ldp_raw import check_harmless, exchange, request, status


@pytest.fixture(scope="module")
def process() -> Iterator[LdpProcess]:
    with ldp_process() as started:
        yield started
        assert started.process.poll() is None


METHODS = st.sampled_from(["GET", "HEAD", "OPTIONS", "PUT", "POST", "DELETE", "PATCH", "TRACE"])
TARGETS = st.one_of(
    st.lists(
        st.sampled_from(
            ["/", "a", "b", "..", ".", "%2e", "%2F", "%00", "%", "%zz", "?", "#", "//", "\\", "é", "~", "%C3"]
        ),
        max_size=8,
    ).map(lambda parts: ("/" + "".join(parts)).encode()),
    st.binary(min_size=1, max_size=20).map(lambda tail: b"/" + tail.translate(None, b" \r\n")),
    st.sampled_from(
        [b"*", b"http://evil/", b"/" + b"a/" * 100, b"/" + b"x" * 7000, b"/.milepost/a", b"/a?since=1"]
    ),
)
BODIES = st.one_of(
    st.sampled_from(
        [
            b"",
            b"<> <#p> 1 .",
            b"<> <#p> oops",
            b"{}",
            b"<x/>",
            b"<!DOCTYPE x>",
            b"[" * 5000,
            b'{"a":' * 500,
            b"<<( " * 900,
        ]
    ),
    st.binary(max_size=60),
)
VALUES = st.one_of(
    st.sampled_from(
        [
            "text/turtle",
            "application/ld+json",
            "application/rdf+xml",
            "*/*;q=0",
            "*",
            '"1-ttl"',
            'W/"x',
            "a,b;c=d",
            ",",
            "",
            '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"',
            "gzip",
            "bytes 0-1/2",
            "100-continue",
            "../.acl",
            "%2F",
        ]
    ),
    st.text(max_size=20).map(
        lambda text: text.encode("utf-8", "replace").translate(None, b"\r\n\0").decode("latin-1")
    ),
)
NAMES = st.sampled_from(
    [
        "Accept",
        "Content-Type",
        "If-Match",
        "If-None-Match",
        "Slug",
        "Link",
        "Content-Encoding",
        "Range",
        "Prefer",
        "Expect",
    ]
)
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=5).map(
    lambda rows: b"".join(name.encode() + b": " + value.encode("latin-1") + b"\r\n" for name, value in rows)
)


@settings(max_examples=depth(250, 20_000))
@given(method=METHODS, target=TARGETS, headers=HEADERS, body=BODIES)
def test_any_request_gets_an_answer_that_is_no_fault(
    process: LdpProcess, method: str, target: bytes, headers: bytes, body: bytes
) -> None:
    check_harmless(exchange(process.port, request(process.port, method, target, headers, body)))


@settings(max_examples=depth(60, 5_000))
@given(data=st.binary(min_size=1, max_size=200), cut=st.integers(0, 200))
def test_bytes_that_are_no_http_do_no_harm(process: LdpProcess, data: bytes, cut: int) -> None:
    for sent in (
        data,
        request(process.port, "PUT", b"/x", b"Content-Type: text/turtle\r\n", data)[: cut + 1],
    ):
        answer = exchange(process.port, sent, ends=True)
        if answer:
            check_harmless(answer)
    check_harmless(exchange(process.port, request(process.port, "GET", b"/")))


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.0\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 300 + b"\r\n", 400),
        (b"PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        (b"PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00", 400),
    ],
)
def test_requests_that_break_http_are_told_so_in_the_same_form(
    process: LdpProcess, sent: bytes, expected: int
) -> None:
    answer = exchange(process.port, sent)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert status(answer) == expected
    assert b"application/problem+json" in head
    assert b"nosniff" in head
    assert body.startswith(b'{"type": "about:blank"')


async def test_a_connection_goes_on_after_each_error() -> None:
    """Requests are sent before the answers to earlier ones are read, and bodies may be left unread."""
    async with running_ldp() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        turtle, none_such = b"Content-Type: text/turtle\r\n", b"Content-Type: picture\r\n"
        sent = [
            (request(server.port, "PUT", b"/x", turtle, b"<> <#p> 1 ."), 201),
            (request(server.port, "PUT", b"/x", turtle, b"oops"), 400),
            (request(server.port, "PUT", b"/x", none_such, b"x" * 300_000), 415),
            (request(server.port, "PUT", b"/a//b", turtle, b"x" * 9_000), 400),
            (request(server.port, "PUT", b"/x", turtle + b'If-Match: "0-ttl"\r\n', b"<> <#p> 2 ."), 412),
            (request(server.port, "PATCH", b"/x", turtle, b"PUT /y HTTP/1.1\r\n\r\n"), 415),
            (request(server.port, "DELETE", b"/none", b"", b"left unread"), 404),
            (request(server.port, "PUT", b"/x", turtle + b"Expect: a-miracle\r\n", b"<> <#p> 3 ."), 204),
            (request(server.port, "GET", b"/x", b"Accept: image/png\r\n"), 406),
            (request(server.port, "GET", b"/x", b"Accept: application/n-triples\r\n"), 200),
        ]
        writer.writelines(each.replace(b"Connection: close\r\n", b"") for each, _ in sent)
        for _, expected in sent:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
            length = int((head.partition(b"Content-Length: ")[2] or b"0").split(b"\r\n")[0])
            body = await asyncio.wait_for(reader.readexactly(length), 20)
            assert status(head) == expected
            assert (b"application/problem+json" in head) is (expected >= 400)
        assert b'#p> "3"' in body
        writer.close()


async def test_a_client_that_waits_is_told_to_go_on() -> None:
    async with running_ldp() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        headers = b"Content-Type: text/turtle\r\nExpect: 100-Continue\r\n"
        sent = request(server.port, "PUT", b"/x", headers, b"<> <#p> 1 .")
        writer.write(sent[:-11])
        answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        assert answer == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(sent[-11:])
        assert status(await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)) == 201
        writer.close()


async def test_a_client_that_never_ends_its_header_is_let_go(tmp_path: object) -> None:
    async with running_ldp(settings=Settings(header_timeout_s=0.2)) as server, Ldp(server) as others:
        silent = await asyncio.open_connection("127.0.0.1", server.port)
        halting = await asyncio.open_connection("127.0.0.1", server.port)
        halting[1].write(b"GET / HTTP/1.1\r\nHost: ")
        assert (await others.get("/")).status == 200
        for reader, writer in (silent, halting):
            assert await asyncio.wait_for(reader.read(), 20) == b""
            writer.close()
        assert (await others.get("/")).status == 200


async def test_a_body_that_stops_coming_is_told_and_let_go() -> None:
    for limits in (Settings(body_idle_timeout_s=0.2), Settings(body_timeout_s=0.2)):
        async with running_ldp(settings=limits) as server, Ldp(server) as others:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = request(server.port, "PUT", b"/x", b"Content-Type: text/turtle\r\n", b"0123456789")
            writer.write(head[:-3])
            answer = await asyncio.wait_for(reader.readuntil(b"}\n"), 20)
            assert status(answer) == 408
            assert b"LDP019" in answer
            writer.close()
            assert (await others.get("/x")).status == 404


async def test_a_body_that_says_it_is_too_large_is_refused_before_it_comes() -> None:
    async with running_ldp(settings=Settings(max_body=100, stop_timeout_s=0.1)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(request(server.port, "PUT", b"/x", b"Content-Type: text/turtle\r\n", b"#" * 101)[:-101])
        assert (await asyncio.wait_for(reader.readline(), 20)).startswith(b"HTTP/1.1 413")
        writer.close()


async def test_a_client_that_breaks_off_leaves_nothing() -> None:
    async with running_ldp() as server, Ldp(server) as others:
        for _ in range(5):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(
                request(server.port, "PUT", b"/x", b"Content-Type: text/turtle\r\n", b"0123456789")[:-3]
            )
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        assert (await others.get("/x")).status == 404


async def test_more_connections_than_allowed_are_turned_away() -> None:
    async with running_ldp(settings=Settings(max_connections=3, header_timeout_s=60)) as server:
        held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
        get = request(server.port, "GET", b"/").replace(b"Connection: close\r\n", b"")
        for reader, writer in held:
            writer.write(get)
            assert (await asyncio.wait_for(reader.readline(), 20)).startswith(b"HTTP/1.1 200")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        assert await asyncio.wait_for(reader.read(), 20) == b""
        writer.close()
        held[0][1].close()
        await held[0][1].wait_closed()
        for _ in range(100):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(get)
            answer = await asyncio.wait_for(reader.read(12), 20)
            writer.close()
            if answer:
                break
        assert answer == b"HTTP/1.1 200"
        for _, writer in held:
            writer.close()


async def test_one_address_cannot_take_all_connections() -> None:
    """The other address is one that loopback has too."""
    async with running_ldp(settings=Settings(max_connections_of_one=2)) as server:
        get = request(server.port, "GET", b"/").replace(b"Connection: close\r\n", b"")

        async def opened(address: str) -> tuple[bytes, asyncio.StreamWriter]:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(address, 0))
            writer.write(get)
            with contextlib.suppress(ConnectionError):
                return await asyncio.wait_for(reader.read(12), 20), writer
            return b"", writer

        held = [await opened(address) for address in ("127.0.0.2",) * 3 + ("127.0.0.1",) * 3]
        assert [answer for answer, _ in held] == [b"HTTP/1.1 200"] * 2 + [b""] + [b"HTTP/1.1 200"] * 3
        held[0][1].close()
        await held[0][1].wait_closed()
        answers = []
        for _ in range(100):
            answers.append(await opened("127.0.0.2"))
            if answers[-1][0]:
                break
        assert answers[-1][0] == b"HTTP/1.1 200"
        for _, writer in held + answers:
            writer.close()


async def test_no_client_can_write_a_header_of_an_answer() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        names = ["a%0d%0aX-Evil: 1", 'b>; rel="evil", <c', "d\u2028X-Evil: 1", "e%00%7f"]
        made = [await ldp.post("/", b"x", "image/png", Slug=name) for name in names]
        split = await ldp.put("/a%0d%0aX-Evil:%201", "")
        quoted = await ldp.put("/%22%3E;rel=evil,%3C", b"x", "image/png")
        answers = [
            *made,
            quoted,
            *[await ldp.get(each.headers["Location"][len(ldp.base) :]) for each in made],
        ]

        assert [each.status for each in made] == [201] * 4
        assert split.status == 400
        assert [each for each in [*answers, split] if "X-Evil" in each.headers] == []
        assert [each for each in answers if 'rel="evil"' in each.headers["Link"]] == []
        assert quoted.headers["Location"] == f"{ldp.base}/%22%3E;rel=evil,%3C"


async def test_a_full_queue_of_writes_is_told_with_when_to_come_again(tmp_path: Path) -> None:
    async with running_ldp(open_sqlite_store(tmp_path, max_waiting=0)) as server, Ldp(server) as ldp:
        refused = await ldp.put("/x", "<> <#p> 1 .")

        assert (refused.status, refused.problem["code"], refused.headers["Retry-After"]) == (
            503,
            "LDP017",
            "1",
        )
        assert (await ldp.get("/x")).status == 404
        assert (await ldp.get("/")).status == 200


async def test_a_parser_bomb_does_not_stop_the_others() -> None:
    """The bombs are refused, and answers to others come in between."""
    bombs = {
        b"@base <x/> . " * 150_000: "text/turtle",
        b"[" * 1_000_000: "application/ld+json",
        b"<a>" * 500_000: "application/rdf+xml",
        b"<<( <a> <b> " * 100_000: "text/turtle",
    }
    async with running_ldp(settings=Settings(parse_budget_s=0.3)) as server, Ldp(server) as ldp:
        answers = await asyncio.gather(
            *(ldp.put(f"/{number}", body, kind) for number, (body, kind) in enumerate(bombs.items())),
            *(ldp.get("/") for _ in range(20)),
        )
        assert [answer.status for answer in answers] == [413, 400, 400, 400] + [200] * 20


@pytest.mark.parametrize(("lines", "status"), [(3, 200), (5, 431)])
async def test_a_header_in_many_lines_counts_as_one(lines: int, status: int) -> None:
    wish = b"Accept: " + b"a/b," * 1_990 + b"*/*\r\n"
    async with running_ldp() as server:
        answer = await asyncio.to_thread(
            exchange, server.port, request(server.port, "GET", b"/", wish * lines, b"")
        )
    assert answer.startswith(b"HTTP/1.1 %d " % status)
