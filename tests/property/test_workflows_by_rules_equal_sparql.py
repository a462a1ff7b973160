"""A step decides the same whether rules answer its sentries or the SPARQL engine does."""

import random

from msgspec.structs import replace

from agent.gsm.workflows import GsmWorkflows
from agent.runtime.report import StepReport
from tests.support.depth import depth
from tests.support.gsm import CONTAINER, every, small_world
from tests.support.sentry_models import draw_environment, draw_model

INSTANCES = ("i1", "i2", "i3")
ALWAYS_ASKED = 10**9


def steps(seed: int, few_facts: int) -> list[StepReport]:
    """Return the reports of a run that is drawn from ``seed``."""
    chance = random.Random(seed)
    world = small_world(draw_model(chance), "", INSTANCES)
    plan = replace(every(), workflows=GsmWorkflows([CONTAINER], few_facts=few_facts))
    reports = []
    for _ in range(5):
        world.put("http://w/env", draw_environment(chance))
        world.get_faults.pop("http://w/env", None)
        if chance.random() < 0.3:
            world.get_faults["http://w/env"] = chance.choice((503, 404, "connection refused", b"<#it"))
        reports.append(world.step(plan))
    return reports


def test_reports_of_runs_are_equal() -> None:
    values = set()
    for seed in range(depth(2, 300)):
        reports = steps(seed, 0)
        assert reports == steps(seed, ALWAYS_ASKED), seed
        values |= {one.value for report in reports for one in report.sentries}
    assert values >= {"true", "not true", "unknown"}
