"""Worlds to ask why in: a building of thermometers over real sockets, and small memories without any."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from msgspec.structs import replace

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import read_question
from agent.gsm.ruleset import workflow_program
from agent.gsm.why.explain import explain
from agent.gsm.why.explanation import Asked, Explanation, Part
from agent.gsm.why.patterns import explain_question
from agent.gsm.why.snapshot import Snapshot
from agent.n3.program import Program
from agent.rdf.documents import Content, Failed, Gone, Outcome, parse_document
from agent.rdf.terms import IRI, Triple
from agent.reason.facts import Facts
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.why_snapshot import Overhearing
from tests.support.gsm import CONTAINER, ENVIRONMENT, single, small_world
from tests.support.ports import free_port
from tests.support.recorded import Recorded, recorded_server
from tests.support.world import FRESH_ID, INSTANT, FakeWorld

THIS = "http://w/s/i1#it"
PREFIXES = "@prefix : <http://e/> . @prefix sosa: <http://www.w3.org/ns/sosa/> .\n"
HEAD = "PREFIX : <http://e/> PREFIX sosa: <http://www.w3.org/ns/sosa/>"
DOCUMENT = "http://w/doc"

MODEL = """
<#evacuation> a gsm:Stage ; gsm:hasChildStage <#ActivateSiren> .
<#ActivateSiren> a gsm:Stage ; gsm:hasGuard <#G1> , <#G2> ; gsm:hasMilestone <#SirenOn> .
<#G1> a gsm:Guard ; rdfs:label "alarm button" ; gsm:hasCondition <#pressed> .
<#G2> a gsm:Guard ; rdfs:label "high temperature" ; gsm:hasCondition <#hot> .
<#pressed> ag:dependsOn <BASE/dev/button> ; ag:ask '''
    PREFIX sosa: <http://www.w3.org/ns/sosa/>
    ASK { <BASE/dev/button#it> sosa:hasSimpleResult "pressed" }''' .
<#hot> ag:source <BASE/dev/list> ; ag:dependsOn <BASE/dev/list> , <BASE/dev/t1> , <BASE/dev/t2> , <THIRD> ; ag:ask '''
    PREFIX : <http://example.org/vocab#>
    PREFIX sosa: <http://www.w3.org/ns/sosa/>
    ASK { ?s a :Thermometer ; sosa:hasSimpleResult ?t . FILTER(?t > 45) }''' .
<#SirenOn> a gsm:Milestone ; gsm:hasAchievingSentry <#on> .
<#on> ag:source <BASE/dev/siren> ; ag:ask 'ASK { <BASE/dev/siren#it> <http://www.w3.org/ns/sosa/hasSimpleResult> "on" }' .
"""


@dataclass(slots=True)
class Building:
    """A building with three thermometers, a button and an instance of the model ``ActivateSiren`` belongs to."""

    server: Recorded
    instance: str
    third: str

    async def measure(self, name: str, value: str) -> None:
        """Put a device into a state, told in Turtle."""
        said = f"<#it> <http://www.w3.org/ns/sosa/hasSimpleResult> {value} ; <http://www.w3.org/ns/sosa/resultTime> "
        await self.server.put(f"/dev/{name}", f'{said} "2020-01-01T00:00:00Z"^^xsd:dateTime .')

    def plain(self, text: str) -> str:
        """Return ``text`` without what differs between two runs."""
        text = text.replace(self.third, "http://refuses/dev/t3").replace(self.server.base, "http://building")
        for pattern, constant in (
            (r"\d\d:\d\d:\d\dZ", "22:04:11Z"),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "2026-01-01T00:00:00.000Z"),
            (r"\d+(\.\d+)? (s|min|h|d) (old|ago)", r"7 d \3"),
            (r"\.[0-9a-f]{16}", ".HASH"),
            (r'ETag "[^"]*"', 'ETag "E"'),
            (r'"(etag|validator)": "[^\n]*"', r'"\1": "E"'),
            (r'"ageS": [\d.]+', '"ageS": 7.0'),
            (r"ageInSeconds [\d.]+", "ageInSeconds 7.0"),
            (r'validator "[^\n;]*"', 'validator "E"'),
        ):
            text = re.sub(pattern, constant, text)
        return text


def documents_sorted(text: str) -> str:
    """Return an explanation with its documents in an order that no port has a say in, and one width of headlines."""
    head, _, documents = text.partition("\nRead ")
    first, *others = documents.splitlines()
    head = "\n".join(re.sub(r"(?<=\S) +(?=(after|read) )", "  ", line) for line in head.splitlines())
    return "\n".join((f"{head}\n\nRead {first}", *sorted(others), ""))


@asynccontextmanager
async def building() -> AsyncIterator[Building]:
    """Serve the building: the first thermometer says a text, the second is cool, the third refuses, the button fails."""
    async with recorded_server() as server:
        third = f"http://127.0.0.1:{free_port()}/dev/t3"
        here = Building(server, f"{server.base}/wf/evacuation-1#it", third)
        await server.put("/model", MODEL.replace("THIRD", third))
        await server.put("/wf/", "<> a ldp:BasicContainer .")
        await server.put(
            "/wf/evacuation-1",
            "<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#evacuation> ; gsm:hasState gsm:uninitialized .",
        )
        listed = " , ".join(
            f"<{uri}#it>" for uri in (f"{server.base}/dev/t1", f"{server.base}/dev/t2", third)
        )
        await server.put(
            "/dev/list",
            f"<> ldp:contains {listed} ."
            + "".join(f" {one.strip()} a ex:Thermometer ." for one in listed.split(" , ")),
        )
        await here.measure("t1", '"51"')
        await here.measure("t2", "22.5")
        await here.measure("siren", '"off"')

        async def broken(_request: web.Request) -> web.StreamResponse:
            return web.Response(status=503)

        server.scripted["/dev/button"] = broken
        yield here


def asked(
    query: str,
    turtle: str = "",
    *,
    failed: dict[str, str] | None = None,
    gone: tuple[str, ...] = (),
    program: Program | None = None,
    derived: tuple[Triple, ...] = (),
) -> Asked:
    """Return the explanation of ``query`` on what the document ``DOCUMENT`` says, other documents failed or gone."""
    said = parse_document((PREFIXES + turtle).encode(), "text/turtle", DOCUMENT, strict=True).triples
    outcomes: dict[str, Outcome] = {DOCUMENT: Content(DOCUMENT, DOCUMENT, said, "", "")}
    outcomes |= {uri: Failed(uri, reason) for uri, reason in (failed or {}).items()}
    outcomes |= {uri: Gone(uri, 404) for uri in gone}
    return asked_on(query, (*said, *derived), outcomes, program or Program())


def asked_on(
    query: str, triples: tuple[Triple, ...], outcomes: dict[str, Outcome], program: Program
) -> Asked:
    """Return the explanation of ``query`` on the memory ``triples``."""
    facts = Facts()
    for triple in triples:
        facts.add(triple)
    snapshot = Snapshot(IRI(THIS), CONTAINER, INSTANT, facts, facts, outcomes, program=program)
    question = read_question(f"{HEAD} {query}", DOCUMENT)
    assert not question.fault, question.fault
    evaluation = Evaluation(facts, outcomes, INSTANT)
    return explain_question(snapshot, question, evaluation, holds=evaluation.holds(question, THIS))


def table(parts: tuple[Part, ...]) -> list[tuple[str, int | None, bool]]:
    """Return text, matches and whether it stops there, of each part."""
    return [(part.text, part.matches, part.stops) for part in parts]


def misses(parts: tuple[Part, ...]) -> list[tuple[str, str, str]]:
    """Return name, value and remark of the nearest misses of all parts."""
    return [(one.name, one.value, one.remark) for part in parts for one in part.nearest]


def explained(world: FakeWorld, element: str = "", *, program: Program | None = None) -> Explanation:
    """Return the explanation of the instance ``i1`` of a small world, from one dry step of the machine."""
    lifecycle, workflows = workflow_program({THIS: CONTAINER})
    overhearing = Overhearing(workflows)
    plan = StepPlan((program or Program()) + lifecycle, workflows=overhearing, dry_run=True)
    machine = Machine(plan, INSTANT, FRESH_ID)
    report = world.drive(machine)
    assert report.failure is None, report.failure
    assert world.sends == []
    snapshot = overhearing.snapshot(IRI(THIS), CONTAINER, machine.memory, report)
    return explain(replace(snapshot, program=program or Program()), element)


LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
STAGES = f"""
<#r> a gsm:Stage ; gsm:hasChildStage <#s> , <#bare> ; ag:source <{ENVIRONMENT}> .
<#s> a gsm:Stage ; gsm:hasGuard <#g> ; gsm:hasMilestone <#m> ; gsm:hasChildStage <#inner> .
<#inner> a gsm:Stage ; gsm:hasGuard <#h> .
<#bare> a gsm:Stage .
<#g> gsm:hasCondition <#go> . <#h> gsm:hasCondition <#yes> .
<#go> ag:ask "ASK {{ <http://e/x> <http://e/level> ?l FILTER(?l > 5) }}" .
<#yes> ag:ask "ASK {{}}" .
<#m> gsm:hasAchievingSentry <#done> ; gsm:hasInvalidatingSentry <#undone> .
<#done> ag:ask "ASK {{ <http://e/x> <http://e/is> 'done' }}" .
<#undone> ag:ask "ASK {{ <http://e/x> <http://e/is> 'undone' }}" .
"""


def world(environment: str = "", model: str = STAGES, steps: int = 1) -> FakeWorld:
    """Return a small world after ``steps`` steps of its instance, with nothing asked of it yet."""
    here = small_world(model, environment)
    for _ in range(steps):
        here.step(single("i1"))
    here.log.clear()
    return here
