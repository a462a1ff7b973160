"""The stages and milestones of an instance, found by the names that people use for them."""

import asyncio
from collections.abc import Iterator
from typing import Literal as Choice
from typing import TypeAlias
from uuid import uuid4

from msgspec import Struct

from agent.clock import WallClock, lexical
from agent.errors import UsageError, did_you_mean
from agent.fetch.pace import UNPACED
from agent.fetch.polling import Sources
from agent.gsm.ruleset import reading_program
from agent.gsm.terms import IN_ARTIFACT_INSTANCE, IS_INSTANCE_OF
from agent.rdf.documents import Content
from agent.rdf.terms import IRI, Literal, Term, Triple, document_of
from agent.reason.facts import Facts
from agent.runtime.hosts import VouchingWorkflows
from agent.runtime.looking import take_step
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.workflows import SentryValue, Workflows
from agent.transport.client import Client
from agent.vocab import GSM, RDFS

Kind: TypeAlias = Choice["stage", "milestone"]

HAS_STATE = IRI(GSM + "hasState")
IS_ACHIEVED = IRI(GSM + "isAchieved")
FOR_STAGE = IRI(GSM + "forStageModel")
HAS_REQUEST = IRI(GSM + "hasHttpRequest")
LABEL = IRI(RDFS + "label")
SHOWN = 6


class Element(Struct, frozen=True):
    """A stage or milestone of an instance: ``iri`` is its own, ``model`` that of its model.

    ``state`` is ``active``, ``inactive``, ``true`` or ``false``. A milestone has its ``stage``, a stage its ``tasks``.
    """

    kind: Kind
    iri: str
    model: str
    labels: tuple[str, ...]
    state: str
    stage: str = ""
    tasks: int = 0

    @property
    def name(self) -> str:
        """Return what people call it: its label, else the last part of its model's IRI."""
        return self.labels[0] if self.labels else local_name(self.model)

    @property
    def names(self) -> tuple[str, ...]:
        """Return everything it may be called by."""
        return (*self.labels, local_name(self.model), self.model, self.iri)


async def read_elements(client: Client, instance: str, container: str) -> tuple[Element, ...]:
    """Return the stages and milestones of ``instance``, whose elements are in ``container``, as they are now."""
    program, workflows = reading_program(instance, container)
    vouching = VouchingWorkflows(workflows, client.policy, [document_of(instance)])
    plan = StepPlan(program, workflows=_WithoutSentries(vouching), dry_run=True)
    machine = Machine(plan, lexical(WallClock().now()), str(uuid4()))
    monotonic = asyncio.get_running_loop().time
    sources = Sources(client, monotonic, pace=UNPACED, is_status=lambda _: True)
    await take_step(machine, client, sources)
    return tuple(_elements(machine.memory, IRI(instance)))


def find_element(elements: tuple[Element, ...], name: str, kind: Kind) -> Element:
    """Return the element of ``kind`` that ``name`` means: IRI, last part of one, or label; UsageError GSM055.

    Of milestones that stand in several stages it is the one whose stage is active.
    """
    found = [one for one in elements if name in one.names]
    fitting = [one for one in found if one.kind == kind]
    if len(fitting) > 1:
        active = {one.model for one in elements if one.state == "active"}
        fitting = [one for one in fitting if one.stage in active] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        places = "\n".join(one.iri for one in fitting[:SHOWN])
        raise UsageError(
            "GSM055", f"several {kind}s are called {name}", hint=f"Name one by its URI:\n{places}"
        )
    if found:
        raise UsageError("GSM055", f"{name} is a {found[0].kind}, not a {kind}")
    known = [part for one in elements if one.kind == kind for part in one.names[:-2]]
    shown = ", ".join(sorted(dict.fromkeys(one.name for one in elements if one.kind == kind))[:SHOWN])
    hint = did_you_mean(name, known) or (f"It has {shown}." if shown else "")
    raise UsageError("GSM055", f"the instance has no {kind} called {name}", hint=hint)


def local_name(iri: str) -> str:
    """Return the last part of an IRI: its fragment, else its last segment."""
    return iri.rpartition("#")[2].rstrip("/").rpartition("/")[2]


def _elements(facts: Facts, instance: IRI) -> Iterator[Element]:
    for iri in sorted(
        {s.value for s in facts.subjects(IN_ARTIFACT_INSTANCE, instance) if isinstance(s, IRI)}
    ):
        element = IRI(iri)
        model = facts.value(element, IS_INSTANCE_OF)
        state = facts.value(element, HAS_STATE) or facts.value(element, IS_ACHIEVED)
        if not isinstance(model, IRI) or state is None:
            continue
        stage = facts.value(element, FOR_STAGE)
        yield Element(
            kind="stage" if stage is None else "milestone",
            iri=iri,
            model=model.value,
            labels=tuple(sorted({_text(label) for label in facts.objects(model, LABEL)})),
            state=local_name(_text(state)),
            stage=_text(stage),
            tasks=sum(1 for _ in facts.objects(model, HAS_REQUEST)),
        )


def _text(term: Term | None) -> str:
    return term.value if isinstance(term, IRI) else term.lexical if isinstance(term, Literal) else ""


class _WithoutSentries:
    """Workflows of which no sentry is evaluated: nothing is read for the sake of one."""

    def __init__(self, workflows: Workflows) -> None:
        self._workflows = workflows
        self.protected = workflows.protected

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        return self._workflows.admit(content)

    def sources(self, _: Facts) -> tuple[str, ...]:
        return ()

    def conclude(self, *_: object) -> tuple[list[Triple], list[SentryValue]]:
        return [], []
