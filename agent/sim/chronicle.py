"""What a step did, seen from outside: the status documents before and after it, and what reached the devices.

The agent's own word is not asked, so that a chronicle can be checked against what was expected of the agent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from agent.rdf.terms import IRI, Literal, Term, Triple
from agent.sim.devices import Happening
from agent.sim.scenario import Effect
from agent.vocab import AG, GSM, HTTP, RDFS


class Labels(Struct, frozen=True):
    """What people call the elements of a model, and which sentries and requests belong to which element."""

    triples: frozenset[Triple]

    def of(self, element: str) -> str:
        """Return the rdfs:label of ``element``, else its local name."""
        return next(
            (term.lexical for term in self._objects(element, RDFS + "label") if isinstance(term, Literal)),
            local_name(element),
        )

    def of_all(self, element: str, *predicates: str) -> str:
        """Return the labels of what ``predicates`` lead to from ``element``, joined by "or"."""
        return " or ".join(sorted(self.of(reached) for reached in self.reached(element, *predicates)))

    def reached(self, element: str, *predicates: str) -> list[str]:
        """Return the IRIs that the GSM properties ``predicates``, one after the other, lead to."""
        here = [element]
        for predicate in predicates:
            here = [
                term.value
                for at in here
                for term in self._objects(at, GSM + predicate)
                if isinstance(term, IRI)
            ]
        return here

    def devices_of(self, stage: str) -> set[str]:
        """Return the names of the devices that the tasks of ``stage`` are sent to."""
        requests = self.reached(stage, "hasHttpRequest")
        uris = [term for request in requests for term in self._objects(request, HTTP + "requestURI")]
        return {local_name(term.value) for term in uris if isinstance(term, IRI)}

    def asking(self, source: str) -> list[str]:
        """Return the sentries that name ``source`` as a document they ask about."""
        wanted = IRI(AG + "source"), IRI(source)
        named = [triple.subject for triple in self.triples if (triple.predicate, triple.object) == wanted]
        return sorted(subject.value for subject in named if isinstance(subject, IRI))

    def around(self, stage: str) -> list[str]:
        """Return the stages that ``stage`` is in, the innermost first."""
        parents = {
            child.value: parent.value
            for parent, predicate, child in self.triples
            if predicate == IRI(GSM + "hasChildStage") and isinstance(parent, IRI) and isinstance(child, IRI)
        }
        found: list[str] = []
        while (parent := parents.get(stage)) is not None and parent not in found:
            found.append(parent)
            stage = parent
        return found

    def _objects(self, subject: str, predicate: str) -> Iterator[Term]:
        wanted = IRI(subject), IRI(predicate)
        return (triple.object for triple in self.triples if (triple.subject, triple.predicate) == wanted)


class Status(Struct, frozen=True):
    """The recorded status of one instance, by model element: states of stages, and whether milestones hold."""

    stages: Mapping[str, str] = field(default_factory=dict)
    milestones: Mapping[str, bool] = field(default_factory=dict)


def read_status(triples: Iterable[Triple], instance: str) -> Status:
    """Return the status of ``instance`` that ``triples`` state."""
    by_subject: dict[Term, dict[Term, Term]] = {}
    for subject, predicate, value in triples:
        by_subject.setdefault(subject, {})[predicate] = value
    stages: dict[str, str] = {}
    milestones: dict[str, bool] = {}
    for subject, said in by_subject.items():
        model = said.get(IRI(GSM + "isInstanceOf"))
        ours = IRI(instance) in {subject, said.get(IRI(GSM + "inArtifactInstance"))}
        if not isinstance(model, IRI) or not ours:
            continue
        match said.get(IRI(GSM + "hasState")), said.get(IRI(GSM + "isAchieved")):
            case IRI(state), _:
                stages[model.value] = local_name(state)
            case _, Literal(achieved):
                milestones[model.value] = achieved in {"true", "1"}
            case _:
                pass
    return Status(stages, milestones)


def effects_of(step: int, before: Status, after: Status, happenings: Sequence[Happening]) -> list[Effect]:
    """Return what ``step`` did, in a fixed order: set-up, milestones, closing, opening, what reached the devices."""
    effects = [Effect(step, "is set up", local_name(root)) for root in _set_up(before, after)]
    for milestone in sorted(after.milestones, key=lambda iri: (not after.milestones[iri], iri)):
        was, now = before.milestones.get(milestone, False), after.milestones[milestone]
        if was != now:
            effects.append(Effect(step, "achieved" if now else "invalidated", local_name(milestone)))
    if not _set_up(before, after):
        moved = [
            (after.stages[stage], stage)
            for stage in after.stages
            if after.stages[stage] != before.stages.get(stage)
        ]
        for state, stage in sorted(moved, reverse=True):
            effects.append(Effect(step, "opens" if state == "active" else "closes", local_name(stage)))
    sent = sorted(f"{event.device} {event.state}" for event in happenings if event.actor == "http")
    return effects + [Effect(step, "is sent", text) for text in sent]


def _set_up(before: Status, after: Status) -> list[str]:
    return [
        stage
        for stage, state in after.stages.items()
        if before.stages.get(stage) == "uninitialized" and state != "uninitialized"
    ]


def tell(effects: Sequence[Effect], labels: Labels, model: str, after: Status) -> list[str]:
    """Return ``effects`` of one step as sentences, one per cause."""
    told: dict[str, list[str]] = {}
    for effect in effects:
        cause, text = _sentence(effect, labels, f"{model}#{effect.element}", effects, after)
        told.setdefault(cause, []).append(text)
    return [f"{cause} -> {', '.join(texts)}" if cause else ", ".join(texts) for cause, texts in told.items()]


def _sentence(
    effect: Effect, labels: Labels, element: str, effects: Sequence[Effect], after: Status
) -> tuple[str, str]:
    """Return the cause of ``effect``, as its sentry or guard is called, and the effect itself."""
    match effect.kind:
        case "is set up":
            counts = f"{len(after.stages) - 1} stages, {len(after.milestones)} milestones"
            return "", f'workflow "{labels.of(element)}" is set up: {counts}'
        case "opens":
            return _guards(labels, element), f'stage "{labels.of(element)}" opens'
        case "closes":
            completed = _completed(element, labels, effects)
            achieved = labels.of_all(completed, "hasMilestone", "hasAchievingSentry")
            with_it = "" if completed == element else f' with "{labels.of(completed)}"'
            return achieved, f'stage "{labels.of(element)}" closes{with_it}'
        case "achieved":
            return labels.of_all(element, "hasAchievingSentry"), f'milestone "{labels.of(element)}" achieved'
        case "invalidated" if opener := _opener(element, labels, effects):
            return _guards(labels, opener), f'milestone "{labels.of(element)}" reset'
        case "invalidated":
            return labels.of_all(
                element, "hasInvalidatingSentry"
            ), f'milestone "{labels.of(element)}" invalidated'
        case "is sent":
            device = effect.element.partition(" ")[0]
            opened = _opened(element, effects)
            causes = [_guards(labels, stage) for stage in opened if device in labels.devices_of(stage)]
            return " or ".join(causes) or "request from elsewhere", f"PUT {effect.element}"


def _opened(element: str, effects: Sequence[Effect]) -> list[str]:
    """Return the stages that ``effects`` open, in the model of ``element``."""
    model = element.partition("#")[0]
    return [f"{model}#{effect.element}" for effect in effects if effect.kind == "opens"]


def _opener(milestone: str, labels: Labels, effects: Sequence[Effect]) -> str:
    """Return the stage of ``milestone`` if ``effects`` open it, which resets the milestone, else the empty text."""
    return next(
        (s for s in _opened(milestone, effects) if milestone in labels.reached(s, "hasMilestone")), ""
    )


def _completed(stage: str, labels: Labels, effects: Sequence[Effect]) -> str:
    """Return the innermost stage around ``stage`` with a milestone that ``effects`` achieve; it closes what is in it.

    ``stage`` itself if there is none.
    """
    achieved = {effect.element for effect in effects if effect.kind == "achieved"}
    around = [stage, *labels.around(stage)]
    return next(
        (s for s in around if achieved & {local_name(m) for m in labels.reached(s, "hasMilestone")}), stage
    )


def _guards(labels: Labels, stage: str) -> str:
    return labels.of_all(stage, "hasGuard")


def local_name(iri: str) -> str:
    """Return what follows the last ``#`` or ``/`` of ``iri``."""
    return iri.rpartition("#")[2].rpartition("/")[2]
