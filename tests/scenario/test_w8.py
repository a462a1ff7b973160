"""W8, the eight stages of the paper's evaluation: how many steps and writes one run and several take."""

from collections import Counter
from collections.abc import Sequence

import pytest

from agent.gsm.ruleset import workflow_program
from agent.gsm.terms import IS_ACHIEVED, IS_INSTANCE_OF
from agent.rdf.terms import IRI, TRUE
from agent.resources import read_bundled
from agent.runtime.plan import StepPlan
from tests.support.world import FakeWorld

MODEL = "http://w8.example/model"
CONTAINER = "http://w8.example/status/"
TASKS = "http://w8.example/tasks/"
WRITES = [17, 2, 2, 2, 2, 3, 4, 2, 2, 2, 4, 1, 2, 2, 3, 0]
"""Writes of one run in steps 1 to 16, by hand."""


def world(runs: int) -> FakeWorld:
    documents = {
        MODEL: read_bundled("rules/examples/w8/model.ttl"),
        "http://w8.example/env": read_bundled("rules/examples/w8/env.ttl"),
    }
    for number in range(1, runs + 1):
        documents[f"{CONTAINER}run-{number}"] = read_bundled("rules/examples/w8/instance.ttl")
    return FakeWorld(documents, containers=(CONTAINER,))


def every_run() -> StepPlan:
    program, workflows = workflow_program({}, [CONTAINER])
    return StepPlan(program, workflows=workflows)


def single_run(number: int) -> StepPlan:
    program, workflows = workflow_program({f"{CONTAINER}run-{number}#it": CONTAINER})
    return StepPlan(program, workflows=workflows)


def writes_per_step(w8: FakeWorld, plan: StepPlan) -> list[int]:
    """Run until the first quiet step and return the writes of each step."""
    counts = []
    for _ in range(30):
        before = len(w8.sends)
        report = w8.step(plan)
        assert report.failure is None
        assert {value.value for value in report.sentries} <= {"true", "not true"}
        counts.append(len(w8.sends) - before)
        if report.quiet == "quiet":
            return counts
    pytest.fail(f"never quiet: {counts}")


def tasks(w8: FakeWorld) -> Counter[str]:
    return Counter((send.body or b"").decode() for send in w8.sends if send.uri == TASKS)


def achieved(w8: FakeWorld) -> Counter[str]:
    """Return how many milestone instances are achieved, by name in the model."""
    found: Counter[str] = Counter()
    for uri in w8.pages:
        said = {t.predicate: t.object for t in w8.triples(uri)} if uri.startswith(CONTAINER) else {}
        model = said.get(IS_INSTANCE_OF)
        if said.get(IS_ACHIEVED) == TRUE and isinstance(model, IRI):
            found[model.value.removeprefix(f"{MODEL}#")] += 1
    return found


ALL_TASKS: Sequence[str] = (
    "take the order",
    "check the order",
    "procure material",
    "sketch",
    "detail",
    "hand over",
)


@pytest.mark.parametrize("plan", [every_run(), single_run(1)], ids=["container form", "instance form"])
def test_one_run_takes_fifty_writes_and_is_quiet_at_step_sixteen(plan: StepPlan) -> None:
    w8 = world(1)
    assert writes_per_step(w8, plan) == WRITES
    assert sum(WRITES) == 50
    assert tasks(w8) == Counter(ALL_TASKS)
    assert achieved(w8) == Counter([f"m{number}" for number in range(8)])


def test_three_runs_do_three_times_the_work_of_one_in_as_many_steps() -> None:
    w8 = world(3)
    assert writes_per_step(w8, every_run()) == [3 * count for count in WRITES]
    assert tasks(w8) == Counter(dict.fromkeys(ALL_TASKS, 3))


def test_a_single_run_leaves_the_others_alone() -> None:
    w8 = world(3)
    before = {uri: page for uri, page in w8.pages.items() if "run-2" not in uri}
    assert writes_per_step(w8, single_run(2)) == WRITES
    assert {uri: page for uri, page in w8.pages.items() if "run-2" not in uri} == before


def test_a_run_that_appears_later_gets_a_full_run_of_its_own() -> None:
    w8 = world(1)
    plan = every_run()
    for _ in range(6):
        w8.step(plan)
    w8.put(f"{CONTAINER}late", read_bundled("rules/examples/w8/instance.ttl"))
    assert writes_per_step(w8, plan) == [
        mine + late for mine, late in zip([*WRITES[6:], *[0] * 6], WRITES, strict=True)
    ]
    assert tasks(w8) == Counter(dict.fromkeys(ALL_TASKS, 2))


def test_a_step_reads_container_model_environment_and_seventeen_documents_per_run() -> None:
    w8 = world(3)
    plan = every_run()
    w8.step(plan)
    assert len(w8.step(plan).gets) == 3 + 17 * 3
