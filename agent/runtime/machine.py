"""One step as a pure machine: events in, instructions out, no waiting (ADR 0001, paper section 3.6).

    reading   Get and derive in turns, to the fixpoint
    deciding  negation, sentries, request rules on the final memory; the update set
    writing   Send in the order that units and barriers ask for
    over      ``report`` is there

No Send leaves before the last Get is answered or given up. An error ends the step before anything is sent and is the
``failure`` of the report; nothing is ever half decided.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal as Choice
from typing import TypeAlias

from msgspec import Struct

from agent.decide.bodies import Entity, render
from agent.decide.requests import ground_requests
from agent.decide.scheduled import through_schedulers
from agent.decide.updates import UpdateSet, decide_updates
from agent.errors import Finding, MilepostError, Place
from agent.messages import Answer, Event, Instruction, NoAnswer, NotWritten, Written
from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program, RequestRule
from agent.rdf.terms import IRI, XSD_DATETIME, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.reason.inconsistency import inconsistencies, refuse
from agent.reason.incremental.dispatch import Fact
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.reason.incremental.standing import Standing
from agent.runtime.doubts import doubtful_rules
from agent.runtime.grounds import find_grounds
from agent.runtime.plan import StepPlan
from agent.runtime.reading import Reading
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import StepReport
from agent.runtime.survey import judge_quiet, survey_pending
from agent.runtime.workflows import Conclusions, LastingWorkflows, SentryValue, Workflows
from agent.runtime.writing import Writing
from agent.vocab import AG

Phase: TypeAlias = Choice["reading", "deciding", "writing", "over"]

THIS_STEP = IRI(AG + "thisStep")
INSTANT = IRI(AG + "instant")
FRESH_ID = IRI(AG + "freshId")
NOTHING = UpdateSet(())


class _Decision(Struct, frozen=True):
    """What was decided on the final memory, and what was left out on the way."""

    updates: UpdateSet = NOTHING
    findings: tuple[Finding, ...] = ()
    sentries: tuple[SentryValue, ...] = ()
    left_out: int = 0


class Machine:
    """One step of ``plan``; ``instant`` is its xsd:dateTime, ``fresh_id`` a UUID that no other step has.

    Call ``start``, then ``handle`` with the event that answers each instruction, until ``report`` is not None.
    ``on_phase`` is told when a phase begins. ``reasoning`` is what stays from the steps before; without it the memory
    is empty in the beginning.
    """

    def __init__(
        self,
        plan: StepPlan,
        instant: str,
        fresh_id: str,
        on_phase: Callable[[Phase], None] | None = None,
        reasoning: Reasoning | None = None,
    ) -> None:
        self.phase: Phase = "reading"
        self.report: StepReport | None = None
        self._plan = plan
        self._instant = instant
        self._fresh_id = fresh_id
        self._on_phase = on_phase
        self._context = Context(instant, plan.numeric, plan.program.base)
        reasoning = reasoning or Reasoning(plan, recompute=True)
        self._reasoner, self._unusable = _reasoner(reasoning)
        self._survey = reasoning.survey
        self._reading = Reading(self._reasoner, plan, reasoning.documents)
        self._writing: Writing | None = None
        self._decision = _Decision()

    @property
    def memory(self) -> Facts:
        """Everything known so far in this step; final when the step is over."""
        return self._reasoner.facts

    def start(self) -> list[Instruction]:
        """Begin the step and return what to do first."""
        self._enter("reading")
        if self._unusable is not None:
            self._end(failure=self._unusable)
            return []
        return self._guarded(lambda: self._next(self._reading.start(self._facts(), self._context)))

    def handle(self, event: Event) -> list[Instruction]:
        """Take an event and return what to do now; an event that answers nothing open changes nothing."""
        if self.phase == "reading" and isinstance(event, Answer | NoAnswer):
            return self._guarded(lambda: self._next(self._reading.answered(event)))
        if self.phase == "writing" and self._writing is not None and isinstance(event, Written | NotWritten):
            sends = self._writing.answered(event)
            if self._writing.is_complete:
                self._end()
            return list(sends)
        return []

    def stop(self) -> None:
        """End the step now if nothing has been sent yet; a write phase that began goes on to its end."""
        if self.phase == "reading":
            self._end(interrupted=True)

    def _facts(self) -> Iterator[Triple]:
        yield from self._plan.given
        yield Triple(THIS_STEP, INSTANT, Literal(self._instant, XSD_DATETIME))
        yield Triple(THIS_STEP, FRESH_ID, Literal(self._fresh_id))

    def _guarded(self, act: Callable[[], list[Instruction]]) -> list[Instruction]:
        try:
            return act()
        except MilepostError as failure:
            self._end(failure=failure)
            return []

    def _next(self, gets: Iterable[Instruction]) -> list[Instruction]:
        """Go on with reading, or with deciding and writing when there is nothing left to read."""
        if not self._reading.is_complete:
            return list(gets)
        self._enter("deciding")
        entities = self._decide()
        plan, updates = self._plan, self._decision.updates
        grounds = (
            find_grounds(updates.accepted, plan.program.requests, self._reasoner, self._reading.outcomes)
            if plan.keep_grounds
            else {}
        )
        self._writing = Writing(updates, entities, keep_bodies=plan.keep_bodies, grounds=grounds)
        if self._plan.dry_run or self._writing.is_complete:
            self._end()
            return []
        self._enter("writing")
        return list(self._writing.start())

    def _decide(self) -> Mapping[str, Entity]:
        """Decide the update set on the final memory; return what goes on the wire, by key of the request."""
        sentries: list[SentryValue] = []
        workflows = self._plan.workflows

        if workflows is None:
            self._reasoner.finish()
        else:
            self._conclude(workflows, sentries)
        doubtful = _Doubtful(
            doubtful_rules(self._plan.program, self._plan.cautious)
            if (self._reading.failed() or self._reading.tainted())
            else frozenset()
        )
        contradictions = doubtful.sure(self._reasoner.contradictions())
        refuse(inconsistencies(contradictions, self._plan.program.prefixes))
        bindings = doubtful.without(self._reasoner.request_bindings())
        asked, findings = ground_requests(bindings, self._reasoner.facts)
        requests = through_schedulers(asked, self._reasoner.facts)
        entities: dict[str, Entity] = {}
        unsendable: dict[str, str] = {}
        for request in requests:
            entity = render(request, self._reading.outcomes.get(request.uri))
            if isinstance(entity, Entity):
                entities[request.key] = entity
            else:
                unsendable[request.key] = entity.reason
        updates = decide_updates(requests, self._plan.on_conflict, unsendable)
        cautions = _cautions(updates, entities)
        self._decision = _Decision(
            updates,
            (*findings, *doubtful.findings(), *cautions, *self._context.misreadings.findings()),
            tuple(sentries),
            sum(doubtful.counts.values()),
        )
        return entities

    def _conclude(self, workflows: Workflows, sentries: list[SentryValue]) -> None:
        """Settle negation and draw the conclusions about sentries, whose values go into ``sentries``."""
        outcomes, instant = self._reading.outcomes, self._instant

        def conclude(facts: Facts) -> Iterable[Triple]:
            triples, values = workflows.conclude(facts, outcomes, instant)
            sentries[:] = values
            return triples

        def conclude_again(
            kept: Conclusions, gained: Collection[Fact], lost: Collection[Fact]
        ) -> Iterable[Triple]:
            triples, values = kept.conclude(outcomes, instant, gained, lost)
            sentries[:] = values
            return triples

        lasting = (
            Standing(workflows.keep, conclude_again) if isinstance(workflows, LastingWorkflows) else None
        )
        self._reasoner.finish(conclude, lasting)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        if self._on_phase is not None:
            self._on_phase(phase)

    def _end(self, *, failure: MilepostError | None = None, interrupted: bool = False) -> None:
        facts = self._reasoner.facts
        decision = self._decision
        requests = () if self._writing is None else self._writing.reports()
        pending = survey_pending(facts)
        quiet, reason = judge_quiet(
            len(requests), self._reading.failed(), decision.left_out, pending, decision.sentries
        )
        if failure is not None or interrupted:
            quiet, reason = "unsettled", "the step ended before it decided"
        self.report = StepReport(
            instant=self._instant,
            fresh_id=self._fresh_id,
            gets=self._reading.reports,
            facts=len(facts),
            requests=requests,
            clashes=decision.updates.clashes,
            findings=decision.findings,
            sentries=decision.sentries,
            instances=self._survey.instances(facts),
            pending=pending,
            left_out=decision.left_out,
            not_admitted=self._reading.not_admitted,
            quiet=quiet,
            quiet_reason=reason,
            failure=failure,
            interrupted=interrupted,
        )
        self._enter("over")


def _reasoner(reasoning: Reasoning) -> tuple[RunReasoner, MilepostError | None]:
    """Return the reasoner for a step; if the program cannot be run, one of an empty program and the failure."""
    try:
        return reasoning.begin(), None
    except MilepostError as failure:
        return RunReasoner(Program(), recompute=True), failure


class _Doubtful:
    """Request rules that may not be applied in this step, and how often they would have been."""

    def __init__(self, names: frozenset[str]) -> None:
        self.counts: dict[str, int] = {}
        self._names = names
        self._places: dict[str, Place] = {}

    def without(
        self, bindings: Iterable[tuple[RequestRule, Mapping[str, Term]]]
    ) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        """Yield the bindings of all other rules."""
        for rule, binding in bindings:
            if rule.name in self._names:
                self.counts[rule.name] = self.counts.get(rule.name, 0) + 1
                self._places[rule.name] = rule.place
            else:
                yield rule, binding

    def sure(
        self, contradictions: Iterable[tuple[Inconsistency, Mapping[str, Term]]]
    ) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        """Yield what is not in doubt of the inconsistencies found."""
        return ((rule, binding) for rule, binding in contradictions if rule.name not in self._names)

    def findings(self) -> Iterator[Finding]:
        """Yield one warning for each rule that was not applied."""
        for name, count in sorted(self.counts.items()):
            times = "once" if count == 1 else f"{count} times"
            yield Finding(
                "warning",
                "ASM114",
                f"rule not applied {times}: it tests that something is absent while a document could not be read",
                self._places[name],
            )


def _cautions(updates: UpdateSet, entities: Mapping[str, Entity]) -> Iterator[Finding]:
    """Yield one warning if writes of the step are not guarded by a validator."""
    bare = [
        (request.uri, caution) for request in updates.accepted if (caution := entities[request.key].caution)
    ]
    if bare:
        uri, caution = bare[0]
        others = len(bare) - 1
        more = f" (and for {others} more document{'s' if others > 1 else ''})" if others else ""
        yield Finding("warning", "ASM115", f"{caution}{more}", Place(uri))
