"""The resources of a scheduler as any Linked Data client meets them, polite or hostile."""

import asyncio
import random

import pytest

from tests.support.depth import depth
from tests.support.scheduling import PREFIXES, order, scheduling

AT_ONCE = "respond-async"


@pytest.mark.parametrize("page", ["", "policy", "queue/", "queue/waiting", "decisions/", "decisions/1"])
async def test_every_page_is_one_graph_in_every_syntax_with_a_tag_that_holds(page: str) -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.gate.clear()
        await bench.send("e", "first", Prefer=AT_ONCE)
        await bench.service.wait_for(1)
        await bench.send("e", "waiting", Prefer=AT_ONCE)
        path = f"/schedulers/e/{page}"

        graphs = []
        for media_type in ("text/turtle", "application/n-triples", "application/ld+json"):
            answer = await bench.ldp.get(path, Accept=media_type)
            again = await bench.ldp.get(path, Accept=media_type, **{"If-None-Match": answer.headers["ETag"]})
            assert (answer.status, again.status) == (200, 304)
            assert not answer.headers["ETag"].startswith("W/")
            graphs.append(bench.ldp.graph(answer))

        assert graphs[0] == graphs[1] == graphs[2]


async def test_the_page_of_a_scheduler_can_be_put_back_with_a_change() -> None:
    async with scheduling() as bench:
        await bench.create("e", capacity=1, more='; <http://example.org/note> "kept"')
        bench.service.gate.clear()
        page = await bench.ldp.get("/schedulers/e/", Accept="application/n-triples")
        wider = page.body.replace(b'capacity> "1"', b'capacity> "2"')

        put = await bench.ldp.put(
            "/schedulers/e/", wider, "application/n-triples", **{"If-Match": page.headers["ETag"]}
        )
        stale = await bench.ldp.put(
            "/schedulers/e/", wider, "application/n-triples", **{"If-Match": page.headers["ETag"]}
        )
        for key in ("a", "b", "c"):
            await bench.send("e", key, Prefer=AT_ONCE)
        await bench.service.wait_for(2)

        assert (put.status, stale.status) == (204, 412)
        assert b'"kept"' in (await bench.ldp.get("/schedulers/e/")).body
        assert sorted((await bench.statuses("e")).values()) == ["Pending", "Running", "Running"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/schedulers/e/queue/", 405),
        ("DELETE", "/schedulers/e/queue/k", 405),
        ("POST", "/schedulers/e/decisions/", 405),
        ("PUT", "/schedulers/e/decisions/1", 405),
        ("DELETE", "/schedulers/e/policy", 405),
        ("POST", "/schedulers/", 405),
        ("PUT", "/schedulers/e/other", 403),
        ("PUT", "/schedulers/e/queue/k/below", 403),
        ("PUT", "/schedulers/none/queue/k", 404),
        ("POST", "/schedulers/none/queue/", 404),
    ],
)
async def test_what_the_server_keeps_itself_cannot_be_written(method: str, path: str, status: int) -> None:
    async with scheduling() as bench:
        await bench.create("e")
        await bench.send("e", "k")
        before = await bench.ldp.check_listings("/schedulers/")

        answer = await bench.ldp.send(
            method, path, order(bench.service.base + "shop/").encode(), **{"Content-Type": "text/turtle"}
        )

        assert (answer.status, answer.problem["status"]) == (status, status)
        assert await bench.ldp.check_listings("/schedulers/") == before


@pytest.mark.parametrize(
    ("description", "named"),
    [
        (
            "<#it> a sched:SchedulerProxy ; sched:forService <http://127.0.0.1:1/> ; sched:capacity 1 .",
            "responseTime",
        ),
        ("<#it> a sched:SchedulerProxy ; sched:capacity 1 ; sched:responseTime 1 .", "forService"),
        (
            "<#it> a sched:SchedulerProxy ; sched:forService <http://127.0.0.1:1/> ; sched:capacity 0 ; sched:responseTime 1 .",
            "capacity",
        ),
        ("<#other> a sched:SchedulerProxy .", "SchedulerProxy"),
    ],
)
async def test_an_unusable_description_is_refused_with_the_property_that_is_wrong(
    description: str, named: str
) -> None:
    async with scheduling() as bench:
        answer = await bench.ldp.put("/schedulers/e/", PREFIXES + description)

        assert answer.status == 422
        assert named in str(answer.problem["detail"])
        assert "/schedulers/e/#it" in str(answer.problem["detail"])
        assert (await bench.ldp.get("/schedulers/e/")).status == 404


