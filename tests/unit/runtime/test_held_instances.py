"""Paused, parked and cancelled instances: what a step tells of them, and when a run on them ends."""

import asyncio
import uuid

import pytest

from agent.clock import WallClock
from agent.rdf.terms import IRI
from agent.runtime.loop import Loop, LoopResult, LoopSettings
from agent.runtime.machine import Machine
from agent.runtime.parking import acting_instances
from agent.runtime.report import InstanceReport
from tests.support.gsm import CONTAINER, PREFIXES, single, small_world, status
from tests.support.world import FRESH_ID, INSTANT, FakeWorld

MODEL = """<#r> a gsm:Stage ; gsm:hasChildStage <#s> .
    <#s> a gsm:Stage ; gsm:hasMilestone <#m> ; gsm:hasGuard <#g> . <#g> gsm:hasCondition <#always> .
    <#m> gsm:hasAchievingSentry <#always> . <#always> a sp:Ask ; sp:where () ."""
NAME = f"{CONTAINER}i1#it"


def marked(world: FakeWorld, mark: str) -> InstanceReport:
    """Add ``mark`` to the instance, run a step, and return what it tells."""
    page = world.pages[CONTAINER + "i1"]
    world.put(CONTAINER + "i1", PREFIXES + page.body.decode() + f"<#it> {mark} .")
    [report] = world.step(single("i1")).instances
    return report


def started() -> FakeWorld:
    """Return a world whose instance is set up, with an open stage."""
    world = small_world(MODEL)
    for _ in range(2):
        world.step(single("i1"))
    assert status(world)["s"] == "active"
    return world


@pytest.mark.parametrize(
    ("mark", "told", "reason"),
    [
        ("ag:isPaused true", "paused", ""),
        ("ag:isParked 'round and round'", "parked", "round and round"),
        ("ag:isPaused true ; ag:isParked 'round and round'", "parked", "round and round"),
    ],
)
def test_a_held_instance_sends_nothing_and_says_why(mark: str, told: str, reason: str) -> None:
    running, new = started(), small_world(MODEL)
    sent = len(running.sends)
    report, early = marked(running, mark), marked(new, mark)
    assert (report.status, report.reason, len(report.active)) == (told, reason, 1)
    assert (early.status, early.reason, early.active) == (told, reason, ())
    assert (len(running.sends), new.sends) == (sent, [])


def test_an_instance_is_cancelled_when_it_has_closed_or_never_began() -> None:
    world = started()
    assert marked(world, "ag:isCancelled true ; ag:isPaused true").status == "waiting"
    [report] = world.step(single("i1")).instances
    assert (report.status, set(status(world).values())) == ("cancelled", {"inactive", "false"})
    assert marked(small_world(MODEL), "ag:isCancelled true").status == "cancelled"


@pytest.mark.parametrize(
    ("mark", "end", "steps"),
    [
        ("ag:isParked 'why'", "parked", 1),
        ("ag:isCancelled true", "ended", 2),
        ("ag:isPaused true", "steps", 3),
    ],
)
async def test_a_run_ends_with_what_is_parked_or_cancelled_and_waits_for_what_is_paused(
    mark: str, end: str, steps: int
) -> None:
    world = started()
    page = world.pages[CONTAINER + "i1"]
    world.put(CONTAINER + "i1", PREFIXES + page.body.decode() + f"<#it> {mark} .")
    settings = LoopSettings(interval_s=0, steps=3, instances=frozenset({NAME}))
    loop = Loop(single("i1"), settings, world.run_step, WallClock(), lambda: str(uuid.uuid4()))
    result: LoopResult = await asyncio.wait_for(loop.run(), 60)
    assert (result.end, result.steps) == (end, steps)


def test_an_acting_instance_is_the_same_in_the_same_status_whatever_is_counted() -> None:
    world = started()
    seen = []
    for _ in range(4):
        machine = Machine(single("i1"), INSTANT, FRESH_ID)
        report = world.drive(machine)
        seen += list(acting_instances(report, machine.memory))
    opening = {"http://w/model#s": ("http://w/model#g",)}
    assert [dict(one.opened) for one in seen] == [{}, opening, {}, opening]
    assert seen[0] == seen[2]
    assert seen[1] == seen[3]
    assert seen[0].status != seen[1].status
    assert IRI(seen[0].instance) == IRI(NAME)


def test_data_about_the_instance_and_documents_around_it_tell_steps_apart() -> None:
    world = started()

    def acting() -> tuple[str, str]:
        copy = FakeWorld(dict(world.pages), containers=(CONTAINER,))
        machine = Machine(single("i1"), INSTANT, FRESH_ID)
        [one] = acting_instances(copy.drive(machine), machine.memory)
        return one.status, one.environment

    before = acting()
    world.put("http://w/model", world.pages["http://w/model"].body + b"# edited\n")
    edited = acting()
    page = world.pages[CONTAINER + "i1"]
    world.put(CONTAINER + "i1", page.body.replace(b'"mine"', b'"theirs"'))
    named = acting()
    assert (before[0] == edited[0], before[1] == edited[1]) == (True, False)
    assert (edited[0] == named[0], edited[1] == named[1]) == (False, True)
