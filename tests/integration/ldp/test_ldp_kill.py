"""A server that is killed in the middle of writing: what it acknowledged is there, and listings are true."""

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest

from tests.support.depth import depth
from tests.support.ldp import Ldp, LdpProcess, ldp_process

WRITERS = 8


@dataclass
class Memory:
    """What one writer knows about its own resources: acknowledged values, and the one under way."""

    known: dict[str, int | None] = field(default_factory=dict)
    under_way: tuple[str, int | None] | None = None
    posted: dict[str, int] = field(default_factory=dict)


async def storm(ldp: Ldp, writer: int, memory: Memory, acknowledged: asyncio.Semaphore, seed: int) -> None:
    """Write until the server is gone."""
    chance = random.Random(f"{seed}/{writer}")
    number = 0
    while True:
        number += 1
        path = f"/w{writer}/{chance.randrange(5)}/{chance.randrange(5)}"
        act = chance.random()
        try:
            if act < 0.2:
                memory.under_way = (path, None)
                await ldp.send("DELETE", path)
                memory.known[path] = None
            elif act < 0.4:
                memory.under_way = None
                answer = await ldp.post("/posted/", f"<> <http://v/> {number} .", Slug=f"w{writer}")
                memory.posted[answer.headers["Location"].removeprefix(ldp.base)] = number
            else:
                memory.under_way = (path, number)
                await ldp.put(path, f"<> <http://v/> {number} .")
                memory.known[path] = number
        except aiohttp.ClientError:
            return
        acknowledged.release()


async def write_until_killed(process: LdpProcess, seed: int) -> list[Memory]:
    memories = [Memory() for _ in range(WRITERS)]
    acknowledged = asyncio.Semaphore(0)
    async with Ldp(process) as ldp:
        await ldp.put("/posted/", "")
        writers = [
            asyncio.create_task(storm(ldp, number, memory, acknowledged, seed))
            for number, memory in enumerate(memories)
        ]
        for _ in range(random.Random(seed).randrange(30, 400)):
            await acknowledged.acquire()
        process.process.kill()
        await asyncio.gather(*writers)
    return memories


async def value_of(ldp: Ldp, path: str) -> int | None:
    answer = await ldp.get(path, Accept="application/n-triples")
    return int(answer.body.decode().split('"')[1]) if answer.status == 200 else None


async def check(process: LdpProcess, memories: list[Memory]) -> None:
    async with Ldp(process) as ldp:
        for memory in memories:
            for path, known in memory.known.items():
                possible = {known}
                if memory.under_way is not None and memory.under_way[0] == path:
                    possible.add(memory.under_way[1])
                assert await value_of(ldp, path) in possible
            for path, number in memory.posted.items():
                assert await value_of(ldp, path) == number
        assert await ldp.check_listings() > 0
        listed = set(await ldp.members("/posted/"))
        assert listed >= {ldp.base + path for memory in memories for path in memory.posted}
        fresh = await ldp.post("/posted/", "")
        assert fresh.status == 201
        assert fresh.headers["Location"] not in listed


@pytest.mark.parametrize("seed", range(depth(2, 20)))
async def test_every_acknowledged_write_survives_a_kill(tmp_path: Path, seed: int) -> None:
    with ldp_process(tmp_path / "data") as process:
        memories = await write_until_killed(process, seed)
        process.kill()
    with ldp_process(tmp_path / "data", port=process.port) as again:
        assert again.base_url == process.base_url
        await check(again, memories)
    assert sum(len(memory.known) + len(memory.posted) for memory in memories) >= 10
