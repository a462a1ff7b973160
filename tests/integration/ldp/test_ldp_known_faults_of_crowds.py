"""Faults under many members, many clients and many writes that other servers had, each named by its public issue."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence

import pytest

from ldp_server import MemoryStore, RunningServer, Settings, Store
from tests.support.depth import DEEP, depth
from tests.support.event_stream import listening
from tests.support.ldp import Ldp
from tests.support.ldp_wire import Wire, wires

PLAIN = "application/n-triples"
MINIMAL = 'return=representation; include="http://www.w3.org/ns/ldp#PreferMinimalContainer"'
CONTAINS = b"<http://www.w3.org/ns/ldp#contains>"


@pytest.fixture
def limits() -> Settings:
    return Settings(max_connections=1100)


@pytest.fixture
async def ldp(server: RunningServer) -> AsyncIterator[Ldp]:
    async with Ldp(server) as client:
        yield client


async def in_turn(wire: Wire, method: str, paths: Sequence[str], expected: int) -> None:
    for path in paths:
        answer = await wire.send(method, path, Content_Type="text/turtle")
        assert answer.status == expected, (method, path, answer)


async def by_all(crowd: Sequence[Wire], method: str, paths: Sequence[str], expected: int) -> None:
    """Share requests out among the clients of a crowd."""
    step = len(crowd)
    await asyncio.gather(
        *(in_turn(wire, method, paths[start::step], expected) for start, wire in enumerate(crowd))
    )


async def test_writers_in_one_container_leave_it_readable_all_the_while(
    server: RunningServer, ldp: Ldp
) -> None:
    """CommunitySolidServer #2185: writes at once doubled a triple of their container, which answered 500 from then on."""
    finished = asyncio.Event()
    looks = 0

    async def read(wire: Wire) -> None:
        nonlocal looks
        while not finished.is_set():
            answer = await wire.send("GET", "/c/", Accept=PLAIN)
            lines = answer.body.splitlines()
            assert (answer.status, len(set(lines))) == (200, len(lines))
            looks += 1

    async def write(crowd: Sequence[Wire]) -> None:
        for _ in range(depth(3, 100)):
            paths = [f"/c/{number}" for number in range(64)]
            await by_all(crowd, "PUT", paths, 201)
            await by_all(crowd, "DELETE", paths[::2], 204)
            assert await ldp.members("/c/") == sorted(f"{ldp.base}{path}" for path in paths[1::2])
            await by_all(crowd, "DELETE", paths[1::2], 204)
        finished.set()

    await ldp.put("/c/", "<> <http://v/> 1 .")
    async with wires(server, 65) as [reader, *crowd]:
        await asyncio.gather(read(reader), write(crowd))
    assert looks > 0
    assert await ldp.members("/c/") == []


