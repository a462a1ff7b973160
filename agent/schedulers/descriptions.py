"""Schedulers, policies and agreements as RDF says them."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from agent.errors import did_you_mean
from agent.rdf.notation import term_text
from agent.rdf.terms import FALSE, IRI, RDF_TYPE, TRUE, XSD_DECIMAL, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.schedulers import terms
from agent.schedulers.penalty import NO_PENALTY, ConstantPenalty, Penalty, StagedPenalty, SummedPenalty
from agent.schedulers.policy import FifoPolicy, Policy, SlaPenaltyPolicy
from agent.schedulers.priority import DELAY_FACTOR, HORIZON_FACTOR
from agent.schedulers.values import (
    fault,
    flag,
    local,
    number,
    one,
    required_iri,
    seconds,
    types_of,
    whole_number,
)

_POLICIES = (terms.SLA_POLICY, terms.FIFO_POLICY)
_SERVICE = re.compile(r"https?://[^/?#@]+(?:[/?#]|\Z)")
"""A host without a user name; without a host, every URI would be below the service."""
SHORTEST_PERIOD_S = 0.01
_FARTHEST = 4
"""How many steps of an agreement are followed to its penalty functions (obligation, consequence, function)."""


class Scheduler(Struct, frozen=True):
    """A scheduler as described. ``observes`` are the containers of the instances whose requests it orders."""

    service: str
    capacity: int
    response_time_s: float
    adaptation_period_s: float
    policy: Policy
    observes: tuple[str, ...] = ()
    honours_key: bool = False


def facts_of(triples: Iterable[Triple]) -> Facts:
    """Return ``triples`` with indexes."""
    facts = Facts()
    for triple in triples:
        facts.add(triple)
    return facts


def read_scheduler(facts: Facts, subject: Term) -> Scheduler:
    """Return the scheduler that ``subject`` is described as; ProgramError SCH001 to SCH004."""
    if terms.SCHEDULER not in types_of(facts, subject):
        raise fault("SCH003", subject, "no sched:SchedulerProxy", "Add the type: a sched:SchedulerProxy.")
    service = required_iri(facts, subject, terms.FOR_SERVICE)
    if not _SERVICE.match(service) or "#" in service:
        raise fault(
            "SCH001", subject, f"<{service}> as sched:forService", "Give the http URI that requests go to."
        )
    capacity = whole_number(facts, subject, terms.CAPACITY)
    response_time_s = seconds(facts, subject, terms.RESPONSE_TIME)
    policy = one(facts, subject, terms.POLICY)
    observed = list(facts.objects(subject, terms.OBSERVES))
    for container in observed:
        if not isinstance(container, IRI) or not container.value.endswith("/"):
            what = f"{term_text(container)} as sched:observes"
            raise fault("SCH001", subject, what, "Give the URI of a container, which ends in a slash.")
    return Scheduler(
        service,
        capacity,
        response_time_s,
        _period(facts, subject, response_time_s),
        FifoPolicy() if policy is None else read_policy(facts, policy),
        tuple(sorted(container.value for container in observed if isinstance(container, IRI))),
        flag(facts, subject, terms.HONOURS_KEY, default=False),
    )


def _period(facts: Facts, subject: Term, response_time_s: float) -> float:
    """Return the adaptation period: not so short that looking at the instances is all that is done."""
    usual_s = max(HORIZON_FACTOR * response_time_s, SHORTEST_PERIOD_S)
    period_s = seconds(facts, subject, terms.ADAPTATION_PERIOD, usual_s)
    if period_s < SHORTEST_PERIOD_S:
        hint = f'State {SHORTEST_PERIOD_S:g} s or more, such as "PT0.1S"^^xsd:duration.'
        raise fault("SCH001", subject, f"{period_s:g} s as sched:adaptationPeriod", hint)
    return period_s


def read_policy(facts: Facts, subject: Term) -> Policy:
    """Return the policy that ``subject`` is described as; ProgramError SCH001, SCH002 or SCH004."""
    kinds = types_of(facts, subject)
    if len(kinds & set(_POLICIES)) != 1:
        known = [local(kind) for kind in _POLICIES]
        said = sorted(local(kind) for kind in kinds if isinstance(kind, IRI))
        meant = next((hint for name in said if (hint := did_you_mean(name, known))), "")
        hint = f"{meant} Known: {', '.join(known)}.".lstrip()
        what = f"{' and '.join(said)} is not one known policy" if said else "the policy has no class"
        raise fault("SCH004", subject, what, hint)
    if terms.FIFO_POLICY in kinds:
        return FifoPolicy()
    return SlaPenaltyPolicy(
        number(facts, subject, terms.DELAY_FACTOR, DELAY_FACTOR),
        number(facts, subject, terms.HORIZON_FACTOR, HORIZON_FACTOR),
        flag(facts, subject, terms.RESERVE, default=True),
    )


def policy_triples(subject: Term, policy: Policy) -> Iterator[Triple]:
    """Yield what RDF says of ``policy``."""
    match policy:
        case FifoPolicy():
            yield Triple(subject, RDF_TYPE, terms.FIFO_POLICY)
        case SlaPenaltyPolicy(delay_factor, horizon_factor, reserves):
            yield Triple(subject, RDF_TYPE, terms.SLA_POLICY)
            yield Triple(subject, terms.DELAY_FACTOR, decimal(delay_factor))
            yield Triple(subject, terms.HORIZON_FACTOR, decimal(horizon_factor))
            yield Triple(subject, terms.RESERVE, TRUE if reserves else FALSE)


def read_agreement(facts: Facts, agreement: Term) -> Penalty:
    """Return the sum of the penalty functions of ``agreement``, stated on it or at the end of its ODRL duties.

    ProgramError SCH001, SCH002 or SCH005.
    """
    seen = {agreement}
    pending = [agreement]
    for _ in range(_FARTHEST):
        pending = [
            value
            for node in pending
            for predicate in (terms.OBLIGATION, terms.CONSEQUENCE)
            for value in facts.objects(node, predicate)
            if value not in seen
        ]
        seen.update(pending)
    functions = {function for node in seen for function in facts.objects(node, terms.PENALTY_FUNCTION)}
    parts = tuple(_penalty(facts, function) for function in sorted(functions, key=repr))
    return parts[0] if len(parts) == 1 else SummedPenalty(parts) if parts else NO_PENALTY


def _penalty(facts: Facts, function: Term) -> Penalty:
    kinds = types_of(facts, function)
    threshold_s, amount = _threshold(facts, function), number(facts, function, terms.AMOUNT)
    if terms.STAGED in kinds and terms.CONSTANT not in kinds:
        return StagedPenalty(threshold_s, amount, seconds(facts, function, terms.STAGE, 1.0))
    if terms.CONSTANT in kinds and terms.STAGED not in kinds:
        return ConstantPenalty(threshold_s, amount)
    hint = "Give it one type: sched:StagedPenalty or sched:ConstantPenalty."
    raise fault("SCH005", function, "is not one known penalty function", hint)


def _threshold(facts: Facts, function: Term) -> float:
    value = one(facts, function, terms.THRESHOLD)
    if isinstance(value, Literal) and value.datatype in terms.XSD_DURATIONS:
        return seconds(facts, function, terms.THRESHOLD)
    return number(facts, function, terms.THRESHOLD)


def decimal(value: float) -> Literal:
    """Return ``value`` as xsd:decimal, to a millionth."""
    text = f"{value:.6f}".rstrip("0")
    return Literal(text + "0" if text.endswith(".") else text, XSD_DECIMAL)
