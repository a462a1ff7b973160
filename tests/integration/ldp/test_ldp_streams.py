"""One stream of events a client: in order, without gaps, and never at the cost of a writer."""

import asyncio
import random
from pathlib import Path

import aiohttp
import pytest

from ldp_server import MemoryStore, Settings, Store
from ldp_server.documents import Draft
from ldp_server.storage import Put
from tests.support.depth import depth
from tests.support.event_stream import EventStream, listening
from tests.support.ldp import Ldp, LdpProcess, ldp_process, running_ldp

PATIENCE_S = 60

FEED = "/.milepost/changes"


@pytest.fixture
def limits() -> Settings:
    return Settings(max_streams=3, max_topics=4, stream_pulse_s=600)


async def wait_for_room(ldp: Ldp) -> None:
    """Ask until the server takes one more stream."""
    async with asyncio.timeout(60):
        while (await ldp.send("HEAD", f"{FEED}?topic=/")).status != 200:
            pass


async def test_one_stream_tells_of_many_topics_in_order(ldp: Ldp) -> None:
    topics = f"topic=/c/&topic={ldp.base}/doc&topic=/later/"
    async with listening(ldp.base, f"{FEED}?{topics}") as stream:
        assert (stream.status, stream.headers["Content-Type"]) == (200, "text/event-stream")
        ready = await stream.next_event()
        assert (ready.kind, str(ready.data["sequence"])) == ("ready", ready.last_id)
        await ldp.put("/c/deep/er/x", "<> <http://v/> 1 .")
        await ldp.put("/other", "")
        await ldp.put("/docs", "")
        await ldp.put("/doc", "")
        changed = await ldp.put("/doc", "<> <http://v/> 1 .")
        await ldp.send("DELETE", "/c/deep/er/x")
        await ldp.post("/later/", "")
        await ldp.put("/later/", "")
        assert await stream.changes(6) == [
            ("Create", "/c/"),
            ("Create", "/c/deep/"),
            ("Create", "/c/deep/er/"),
            ("Create", "/c/deep/er/x"),
            ("Create", "/doc"),
            ("Update", "/doc"),
        ]
        assert changed.headers["ETag"].startswith(f'"{stream.last_id}-')
        assert await stream.changes(2) == [("Delete", "/c/deep/er/x"), ("Create", "/later/")]


async def test_who_resumes_gets_what_was_missed_once(ldp: Ldp) -> None:
    await ldp.put("/c/x", "")
    async with listening(ldp.base, f"{FEED}?topic=/c/") as stream:
        await stream.next_event()
        await ldp.put("/c/x", "<> <http://v/> 1 .")
        assert await stream.changes(1) == [("Update", "/c/x")]
        stream.tear()
    await ldp.put("/c/y/z", "")
    await ldp.put("/elsewhere", "")
    await ldp.send("DELETE", "/c/x")
    missed = [("Create", "/c/y/"), ("Create", "/c/y/z"), ("Delete", "/c/x")]
    target = f"{FEED}?topic=/c/&since=1"
    async with listening(ldp.base, target, last_id=stream.last_id) as resumed:
        assert (await resumed.next_event()).last_id == stream.last_id
        assert await resumed.changes(2) == missed[:2]
        await ldp.put("/c/later", "")
        assert await resumed.changes(2) == [missed[2], ("Create", "/c/later")]
    async with listening(ldp.base, f"{FEED}?topic=/c/&since={stream.last_id}") as afresh:
        await afresh.next_event()
        assert await afresh.changes(3) == missed


async def test_a_commit_that_is_torn_is_told_again_whole(ldp: Ldp) -> None:
    async with listening(ldp.base, f"{FEED}?topic=/a/") as stream:
        await stream.next_event()
        await ldp.put("/a/b/c", "")
        assert await stream.changes(1) == [("Create", "/a/")]
        stream.tear()
    async with listening(ldp.base, f"{FEED}?topic=/a/", last_id=stream.last_id) as resumed:
        await resumed.next_event()
        assert await resumed.changes(3) == [("Create", "/a/"), ("Create", "/a/b/"), ("Create", "/a/b/c")]


