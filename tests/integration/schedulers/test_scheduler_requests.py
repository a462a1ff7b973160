"""Requests through a scheduler over real sockets: passed through, queued, ordered, never doubled."""

import asyncio

import pytest

from agent.rdf.terms import IRI
from agent.schedulers import terms
from agent.vocab import SCHED
from tests.support.scheduling import PREFIXES, Bench, Call, order, scheduling

AT_ONCE = "respond-async"


async def test_with_a_free_slot_the_services_own_answer_comes_back() -> None:
    async with scheduling() as bench:
        assert (await bench.create("e")).status == 201
        bench.service.statuses = [201]

        answer = await bench.ldp.post(
            "/schedulers/e/queue/", order(bench.service.base + "shop/", body="a claim")
        )

        assert (answer.status, answer.body) == (201, b"did a claim")
        [key] = await bench.statuses("e")
        assert bench.service.calls == [Call("POST", "/shop/", key, "a claim")]
        assert await bench.statuses("e") == {key: "Done"}


async def test_no_idempotency_key_comes_again_when_a_scheduler_is_made_anew() -> None:
    async with scheduling() as bench:
        await bench.create("f")
        for _ in range(2):
            await bench.create("e")
            for name in ("e", "f", "e"):
                request = order(bench.service.base + "shop/", body="same")
                assert (await bench.ldp.post(f"/schedulers/{name}/queue/", request)).status == 200
            assert (await bench.ldp.send("DELETE", "/schedulers/e/")).status == 204

        assert len({call.key for call in bench.service.calls}) == 6


async def test_without_a_free_slot_requests_wait_and_go_in_the_order_of_their_arrival() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.gate.clear()
        keys = ["z", "m", "a", "k"]

        answers = [await bench.send("e", key, Prefer=AT_ONCE) for key in keys]
        await bench.service.wait_for(1)
        posted = await bench.ldp.post("/schedulers/e/queue/", order(bench.service.base + "shop/", body="p"))
        path = posted.headers["Location"].removeprefix(bench.ldp.base)
        queued = await bench.facts(path)
        bench.service.gate.set()
        await bench.wait_until("e", path.rpartition("/")[2], "Done")

        assert [answer.status for answer in answers] == [202] * 4
        assert answers[0].headers["Preference-Applied"] == AT_ONCE
        assert f'<{posted.headers["Location"]}>; rel="monitor"' in posted.headers.getall("Link")  # type: ignore[attr-defined]  # headers repeat
        rank = queued.value(IRI(bench.ldp.base + path), terms.RANK)
        assert rank is not None
        assert rank.lexical == "4"  # type: ignore[union-attr]  # a literal, or the test fails
        assert [call.body for call in bench.service.calls] == [*keys, "p"]
        assert bench.service.most_busy == 1


async def test_a_client_that_waits_gets_the_answer_or_after_its_time_202() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.gate.clear()
        late = await bench.send("e", "late", Prefer="wait=0")
        patient = asyncio.create_task(bench.send("e", "patient", Prefer="wait=30"))
        await bench.service.wait_for(1)
        bench.service.gate.set()

        answer = await patient

        assert (late.status, late.headers["Preference-Applied"]) == (202, "wait=0")
        assert (answer.status, answer.body) == (200, b"did patient")


async def test_fifty_equal_puts_at_once_reach_the_service_once() -> None:
    async with scheduling() as bench:
        await bench.create("e", capacity=5)

        answers = await asyncio.gather(
            *(
                bench.send("e", "same", Prefer=AT_ONCE, **({"If-None-Match": "*"} if number % 2 else {}))
                for number in range(50)
            )
        )
        await bench.wait_until("e", "same", "Done")
        again = await bench.send("e", "same")
        other = await bench.ldp.put(
            "/schedulers/e/queue/same", order(bench.service.base + "shop/same", body="other")
        )

        assert {answer.status for answer in answers} <= {200, 202}
        assert (again.status, other.status, other.problem["code"]) == (200, 409, "SCH034")
        assert bench.service.executed == {"same": 1}


async def test_a_storm_never_exceeds_the_capacity_and_loses_nothing() -> None:
    async with scheduling() as bench:
        await bench.create("e", capacity=3)
        keys = [f"k{number}" for number in range(60)]
        bench.service.gate.clear()

        await asyncio.gather(*(bench.send("e", key, Prefer=AT_ONCE) for key in keys))
        await bench.service.wait_for(3)
        bench.service.gate.set()
        await asyncio.gather(*(bench.wait_until("e", key, "Done") for key in keys))

        assert bench.service.executed == dict.fromkeys(keys, 1)
        assert bench.service.most_busy == 3


MODEL = """
<#R> a gsm:Stage ; gsm:hasChildStage <#S> .
<#S> a gsm:Stage ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest [ http:requestURI <{service}shop/> ] .
<#dear> sched:penaltyFunction [ a sched:StagedPenalty ; sched:threshold 0.0 ; sched:amount 10.0 ; sched:stage "PT1S"^^xsd:duration ] .
<#cheap> sched:penaltyFunction [ a sched:StagedPenalty ; sched:threshold 0.0 ; sched:amount 1.0 ; sched:stage "PT1S"^^xsd:duration ] .
"""


