"""The services of the insurance: real answers over sockets, in simulated time."""

import asyncio

import pytest

from agent.rdf.terms import IRI, Literal, Triple
from agent.sim.claim_files import INS
from agent.sim.service_quality import Quality
from tests.support.office import Desk, open_desk

ONE_AT_A_TIME = {
    "registration": Quality(0.01, 1),
    "decision": Quality(0.2, 1),
    "notification": Quality(0.0, None),
}


async def pass_time(desk: Desk, seconds: float) -> list[tuple[float, str]]:
    """Move the clock from event to event and return which claims were done when, in milliseconds since nine."""
    end_s = desk.clock.seconds() + seconds
    done: list[tuple[float, str]] = []
    for _ in range(100):
        due_s = desk.services.next_due()
        if due_s is None or due_s > end_s:
            desk.clock.move_to(end_s)
            return done
        desk.clock.move_to(due_s)
        before = {id(order) for order in desk.services.orders if order.answered.done()}
        await desk.services.advance()
        done += [
            (round(desk.clock.elapsed() * 1000), order.claim.rpartition("/")[2].partition("#")[0])
            for order in desk.services.orders
            if order.answered.done() and id(order) not in before
        ]
    pytest.fail("there is no end of events")


async def test_an_order_is_taken_at_once_and_its_result_appears_when_its_time_has_come() -> None:
    async with open_desk(ONE_AT_A_TIME) as desk:
        await desk.put_up("claim-1")
        assert await desk.order("registration", "claim-1") == 202
        assert await desk.said_about("claim-1") == {}
        ((at_ms, _),) = await pass_time(desk, 1)
        assert 1 <= at_ms <= 30
        assert await desk.said_about("claim-1") == {"registered": f"2026-03-02T09:00:00.{at_ms:03}Z"}


async def test_one_place_serves_one_order_at_a_time_and_those_of_one_instant_by_name() -> None:
    async with open_desk(ONE_AT_A_TIME) as desk:
        await desk.put_up("claim-1", "claim-2", "claim-3")
        for claim in ("claim-3", "claim-1", "claim-2"):
            assert await desk.order("decision", claim) == 202
        done = await pass_time(desk, 5)
        assert [claim for _, claim in done] == ["claim-1", "claim-2", "claim-3"]
        times = {order.claim.rpartition("/")[2][:7]: order.takes_s for order in desk.services.orders}
        assert done[-1][0] == pytest.approx(1000 * sum(times.values()), abs=2)
        assert {(await desk.said_about(claim))["outcome"] for _, claim in done} <= {"Reimburse", "Reject"}


async def test_who_does_not_want_to_be_told_later_is_answered_when_the_result_is_there() -> None:
    async with open_desk(ONE_AT_A_TIME) as desk:
        await desk.put_up("claim-1")
        asking = asyncio.ensure_future(desk.order("notification", "claim-1", prefer=""))
        async with asyncio.timeout(10):
            await desk.services.wait_for_held(1)
        assert not asking.done()
        await desk.services.advance()
        assert await asking == 204
        assert await desk.said_about("claim-1") == {"notified": "2026-03-02T09:00:00.000Z"}


@pytest.mark.parametrize(
    ("service", "claim", "status"), [("estimates", "claim-1", 404), ("decision", "claim-9", 422)]
)
async def test_an_unknown_service_and_a_process_without_a_claim_are_refused(
    service: str, claim: str, status: int
) -> None:
    async with open_desk(ONE_AT_A_TIME) as desk:
        await desk.put_up("claim-1")
        assert (await desk.order(service, claim), desk.services.orders) == (status, [])


async def test_an_order_that_names_nobody_is_refused() -> None:
    async with open_desk(ONE_AT_A_TIME) as desk:
        for body, media_type in ((b"", "text/turtle"), (b"<#a", "text/turtle"), (b"please", "text/plain")):
            async with desk.session.post(
                f"{desk.base}services/decision", data=body, headers={"Content-Type": media_type}
            ) as answer:
                assert answer.status == 422
        async with desk.session.get(f"{desk.base}services/decision") as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "POST")


async def test_results_that_are_written_at_the_same_time_are_all_kept() -> None:
    async with open_desk(ONE_AT_A_TIME) as desk:
        await desk.put_up("claim-1")
        claim = IRI(f"{desk.base}claims/claim-1#it")
        results = [Triple(claim, IRI(f"{INS}result-{number}"), Literal("x")) for number in range(6)]
        await asyncio.gather(*(desk.files.add(claim.value, [result]) for result in results))
        assert sorted(await desk.said_about("claim-1")) == [f"result-{number}" for number in range(6)]
