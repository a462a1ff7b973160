"""One operation, asked again and again for a while, and what that cost the server."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count

from msgspec import Struct

from agent.bench.ldp.exchange import Answer, Connection
from agent.bench.ldp.operations import Operation, Site, request
from agent.bench.ldp.processor import used_s

_MOST_S = 60.0
"""After this time one answer is not waited for any longer."""


class Sample(Struct, frozen=True):
    """What requests of one kind cost: the processor time of the server and the time by the clock, in seconds.

    ``failure`` is empty, or says what came instead of the answer that was expected.
    """

    requests: int
    cpu_s: float
    wall_s: float
    failure: str = ""

    @property
    def cpu_us(self) -> float:
        """Return the microseconds of processor time of one request."""
        return 1e6 * self.cpu_s / max(self.requests, 1)

    @property
    def per_second(self) -> float:
        """Return how many requests were answered in a second."""
        return self.requests / self.wall_s if self.wall_s else 0.0


class _UnexpectedError(Exception):
    pass


async def sampled(
    site: Site, process: int, operation: Operation, numbers: Iterator[int], window_s: float
) -> Sample:
    """Ask ``operation`` for ``window_s`` seconds; ``numbers`` are those of its requests."""
    host, _, port = site.authority.rpartition(":")
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as open_connections:
        connections = [
            await open_connections.enter_async_context(Connection(host, int(port)))
            for _ in range(operation.connections)
        ]
        if operation.held:
            answer = await connections[0].exchange(request(site, "GET", operation.held))
            site.tags[operation.held] = answer.tag
        before_s, start = used_s(process), loop.time()
        done = count()

        async def ask(connection: Connection) -> None:
            while loop.time() < start + window_s:
                answer = await connection.exchange(operation.request(site, next(numbers)))
                _check(answer, operation)
                next(done)

        failure = ""
        try:
            async with asyncio.timeout(window_s + _MOST_S), asyncio.TaskGroup() as group:
                for connection in connections:
                    group.create_task(ask(connection))
        except* (OSError, EOFError, _UnexpectedError, TimeoutError) as group_of_errors:
            failure = _first(group_of_errors)
        return Sample(next(done), used_s(process) - before_s, loop.time() - start, failure)


def _check(answer: Answer, operation: Operation) -> None:
    if not operation.is_answered_by(answer.status):
        raise _UnexpectedError(f"{operation.name}: the server answered {answer.status}")


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
