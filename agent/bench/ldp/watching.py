"""What it takes to learn that nothing changed among the thousand members of a container, by each way there is."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from agent.bench.ldp.exchange import Connection
from agent.bench.ldp.operations import FOLDERS, Site, request
from agent.bench.ldp.processor import used_s
from agent.errors import WorldError

_FOLDER = FOLDERS[1000]


class Way(Struct, frozen=True):
    """A way to look: ``paths`` are asked for with the tags that the last answers had.

    ``only_ours`` tells that the Community Solid Server does not have it.
    """

    name: str
    paths: Callable[[int], list[str]]
    only_ours: bool = False


WAYS = (
    Way("each member, not modified", lambda _: [f"{_FOLDER}m{number}" for number in range(1000)]),
    Way("listing (membership only)", lambda _: [_FOLDER]),
    Way("?inlined", lambda _: [f"{_FOLDER}?inlined"], only_ours=True),
    Way("?since=N", lambda sequence: [f"{_FOLDER}?since={sequence}"], only_ours=True),
)


class Look(Struct, frozen=True):
    """What one look costs: bytes that come, and seconds of the server and by the clock."""

    received: int
    cpu_s: float
    wall_s: float


async def looked(site: Site, process: int, way: Way, looks: int) -> Look:
    """Look ``looks`` times over one connection, nothing being changed meanwhile, or raise WorldError."""
    host, _, port = site.authority.rpartition(":")
    loop = asyncio.get_running_loop()
    async with Connection(host, int(port)) as connection:
        sequence = 0
        if way.only_ours:
            tag = (await connection.exchange(request(site, "GET", f"{_FOLDER}?inlined"))).tag
            sequence = int(tag.strip('"').partition("-")[0])
        asked = []
        for path in way.paths(sequence):
            tag = (await connection.exchange(request(site, "GET", path))).tag
            asked.append(request(site, "GET", path, headers=f"If-None-Match: {tag}\r\n"))
        before_s, start, received = used_s(process), loop.time(), 0
        for sent in asked * looks:
            answer = await connection.exchange(sent)
            if answer.status != 304:
                raise WorldError("NET001", f"{way.name}: the server answered {answer.status}")
            received += answer.size
        spent_s = used_s(process) - before_s
        return Look(received // looks, spent_s / looks, (loop.time() - start) / looks)