async def _put_up(bench: Bench) -> None:
    """Put up two instances, one of which costs ten times as much to delay."""
    await bench.ldp.put("/model", PREFIXES + MODEL.format(service=bench.service.base))
    for name in ("cheap", "dear"):
        await bench.ldp.put(
            f"/wf/{name}",
            f"{PREFIXES}<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf </model#R> ; gsm:hasState gsm:active ;"
            f" sched:governedBy </model#{name}> .",
        )


async def _enqueue_for(bench: Bench, name: str) -> None:
    more = f"; sched:forInstance </wf/{name}#it> ; sched:forActivity </model#S>"
    text = order(bench.service.base + "shop/", body=name, more=more)
    assert (await bench.ldp.put(f"/schedulers/e/queue/{name}", text, Prefer=AT_ONCE)).status == 202


@pytest.mark.parametrize(
    ("policy", "winner", "reason"), [("Fifo", "cheap", "LaterRequest"), ("SlaPenalty", "dear", "LowerScore")]
)
async def test_the_policy_that_is_put_decides_the_next_request_and_says_why(
    policy: str, winner: str, reason: str
) -> None:
    async with scheduling() as bench:
        await _put_up(bench)
        await bench.create("e", more=f"; sched:observes <{bench.ldp.base}/wf/>")
        bench.service.gate.clear()
        await bench.send("e", "first", Prefer=AT_ONCE)
        await bench.service.wait_for(1)
        await _enqueue_for(bench, "cheap")
        await _enqueue_for(bench, "dear")

        put = await bench.ldp.put("/schedulers/e/policy", f"{PREFIXES}<#it> a sched:{policy}Policy .")
        bench.service.gate.set()
        await bench.service.wait_for(3)
        decision = await bench.facts("/schedulers/e/decisions/2")

        assert put.status == 204
        assert bench.service.calls[1].body == winner
        loser = {"cheap": "dear", "dear": "cheap"}[winner]
        about, queue = (
            IRI(f"{bench.ldp.base}/schedulers/e/decisions/2"),
            f"{bench.ldp.base}/schedulers/e/queue/",
        )
        assert decision.value(about, terms.SELECTED) == IRI(queue + winner)
        because = {
            decision.value(node, terms.CANDIDATE): decision.value(node, terms.REJECTED_BECAUSE)
            for node in decision.objects(about, terms.ALTERNATIVE)
        }
        assert because == {IRI(queue + winner): None, IRI(queue + loser): IRI(SCHED + reason)}


async def test_a_failed_request_waits_again_only_for_one_who_has_seen_it() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.statuses = [400]
        failed = await bench.send("e", "k")
        seen = await bench.ldp.get("/schedulers/e/queue/k")
        text = f"{PREFIXES}<> sched:status sched:Pending ."

        blind = await bench.ldp.put("/schedulers/e/queue/k", text)
        stale = await bench.ldp.put("/schedulers/e/queue/k", text, **{"If-Match": '"1-ttl"'})
        good = await bench.ldp.put("/schedulers/e/queue/k", text, **{"If-Match": seen.headers["ETag"]})
        await bench.wait_until("e", "k", "Done")
        done = await bench.ldp.get("/schedulers/e/queue/k")
        late = await bench.ldp.put("/schedulers/e/queue/k", text, **{"If-Match": done.headers["ETag"]})

        assert (failed.status, failed.body) == (400, b"did k")
        assert [a.status for a in (blind, stale, good, late)] == [428, 412, 202, 409]
        assert len(bench.service.calls) == 2


async def test_a_scheduler_leaves_only_when_nothing_waits() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.gate.clear()
        await bench.send("e", "k", Prefer=AT_ONCE)

        busy = await bench.ldp.send("DELETE", "/schedulers/e/")
        bench.service.gate.set()
        await bench.wait_until("e", "k", "Done")
        idle = await bench.ldp.send("DELETE", "/schedulers/e/")

        assert (busy.status, busy.problem["code"], idle.status) == (409, "SCH033", 204)
        assert (await bench.ldp.get("/schedulers/e/")).status == 404
        assert (await bench.send("e", "k")).problem["code"] == "SCH030"


async def test_of_many_who_let_a_failed_request_wait_again_at_once_one_does() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.statuses = [400]
        await bench.send("e", "k")
        text = f"{PREFIXES}<> sched:status sched:Pending ."

        answers = await asyncio.gather(
            *(bench.ldp.put("/schedulers/e/queue/k", text, **{"If-Match": "*"}) for _ in range(20))
        )
        await bench.wait_until("e", "k", "Done")
        gone = await bench.ldp.send("DELETE", "/schedulers/e/")

        assert [a.status for a in answers].count(202) == 1
        assert {a.status for a in answers} <= {202, 409, 412}
        assert (len(bench.service.calls), gone.status) == (2, 204)


async def test_a_failed_request_to_a_service_of_the_past_does_not_wait_again() -> None:
    async with scheduling() as bench:
        await bench.create("e")
        bench.service.statuses = [400]
        await bench.send("e", "k")
        moved = await bench.create("e", path="elsewhere/")
        text = f"{PREFIXES}<> sched:status sched:Pending ."

        answer = await bench.ldp.put("/schedulers/e/queue/k", text, **{"If-Match": "*"})

        assert moved.status == 204
        assert (answer.status, answer.problem["code"]) == (422, "SCH031")
        assert (len(bench.service.calls), await bench.status("e", "k")) == (1, "Failed")
