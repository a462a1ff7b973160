"""A run that keeps its memory from step to step does what one does that begins every step with none."""

from random import Random

import pytest

from agent.gsm.ruleset import workflow_program
from agent.rdf.serialise import to_ntriples
from agent.resources import read_bundled
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from tests.support.depth import depth
from tests.support.world import FRESH_ID, TURTLE, FakeWorld, GetFault

HOST = "http://w8.example/"
CONTAINER = f"{HOST}status/"
FAULTS: list[GetFault] = [404, 503, "timeout", b"<not Turtle"]


def w8() -> FakeWorld:
    documents = {f"{HOST}{name}": read_bundled(f"rules/examples/w8/{name}.ttl") for name in ("model", "env")}
    documents |= {f"{CONTAINER}run-{n}": read_bundled("rules/examples/w8/instance.ttl") for n in range(1)}
    return FakeWorld(documents, containers=(CONTAINER,))


class Meddler:
    """Does the same to every world it is shown in one step: faults come and go, and somebody changes documents."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def meddle(self, worlds: list[FakeWorld]) -> None:
        chance = self._chance
        uris = sorted(uri for uri, page in worlds[0].pages.items() if page.media_type == TURTLE)
        for world in worlds:
            world.get_faults.clear()
        faults: dict[str, GetFault] = {uri: chance.choice(FAULTS) for uri in uris if chance.random() < 0.03}
        for world in worlds:
            world.get_faults.update(faults)
        if chance.random() < 0.3:
            uri = chance.choice(uris)
            kept = sorted(worlds[0].triples(uri), key=repr) if uri not in faults else []
            text = to_ntriples([triple for triple in kept if chance.random() < 0.9])
            for world in worlds:
                if uri not in faults:
                    world.put(uri, text)


@pytest.mark.parametrize("seed", range(depth(2, 60)))
def test_runs_of_w8_among_faults_and_foreign_changes_report_the_same_steps(seed: int) -> None:
    kept, anew = w8(), w8()
    program, workflows = workflow_program({}, [CONTAINER])
    plan = StepPlan(program, workflows=workflows)
    reasoning = Reasoning(plan)
    meddler = Meddler(seed)
    for number in range(18):
        instant = f"2024-05-06T07:{number:02}:09.000Z"
        report = kept.drive(Machine(plan, instant, FRESH_ID, reasoning=reasoning))
        assert report == anew.drive(Machine(plan, instant, FRESH_ID))
        assert kept.pages == anew.pages
        meddler.meddle([kept, anew])
    assert reasoning.begin().reason is None
