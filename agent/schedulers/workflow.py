"""Running workflows as processes: what a scheduler can tell of them from their model and their status.

A workflow has guards, not an order. Stage B comes after stage A if a guard of B asks for a milestone of A; a stage
with nested stages is done after these. What cannot be told is taken to happen (paper section IV.C).
"""

from collections.abc import Iterator, Mapping, MutableMapping
from datetime import datetime

from agent.errors import ProgramError
from agent.rdf.terms import IRI, RDF_TYPE, TRUE, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.descriptions import read_agreement
from agent.schedulers.milestones import awaited_milestones
from agent.schedulers.penalty import NO_PENALTY, Penalty
from agent.schedulers.process import Activity, Process, State
from agent.schedulers.values import seconds

Place = tuple[str, str]
"""An instance and one of its stages; an empty stage is the instance itself."""


def read_processes(
    facts: Facts,
    now_s: float,
    *,
    services: Mapping[str, float],
    queued: Mapping[Place, tuple[State, float]],
    seen_s: MutableMapping[Place, float],
) -> tuple[tuple[Process, ...], tuple[ProgramError, ...]]:
    """Return the instances that ``facts`` say are under way, as processes, and what is wrong with their agreements.

    ``services`` are URIs of services with their response times in seconds; a stage that takes no
    ``sched:expectedDuration`` takes that of its service. ``queued`` tells since when requests of stages wait or run.
    An instance without ``prov:startedAtTime`` and a stage that is active began when they were first seen:
    ``seen_s`` remembers that from call to call and is updated.
    """
    models: dict[IRI, _Model] = {}
    processes: list[Process] = []
    complaints: list[ProgramError] = []
    present: set[Place] = set()
    states: dict[str, dict[str, tuple[State, float]]] = {}
    for (owner, stage), state in queued.items():
        states.setdefault(owner, {})[stage] = state
    for instance, root in _under_way(facts):
        model = models.setdefault(root, _Model(facts, root, services))
        active, achieved = _status(facts, instance)
        places = [
            (instance.value, ""),
            *((instance.value, stage.value) for stage in active & set(model.stages)),
        ]
        present.update(places)
        for place in places:
            seen_s.setdefault(place, now_s)
        since = {stage.value: seen_s[instance.value, stage.value] for stage in active & set(model.stages)}
        try:
            penalty = _penalty(facts, instance, root)
        except ProgramError as error:
            complaints.append(error)
            penalty = NO_PENALTY
        started_s = _started(facts, instance)
        processes.append(
            Process(
                instance.value,
                seen_s[instance.value, ""] if started_s is None else started_s,
                penalty,
                model.activities(achieved, since, states.get(instance.value, {})),
            )
        )
    for place in seen_s.keys() - present:
        del seen_s[place]
    complaints += [error for model in models.values() for error in model.complaints]
    return tuple(processes), tuple(complaints)


def _under_way(facts: Facts) -> Iterator[tuple[IRI, IRI]]:
    """Yield every instance that has not ended, with its root stage, in an order that is always the same."""
    found = {
        (instance, root)
        for instance in facts.subjects(RDF_TYPE, terms.ARTIFACT_INSTANCE)
        for root in facts.objects(instance, terms.IS_INSTANCE_OF)
        if isinstance(instance, IRI)
        and isinstance(root, IRI)
        and Triple(instance, terms.HAS_STATE, terms.ACTIVE) in facts
    }
    yield from sorted(found, key=lambda pair: (pair[0].value, pair[1].value))


def _status(facts: Facts, instance: IRI) -> tuple[set[IRI], set[IRI]]:
    """Return the stages that are active in ``instance``, and those of which a milestone is achieved."""
    active: set[IRI] = set()
    achieved: set[IRI] = set()
    for element in facts.subjects(terms.IN_INSTANCE, instance):
        if Triple(element, terms.HAS_STATE, terms.ACTIVE) in facts:
            active.update(s for s in facts.objects(element, terms.IS_INSTANCE_OF) if isinstance(s, IRI))
        if Triple(element, terms.IS_ACHIEVED, TRUE) in facts:
            achieved.update(s for s in facts.objects(element, terms.FOR_STAGE) if isinstance(s, IRI))
    return active, achieved


def _penalty(facts: Facts, instance: IRI, root: IRI) -> Penalty:
    agreements = list(facts.objects(instance, terms.GOVERNED_BY)) or list(
        facts.objects(root, terms.GOVERNED_BY)
    )
    return read_agreement(facts, min(agreements, key=repr)) if agreements else NO_PENALTY


