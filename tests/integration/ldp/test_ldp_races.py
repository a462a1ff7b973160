"""Many clients at once, over real sockets: no update is lost, no tag is given twice, listings stay true."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ldp_server import MemoryStore, open_sqlite_store
from tests.support.depth import depth
from tests.support.ldp import Ldp, running_ldp

RIVALS = 8


@pytest.fixture(params=["memory", "sqlite"])
async def ldp(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ldp]:
    store = MemoryStore() if request.param == "memory" else open_sqlite_store(tmp_path / "data")
    async with running_ldp(store) as server, Ldp(server) as client:
        yield client
        await client.check_listings()


def value(number: int) -> str:
    return f"<> <http://v/> {number} ."


async def statuses(*rivals: "asyncio.Future[int] | asyncio.Task[int]") -> list[int]:
    return sorted(await asyncio.gather(*rivals))


async def test_of_rivals_with_the_same_tag_exactly_one_wins(ldp: Ldp) -> None:
    tag = (await ldp.put("/c/x", value(0))).headers["ETag"]
    for trial in range(depth(15, 1000)):
        answers = await asyncio.gather(
            *(ldp.put("/c/x", value(100 * trial + rival), **{"If-Match": tag}) for rival in range(RIVALS))
        )
        assert sorted(answer.status for answer in answers) == [204] + [412] * (RIVALS - 1)
        winner = next(rival for rival, answer in enumerate(answers) if answer.status == 204)
        tag = answers[winner].headers["ETag"]
        read = await ldp.get("/c/x")
        assert (read.headers["ETag"], ldp.graph(read)) == (
            tag,
            ldp.triples(f"<{ldp.base}/c/x> <http://v/> {100 * trial + winner} ."),
        )


async def test_of_rivals_that_create_exactly_one_does(ldp: Ldp) -> None:
    for trial in range(depth(15, 1000)):
        path = f"/new/{trial}/deep"
        answers = await asyncio.gather(
            *(ldp.put(path, value(rival), **{"If-None-Match": "*"}) for rival in range(RIVALS))
        )
        assert sorted(answer.status for answer in answers) == [201] + [412] * (RIVALS - 1)
        winner = next(rival for rival, answer in enumerate(answers) if answer.status == 201)
        assert ldp.graph(await ldp.get(path)) == ldp.triples(f"<{ldp.base}{path}> <http://v/> {winner} .")


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


async def test_a_crowd_that_puts_and_deletes_leaves_a_true_listing(ldp: Ldp) -> None:
    chance = random.Random(7)
    expected: dict[str, bool] = {}
    for _ in range(depth(3, 100)):
        calls = []
        for number in range(64):
            path = f"/crowd/{number}"
            expected[path] = chance.random() < 0.5
            calls.append(ldp.put(path, value(number)) if expected[path] else ldp.send("DELETE", path))
        answers = await asyncio.gather(*calls)
        assert {answer.status for answer in answers} <= {201, 204, 404}
        present = sorted(ldp.base + path for path, is_there in expected.items() if is_there)
        assert await ldp.members("/crowd/") == present


async def test_posts_at_once_get_names_of_their_own(ldp: Ldp) -> None:
    await ldp.put("/c/", "")
    answers = await asyncio.gather(
        *(ldp.post("/c/", value(number), **({"Slug": "same"} if number % 2 else {})) for number in range(64))
    )
    places = {answer.headers["Location"] for answer in answers}
    assert ({answer.status for answer in answers}, len(places)) == ({201}, 64)
    assert set(await ldp.members("/c/")) == places


async def test_no_tag_is_ever_given_twice(ldp: Ldp) -> None:
    tags = []
    for number in range(300):
        tags.append((await ldp.put("/x", value(number % 2))).headers["ETag"])
        if number % 50 == 0:
            await ldp.send("DELETE", "/x")
    assert len(set(tags)) == 300


async def test_no_increment_is_lost(ldp: Ldp) -> None:
    """Each client reads, adds one and writes under If-Match until it succeeds."""
    await ldp.put("/sum", "<> <http://v/> 0 .")

    async def add_one() -> None:
        for _ in range(10_000):
            read = await ldp.get("/sum", Accept="application/n-triples")
            number = int(read.body.decode().split('"')[1])
            written = await ldp.put("/sum", value(number + 1), **{"If-Match": read.headers["ETag"]})
            if written.status == 204:
                return
        raise AssertionError("gave up")

    clients = depth(20, 200)
    await asyncio.gather(*(add_one() for _ in range(clients)))
    assert f'"{clients}"' in (await ldp.get("/sum", Accept="application/n-triples")).body.decode()


async def test_a_304_is_never_given_for_a_body_that_changed(ldp: Ldp) -> None:
    """A reader revalidates while a writer writes; what a tag was once shown with, it is always shown with."""
    await ldp.put("/c/x", value(0))
    finished = asyncio.Event()
    shown: dict[tuple[str, str], bytes] = {}
    checked = 0

    async def write() -> None:
        for number in range(depth(100, 1000)):
            await ldp.put("/c/x", value(number))
            await (ldp.put(f"/c/{number}", "") if number % 2 == 0 else ldp.send("DELETE", f"/c/{number - 1}"))
        finished.set()

    async def read(path: str) -> None:
        nonlocal checked
        tag = '"none"'
        while not finished.is_set():
            answer = await ldp.get(path, **{"If-None-Match": tag})
            tag = answer.headers["ETag"]
            if answer.status == 200:
                assert shown.setdefault((path, tag), answer.body) == answer.body
                checked += 1
            else:
                assert (path, tag) in shown

    await asyncio.gather(write(), read("/c/x"), read("/c/"), read("/c/x"), read("/c/"))
    assert checked > 4
    for path in ("/c/x", "/c/"):
        last = await ldp.get(path)
        assert shown.get((path, last.headers["ETag"]), last.body) == last.body
