"""The client of ``milepost bench ldp``, before servers that say what a test wants."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from os import getpid

import pytest

from agent.bench.ldp.exchange import Answer, Connection
from agent.bench.ldp.load import Sample, sampled
from agent.bench.ldp.operations import Operation, Site
from agent.bench.ldp.runs import typical

GET = b"GET / HTTP/1.1\r\n\r\n"


@asynccontextmanager
async def saying(answer: bytes) -> AsyncIterator[int]:
    """Answer every request with the same bytes, hang up instead if there are none, and give the port."""
    ended: list[asyncio.Event] = []

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ended.append(asyncio.Event())
        mine = ended[-1]
        try:
            while await reader.readline():
                await reader.readline()
                writer.write(answer)
                if not answer:
                    break
            writer.close()
            await writer.wait_closed()
        except ConnectionError:
            writer.transport.abort()  # the client has given up, which some tests want
        finally:
            mine.set()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
        for each in ended:
            await each.wait()


async def _ask(answer: bytes, times: int = 2) -> list[Answer]:
    async with saying(answer) as port, Connection("127.0.0.1", port) as connection:
        return [await connection.exchange(GET) for _ in range(times)]


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", b"abc"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", b"abc0123456789"),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", b""),
        (b"HTTP/1.1 201 Created\r\ncontent-length:0\r\n\r\n", b""),
    ],
)  # fmt: skip
async def test_answers_one_after_the_other_are_read_to_their_ends(said: bytes, body: bytes) -> None:
    answers = await _ask(said)

    assert [answer.body for answer in answers] == [body, body]
    assert {answer.status for answer in answers} == {int(said[9:12])}


async def test_the_tag_of_an_answer_is_found_with_its_quotes() -> None:
    [answer] = await _ask(b'HTTP/1.1 204 No Content\r\nETag: "7-ttl"\r\n\r\n', times=1)

    assert (answer.tag, answer.size) == ('"7-ttl"', 42)


async def _sample(said: bytes, expected: int) -> Sample:
    operation = Operation("GET", expected, lambda _site, _number: GET, connections=2)
    async with saying(said) as port:
        return await sampled(Site(f"127.0.0.1:{port}", {}), getpid(), operation, count(), 0.05)


async def test_requests_are_counted_and_their_cost_divided_among_them() -> None:
    sample = await _sample(b"HTTP/1.1 204 No Content\r\n\r\n", expected=2)

    assert sample.failure == ""
    assert sample.requests > 1
    assert sample.cpu_us * sample.requests == pytest.approx(1e6 * sample.cpu_s)
    assert sample.per_second * sample.wall_s == pytest.approx(sample.requests)


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", "GET: the server answered 500"),
        (b"", "0 bytes read on a total of undefined expected bytes"),
    ],
)
async def test_another_answer_than_the_expected_one_is_a_failure(said: bytes, failure: str) -> None:
    sample = await _sample(said, expected=200)

    assert (sample.requests, sample.failure) == (0, failure)


def test_the_median_of_samples_counts_unless_one_failed() -> None:
    costs = [Sample(10, cpu_s, 1.0) for cpu_s in (0.3, 0.1, 0.2)]
    failed = Sample(1, 0.5, 1.0, "it broke")

    assert typical(costs) == Sample(10, 0.2, 1.0)
    assert typical([*costs, failed]) == failed