async def test_a_container_with_very_many_members_answers_and_keeps_nobody_waiting(
    server: RunningServer, ldp: Ldp, store: Store
) -> None:
    """CommunitySolidServer #332 (300,000 files: no answer) and fcrepo #839 (over 1,000 children: minutes).

    While the listing is written, others are answered (a small one may be ready before: only ``make deep`` asks); members come, go and are read as in a small container.
    """
    count = depth(2_000 if isinstance(store, MemoryStore) else 500, 100_000)
    paths = [f"/c/{number:06}" for number in range(count)]
    async with wires(server, 64) as crowd:
        await by_all(crowd, "PUT", paths, 201)
        order: list[str] = []

        async def listing(syntax: str) -> None:
            answer = await ldp.get("/c/", Accept=syntax)
            assert (answer.status, answer.body.count(b"/c/0")) == (200, count)
            order.append("listing")

        async def others() -> None:
            for path in paths[:: count // 20]:
                assert (await crowd[0].send("GET", path)).status == 200
                order.append("other")

        await asyncio.gather(listing("text/turtle"), listing("application/ld+json"), others())
        assert not DEEP or order.index("other") < order.index("listing")
        first = await crowd[1].send("GET", "/c/", Accept=PLAIN)
        assert first.body.count(CONTAINS) == count
        assert (await crowd[1].send("GET", "/c/", Accept=PLAIN, If_None_Match=first.tag)).status == 304
        assert (await crowd[1].send("GET", "/c/", Prefer=MINIMAL)).body.count(b"/c/0") == 0
        await in_turn(crowd[1], "DELETE", paths[:10], 204)
        changes = await ldp.get("/c/?since=" + first.tag.strip('"').partition("-")[0])
        assert changes.body.count(b"Delete") == 10
        assert len(await ldp.members("/c/")) == count - 10


async def test_a_thousand_readers_at_once_get_all_of_it(server: RunningServer, ldp: Ldp) -> None:
    """CommunitySolidServer #1843 and #681: readers of one resource locked each other out, or got half of it after a 200."""
    readers = depth(100, 1000)
    turtle = "<> " + " ; ".join(f"<http://v/{number}> '{'x' * 100}'" for number in range(300)) + " ."
    content = bytes(range(251)) * 400
    await ldp.put("/doc", turtle)
    await ldp.put("/content", content, "a/b")
    expected = (await ldp.get("/doc", Accept=PLAIN)).body
    assert len(expected) > 30_000

    async def read(wire: Wire, number: int) -> None:
        path, body = (("/doc", expected), ("/content", content))[number % 2]
        answer = await wire.send("GET", path, Accept=PLAIN if path == "/doc" else "a/b")
        assert (answer.status, answer.body == body) == (200, True)

    async with wires(server, readers) as crowd:
        for _ in range(2):
            await asyncio.gather(*map(read, crowd, range(readers)))


async def test_a_sum_that_patches_add_to_at_once_is_right(ldp: Ldp) -> None:
    """node-solid-server #1105 and #1106: a patch read, changed and wrote, and another one came between and was lost."""
    clients = depth(40, 200)
    add_one = (
        b"DELETE { ?it <http://v/> ?old } INSERT { ?it <http://v/> ?new }"
        b" WHERE { ?it <http://v/> ?old BIND (?old + 1 AS ?new) }"
    )
    await ldp.put("/sum", "<#it> <http://v/> 0 .")
    answers = await asyncio.gather(
        *(
            ldp.send("PATCH", "/sum", add_one, **{"Content-Type": "application/sparql-update"})
            for _ in range(clients)
        )
    )
    assert {answer.status for answer in answers} == {204}
    expected = ldp.triples(f"<{ldp.base}/sum#it> <http://v/> {clients} .")
    assert ldp.graph(await ldp.get("/sum")) == expected


async def test_a_child_that_appears_by_put_or_patch_is_told_to_who_watches_the_container(ldp: Ldp) -> None:
    """node-solid-server #1497: only children made by POST were told."""

    async def told(since: str) -> set[str]:
        answer = await ldp.get(f"/c/?since={since}", Accept=PLAIN)
        assert answer.status == 200
        return set(re.findall(r"#object> <([^>]*)>", answer.body.decode()))

    names = ("put", "deep/", "content", "patch", "post")
    await ldp.put("/c/", "")
    now = (await ldp.get("/c/")).headers["ETag"].strip('"').partition("-")[0]
    async with listening(ldp.base, "/.milepost/changes?topic=/c/") as stream:
        await stream.next_event()
        await ldp.put("/c/put", "")
        await ldp.put("/c/deep/er/doc", "")
        await ldp.put("/c/content", b"x", "a/b")
        insert = b"INSERT DATA { <> <http://v/> 1 }"
        await ldp.send("PATCH", "/c/patch", insert, **{"Content-Type": "application/sparql-update"})
        await ldp.post("/c/", "", Slug="post")
        changes = await stream.changes(7)
    created = ("put", "deep/", "deep/er/", "deep/er/doc", "content", "patch", "post")
    assert changes == [("Create", f"/c/{name}") for name in created]
    assert await told(now) == {f"{ldp.base}/c/{name}" for name in names}
