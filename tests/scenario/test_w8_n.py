"""W(n), what ``milepost bench workflow`` runs: every instance does the same, and comes to its end."""

from collections import Counter

from agent.bench.workflow.workload import RULES, STATUS, WRITES, Workload
from agent.gsm.ruleset import workflow_program
from agent.n3.load import read_program
from agent.resources import read_bundled
from agent.runtime.plan import StepPlan
from tests.support.world import FakeWorld

BASE = "http://w8.example"
TASKS = [
    "take the order",
    "check the order",
    "procure material",
    "design",
    "sketch",
    "detail",
    "deliver",
    "hand over",
]


def _world(workload: Workload) -> tuple[FakeWorld, StepPlan]:
    documents = {BASE + path: turtle for path, turtle in workload.documents()}
    lifecycle, workflows = workflow_program({}, [BASE + STATUS])
    own = read_program(read_bundled(RULES), source=RULES, base=f"{BASE}/rules")
    return FakeWorld(documents, containers=(BASE + STATUS,)), StepPlan(own + lifecycle, workflows=workflows)


def test_three_instances_make_three_times_the_requests_known_for_one_and_end() -> None:
    world, plan = _world(Workload(3))
    counts = []
    for _ in WRITES:
        before = len(world.sends)
        world.step(plan)
        counts.append(len(world.sends) - before)
    last = world.step(plan)

    assert counts == [3 * writes for writes in WRITES]
    assert [one.status for one in last.instances] == ["ended"] * 3
    assert last.quiet == "quiet"
    tasks = Counter((send.body or b"").decode() for send in world.sends if send.uri == f"{BASE}/tasks/")
    assert tasks == Counter(dict.fromkeys(TASKS, 3))


def test_another_seed_is_another_environment_with_the_same_work() -> None:
    one, other = dict(Workload(1, 1).documents()), dict(Workload(1, 2).documents())

    assert one == dict(Workload(1, 1).documents())
    assert [path for path in one if one[path] != other[path]] == ["/env"]
    world, plan = _world(Workload(1, 2))
    for _ in WRITES:
        world.step(plan)
    assert [instance.status for instance in world.step(plan).instances] == ["ended"]
    assert len(world.sends) == sum(WRITES)
