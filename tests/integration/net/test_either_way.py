"""What servers may send, byte by byte: both ways of a request give the same, and keep the same bounds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from agent.settings import Settings
from agent.transport.client import Client, NoReplyError, Reply

pytestmark = pytest.mark.usefixtures("either_way")

OK = b"HTTP/1.1 200 OK\r\n"
SHORT = OK + b"Content-Length: 2\r\n\r\nhi"


class Wire:
    """A server that says what it is told to, an answer for each request of a connection, and then hangs up."""

    def __init__(self, *connections: tuple[bytes, ...]) -> None:
        self.base = ""
        self.asked: list[list[bytes]] = []
        self.arrived = asyncio.Event()
        self.closed = asyncio.Event()
        self.is_patient = False
        self._connections = connections

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak on one connection."""
        number = min(len(self.asked), len(self._connections) - 1)
        asked: list[bytes] = []
        self.asked.append(asked)
        try:
            for answer in self._connections[number]:
                head = await reader.readuntil(b"\r\n\r\n")
                length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                asked.append(head + await reader.readexactly(int(length[0].split(b":")[1]) if length else 0))
                self.arrived.set()
                writer.write(answer)
                await writer.drain()
            if self.is_patient:
                await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.closed.set()
            writer.close()


@asynccontextmanager
async def wire(*connections: tuple[bytes, ...], patient: bool = False) -> AsyncIterator[Wire]:
    it = Wire(*connections)
    it.is_patient = patient
    async with await asyncio.start_server(it.serve, "127.0.0.1", 0) as server:
        it.base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        yield it


def client(**changes: float) -> Client:
    return Client(Settings(allowed_hosts=frozenset({"127.0.0.1"}), max_body_bytes=1000, **changes))  # type: ignore[arg-type]  # the tests name fields as they are


async def outcome(asking: Client, uri: str, method: str = "GET") -> tuple[int, bytes] | str:
    try:
        reply: Reply = await asking.request(method, uri, (), None if method == "GET" else b"<> <> <> .")
    except NoReplyError as error:
        return error.reason
    return reply.status, reply.body


CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (SHORT, (200, b"hi")),
        (CHUNKED + b"1\r\nh\r\n1;x=y\r\ni\r\n0\r\nX-Last: 1\r\n\r\n", (200, b"hi")),
        (OK + b"\r\nuntil the end", (200, b"until the end")),
        (b"HTTP/1.0 200 OK\r\n\r\nold", (200, b"old")),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n", (304, b"")),
        (b"HTTP/1.1 204 No Content\r\n\r\n", (204, b"")),
        (
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + SHORT,
            (200, b"hi"),
        ),
        (b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", (101, b"")),
        (OK + b"Content-Length: 5\r\n\r\nhi", "the answer broke off"),
        (CHUNKED + b"5\r\nhi", "the answer broke off"),
        (CHUNKED + b"2\r\nhi\r\n", "the answer broke off"),
        (OK + b"Content-Length: 1001\r\n\r\n" + b"x" * 1001, "larger than 1000 bytes"),
        (CHUNKED + b"3e9\r\n" + b"x" * 1001 + b"\r\n0\r\n\r\n", "larger than 1000 bytes"),
        (OK + b"\r\n" + b"x" * 1_000_000, "larger than 1000 bytes"),
        (OK + b"Content-Le", "the server closed the connection without an answer"),
        (b"", "the server closed the connection without an answer"),
        (
            OK + b"X: " + b"x" * 9_000 + b"\r\n\r\n",
            "the answer is not HTTP: Got more than 8190 bytes when reading",
        ),
        (OK + b"X: y\r\n" * 200 + b"\r\n", "the answer is not HTTP"),
        (OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "the answer is not HTTP"),
        (OK + b"Content-Length: -1\r\n\r\n", "the answer is not HTTP"),
        (CHUNKED + b"zz\r\n", "the answer "),
    ],
)
async def test_what_is_sent_is_taken_for_what_it_is(answer: bytes, expected: tuple[int, bytes] | str) -> None:
    async with wire((answer,)) as server, client() as asking:
        came = await outcome(asking, server.base)

    assert came == expected if isinstance(expected, tuple) else str(came).startswith(expected)


