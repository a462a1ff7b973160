"""Who went before whom is read from the documents of a scheduler, and from nothing else."""

from agent.rdf.serialise import to_turtle
from agent.rdf.terms import IRI
from agent.schedulers.decision import Alternative, Decision
from agent.schedulers.entries import Entry, Order, decision_triples, entry_triples
from agent.schedulers.policy import SlaPenaltyPolicy
from agent.sim.overtaking import Overtaking, overtakings
from tests.support.office import Desk, open_desk

AT = "2026-03-02T09:00:0{}.000Z"


async def put_up_entry(desk: Desk, key: str, came_at: int) -> None:
    scheduler = f"{desk.base}schedulers/expertise/"
    order = Order("POST", f"{desk.base}services/expertise", instance=f"{desk.base}processes/{key}#it")
    entry = IRI(f"{scheduler}queue/{key}")
    text = to_turtle(entry_triples(entry, Entry(order, "Done", came_at, AT.format(came_at))))
    await desk.files.put(entry.value, text)


async def put_up_decision(desk: Desk, name: str, at: int, *alternatives: Alternative) -> None:
    scheduler = f"{desk.base}schedulers/expertise/"
    decision = Decision(float(at), SlaPenaltyPolicy(), alternatives[0].key, alternatives)
    uri = f"{scheduler}decisions/{name}"
    triples = decision_triples(
        IRI(uri),
        decision,
        queue=f"{scheduler}queue/",
        scheduler=f"{scheduler}#it",
        policy=f"{scheduler}policy",
        instant=AT.format(at),
    )
    await desk.files.put(uri, to_turtle(triples))


async def test_the_longest_waiting_claim_that_was_passed_over_is_named_with_both_costs() -> None:
    async with open_desk({}) as desk:
        for came_at, key in enumerate(("first", "second", "third", "fourth")):
            await put_up_entry(desk, key, came_at)
        await put_up_decision(
            desk,
            "b",
            5,
            Alternative("third", 20.0),
            Alternative("second", 10.0, because="LowerScore"),
            Alternative("first", 0.0, because="LowerScore"),
            Alternative("fourth", 0.0, because="LowerScore"),
        )
        await put_up_decision(
            desk, "a", 4, Alternative("first", 5.0), Alternative("third", 5.0, because="LaterRequest")
        )
        names = {f"{desk.base}processes/{key}#it": f"claim {key}" for key in ("first", "second", "third")}
        assert await overtakings(desk.files, f"{desk.base}schedulers/expertise/", names) == [
            Overtaking(AT.format(5), "claim third", "claim first", 20.0, 0.0)
        ]


def test_an_overtaking_is_told_in_a_line() -> None:
    told = Overtaking(AT.format(5), "claim-07", "claim-03", 20.0, 0.0)
    assert str(told) == "09:00:05.000  claim-07 before claim-03: a delay would cost 20 against 0"
