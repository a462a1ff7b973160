"""Workflow instances in the fake world: many at once, each with its own status and its own true sentries.

The model of this file has stages nested three deep, R > P > C > G, a milestone in each and two in P, and a task in each
but the root. A case is one instance of it: a snapshot, the sentries that are true for it, and what goes wrong with its documents in one step.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from msgspec.structs import replace

from agent.gsm.evaluation import SentryValue
from agent.gsm.ruleset import CORE, EVERY, LIFECYCLE, workflow_program
from agent.gsm.terms import MARKS
from agent.gsm.workflows import GsmWorkflows
from agent.messages import Send
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.documents import Outcome
from agent.rdf.terms import IRI, TRUE, Literal, Triple
from agent.reason.facts import Facts
from agent.resources import read_bundled
from agent.runtime.plan import StepPlan
from agent.runtime.report import StepReport
from agent.vocab import AG, GSM
from tests.support.world import FakeWorld

CONTAINER = "http://w/s/"
MODEL = "http://w/model"
ENVIRONMENT = "http://w/env"
TASKS = "http://w/tasks"
STAGES = ("R", "P", "C", "G")
MILESTONES = ("mR", "mP1", "mP2", "mC", "mG")
DOCUMENTS = (*STAGES, *MILESTONES)
STAGE_OF = {"mR": "R", "mP1": "P", "mP2": "P", "mC": "C", "mG": "G"}

Snapshot = tuple[int, ...]
"""A value for each of DOCUMENTS. Stages: 0 inactive, 1 active. Milestones: 0 unachieved, 1 achieved, 2 achieved in an
activation of the stage before the present one."""

Mark = tuple[str, str]
"""The local name of a mark, and the document that it stands in."""

PRESENT = 2
"""The number of the present activation of every stage."""

START: Snapshot = (1, 0, 0, 0, 0, 0, 0, 0, 0)
Change = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Case:
    """An instance in one step. ``true`` names sentries: a guard is ``g`` and the stage, ``+`` and a milestone its
    achieving, ``-`` its invalidating sentry. ``lost`` writes and ``unread`` documents are of DOCUMENTS. ``marks`` are
    what people ask, each with the document that it stands in."""

    snapshot: Snapshot
    true: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    marks: frozenset[Mark] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a case: the snapshot after the step, the documents that were written or tried, in order, the
    stages whose tasks were sent, the marks that stand, and the stages that were activated."""

    snapshot: Snapshot
    sent: tuple[str, ...]
    tasks: frozenset[str] = frozenset()
    marks: frozenset[Mark] = frozenset()
    activated: frozenset[str] = frozenset()


def unchanged(name: str, text: str) -> str:
    """Leave the rules as they are."""
    return text


@cache
def lifecycle(change: Change = unchanged) -> Program:
    """Return the rules of rules/core and rules/gsm in container form; ``change`` may edit each file."""
    program = Program(facts=(Triple(IRI(CONTAINER), IRI(AG + "executesMembers"), TRUE),))
    for name in (*(f"core/{name}" for name in CORE), *(f"gsm/{name}" for name in (*LIFECYCLE, EVERY))):
        text = change(name, read_bundled(f"rules/{name}.n3"))
        program += read_program(text, source=name, base=f"http://rules/{name}")
    return program


def run_cases(cases: Sequence[Case], change: Change = unchanged) -> list[Result]:
    """Run one step with every case as an instance of its own, and return what became of each."""
    world = FakeWorld({MODEL: _MODEL, ENVIRONMENT: _environment(cases)}, containers=(CONTAINER,))
    owner: dict[str, tuple[int, str]] = {}
    for number, case in enumerate(cases):
        for name, uri, text in _status(number, case):
            world.put(uri, text)
            owner[uri] = (number, name)
            if name in case.unread:
                world.get_faults[uri] = 503

    def fault(send: Send) -> int | None:
        if send.uri == TASKS:
            return None
        number, name = owner[send.uri]
        return 503 if name in cases[number].lost else None

    world.send_fault = fault
    report = world.step(StepPlan(lifecycle(change), workflows=GsmWorkflows([CONTAINER])))
    assert report.failure is None, report.failure
    sent: list[list[str]] = [[] for _ in cases]
    tasks: list[set[str]] = [set() for _ in cases]
    for send in world.sends:
        if send.uri != TASKS:
            number, name = owner[send.uri]
            sent[number].append(name)
    for element in _senders(report):
        number, name = owner[element]
        tasks[number].add(name)
    return [
        _result(world, number, tuple(sent[number]), frozenset(tasks[number])) for number in range(len(cases))
    ]


def _senders(report: StepReport) -> Iterable[str]:
    """Yield the documents of the stages whose tasks were sent, once for each task."""
    for request in report.requests:
        if request.uri == TASKS and request.outcome == "confirmed":
            for predicate, element in request.annotations:
                if predicate == AG + "forStageInstance":
                    assert isinstance(element, IRI)
                    yield element.value.partition("#")[0]