@pytest.mark.parametrize("piece", [b"HTTP/1.1 200 OK\r\nX: ", SHORT[:-1], CHUNKED + b"3\r\nx"])
async def test_who_drips_is_given_up(piece: bytes) -> None:
    async with wire((piece,), patient=True) as server, client(request_timeout_s=0.2) as asking:
        assert await outcome(asking, server.base) == "no answer within 0.2 s"
        await asyncio.wait_for(server.closed.wait(), 10)


@pytest.mark.parametrize(
    ("method", "is_sent_again"),
    [("GET", True), ("PUT", True), ("DELETE", True), ("POST", False), ("PATCH", False)],
)
async def test_only_what_may_be_repeated_is_sent_again_when_a_kept_connection_is_closed(
    method: str, is_sent_again: bool
) -> None:
    async with wire((SHORT, b""), (SHORT,)) as server, client() as asking:
        assert await outcome(asking, server.base) == (200, b"hi")
        second = await outcome(asking, server.base, method)

    expected = (200, b"hi") if is_sent_again else "the server closed the connection without an answer"
    assert (second, [len(asked) for asked in server.asked]) == (expected, [2, 1] if is_sent_again else [2])


@pytest.mark.parametrize(
    ("first", "connections"),
    [
        (SHORT, 1),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", 1),
        (CHUNKED + b"2\r\nhi\r\n0\r\n\r\n", 1),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", 1),
        (SHORT.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), 2),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 2),
        (OK + b"Content-Length: 9999\r\n\r\n" + b"x" * 1001, 2),
        (SHORT + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", 2),
    ],
)
async def test_a_connection_is_kept_only_if_nothing_is_left_on_it(first: bytes, connections: int) -> None:
    async with wire((first, SHORT), (SHORT,), patient=True) as server, client() as asking:
        await outcome(asking, server.base)
        assert await outcome(asking, server.base) == (200, b"hi")

    assert len(server.asked) == connections


async def test_who_gives_up_leaves_no_answer_to_the_next_request() -> None:
    async with wire((b"",), (SHORT,), patient=True) as server, client() as asking:
        given_up = asyncio.ensure_future(outcome(asking, server.base))
        await asyncio.wait_for(server.arrived.wait(), 10)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        assert await outcome(asking, server.base) == (200, b"hi")

    assert [len(asked) for asked in server.asked] == [1, 1]


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
async def test_what_is_sent_is_the_same(method: str) -> None:
    async with wire((SHORT,)) as server, client() as asking:
        body = None if method == "GET" else b"body"
        await asking.request(method, server.base + "é?a=b", (("X-Key", "é"), ("If-Match", '"1"')), body)
        line, *fields = server.asked[0][0].partition(b"\r\n\r\n")[0].split(b"\r\n")

    common = {
        b"host": server.base[7:-1].encode(),
        b"x-key": "é".encode(),
        b"if-match": b'"1"',
        b"accept-encoding": b"gzip, deflate",
    }
    named = {name.lower(): value for name, _, value in (field.partition(b": ") for field in fields)}
    agent = named.pop(b"user-agent")
    accept = named.pop(b"accept")
    assert line == method.encode() + b" /%C3%A9?a=b HTTP/1.1"
    assert (agent.startswith(b"milepost/"), accept == b"*/*") == (True, method != "GET")
    assert named == common | ({} if body is None else {b"content-length": b"4"})


@pytest.mark.parametrize("headers", [(), (("X-Key", "a\tb"),)], ids=str)
async def test_an_empty_write_says_that_it_is_empty(headers: tuple[tuple[str, str], ...]) -> None:
    async with wire((SHORT,)) as server, client() as asking:
        await asking.request("DELETE", server.base, headers, None)

    assert b"content-length: 0\r\n" in server.asked[0][0].lower()
