"""Which programs are maintained incrementally, and why others are recomputed in every step."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from agent.n3.program import Program
from agent.rdf.structure import unknowns_of
from agent.rdf.terms import Formula, ListTerm
from agent.reason.body import Absent, Ask, Cell, Collect, Compute, Goal, Match, Slots, Structure
from agent.reason.incremental.by_value import computed_by_value
from agent.reason.plan import bindable
from agent.reason.prepared import (
    Body,
    prepare_derivation,
    prepare_inconsistency,
    prepare_request,
    reads_data_list,
)
from agent.vocab import LOG, TIME

_READS_CLOCK = frozenset({TIME + "gmTime", TIME + "localTime"})


def why_not_incremental(program: Program) -> str | None:
    """Return the first rule that forces recomputation, and what of it does; nothing if there is none."""
    if program.backward:
        return f"rule {program.backward[0].name} is a backward rule"
    for body in _bodies(program):
        reason = next(chain(_obstacles(body.goals), _contests(body.goals, (), body.slots)), None)
        if reason is not None:
            return f"rule {body.rule} {reason}"
    return None


def _bodies(program: Program) -> Iterator[Body]:
    for derivation in program.derivations:
        yield prepare_derivation(derivation).body
    for request in program.requests:
        yield prepare_request(request).body
    for inconsistency in program.inconsistencies:
        yield prepare_inconsistency(inconsistency).body


def _obstacles(goals: Iterable[Goal]) -> Iterator[str]:
    for goal in goals:
        match goal:
            case Absent(inner):
                yield from _obstacles(inner)
            case Match() | Cell():
                pass
            case Ask():
                yield "asks backward rules"
            case Structure():
                yield "looks into lists or formulas of the memory"
            case Collect():
                yield "uses log:collectAllIn"
            case Compute():
                yield from _obstacle_of(goal)


def _contests(goals: Sequence[Goal], around: tuple[Goal, ...], slots: Slots) -> Iterator[str]:
    """Yield that a negated group tests what is computed around it by a builtin that could compute it in another form."""
    computed = computed_by_value(around, slots)
    for goal in goals:
        if isinstance(goal, Compute) and goal.builtin.waits and not computed.isdisjoint(bindable(goal)):
            yield f"negates <{goal.builtin.iri}> of what is computed outside the negation"
    positive = tuple(goal for goal in goals if not isinstance(goal, Absent))
    for goal in goals:
        if isinstance(goal, Absent):
            yield from _contests(goal.goals, (*around, *positive), slots)


def _obstacle_of(goal: Compute) -> Iterator[str]:
    iri = goal.builtin.iri
    if goal.builtin.complete is not None or iri == LOG + "conclusion":
        yield f"uses <{iri}>, which looks into formulas"
    elif iri in _READS_CLOCK:
        yield f"uses <{iri}>, whose value changes although no fact does"
    elif reads_data_list(goal):
        yield f"gives <{iri}> a list that may be one of the data"
    elif any(_is_taken_apart(goal, side) for side in ("subject", "object")):
        yield f"takes the result of <{iri}> apart"


def _is_taken_apart(goal: Compute, side: str) -> bool:
    """Tell whether a side may be computed and is written as a list or formula with open parts."""
    pattern = goal.subject if side == "subject" else goal.object
    return (
        isinstance(pattern, ListTerm | Formula)
        and next(unknowns_of(pattern), None) is not None
        and any(side not in mode for mode in goal.modes)
    )