def violations(snapshot: Snapshot) -> frozenset[str]:
    """Return the invariants that a snapshot breaks: GSM-1, active and achieved; GSM-2, active below inactive."""
    value = dict(zip(DOCUMENTS, snapshot, strict=True))
    broken = set()
    if any(value[stage] and value[milestone] for milestone, stage in STAGE_OF.items()):
        broken.add("GSM-1")
    if any(value[below] and not value[above] for i, above in enumerate(STAGES) for below in STAGES[i:]):
        broken.add("GSM-2")
    return frozenset(broken)


def relevant(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the sentries that can have an effect: guards of inactive stages, achieving ones of active stages,
    invalidating ones of achieved milestones."""
    value = dict(zip(DOCUMENTS, snapshot, strict=True))
    return (
        *(f"g{stage}" for stage in STAGES[1:] if not value[stage]),
        *(f"+{milestone}" for milestone, stage in STAGE_OF.items() if value[stage]),
        *(f"-{milestone}" for milestone in MILESTONES if value[milestone]),
    )


def element_document(container: str, instance: str, *model: str) -> str:
    """Return the document of an element by the naming rule, worked out independently of the agent."""
    name = instance.partition("#")[0].rsplit("/", 1)[1]
    return f"{container}{name}.{sha256(' '.join((instance, *model)).encode()).hexdigest()[:16]}"


def _uri(number: int, name: str) -> str:
    instance = f"{CONTAINER}i{number}#it"
    if name == "R":
        return instance.partition("#")[0]
    if name in STAGES:
        return element_document(CONTAINER, instance, f"{MODEL}#{name}")
    return element_document(CONTAINER, instance, f"{MODEL}#{STAGE_OF[name]}", f"{MODEL}#{name}")


def _status(number: int, case: Case) -> Iterable[tuple[str, str, str]]:
    """Yield name, document and text of every element; the present activation of a stage is its second."""
    instance = f"<{CONTAINER}i{number}#it>"
    for name, value in zip(DOCUMENTS, case.snapshot, strict=True):
        general = f"gsm:isInstanceOf <{MODEL}#{name}> ; gsm:inArtifactInstance {instance}"
        if name in STAGES:
            kinds = "gsm:ArtifactInstance , gsm:StageInstance" if name == "R" else "gsm:StageInstance"
            state = "active" if value else "inactive"
            status = f"a {kinds} ; {general} ; gsm:hasState gsm:{state} ; ag:activation {PRESENT}"
        else:
            activation = {0: 0, 1: PRESENT, 2: PRESENT - 1}[value]
            status = (
                f"a gsm:MilestoneInstance ; {general} ; gsm:forStageModel <{MODEL}#{STAGE_OF[name]}> ; "
                f"gsm:isAchieved {'true' if value else 'false'} ; ag:activation {activation}"
            )
        asked = "".join(f" ; ag:{mark} true" for mark, document in sorted(case.marks) if document == name)
        yield (
            name,
            _uri(number, name),
            f"@prefix gsm: <{GSM}> . @prefix ag: <{AG}> .\n<#it> {status}{asked} .",
        )


def _environment(cases: Iterable[Case]) -> str:
    return "\n".join(
        f'<{CONTAINER}i{number}#it> <http://e/wants> "{sentry}" .'
        for number, case in enumerate(cases)
        for sentry in sorted(case.true)
    )


def _result(world: FakeWorld, number: int, sent: tuple[str, ...], tasks: frozenset[str]) -> Result:
    said = {name: _said(world, _uri(number, name)) for name in DOCUMENTS}
    marks = frozenset(
        (mark, name) for name, facts in said.items() for mark in MARKS if facts.get(mark) == "true"
    )
    activated = frozenset(name for name in STAGES if int(said[name]["activation"]) > PRESENT)
    return Result(_snapshot(said), sent, tasks, marks, activated)


def _snapshot(said: Mapping[str, Mapping[str, str]]) -> Snapshot:
    """Return the snapshot that documents tell: of an inactive stage it does not matter when it was achieved."""
    value: dict[str, int] = {name: int(said[name]["hasState"] == "active") for name in STAGES}
    for name, stage in STAGE_OF.items():
        is_old = int(said[name]["activation"]) < int(said[stage]["activation"])
        achieved = said[name]["isAchieved"] == "true"
        value[name] = achieved + (achieved and is_old and value[stage])
    return tuple(value[name] for name in DOCUMENTS)


def _said(world: FakeWorld, uri: str) -> Mapping[str, str]:
    """Return the status in a document by local name of the property."""
    fault = world.get_faults.pop(uri, None)
    found: dict[str, str] = {}
    for triple in world.triples(uri):
        assert isinstance(triple.predicate, IRI)
        name = triple.predicate.value.rpartition("#")[2]
        if name in {"hasState", "isAchieved", "activation", *MARKS}:
            assert name not in found, f"{uri} has two values of {name}"
            value = triple.object
            assert isinstance(value, IRI | Literal)
            found[name] = value.lexical if isinstance(value, Literal) else value.value.rpartition("#")[2]
    if fault is not None:
        world.get_faults[uri] = fault
    return found


def _sentry(name: str) -> str:
    return (
        f"[ a sp:Ask ; sp:where ( [ sp:subject gsm:thisArtifactInstance ; sp:predicate <http://e/wants> ; "
        f'sp:object "{name}" ] ) ]'
    )


def _stage(name: str) -> str:
    parts = [f"<#{name}> a gsm:Stage"]
    if name != "G":
        parts.append(f"gsm:hasChildStage <#{STAGES[STAGES.index(name) + 1]}>")
    if name != "R":
        parts.append(
            f"gsm:hasHttpRequest [ http:mthd httpm:POST ; http:requestURI <{TASKS}> ; http:body 'go' ]"
        )
        parts.append(f"gsm:hasGuard [ gsm:hasCondition {_sentry(f'g{name}')} ]")
    parts += [f"gsm:hasMilestone <#{milestone}>" for milestone, stage in STAGE_OF.items() if stage == name]
    return " ; ".join(parts) + " ."


_MODEL = "\n".join(
    [
        f"@prefix gsm: <{GSM}> . @prefix ag: <{AG}> . @prefix sp: <http://spinrdf.org/sp#> .",
        "@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .",
        f"<#R> ag:source <{ENVIRONMENT}> .",
        *(_stage(name) for name in STAGES),
        *(
            f"<#{name}> gsm:hasAchievingSentry {_sentry(f'+{name}')} ; "
            f"gsm:hasInvalidatingSentry {_sentry(f'-{name}')} ."
            for name in MILESTONES
        ),
    ]
)


PREFIXES = f"""@prefix gsm: <{GSM}> . @prefix ag: <{AG}> . @prefix sp: <http://spinrdf.org/sp#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix sr: <http://www.w3.org/2005/sparql-results#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .
@prefix e: <http://e/> .
"""


def small_world(model: str, environment: str = "", instances: Iterable[str] = ("i1",)) -> FakeWorld:
    """Return a world with a model of root ``<#r>``, an environment, and uninitialized instances in the container."""
    documents: dict[str, str] = {MODEL: PREFIXES + model, ENVIRONMENT: PREFIXES + environment}
    for name in instances:
        documents[CONTAINER + name] = (
            f"{PREFIXES}<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <{MODEL}#r> ; "
            'gsm:hasState gsm:uninitialized ; e:label "mine" .'
        )
    return FakeWorld(documents, containers=(CONTAINER,))


def single(*names: str) -> StepPlan:
    """Return a plan that executes the instances of these names and no others."""
    program, workflows = workflow_program({f"{CONTAINER}{name}#it": CONTAINER for name in names})
    return StepPlan(program, workflows=workflows)


def every() -> StepPlan:
    """Return a plan that executes every instance in the container."""
    program, workflows = workflow_program({}, [CONTAINER])
    return StepPlan(program, workflows=workflows)


def status(world: FakeWorld, name: str = "i1") -> dict[str, str]:
    """Return the state or achievement of each element of an instance, by local name in the model."""
    found: dict[str, str] = {}
    for uri in world.pages:
        said = {t.predicate: t.object for t in world.triples(uri)} if uri.startswith(CONTAINER + name) else {}
        model = said.get(IRI(GSM + "isInstanceOf"))
        value = said.get(IRI(GSM + "hasState")) or said.get(IRI(GSM + "isAchieved"))
        if isinstance(model, IRI):
            found[model.value.rpartition("#")[2]] = (
                value.value.rpartition("#")[2] if isinstance(value, IRI) else getattr(value, "lexical", "")
            )
    return found


def told(plan: StepPlan, world: FakeWorld) -> dict[str, set[str]]:
    """Run the read phase of a step without sending and return, by local name, the objects of the ``ag:`` facts."""
    seen: dict[str, set[str]] = {}

    class Listening(GsmWorkflows):
        def conclude(
            self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
        ) -> tuple[list[Triple], list[SentryValue]]:
            for _, predicate, value in facts:
                if isinstance(predicate, IRI) and predicate.value.startswith(AG):
                    text = value.value if isinstance(value, IRI) else getattr(value, "lexical", "")
                    seen.setdefault(predicate.value.removeprefix(AG), set()).add(text)
            return super().conclude(facts, outcomes, instant)

    assert isinstance(plan.workflows, GsmWorkflows)
    listening = Listening([CONTAINER], [f"{CONTAINER}i1#it"])
    world.step(replace(plan, workflows=listening, dry_run=True))
    return seen