@pytest.mark.parametrize("last_id", ["0", "999999999999999999", "nonsense", "1" * 30])
async def test_who_resumes_from_elsewhere_is_told_to_read_anew(ldp: Ldp, last_id: str) -> None:
    await ldp.put("/c/x", "")
    async with listening(ldp.base, f"{FEED}?topic=/c/", last_id=last_id) as stream:
        assert (await stream.next_event()).kind == "ready"
        resync = await stream.next_event()
        assert (resync.kind, str(resync.data["sequence"])) == ("resync", resync.last_id)
        since = await ldp.get(f"/c/?since={resync.last_id}")
        assert since.status == 200
        await ldp.put("/c/y", "")
        assert await stream.changes(1) == [("Create", "/c/y")]


async def test_streams_are_limited_per_address_and_freed_when_they_are_torn(ldp: Ldp) -> None:
    target = f"{FEED}?topic=/"
    async with listening(ldp.base, target) as first, listening(ldp.base, target), listening(ldp.base, target):
        refused = await ldp.get(f"{FEED}?topic=/")
        assert (refused.status, refused.problem["code"]) == (429, "LDP063")
        assert int(refused.headers["Retry-After"]) > 0
        first.tear()
        await wait_for_room(ldp)
        async with listening(ldp.base, f"{FEED}?topic=/") as again:
            assert (await again.next_event()).kind == "ready"


async def test_a_stream_that_is_not_well_asked_for_is_refused(ldp: Ldp) -> None:
    asked = {
        FEED: 400,
        f"{FEED}?": 400,
        f"{FEED}?topic=": 400,
        f"{FEED}?topic=relative": 400,
        f"{FEED}?topic=http://elsewhere.example/c/": 400,
        f"{FEED}?topic=/a//b": 400,
        f"{FEED}?topic=/a/../b": 400,
        f"{FEED}?topic=/&since=x": 400,
        f"{FEED}?topic=/&since=1&since=2": 400,
        f"{FEED}?topic=/&other=1": 400,
        f"{FEED}?{'&'.join(f'topic=/{number}' for number in range(5))}": 400,
        f"{FEED}/x?topic=/": 404,
    }
    assert {target: (await ldp.get(target)).status for target in asked} == asked
    assert (await ldp.send("PUT", f"{FEED}?topic=/")).status == 403
    head = await ldp.send("HEAD", f"{FEED}?topic=/")
    assert (head.status, head.headers["Content-Type"]) == (200, "text/event-stream")
    assert (await ldp.send("OPTIONS", FEED)).headers["Allow"] == "GET, HEAD, OPTIONS"


async def test_a_quiet_stream_shows_that_it_lives_and_moves_on() -> None:
    store = MemoryStore(log_bytes=2000)
    async with running_ldp(store, settings=Settings(stream_pulse_s=0.01)) as server, Ldp(server) as ldp:
        async with listening(ldp.base, f"{FEED}?topic=/c/") as stream:
            await stream.next_event()
            before = int(stream.last_id)
            for number in range(50):
                await ldp.put(f"/busy/{number}", "")
            async with asyncio.timeout(PATIENCE_S):
                while int(stream.last_id) < store.log.sequence:
                    await stream.next_pulse()
            assert store.log.horizon > before
            stream.tear()
        await ldp.put("/c/x", "")
        async with listening(ldp.base, f"{FEED}?topic=/c/", last_id=stream.last_id) as resumed:
            await resumed.next_event()
            assert await resumed.changes(2) == [("Create", "/c/"), ("Create", "/c/x")]


async def flood(store: Store, rounds: int) -> None:
    """Commit changes whose events are long."""
    name = "/".join(["x" * 250] * 7)
    for number in range(rounds):
        await store.commit([Put(f"/c/{name}/{place}", Draft((b"",))) for place in range(50)])
        if number % 10 == 0:
            await asyncio.sleep(0)


