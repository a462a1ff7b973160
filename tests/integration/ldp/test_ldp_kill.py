"""A server that is killed again and again while it writes: what it acknowledged is there, and listings are true.

Eight writers put, replace, delete and post documents, small and large content, at paths whose containers come with
them. At a seeded point the process gets SIGKILL; the next one starts on the same data, is checked, and goes on.
"""

import asyncio
import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import aiohttp
import pytest

from ldp_server.storage.contents import FOLDER
from ldp_server.storage.database import DATA_FILE
from tests.support.depth import depth
from tests.support.ldp import Ldp, LdpProcess, ldp_process

PATIENCE_S = 120

WRITERS = 8
KILLS = 6
LARGE = 70_000
"""Bytes from which on the numbered contents are; the server keeps as much in a file."""


@dataclass
class Memory:
    """What one writer knows: the number that each of its resources holds (None: absent), and the one under way."""

    name: str
    known: dict[str, int | None] = field(default_factory=dict)
    under_way: tuple[str, int | None] | None = None


def body(path: str, number: int) -> tuple[bytes, str]:
    """Return the body with this number and its type; the name of a resource tells its kind."""
    if "bin" not in path:
        return f"<> <http://v/> {number} .".encode(), "text/turtle"
    size = LARGE + number % 50_000 if "big" in path else number % 100
    return (f"{number:08}" * (size // 8 + 1)).encode(), f"image/x-{number}"


async def storm(
    ldp: Ldp, memory: Memory, numbers: "count[int]", chance: random.Random, acknowledged: asyncio.Semaphore
) -> None:
    """Write until the server is gone."""
    while True:
        number, act = next(numbers), chance.random()
        kind = chance.choice(["doc", "doc", "bin", "bin-big"])
        path = f"/{memory.name}/{chance.randrange(2)}/{kind}{chance.randrange(2)}"
        memory.under_way = None if act < 0.25 else (path, None if act < 0.45 else number)
        try:
            if act < 0.25:
                content, media_type = body(kind, number)
                answer = await ldp.post("/posted/", content, media_type, Slug=f"{kind}-{memory.name}")
                assert answer.status == 201
                memory.known[answer.headers["Location"].removeprefix(ldp.base)] = number
            elif act < 0.45:
                assert (await ldp.send("DELETE", path)).status in {204, 404}
                memory.known[path] = None
            else:
                content, media_type = body(path, number)
                assert (await ldp.put(path, content, media_type)).status in {201, 204}
                memory.known[path] = number
        except aiohttp.ClientError:
            return
        memory.under_way = None
        acknowledged.release()


async def write_until_killed(process: LdpProcess, memories: list[Memory], seed: str) -> None:
    """Let the writers write, and kill the server after a seeded number of answers, in the middle of others."""
    numbers = count(random.Random(seed).randrange(1, 10_000_000))
    acknowledged = asyncio.Semaphore(0)
    async with Ldp(process) as ldp, asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as writers:
        for memory in memories:
            chance = random.Random(f"{seed}/{memory.name}")
            writers.create_task(storm(ldp, memory, numbers, chance, acknowledged))
        for _ in range(random.Random(seed).randrange(8, 80)):
            await acknowledged.acquire()
        process.process.kill()


async def number_of(ldp: Ldp, path: str) -> int | None:
    """Return the number of the body that is at ``path``, whole, or None if nothing is there."""
    answer = await ldp.get(path, Accept="application/n-triples, */*;q=0.1")
    if answer.status == 404:
        return None
    media_type = answer.headers["Content-Type"]
    is_content = media_type.startswith("image/x-")
    number = int(media_type.removeprefix("image/x-") if is_content else answer.body.split(b'"')[1])
    content, _ = body(path, number)
    line = f'<{ldp.base}{path}> <http://v/> "{number}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    assert answer.body == (content if is_content else line.encode())
    return number


async def check(process: LdpProcess, memories: list[Memory]) -> None:
    """Assert that every acknowledged write is there and listed, and take note of what became of those under way."""
    async with Ldp(process) as ldp:
        for memory in memories:
            for path, known in memory.known.items():
                possible = {known}
                if memory.under_way is not None and memory.under_way[0] == path:
                    possible.add(memory.under_way[1])
                memory.known[path] = await number_of(ldp, path)
                assert memory.known[path] in possible
        listed = await documents_below(ldp, "/")
        known_there = {path for memory in memories for path, number in memory.known.items() if number}
        assert listed >= known_there
        for path in listed - known_there:
            assert await number_of(ldp, path) is not None
        fresh = await ldp.post("/posted/", "<> <http://v/> 1 .")
        assert fresh.status == 201
        assert fresh.headers["Location"].removeprefix(ldp.base) not in listed


async def documents_below(ldp: Ldp, path: str) -> set[str]:
    """Return what the listings below a container name, but the containers."""
    members = [member.removeprefix(ldp.base) for member in await ldp.members(path)]
    found = {member for member in members if not member.endswith("/")}
    for member in members:
        if member.endswith("/"):
            found |= await documents_below(ldp, member)
    return found


def check_files(folder: Path) -> tuple[int, int]:
    """Assert that contents, files and descriptions belong together; return how many contents and files there are."""
    with closing(sqlite3.connect(folder / DATA_FILE)) as data:
        rows = data.execute(
            "SELECT parent || name, is_description, media_type, file FROM resource"
        ).fetchall()
    contents = {path for path, _, media_type, _ in rows if media_type}
    descriptions = {path for path, is_description, _, _ in rows if is_description}
    assert descriptions == {path + ".meta" for path in contents}
    files = {file for _, _, _, file in rows if file}
    assert {file.name for file in (folder / FOLDER).iterdir()} == files
    return len(contents), len(files)


@pytest.mark.parametrize("seed", range(depth(1, 9)))
async def test_every_acknowledged_write_survives_a_kill(tmp_path: Path, seed: int) -> None:
    memories = [Memory(f"w{number}") for number in range(WRITERS)]
    with ldp_process(tmp_path) as process:
        async with Ldp(process) as ldp:
            await ldp.put("/posted/", "")
        await write_until_killed(process, memories, f"{seed}/0")
    for kill in range(1, KILLS + 1):
        with ldp_process(tmp_path, port=process.port) as again:
            assert again.base_url == process.base_url
            await check(again, memories)
            contents, files = check_files(tmp_path)
            if kill < KILLS:
                await write_until_killed(again, memories, f"{seed}/{kill}")
    assert contents > files > 0
    assert sum(len(memory.known) for memory in memories) >= 60