@pytest.mark.parametrize(
    "uri",
    [
        "http://127.0.0.1:1/",
        "BASEshopping",
        "BASEshop/../secret",
        "BASEshop/%2e%2e/secret",
        "BASE",
        "mailto:a@b",
    ],
)
async def test_a_scheduler_sends_to_its_service_and_nowhere_else(uri: str) -> None:
    async with scheduling() as bench:
        await bench.create("e")

        answer = await bench.ldp.post("/schedulers/e/queue/", order(uri.replace("BASE", bench.service.base)))

        assert (answer.status, answer.problem["code"]) == (422, "SCH031")
        assert bench.service.calls == []


async def test_a_request_that_is_too_large_is_refused() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        text = order(bench.service.base + "shop/", body="x" * 300_000)

        answer = await bench.ldp.put("/schedulers/e/queue/k", text)

        assert (answer.status, answer.problem["code"]) == (413, "SCH032")
        assert await bench.statuses("e") == {}


def _mangled(text: str, chance: random.Random) -> bytes:
    body = bytearray(text.encode())
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(body))
        match chance.randrange(3):
            case 0:
                body[at] = chance.randrange(256)
            case 1:
                del body[at : at + chance.randrange(1, 30)]
            case _:
                body[at:at] = chance.choice(
                    [b"<", b'"', b"[] ", b"( 1 ) ", b"\x00", b"http:mthd ", b"; a <x> "]
                )
    return bytes(body)


async def test_hostile_bodies_make_no_fault_and_lose_nothing() -> None:
    async with scheduling() as bench:
        await bench.create("e", capacity=4)
        chance = random.Random(7)
        good = {f"good{number}" for number in range(20)}
        bodies = [order(bench.service.base + "shop/"), f"{PREFIXES}<> sched:status sched:Pending ."]
        attackers = asyncio.Semaphore(50)

        async def attack(number: int) -> int:
            async with attackers:
                return await send(number)

        async def send(number: int) -> int:
            path = f"/schedulers/e/{chance.choice(['queue/', 'queue/good1', f'queue/bad{number}', 'policy', ''])}"
            method = "POST" if path.endswith("queue/") else "PUT"
            answer = await bench.ldp.send(
                method,
                path,
                _mangled(chance.choice(bodies), chance),
                **{
                    "Content-Type": "text/turtle",
                    "Prefer": chance.choice(["respond-async", "wait=x", ",;="]),
                },
            )
            return answer.status

        statuses = await asyncio.gather(*(attack(number) for number in range(depth(150, 3000))))
        await asyncio.gather(*(bench.send("e", key) for key in good))

        assert max(statuses) < 500
        for key in good:
            await bench.wait_until("e", key, "Done")


async def test_what_is_on_its_way_keeps_its_slot_and_its_service_when_the_scheduler_is_described_anew() -> (
    None
):
    async with scheduling() as bench:
        await bench.create("e", capacity=2)
        bench.service.gate.clear()
        for key in ("a", "b", "c", "d"):
            await bench.send("e", key, Prefer="respond-async")
        await bench.service.wait_for(2)

        lowered = await bench.create("e", capacity=1)
        moved = await bench.create("e", path="elsewhere/")
        statuses = await bench.statuses("e")
        bench.service.gate.set()
        await bench.wait_until("e", "d", "Done")

        assert (lowered.status, moved.status, moved.problem["code"]) == (204, 409, "SCH033")
        assert statuses == {"a": "Running", "b": "Running", "c": "Pending", "d": "Pending"}
        assert (bench.service.most_busy, [call.body for call in bench.service.calls[2:]]) == (2, ["c", "d"])


async def test_the_idempotency_key_is_the_name_of_the_entry_whatever_the_request_says() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        field = '[ http:fieldName "Idempotency-Key" ; http:fieldValue "mine" ]'

        text = order(bench.service.base + "shop/", more=f"; http:headers ( {field} )")
        answer = await bench.ldp.put("/schedulers/e/queue/k", text)

        assert (answer.status, [call.key for call in bench.service.calls]) == (200, ["k"])


async def test_an_entry_that_was_refused_leaves_nothing_behind() -> None:
    async with scheduling() as bench:
        await bench.create("e")

        refused = await bench.send("e", "k", **{"If-Match": "*"})
        empty = await bench.statuses("e")
        taken = await bench.send("e", "k")
        gone = await bench.ldp.send("DELETE", "/schedulers/e/")

        assert (refused.status, empty, taken.status, gone.status) == (412, {}, 200, 204)
