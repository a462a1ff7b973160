"""Many clients at once, over real sockets: no update is lost, no tag is given twice, listings stay true."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from ldp_server import MemoryStore, RunningServer, Store
from tests.support.depth import DEEP, depth
from tests.support.ldp import Ldp, running_ldp
from tests.support.ldp_wire import Wire, WireAnswer, wires

RIVALS = 8


@pytest.fixture
async def server(store: Store) -> AsyncIterator[RunningServer]:
    async with running_ldp(store) as running, Ldp(running) as client:
        yield running
        await client.check_listings()


@pytest.fixture
async def ldp(server: RunningServer) -> AsyncIterator[Ldp]:
    async with Ldp(server) as client:
        yield client


def trials(store: Store, sample: int = 100) -> int:
    """Return how often to try: where each write is flushed, a tenth of the sample."""
    return 1000 if DEEP else sample if isinstance(store, MemoryStore) else sample // 10


def value(number: int) -> str:
    return f"<> <http://v/> {number} ."


def number_in(answer: WireAnswer) -> int:
    return int(answer.body.split(b'"')[1])


async def read(wire: Wire, path: str) -> WireAnswer:
    return await wire.send("GET", path, Accept="application/n-triples")


def winner_of(answers: list[WireAnswer], success: int) -> int:
    """Assert that one of the rivals had success and all others failed the precondition, and return who."""
    assert sorted(answer.status for answer in answers) == [success] + [412] * (RIVALS - 1)
    return next(rival for rival, answer in enumerate(answers) if answer.status == success)


async def test_of_rivals_with_the_same_tag_exactly_one_wins(server: RunningServer, store: Store) -> None:
    async with wires(server, RIVALS) as rivals:
        tag = (await rivals[0].put("/c/x", value(0))).tag
        for trial in range(trials(store)):
            answers = await asyncio.gather(
                *(
                    wire.put("/c/x", value(100 * trial + rival), If_Match=tag)
                    for rival, wire in enumerate(rivals)
                )
            )
            winner = winner_of(answers, 204)
            shown = await read(rivals[0], "/c/x")
            assert number_in(shown) == 100 * trial + winner
            tag = answers[winner].tag
            assert shown.tag == tag.replace("-ttl", "-nt")


async def test_of_rivals_that_create_exactly_one_does(server: RunningServer, store: Store) -> None:
    async with wires(server, RIVALS) as rivals:
        for trial in range(trials(store)):
            path = f"/new/{trial % 10}/{trial}"
            answers = await asyncio.gather(
                *(wire.put(path, value(rival), If_None_Match="*") for rival, wire in enumerate(rivals))
            )
            assert number_in(await read(rivals[0], path)) == winner_of(answers, 201)


async def test_of_rivals_that_create_large_content_exactly_one_does_and_leaves_one_file(
    server: RunningServer, store: Store
) -> None:
    size = 70_000
    async with wires(server, RIVALS) as rivals:
        for trial in range(trials(store, 10)):
            path = f"/big/{trial}"
            answers = await asyncio.gather(
                *(
                    wire.send("PUT", path, bytes([rival]) * size, Content_Type="a/b", If_None_Match="*")
                    for rival, wire in enumerate(rivals)
                )
            )
            shown = await rivals[0].send("GET", path)
            assert shown.body == bytes([winner_of(answers, 201)]) * size
            assert shown.tag == next(answer.tag for answer in answers if answer.status == 201)
        for _ in range(1000):
            if len(list(store.contents.folder.iterdir())) == trials(store, 10):
                break
            await rivals[0].send("GET", "/")
        assert len(list(store.contents.folder.iterdir())) == trials(store, 10)


async def test_a_document_and_a_container_of_one_name_race_and_one_wins(ldp: Ldp) -> None:
    for trial in range(depth(10, 300)):
        answers = await asyncio.gather(
            ldp.put(f"/t/{trial}", ""), ldp.put(f"/t/{trial}/", ""), ldp.put(f"/t/{trial}/below", "")
        )
        created = [answer.status == 201 for answer in answers]
        assert created in (
            [True, False, False],
            [False, True, True],
            [False, False, True],
            [False, True, False],
        )
        reads = [(await ldp.get(f"/t/{trial}{end}")).status for end in ("", "/")]
        assert sorted(reads) == [200, 404]


async def test_a_crowd_that_puts_and_deletes_leaves_a_true_listing(
    server: RunningServer, ldp: Ldp, store: Store
) -> None:
    chance = random.Random(7)
    async with wires(server, depth(16, 64)) as crowd:
        for _ in range(trials(store, 100)):
            stays = [chance.random() < 0.5 for _ in crowd]
            answers = await asyncio.gather(
                *(
                    wire.put(f"/crowd/{number}", value(number))
                    if stays[number]
                    else wire.send("DELETE", f"/crowd/{number}")
                    for number, wire in enumerate(crowd)
                )
            )
            for answer, stayed in zip(answers, stays, strict=True):
                assert answer.status in ({201, 204} if stayed else {204, 404})
            present = sorted(f"{ldp.base}/crowd/{number}" for number, stayed in enumerate(stays) if stayed)
            assert await ldp.members("/crowd/") == present


async def test_posts_at_once_get_names_of_their_own(ldp: Ldp) -> None:
    await ldp.put("/c/", "")
    answers = await asyncio.gather(
        *(ldp.post("/c/", value(number), **({"Slug": "same"} if number % 2 else {})) for number in range(64))
    )
    places = {answer.headers["Location"] for answer in answers}
    assert ({answer.status for answer in answers}, len(places)) == ({201}, 64)
    assert set(await ldp.members("/c/")) == places


async def test_no_tag_is_ever_given_twice(server: RunningServer, store: Store) -> None:
    """Two bodies alternate, so a tag made of the bytes or of a clock would come again."""
    tags = set()
    async with wires(server, 1) as [wire]:
        for number in range(trials(store)):
            tags.add((await wire.put("/x", value(number % 2))).tag)
            if number % 10 == 0:
                await wire.send("DELETE", "/x")
    assert len(tags) == trials(store)


async def test_no_increment_is_lost(server: RunningServer, store: Store) -> None:
    """Each client reads, adds one and writes under If-Match until it succeeds."""
    clients = depth(10, 100)

    async def add_one(wire: Wire) -> None:
        for _ in range(10_000):
            shown = await read(wire, "/sum")
            written = await wire.put("/sum", value(number_in(shown) + 1), If_Match=shown.tag)
            if written.status == 204:
                return
        raise AssertionError("gave up")

    async with wires(server, clients) as crowd:
        await crowd[0].put("/sum", value(0))
        await asyncio.gather(*map(add_one, crowd))
        assert number_in(await read(crowd[0], "/sum")) == clients


async def test_a_304_is_never_given_for_a_body_that_changed(server: RunningServer, store: Store) -> None:
    """Readers revalidate while a writer writes; what a tag was once shown with, it is always shown with."""
    finished = asyncio.Event()
    shown: dict[tuple[str, str], bytes] = {}
    statuses = []

    async def write(wire: Wire) -> None:
        for number in range(trials(store)):
            await wire.put("/c/x", value(number))
            await (
                wire.put(f"/c/{number}", "") if number % 2 == 0 else wire.send("DELETE", f"/c/{number - 1}")
            )
            await wire.send("PUT", "/c/b", bytes([number % 256]), Content_Type="a/b")
        finished.set()

    async def revalidate(wire: Wire, path: str) -> None:
        tag = '"none"'
        while not finished.is_set():
            answer = await wire.send("GET", path, If_None_Match=tag)
            statuses.append(answer.status)
            tag = answer.tag
            if answer.status == 200:
                assert shown.setdefault((path, tag), answer.body) == answer.body
            else:
                assert (path, tag) in shown

    paths = ["/c/x", "/c/", "/c/b"]
    async with wires(server, 5) as [writer, *readers]:
        await writer.put("/c/x", value(-1))
        await writer.send("PUT", "/c/b", b"", Content_Type="a/b")
        await asyncio.gather(write(writer), *map(revalidate, readers, [*paths, "/c/"]))
        assert statuses.count(200) > 8
        for path in paths:
            last = await readers[0].send("GET", path)
            assert shown.setdefault((path, last.tag), last.body) == last.body
            again = await readers[0].send("GET", path, If_None_Match=last.tag)
            assert (again.status, again.tag) == (304, last.tag)
