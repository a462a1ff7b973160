"""A step decides the same whether rules answer its sentries or the SPARQL engine does."""

import random
from dataclasses import replace

from agent.gsm.workflows import GsmWorkflows
from agent.runtime.report import StepReport
from tests.support.depth import depth
from tests.support.gsm import CONTAINER, every, small_world
from tests.support.random_questions import Drawing

INSTANCES = ("i1", "i2", "i3")
ALWAYS_ASKED = 10**9


def model(chance: random.Random) -> str:
    """Return a model with drawn sentries, and some about the status of the instance."""
    queries = [Drawing(chance).query().replace("'", '"') for _ in range(4)]
    queries += [
        "ASK { ?thisArtifactInstance ag:hasActiveStage <#r> . ?thisArtifactInstance gsm:hasInactiveStage <#s> }",
        "ASK { ?e gsm:inArtifactInstance ?thisArtifactInstance ; gsm:isAchieved false FILTER(?e != <http://e/x>) }",
        "ASK { FILTER NOT EXISTS { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> } }",
        "ASK { <http://e/t0> <http://e/p0> ?v FILTER(?v > 0.5 && NOW() > '2000-01-01T00:00:00Z'^^xsd:dateTime) }",
    ]
    guards = " ".join(
        f"<#g{number}> gsm:hasCondition <#q{number}> . <#q{number}> ag:ask '''{query}''' ."
        for number, query in enumerate(queries)
    )
    listed = " , ".join(f"<#g{number}>" for number in range(len(queries)))
    return (
        "<#r> a gsm:Stage ; ag:source <http://w/env> ; gsm:hasChildStage <#s> . "
        f"<#s> a gsm:Stage ; gsm:hasGuard {listed} ; gsm:hasMilestone <#m> . "
        f"<#m> gsm:hasAchievingSentry <#q{chance.randrange(len(queries))}> . {guards}"
    )


def environment(chance: random.Random) -> str:
    values = ("1", "01", "true", "2.50", '"a"', "<http://e/t1>", "<http://w/s/i1#it>", "'1'^^<http://e/type>")
    return "".join(
        f"<{chance.choice(('http://e/t0', 'http://e/t1', 'http://w/s/i1#it'))}> "
        f"<http://e/p{chance.randrange(3)}> {chance.choice(values)} ."
        for _ in range(chance.randrange(9))
    )


def steps(seed: int, few_facts: int) -> list[StepReport]:
    """Return the reports of a run that is drawn from ``seed``."""
    chance = random.Random(seed)
    world = small_world(model(chance), "", INSTANCES)
    plan = replace(every(), workflows=GsmWorkflows([CONTAINER], few_facts=few_facts))
    reports = []
    for _ in range(5):
        world.put("http://w/env", environment(chance))
        world.get_faults.pop("http://w/env", None)
        if chance.random() < 0.3:
            world.get_faults["http://w/env"] = chance.choice((503, 404, "connection refused", b"<#it"))
        reports.append(world.step(plan))
    return reports


def test_reports_of_runs_are_equal() -> None:
    values = set()
    for seed in range(depth(3, 300)):
        reports = steps(seed, 0)
        assert reports == steps(seed, ALWAYS_ASKED), seed
        values |= {one.value for report in reports for one in report.sentries}
    assert values >= {"true", "not true", "unknown"}
