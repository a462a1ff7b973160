"""Parking: an instance that runs in a circle is told to stop, in its own document, with the reason (ADR 0009).

What the mark does is in rules/gsm/marks.n3; ``milepost resume`` takes it away.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from agent.errors import Finding, MilepostError, Place
from agent.gsm.terms import (
    CONTAINER,
    EXECUTES_MEMBERS,
    IN_ARTIFACT_INSTANCE,
    IS_CANCELLED,
    IS_EXECUTED,
    IS_INSTANCE_OF,
    IS_PARKED,
    IS_PAUSED,
)
from agent.rdf.documents import Content
from agent.rdf.terms import IRI, TRUE, BlankNode, Literal, Term, Triple, document_of
from agent.reason.facts import Facts
from agent.runtime.editing import edit_document, with_value
from agent.runtime.report import RequestReport, StepReport
from agent.runtime.runaway import Acting, Runaway, Runaways
from agent.transport.client import Client
from agent.vocab import AG, GSM

HAS_STATE = IRI(GSM + "hasState")
IS_ACHIEVED = IRI(GSM + "isAchieved")
MAY_ACTIVATE = IRI(AG + "mayActivate")
MAY_OPEN_BY = IRI(AG + "mayOpenBy")
HAS_CONDITION = IRI(GSM + "hasCondition")
HOLDS_IN = IRI(AG + "holdsIn")
FOR_STAGE_INSTANCE = AG + "forStageInstance"
LET_IT_REST = "Let the guard ask for the own milestone to be unachieved, or make the stage ag:Latched."
RESUME = "Correct the model, then run: milepost resume {}"


class Parking:
    """Watches the steps of a run and parks runaways; ``wrote`` is told which documents were written to."""

    def __init__(self, client: Client, wrote: Callable[[str], None]) -> None:
        self._client = client
        self._wrote = wrote
        self._runaways = Runaways()

    async def after_step(self, report: StepReport, memory: Facts) -> StepReport:
        """Return ``report`` with what is to be told about runaways, after parking those that need it."""
        found = self._runaways.observe(acting_instances(report, memory))
        if not found:
            return report
        findings = [await self._treat(one) for one in found]
        return replace(report, findings=(*report.findings, *findings))

    async def _treat(self, one: Runaway) -> Finding:
        place = Place(one.instance)
        if one.kind == "repeating":
            return Finding("warning", "GSM061", one.reason, place, LET_IT_REST)
        try:
            await edit_document(self._client, one.instance, lambda content: _parked(content, one))
        except MilepostError as error:
            return Finding("warning", "GSM060", f"{one.reason}; it cannot be parked: {error.message}", place)
        self._wrote(document_of(one.instance))
        self._runaways.forget(one.instance)
        return Finding("warning", "GSM060", f"parked: {one.reason}", place, RESUME.format(one.instance))


def acting_instances(report: StepReport, memory: Facts) -> Iterator[Acting]:
    """Yield the instances whose status a step changed, in a form that can be compared from step to step."""
    written: dict[str, set[str]] = {}
    for request in report.requests:
        if request.outcome == "confirmed" and not _is_task(request):
            for instance in request.instances:
                written.setdefault(instance, set()).add(request.uri)
    if not written:
        return
    environment = _environment(report, memory)
    timed = {sentry.instance for sentry in report.sentries if sentry.reads_time}
    opening = _opening(memory)
    for instance, documents in sorted(written.items()):
        iri = IRI(instance)
        opened = dict(_opened(iri, documents, opening, memory))
        yield Acting(instance, _status(iri, memory), environment, opened, instance in timed)


def _is_task(request: RequestReport) -> bool:
    return any(name == FOR_STAGE_INSTANCE for name, _ in request.annotations)


def _opening(memory: Facts) -> dict[str, list[IRI]]:
    """Return the elements that may open, by their documents."""
    opening: dict[str, list[IRI]] = {}
    for element in memory.subjects(MAY_ACTIVATE, TRUE):
        if isinstance(element, IRI):
            opening.setdefault(document_of(element.value), []).append(element)
    return opening


def _opened(
    instance: IRI, documents: set[str], opening: Mapping[str, list[IRI]], memory: Facts
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the stages of the model that opened, each with the guards that held."""
    for element in (element for document in sorted(documents) for element in opening.get(document, ())):
        model = memory.value(element, IS_INSTANCE_OF)
        if isinstance(model, IRI):
            guards = [g for g in memory.objects(element, MAY_OPEN_BY) if _holds(g, instance, memory)]
            yield (
                model.value,
                tuple(sorted(g.value if isinstance(g, IRI) else "without a name" for g in guards)),
            )


def _holds(guard: Term, instance: IRI, memory: Facts) -> bool:
    return any(Triple(s, HOLDS_IN, instance) in memory for s in memory.objects(guard, HAS_CONDITION))


def _environment(report: StepReport, memory: Facts) -> str:
    """Return a digest of every document that the step read and that is no status."""
    own: set[str] = set()
    for element, _, instance in memory.match(None, IN_ARTIFACT_INSTANCE, None):
        own.update(document_of(term.value) for term in (element, instance) if isinstance(term, IRI))
    for instance in memory.subjects(IS_EXECUTED, TRUE):
        terms = (instance, *memory.objects(instance, CONTAINER))
        own.update(document_of(term.value) for term in terms if isinstance(term, IRI))
    own.update(term.value for term in memory.subjects(EXECUTES_MEMBERS, TRUE) if isinstance(term, IRI))
    return _digest(f"{get.uri} {get.outcome} {get.sha256}" for get in report.gets if get.uri not in own)


def _status(instance: IRI, memory: Facts) -> str:
    """Return a digest of the status of an instance, without what only counts, and of the data in its own document."""
    said = [
        f"{_spelled(element)} {_spelled(predicate)} {_spelled(value)}"
        for element in memory.subjects(IN_ARTIFACT_INSTANCE, instance)
        for predicate in (HAS_STATE, IS_ACHIEVED)
        for value in memory.objects(element, predicate)
    ]
    said += [
        " ".join(map(_spelled, triple))
        for triple in memory.match(instance, None, None)
        if isinstance(triple.predicate, IRI)
        and not triple.predicate.value.startswith(AG)
        and not isinstance(triple.object, BlankNode)
    ]
    return _digest(sorted(said))


def _spelled(term: Term) -> str:
    """Return a text that no other term has; ``repr`` takes ten times as long for those that there are many of."""
    match term:
        case IRI(value):
            return f"<{value}>"
        case Literal(lexical, datatype, language):
            return f"{lexical!r}^{datatype}@{language}"
        case _:
            return repr(term)


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _parked(content: Content, one: Runaway) -> list[Triple] | None:
    """Return the document of an instance with the reason why it is parked, unless somebody else has stopped it."""
    instance = IRI(one.instance)
    mine = {t.predicate: t.object for t in content.triples if t.subject == instance}
    if IS_PARKED in mine or TRUE in (mine.get(IS_PAUSED), mine.get(IS_CANCELLED)):
        return None
    return with_value(content.triples, instance, IS_PARKED, Literal(one.reason))
