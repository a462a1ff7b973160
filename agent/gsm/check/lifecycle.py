"""Guards and milestones as they work together: what re-fires, what is achieved and taken back at once."""

from collections.abc import Iterator
from itertools import product

from agent.errors import Finding
from agent.gsm.check.graph import StageGraph
from agent.gsm.check.model import Model
from agent.gsm.check.questions import documents_read
from agent.gsm.check.sentries import CheckedSentry, SentryReader
from agent.gsm.check.terms import (
    ACHIEVED,
    HAS_ACHIEVING,
    HAS_CONDITION,
    HAS_GUARD,
    HAS_INVALIDATING,
    HAS_MILESTONE,
    HAS_REQUEST,
    LATCHED,
    METHOD,
    REQUEST_URI,
    UNACHIEVED,
)
from agent.gsm.check.witness import Search, WitnessSearch
from agent.gsm.terms import THIS_INSTANCE
from agent.rdf.terms import IRI, RDF_TYPE, Term, Triple, document_of
from agent.vocab import METHODS

_GET = IRI(METHODS + "GET")


class LifecycleCheck:
    """Looks at every stage of ``model`` with its guards, milestones and tasks."""

    def __init__(self, model: Model, graph: StageGraph, reader: SentryReader, search: WitnessSearch) -> None:
        self._model = model
        self._graph = graph
        self._reader = reader
        self._search = search

    def faults(self) -> Iterator[Finding]:
        """Yield what a model says that its author will hardly mean."""
        model = self._model
        milestones = dict.fromkeys(each.triple.object for each in model.with_predicate(HAS_MILESTONE))
        for milestone in milestones:
            yield from self._achieved_and_invalidated(milestone)
            yield from self._shared(milestone)
        for stage in model.stages:
            if not self._graph.is_root(stage):
                for guard in model.objects(stage, HAS_GUARD):
                    yield from self._firing_again(stage, guard)
                    yield from self._triggering_itself(stage, guard)

    def notes(self) -> Iterator[Finding]:
        """Yield what is right but often read otherwise."""
        model = self._model
        for stage in model.stages:
            for carrier, link, what in (
                (stage, HAS_GUARD, "guard"),
                *((each, HAS_CONDITION, "condition") for each in model.objects(stage, HAS_GUARD)),
            ):
                if len(model.objects(carrier, link)) > 1:
                    role = "stage" if what == "guard" else "guard"
                    message = f"{model.called(carrier, role)} has several {what}s: any of them is enough"
                    yield model.finding("note", "GSM039", message, model.of(carrier, link)[1].place)
            yield from self._closing_while_opening(stage)

    def _both(self, some: list[CheckedSentry], others: list[CheckedSentry], *given: Triple) -> Search:
        """Look for data for which a sentry of ``some`` and one of ``others`` hold; certain only if all are."""
        is_certain = True
        for one, other in product(some, others):
            if not (one.is_sound and other.is_sound):
                is_certain = False
                continue
            for question, second in product(one.questions, other.questions):
                found = self._search.search(question, second, given=given)
                if found.example is not None:
                    return found
                is_certain &= found.is_certain
        return Search(is_certain=is_certain)

    def _achieved_and_invalidated(self, milestone: Term) -> Iterator[Finding]:
        achieving = self._reader.of(milestone, HAS_ACHIEVING)
        invalidating = self._reader.of(milestone, HAS_INVALIDATING)
        found = self._both(achieving, invalidating)
        if found.example is not None:
            place = self._model.of(milestone, HAS_INVALIDATING)[0].places[1]
            called = self._model.called(milestone, "milestone")
            message = f"{called}: achieving and invalidating sentry can both hold{_example(found)}"
            yield self._model.finding("warning", "GSM021", message, place)

    def _shared(self, milestone: Term) -> Iterator[Finding]:
        model = self._model
        links = model.to(milestone, HAS_MILESTONE)
        for link in links if len({each.triple.subject for each in links}) > 1 else ():
            stage = link.triple.subject
            for guard in model.objects(stage, HAS_GUARD):
                if self._asks_unachieved(guard, milestone) and not self._is_latched(stage, guard):
                    others = [each.triple.subject for each in links if each.triple.subject != stage]
                    message = (
                        f"guard {model.name(guard)} cannot tell milestone {model.name(milestone)} of its own stage"
                        f" from that of stage {model.name(others[0])}"
                    )
                    hint = "make the guard an ag:Latched, which tests the stage's own milestone"
                    yield model.finding(
                        "warning", "GSM024", message, model.of(stage, HAS_GUARD)[0].place, hint
                    )
                    return

    def _is_latched(self, stage: Term, guard: Term) -> bool:
        return any(LATCHED in self._model.objects(each, RDF_TYPE) for each in (stage, guard))

    def _asks_unachieved(self, guard: Term, milestone: Term) -> bool:
        pattern = Triple(THIS_INSTANCE, IRI(UNACHIEVED), milestone)
        sentries = self._reader.of(guard, HAS_CONDITION)
        asked = [form.asked for sentry in sentries for form in sentry.forms]
        return any(each is not None and pattern in each.mentioned for each in asked)

    def _firing_again(self, stage: Term, guard: Term) -> Iterator[Finding]:
        model = self._model
        if self._is_latched(stage, guard):
            return
        milestones = [
            each for each in model.objects(stage, HAS_MILESTONE) if model.objects(each, HAS_ACHIEVING)
        ]
        for milestone in milestones:
            for condition in self._reader.of(guard, HAS_CONDITION):
                if condition.is_given:
                    found = Search(example="")
                elif not condition.is_sound:
                    continue
                else:
                    found = self._after(condition, milestone)
                if found.is_certain or (found.example is None and self._asks_unachieved(guard, milestone)):
                    continue
                place = next(each.place for each in model.of(stage, HAS_GUARD) if each.triple.object == guard)
                message = (
                    f"{model.called(guard, 'guard')} can still hold when {model.called(milestone, 'milestone')}"
                    f" is achieved, so the stage opens again at once{_example(found)}"
                )
                hint = f"ask for ag:hasUnachievedMilestone {model.name(milestone)} in it, or make it an ag:Latched"
                yield model.finding("warning", "GSM023", message, place, hint)
                return

    def _after(self, condition: CheckedSentry, milestone: Term) -> Search:
        """Look for data for which ``condition`` holds right after ``milestone`` has been achieved."""
        given = Triple(THIS_INSTANCE, IRI(ACHIEVED), milestone)
        achieving = self._reader.of(milestone, HAS_ACHIEVING)
        if any(each.is_given for each in achieving):
            achieving = []
        if not achieving:
            results = [self._search.search(each, given=(given,)) for each in condition.questions]
            with_example = [each for each in results if each.example is not None]
            return next(iter(with_example), Search(is_certain=all(each.is_certain for each in results)))
        return self._both([condition], achieving, given)

    def _triggering_itself(self, stage: Term, guard: Term) -> Iterator[Finding]:
        model = self._model
        read = {
            document
            for sentry in self._reader.of(guard, HAS_CONDITION)
            for document in documents_read(model, sentry)
        }
        for request in model.objects(stage, HAS_REQUEST):
            if _GET in model.objects(request, METHOD):
                continue
            for statement in model.of(request, REQUEST_URI):
                target = statement.triple.object
                if isinstance(target, IRI) and document_of(target.value) in read:
                    message = (
                        f"{model.called(request, 'request')} writes {model.name(target)}, which"
                        f" {model.called(guard, 'guard')} of the same stage reads"
                    )
                    hint = "a task that changes what opens its stage can start it again"
                    yield model.finding("warning", "GSM030", message, statement.place, hint)

    def _closing_while_opening(self, stage: Term) -> Iterator[Finding]:
        """Yield a note where an ancestor can close in the step in which ``stage`` opens (condition 4.3.2)."""
        model = self._model
        for guard, above in product(model.objects(stage, HAS_GUARD), self._graph.above(stage)):
            for milestone in model.objects(above, HAS_MILESTONE):
                conditions = self._reader.of(guard, HAS_CONDITION)
                found = self._both(conditions, self._reader.of(milestone, HAS_ACHIEVING))
                if found.example is not None:
                    message = (
                        f"{model.called(guard, 'guard')} and the achieving sentry of"
                        f" {model.called(milestone, 'milestone')} around it can both hold: closing wins{_example(found)}"
                    )
                    place = model.of(stage, HAS_GUARD)[0].place
                    yield model.finding("note", "GSM022", message, place)
                    return


def _example(found: Search) -> str:
    return f" (example: {found.example})" if found.example else ""
