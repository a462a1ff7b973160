"""Every example and every scenario does the same whether memory is kept from step to step or begun from nothing."""

import asyncio
from functools import partial

import pytest

from agent.clock import lexical
from agent.gsm.ruleset import workflow_program
from agent.runtime.hosts import VouchingWorkflows
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.sim import office, world
from agent.sim.claims import Rush
from agent.sim.insurance import POLICIES, RushHour
from agent.sim.office import open_office
from agent.sim.office_day import Day
from agent.sim.scenarios import SCENARIOS
from agent.sim.show import Show
from agent.transport.client import Client
from ldp_server import listen
from tests.support.depth import depth
from tests.support.example_world import EXAMPLES, put_up
from tests.support.meddling import Meddler
from tests.support.modes import MODES, Mode, Played, played
from tests.support.ports import free_port
from tests.support.world import FRESH_ID

STEPS = depth(10, 18)
RESTS = 3
"""After how many quiet steps in a row an example is left alone."""
POLICY_FILES = sorted(POLICIES.values())[: depth(1, 2)]
RUSH = Rush(claims=depth(2, 12), per_second=30.0, experts=1, seed=4, step_s=0.25)


def check_same(kept: Played, recomputed: Played) -> None:
    """Fail if two runs did not do the same, or if the first kept no memory."""
    for ours, theirs in zip(kept.trace, recomputed.trace, strict=True):
        assert {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]} == {}
    assert kept.trace == recomputed.trace
    assert kept.reasons() == set()


@pytest.mark.parametrize("seed", range(1, depth(2, 30)))
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_the_same_with_and_without_a_memory_that_lasts(name: str, seed: int) -> None:
    kept, recomputed = (run_example(name, seed, mode) for mode in MODES)
    assert kept.steps[0]["instances"]
    check_same(kept, recomputed)


class DayOfOneRun(Day):
    """A day on which one run is on the container of all claims, from the first to the last."""

    plan: StepPlan | None = None

    def _machine(self, number: int, client: Client) -> Machine:
        if self.plan is None:
            program, workflows = workflow_program({}, [self.office.container])
            vouching = VouchingWorkflows(workflows, client.policy, ())
            self.plan = StepPlan(program, given=self.office.scheduling, workflows=vouching)
        return Machine(self.plan, lexical(self.office.clock.now()), FRESH_ID)


def run_example(name: str, seed: int, mode: Mode) -> Played:
    """Run an example; with most seeds things go wrong meanwhile and somebody changes documents."""
    example = put_up(name)
    place, plan = example.world, example.plan(of_container=seed % 2 == 0)
    meddler = Meddler(seed)
    with played(mode) as run:
        for number in range(STEPS):
            place.step(plan, instant=f"2024-05-06T07:{number:02}:09.000Z")
            run.steps[-1]["world"] = {uri: page.body.decode() for uri, page in place.pages.items()}
            if [step["end"][0] for step in run.steps[-RESTS:]] == ["quiet"] * RESTS:
                return run
            if seed % 3:
                meddler.meddle(place)
    return run


@pytest.fixture
def same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worlds of scenarios be on the same port: elements of workflows are named after where they are."""
    at_port = partial(listen, port=free_port())
    for module in (world, office):
        monkeypatch.setattr(module, "listen", lambda build, port: at_port(build))


@pytest.mark.usefixtures("same_port")
@pytest.mark.parametrize("name", sorted(SCENARIOS))
async def test_a_scenario_does_the_same_with_and_without_a_memory_that_lasts(name: str) -> None:
    kept, recomputed = [await perform(SCENARIOS[name](), mode) for mode in MODES]
    check_same(kept, recomputed)


async def perform(show: Show, mode: Mode) -> Played:
    """Perform a scenario by its script over real sockets; what it tells is part of what it does."""
    told: list[str] = []
    with played(mode) as run:
        if isinstance(show, RushHour):
            for policy in POLICY_FILES:
                async with open_office(RUSH, policy) as insurance:
                    assert await DayOfOneRun(insurance).run()
        else:
            verdict = await show.perform(told.append, asyncio.Event())
            told.append(repr(verdict))
    run.steps.append({"told": told})
    return run
