"""What the final memory of a step tells about the run: instances, pending work, and whether all is quiet."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from agent.rdf.terms import IRI, TRUE, Literal, Term
from agent.reason.facts import Facts
from agent.runtime.report import InstanceReport, InstanceStatus, Quiet
from agent.runtime.workflows import SentryValue
from agent.vocab import AG, GSM

IS_EXECUTED = IRI(AG + "isExecuted")
IS_INCOMPLETE = IRI(AG + "isIncomplete")
STATUS = IRI(AG + "status")
PENDING = IRI(AG + "pending")
HAS_STATE = IRI(GSM + "hasState")
IS_PAUSED = IRI(AG + "isPaused")
IS_PARKED = IRI(AG + "isParked")
IS_CANCELLED = IRI(AG + "isCancelled")
IN_INSTANCE = IRI(GSM + "inArtifactInstance")
ACTIVE = IRI(GSM + "active")
_OBSTACLES = {
    IRI(AG + "lacksStatusOf"): "has no status, or not all of it was read",
    IRI(AG + "lacksDescriptionOf"): "is not described, or not all of its description was read",
    IRI(AG + "hasTwice"): "is there twice, or has two states",
    IRI(AG + "hasCircularStage"): "is inside itself",
    IRI(AG + "hasSharedStage"): "is inside two stages",
}
"""What the lifecycle rules say of an instance that may not act."""
SURVEY_RESTS_ON = (
    *(IS_EXECUTED, HAS_STATE, IN_INSTANCE, IS_CANCELLED, IS_PARKED, IS_PAUSED, IS_INCOMPLETE),
    *_OBSTACLES,
)
_STATUS: dict[Term | None, InstanceStatus] = {
    IRI(GSM + "uninitialized"): "uninitialized",
    ACTIVE: "active",
    IRI(GSM + "inactive"): "ended",
}


class Survey:
    """Surveys of the instances of a run: the last one stands while nothing has changed that it rests on."""

    def __init__(self) -> None:
        self._stamp: tuple[int, ...] | None = None
        self._instances: tuple[InstanceReport, ...] = ()

    def instances(self, facts: Facts) -> tuple[InstanceReport, ...]:
        """Return what ``survey_instances`` does: the same tuple while it is the same."""
        stamp = facts.stamp(SURVEY_RESTS_ON)
        if stamp is None or stamp != self._stamp:
            self._instances, self._stamp = survey_instances(facts), stamp
        return self._instances


def survey_instances(facts: Facts) -> tuple[InstanceReport, ...]:
    """Return the executed instances, sorted by IRI, with their status as read in this step."""
    executed = sorted(term.value for term in facts.subjects(IS_EXECUTED, TRUE) if isinstance(term, IRI))
    if not executed:
        return ()
    active: dict[Term, list[str]] = defaultdict(list)
    for stage in facts.subjects(HAS_STATE, ACTIVE):
        for instance in facts.objects(stage, IN_INSTANCE):
            if isinstance(stage, IRI) and stage != instance:
                active[instance].append(stage.value)
    return tuple(_instance(IRI(iri), sorted(active[IRI(iri)]), facts) for iri in executed)


def survey_pending(facts: Facts) -> tuple[str, ...]:
    """Return the requests that are recorded as owed and not yet delivered, sorted."""
    return tuple(sorted(term.value for term in facts.subjects(STATUS, PENDING) if isinstance(term, IRI)))


def judge_quiet(
    decided: int,
    failed: Sequence[str],
    left_out: int,
    pending: Sequence[str],
    sentries: Collection[SentryValue],
) -> tuple[Quiet, str]:
    """Return whether the step was quiet, and why not; of a quiet step, which sentries may change with time alone."""
    if decided:
        return "busy", f"{decided} request{'s' if decided > 1 else ''} decided"
    if failed:
        return "unsettled", f"not known: {_some(failed)}"
    if left_out:
        return "unsettled", f"{left_out} tests of absence left open"
    if pending:
        return "unsettled", f"pending: {_some(pending)}"
    unknown = [_named(sentry) for sentry in sentries if sentry.value == "unknown"]
    if unknown:
        return "unsettled", f"unknown: {_some(unknown)}"
    timed = [_named(sentry) for sentry in sentries if sentry.reads_time]
    return "quiet", f"quiet now, time-dependent: {_some(timed)}" if timed else ""


def _instance(instance: IRI, active: list[str], facts: Facts) -> InstanceReport:
    states = list(facts.objects(instance, HAS_STATE))
    status: InstanceStatus = _STATUS.get(states[0], "unread") if len(states) == 1 else "unread"
    if TRUE in facts.objects(instance, IS_CANCELLED):
        if status in ("ended", "uninitialized"):
            return InstanceReport(instance.value, "cancelled", tuple(active))
    elif status != "ended":
        reasons = sorted(_text(reason) for reason in facts.objects(instance, IS_PARKED))
        if reasons:
            return InstanceReport(instance.value, "parked", tuple(active), reason=reasons[0])
        if TRUE in facts.objects(instance, IS_PAUSED):
            return InstanceReport(instance.value, "paused", tuple(active))
    if status == "active" and active:
        status = "waiting"
    if status == "ended" or TRUE not in facts.objects(instance, IS_INCOMPLETE):
        return InstanceReport(instance.value, status, tuple(active))
    obstacles = (
        f"{element.value} {matter}"
        for predicate, matter in _OBSTACLES.items()
        for element in facts.objects(instance, predicate)
        if isinstance(element, IRI)
    )
    return InstanceReport(instance.value, "blocked", tuple(active), tuple(sorted(obstacles)))


def _text(term: Term) -> str:
    return term.lexical if isinstance(term, Literal) else repr(term)


def _named(sentry: SentryValue) -> str:
    return f"{sentry.sentry} for {sentry.instance}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more}"