def _started(facts: Facts, instance: IRI) -> float | None:
    for value in facts.objects(instance, terms.STARTED):
        try:
            instant = datetime.fromisoformat(value.lexical) if isinstance(value, Literal) else None
        except ValueError:
            continue
        if instant is not None and instant.tzinfo is not None:
            return instant.timestamp()
    return None


class _Model:
    """What is the same for all instances of one root stage."""

    def __init__(self, facts: Facts, root: IRI, services: Mapping[str, float]) -> None:
        self.complaints: list[ProgramError] = []
        self._facts = facts
        self._services = services
        below = self._below(root)
        self.stages = sorted(below, key=lambda stage: stage.value)
        owners = {
            milestone.value: stage
            for stage in self.stages
            for milestone in facts.objects(stage, terms.HAS_MILESTONE)
            if isinstance(milestone, IRI)
        }
        own = {stage: self._awaited(stage, owners) for stage in self.stages}
        nested = {stage: self._below(stage) & below for stage in self.stages}
        self._activities: list[Activity] = []
        for stage in self.stages:
            above = [outer for outer in self.stages if stage in nested[outer] and outer != stage]
            after = own[stage].union(nested[stage], *(own[outer] for outer in above)) - {stage, *above}
            service, duration_s = self._work(stage)
            names = frozenset(other.value for other in after)
            self._activities.append(Activity(stage.value, service, duration_s, after=names))

    def activities(
        self, achieved: set[IRI], since: Mapping[str, float], queued: Mapping[str, tuple[State, float]]
    ) -> tuple[Activity, ...]:
        """Return the stages of an instance with their states."""
        done = {stage.value for stage in achieved}
        return tuple(_in_state(activity, done, since, queued) for activity in self._activities)

    def _below(self, stage: IRI) -> set[IRI]:
        found: set[IRI] = set()
        pending: list[Term] = [stage]
        while pending:
            above = pending.pop()
            for predicate in (terms.HAS_CHILD, terms.HAS_DESCENDANT):
                for child in self._facts.objects(above, predicate):
                    if isinstance(child, IRI) and child not in found:
                        found.add(child)
                        pending.append(child)
        return found

    def _awaited(self, stage: IRI, owners: Mapping[str, IRI]) -> set[IRI]:
        return {
            owners[milestone]
            for guard in self._facts.objects(stage, terms.HAS_GUARD)
            for condition in self._facts.objects(guard, terms.HAS_CONDITION)
            for milestone in awaited_milestones(self._facts, condition)
            if milestone in owners
        }

    def _work(self, stage: IRI) -> tuple[str | None, float]:
        """Return the service of a stage and how long the stage takes."""
        uris = sorted(
            uri.value
            for request in self._facts.objects(stage, terms.HAS_TASK_REQUEST)
            for uri in self._facts.objects(request, terms.REQUEST_URI)
            if isinstance(uri, IRI)
        )
        known = (service for uri in uris[:1] for service in self._services if is_served_by(uri, service))
        service = max(known, key=len, default=uris[0] if uris else None)
        usual_s = self._services.get(service or "", 0.0)
        try:
            return service, seconds(self._facts, stage, terms.EXPECTED_DURATION, usual_s)
        except ProgramError as error:
            self.complaints.append(error)
            return service, usual_s


def _in_state(
    activity: Activity,
    done: set[str],
    since: Mapping[str, float],
    queued: Mapping[str, tuple[State, float]],
) -> Activity:
    name = activity.name
    state: State = "new"
    since_s: float | None = None
    if name in queued:
        state, since_s = queued[name]
    elif name in since and activity.duration_s:
        state, since_s = "running", since[name]
    elif name in done and name not in since:
        state = "done"
    return Activity(name, activity.service, activity.duration_s, state, since_s, activity.after)


def is_served_by(uri: str, service: str) -> bool:
    """Tell whether a request for ``uri`` is one to ``service``: to its URI, or below it without dots that lead out."""
    below = uri == service or uri.startswith((service.rstrip("/") + "/", service + "?"))
    path = uri.partition("?")[0].lower().replace("%2e", ".")
    segments = path.replace("%5c", "/").replace("\\", "/").replace("%2f", "/").split("/")
    return below and not {".", ".."} & set(segments)
