"""The server is killed in a storm of requests: what it accepted happens, and nothing happens twice."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

import aiohttp
import pytest

from tests.support.command_line import start_milepost
from tests.support.depth import depth
from tests.support.ldp import Ldp, LdpProcess
from tests.support.scheduling import LIMIT_S, PREFIXES, Bench, RecordingService, order, recording_service

METHODS = {"once": "POST", "put": "PUT", "post": "POST"}
"""Schedulers by name: of a service that honours keys, of idempotent requests, and of others."""
WRITERS = 6


@dataclass
class Storm:
    accepted: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in METHODS})
    answered: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))


@dataclass(frozen=True, slots=True)
class Served:
    bench: Bench
    process: "Popen[str]"


@asynccontextmanager
async def served(folder: Path, service: RecordingService, port: int = 0) -> AsyncIterator[Served]:
    """Run ``milepost serve`` in a process of its own, and kill it in the end."""
    process = start_milepost("serve", "--data", "data", "--port", str(port), cwd=folder)
    try:
        assert process.stdout is not None
        line = await asyncio.to_thread(process.stdout.readline)
        async with Ldp(LdpProcess(line.split()[1].rstrip(","), process)) as ldp:
            yield Served(Bench(ldp, service), process)
    finally:
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.communicate)


async def _write(bench: Bench, writer: int, storm: Storm, seed: int) -> None:
    chance = random.Random(f"{seed}/{writer}")
    for number in range(10_000):
        name = chance.choice(list(METHODS))
        key = f"w{writer}-{number}"
        text = order(f"{bench.service.base}{name}/{key}", method=METHODS[name], body=key)
        try:
            answer = await bench.ldp.put(f"/schedulers/{name}/queue/{key}", text, Prefer="respond-async")
        except aiohttp.ClientError:
            return
        assert answer.status == 202
        storm.accepted[name].add(key)
        storm.answered.release()


async def _storm(server: Served, seed: int) -> Storm:
    """Let many write until the server is killed, and return what it had accepted."""
    bench = server.bench
    for name in METHODS:
        honours = "; sched:honoursIdempotencyKey true" if name == "once" else ""
        assert (await bench.create(name, path=f"{name}/", capacity=2, more=honours)).status == 201
    storm = Storm()
    writers = [asyncio.create_task(_write(bench, number, storm, seed)) for number in range(WRITERS)]
    for _ in range(random.Random(seed).randrange(10, 120)):
        await storm.answered.acquire()
    server.process.send_signal(signal.SIGKILL)
    await asyncio.gather(*writers)
    return storm


async def _settled(bench: Bench) -> dict[str, dict[str, str]]:
    async with asyncio.timeout(LIMIT_S):
        while True:
            statuses = {name: await bench.statuses(name) for name in METHODS}
            if not {"Pending", "Running"} & {s for queue in statuses.values() for s in queue.values()}:
                return statuses
            await asyncio.sleep(0.05)


async def _retry(bench: Bench, key: str) -> None:
    path = f"/schedulers/post/queue/{key}"
    seen = await bench.ldp.get(path)
    text = f"{PREFIXES}<> sched:status sched:Pending ."
    assert (await bench.ldp.put(path, text, **{"If-Match": seen.headers["ETag"]})).status == 202
    await bench.wait_until("post", key, "Done")


@pytest.mark.parametrize("seed", range(depth(3, 25)))
async def test_what_was_accepted_before_a_kill_is_done_once_or_known_to_be_uncertain(
    tmp_path: Path, seed: int
) -> None:
    async with recording_service() as service:
        service.takes_s = 0.02
        async with served(tmp_path, service) as first:
            storm = await _storm(first, seed)
            port = int(first.bench.ldp.base.rpartition(":")[2])
        async with served(tmp_path, service, port) as again:
            statuses = await _settled(again.bench)

            for name in METHODS:
                assert statuses[name].keys() >= storm.accepted[name]
            assert set(statuses["once"].values()) | set(statuses["put"].values()) <= {"Done"}
            assert {service.executed[key] for key in statuses["once"]} <= {1}
            assert {service.executed[f"/put/{key}"] for key in statuses["put"]} <= {1}
            sent = Counter(call.key for call in service.calls if call.path.startswith("/post/"))
            done = {key for key, status in statuses["post"].items() if status == "Done"}
            uncertain = {key for key, status in statuses["post"].items() if status == "Uncertain"}
            assert done | uncertain == statuses["post"].keys()
            assert len(uncertain) <= 2
            assert max(sent.values()) == 1
            assert all(sent[key] == 1 for key in done)
            for key in uncertain:
                await _retry(again.bench, key)