async def test_a_client_that_does_not_read_holds_nobody_up_and_is_told_what_it_lost() -> None:
    store = MemoryStore(log_bytes=200_000)
    async with (
        running_ldp(store) as server,
        Ldp(server) as ldp,
        listening(ldp.base, f"{FEED}?topic=/", receive_buffer=4096) as slow,
        listening(ldp.base, f"{FEED}?topic=/seen") as quick,
    ):
        await slow.next_event()
        await quick.next_event()
        await flood(store, 200)
        await ldp.put("/seen", "")
        assert await quick.changes(1) == [("Create", "/seen")]
        last = int(slow.last_id)
        while (event := await slow.next_event()).kind == "message":
            last = int(event.last_id)
        assert event.kind == "resync"
        assert int(event.last_id) > last + 100
        await ldp.put("/end", "")
        while event.kind == "resync" or event.change != ("Create", "/end"):
            event = await slow.next_event()


async def test_a_client_that_never_reads_loses_its_stream() -> None:
    store = MemoryStore(log_bytes=50_000_000)
    settings = Settings(max_streams=1, unread_timeout_s=0.05)
    async with (
        running_ldp(store, settings=settings) as server,
        Ldp(server) as ldp,
        listening(ldp.base, f"{FEED}?topic=/", receive_buffer=4096) as slow,
    ):
        await slow.next_event()
        await flood(store, 200)
        await wait_for_room(ldp)
        heard: list[str] = []
        await heard_until_torn(slow, heard, asyncio.Event(), 0)
        assert len(heard) < 10_000


async def test_streams_end_with_the_server() -> None:
    store = MemoryStore()
    async with running_ldp(store, settings=Settings(stop_timeout_s=30)) as server:
        opened = [listening(server.base_url.rstrip("/"), f"{FEED}?topic=/") for _ in range(3)]
        streams = [await stream.__aenter__() for stream in opened]
        for stream in streams:
            await stream.next_event()
        await store.commit([Put("/last", Draft((b"",)))])
        for stream in streams:
            assert await stream.changes(1) == [("Create", "/last")]
    for stream, holder in zip(streams, opened, strict=True):
        with pytest.raises(EOFError):
            await stream.next_event()
        await holder.__aexit__(None, None, None)


async def write_on(process: LdpProcess, written: list[str]) -> None:
    """Create documents until the server is gone, and note those that it acknowledged."""
    async with Ldp(process) as ldp:
        while True:
            path = f"/c/{len(written)}"
            try:
                answer = await ldp.put(path, "<> <http://v/> 1 .")
            except aiohttp.ClientError:
                return
            assert answer.status == 201
            written.append(path)


async def heard_until_torn(stream: EventStream, heard: list[str], enough: asyncio.Event, count: int) -> None:
    while True:
        try:
            event = await stream.next_event()
        except (EOFError, ConnectionError, asyncio.IncompleteReadError):
            return
        if event.kind == "message":
            heard.append(event.change[1])
        if len(heard) >= count:
            enough.set()


@pytest.mark.parametrize("seed", range(depth(1, 20)))
async def test_a_stream_goes_on_after_the_server_was_killed(tmp_path: Path, seed: int) -> None:
    written: list[str] = []
    heard: list[str] = []
    enough = asyncio.Event()
    with ldp_process(tmp_path / "data") as process:
        base = process.base_url.rstrip("/")
        async with listening(base, f"{FEED}?topic=/c/") as stream:
            await stream.next_event()
            count = random.Random(seed).randrange(20, 200)
            async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
                tasks.create_task(write_on(process, written))
                tasks.create_task(heard_until_torn(stream, heard, enough, count))
                await enough.wait()
                process.kill()
    with ldp_process(tmp_path / "data", port=process.port):
        async with listening(base, f"{FEED}?topic=/c/", last_id=stream.last_id) as resumed:
            async with Ldp(process) as ldp:
                await ldp.put("/c/end", "")
            assert (await resumed.next_event()).kind == "ready"
            while heard[-1:] != ["/c/end"]:
                heard.append((await resumed.next_event()).change[1])
    assert heard[0] == "/c/"
    known = [path for path in heard[1:-1] if path in written]
    assert known == written
    assert len(heard) <= len(written) + 3
