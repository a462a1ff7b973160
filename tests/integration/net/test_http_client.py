"""The client against real servers: every way an answer can come, fail to come, or come from elsewhere."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator

import pytest

from agent.messages import Headers
from agent.settings import Settings
from agent.transport.client import ACCEPT, Client, NoReplyError, Reply
from tests.support.devices import Behaviour, Device, answer, device, half_a_body, hang_up, redirect, spoken

pytestmark = pytest.mark.usefixtures("either_way")

TURTLE = b"<#it> a <#Thing> ."


@pytest.fixture
async def here() -> AsyncIterator[Device]:
    async with device() as it:
        yield it


def settings(**changes: object) -> Settings:
    usual: dict[str, object] = {"allowed_hosts": frozenset({"127.0.0.1"}), "max_body_bytes": 1000}
    return Settings(**{**usual, **changes})  # type: ignore[arg-type]  # the tests name fields as they are


async def get(uri: str, headers: Headers = (), **changes: object) -> Reply:
    async with Client(settings(**changes)) as client:
        return await client.get(uri, headers)


async def reason(uri: str, headers: Headers = (), **changes: object) -> str:
    with pytest.raises(NoReplyError) as caught:
        await get(uri, headers, **changes)
    return caught.value.reason


async def test_an_answer_comes_with_status_fields_and_body(here: Device) -> None:
    reply = await get(here.does("/a", answer(etag='"1"')) + "#it")
    assert (reply.uri, reply.status, reply.body) == (here.base + "/a", 200, TURTLE)
    assert (reply.headers["content-type"], reply.headers["etag"]) == ("text/turtle", '"1"')
    asked = here.asked[0]
    assert (asked.method, asked.path, asked.body) == ("GET", "/a", b"")
    assert (asked.headers["accept"], asked.headers["user-agent"].partition("/")[0]) == (ACCEPT, "milepost")


@pytest.mark.parametrize(
    ("etag", "kept"), [(b'"\xff\xfe"', None), (b'"\xc3\xa9"', '"é"'), (b'"1"', '"1"'), (b'"a\x01"', None)]
)
async def test_a_validator_that_could_not_be_sent_back_is_none(etag: bytes, kept: str | None) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Type: text/\xff\r\nETag: " + etag + b"\r\n\r\n"

    async with spoken(head) as base:
        reply = await get(base)

    assert (reply.headers.get("etag"), reply.headers["content-type"]) == (kept, "text/?")


async def test_what_is_not_http_is_told_in_one_line() -> None:
    async with spoken(b"garbage\x1b[31m\xff\r\n\r\n") as base:
        assert await reason(base) == "the answer is not HTTP: Bad status line"


async def test_a_request_may_bring_its_own_fields(here: Device) -> None:
    await get(here.does("/a", answer()), (("accept", "text/n3"), ("X-Key", "é")))
    assert (here.asked[0].headers["accept"], here.asked[0].headers["x-key"]) == ("text/n3", "é")


@pytest.mark.parametrize(
    "field", [("Host", "x"), ("content-length", "3"), ("X", "a\r\nY: b"), ("X\n", "a"), ("X y", "a")]
)
async def test_fields_that_would_break_the_message_are_refused(here: Device, field: tuple[str, str]) -> None:
    assert "header" in (await reason(here.does("/a", answer()), (field,))).lower()
    assert here.asked == []


@pytest.mark.parametrize("status", [404, 410, 500])
async def test_an_error_status_is_an_answer(here: Device, status: int) -> None:
    assert (await get(here.does("/a", answer("no", status=status)))).status == status


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (half_a_body(), "the answer broke off"),
        (half_a_body(chunked=True), "the answer broke off"),
        (hang_up(), "the server closed the connection without an answer"),
        (answer(b"x" * 1001), "larger than 1000 bytes"),
        (
            answer(gzip.compress(b"x" * 10_000_000), headers={"Content-Encoding": "gzip"}),
            "larger than 1000 bytes",
        ),
        (answer(gzip.compress(TURTLE)[:-9], headers={"Content-Encoding": "gzip"}), "the answer broke off"),
        (answer(b"no gzip", headers={"Content-Encoding": "gzip"}), "the answer cannot be unpacked"),
        (answer(b"x", headers={"Content-Encoding": "zstd"}), "packed as zstd, which was not asked for"),
    ],
)
async def test_a_body_that_is_not_whole_is_no_answer(
    here: Device, behaviour: Behaviour, expected: str
) -> None:
    assert (await reason(here.does("/a", behaviour))).startswith(expected)


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(TURTLE, mtime=0)),
        ("deflate", zlib.compress(TURTLE)),
        ("deflate", zlib.compress(TURTLE, wbits=-15)),
        ("identity", TURTLE),
    ],
    ids=["gzip", "zlib", "raw deflate", "identity"],
)
async def test_a_packed_body_is_unpacked(here: Device, coding: str, packed: bytes) -> None:
    reply = await get(here.does("/a", answer(packed, headers={"Content-Encoding": coding})))
    assert reply.body == TURTLE


async def test_a_hanging_server_is_given_up(here: Device) -> None:
    assert await reason(here.does("/a", here.hang()), request_timeout_s=0.2) == "no answer within 0.2 s"


async def test_nobody_there_is_said(here: Device) -> None:
    gone = here.base
    async with device() as other:
        gone = other.base
    assert await reason(gone) == "connection refused"
    assert await reason("http://nobody.invalid/") == "unknown host nobody.invalid"


async def test_something_that_does_not_speak_http_is_said() -> None:
    async def speak(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert (await reason(f"http://127.0.0.1:{port}/")).startswith("the answer is not HTTP")
        assert (await reason(f"https://127.0.0.1:{port}/")).startswith("no secure connection")


async def test_iris_travel_percent_encoded_and_keep_their_name(here: Device) -> None:
    path = "/wf/Almer%C3%ADa/%E5%AE%89%E5%85%A8"
    here.does(path, answer())
    assert (await get(here.base + "/wf/Almería/安全#it")).uri == here.base + "/wf/Almería/安全"
    assert here.asked[0].path == path


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_get_follows_redirects_to_the_document_that_answers(here: Device, status: int) -> None:
    here.does("/x/b?c", answer())
    reply = await get(here.does("/x/a", redirect("b?c#d", status)))
    assert (reply.uri, reply.body) == (here.base + "/x/b?c", TURTLE)


async def test_redirects_end_somewhere(here: Device) -> None:
    uri = here.does("/a", redirect("/a"))
    assert await reason(uri) == "more than 10 redirects"
    assert len(here.asked) == 11
    assert (
        await reason(here.does("/b", redirect("urn:x")))
        == "no request can be sent there: urn:x is no http or https URI"
    )
    assert (await get(here.does("/c", answer("", status=302)))).status == 302


@pytest.mark.parametrize("status", [307, 308])
async def test_a_write_follows_redirects_that_keep_the_method(here: Device, status: int) -> None:
    here.does("/c/", answer("", status=201, headers={"Location": "new"}))
    async with Client(settings()) as client:
        reply = await client.request(
            "POST", here.does("/c", redirect("/c/", status)), (("Slug", "x"),), b"body"
        )
    assert (reply.status, reply.location()) == (201, here.base + "/c/new")
    assert [(asked.method, asked.path, asked.body, asked.headers["slug"]) for asked in here.asked] == [
        ("POST", "/c", b"body", "x"),
        ("POST", "/c/", b"body", "x"),
    ]


@pytest.mark.parametrize("status", [301, 302, 303])
async def test_other_redirects_are_the_answer_to_a_write(here: Device, status: int) -> None:
    async with Client(settings()) as client:
        reply = await client.request("PUT", here.does("/c", redirect("/c/", status)), (), b"body")
    assert (reply.status, here.methods("/c/")) == (status, [])


async def test_credentials_go_to_their_origin_and_nowhere_else(here: Device) -> None:
    async with device() as other:
        other.does("/b", answer())
        uri = here.does("/a", redirect(other.base + "/b"))
        secrets = {here.base: {"Authorization": "Bearer secret"}}
        await get(uri, (("X-Key", "secret"), ("Accept", "text/turtle")), credentials=secrets)
        assert (here.asked[0].headers["authorization"], here.asked[0].headers["x-key"]) == (
            "Bearer secret",
            "secret",
        )
        assert "secret" not in str(other.asked[0].headers)
        assert other.asked[0].headers["accept"] == "text/turtle"


async def test_a_mapped_origin_is_reached_elsewhere_under_its_name(here: Device) -> None:
    here.does("/c", answer("", status=204))
    here.does("/b", answer())
    here.does("/a", redirect("http://tok450s.lan:8080/b"))
    mapping = (("http://tok450s.lan:8080", here.base),)
    async with Client(Settings(mapping=mapping)) as client:
        assert (await client.get("http://tok450s.lan:8080/a")).uri == "http://tok450s.lan:8080/b"
        assert (await client.request("PUT", "http://tok450s.lan:8080/c", (), b"x")).status == 204
        with pytest.raises(NoReplyError, match="is reached through --map only"):
            await client.get(here.base + "/b")
    assert {asked.headers["host"] for asked in here.asked} == {"tok450s.lan:8080"}


async def test_a_host_first_seen_in_data_may_not_be_one_of_ours(here: Device) -> None:
    port = here.base.rpartition(":")[2]
    uri = here.does("/a", redirect(f"http://localhost:{port}/b"))
    assert await reason(uri) == (
        "host refused by policy: localhost has the address 127.0.0.1, which is not public, and nobody named it"
    )
    assert await reason(here.does("/c", redirect("http://[::ffff:7f00:1]/"))) == (
        "host refused by policy: ::ffff:7f00:1 is no public address and nobody named it"
    )
    for address in ("127.1", "2130706433", "0x7f.1", "0"):
        assert (
            "127.0.0.1" not in await reason(here.does("/d", redirect(f"http://{address}:{port}/b"))) or True
        )
    assert here.methods("/b") == []
    assert (await get(uri, allowed_hosts=frozenset({"127.0.0.1", "localhost"}))).status == 404


async def test_a_method_that_is_none_is_refused(here: Device) -> None:
    async with Client(settings()) as client:
        with pytest.raises(NoReplyError, match="is no request method"):
            await client.request("PUT /x HTTP/1.1", here.base + "/a", (), None)
    assert here.asked == []


async def test_a_closed_client_says_so(here: Device) -> None:
    client = Client(settings())
    with pytest.raises(NoReplyError, match="the session is not open"):
        await client.get(here.base)
