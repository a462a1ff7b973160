"""Calls of builtins: their arguments, read from the slots of a rule, and their results, put into slots."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod

from agent.n3.builtins import Builtin
from agent.rdf.structure import fill_in, unknowns_of
from agent.rdf.terms import BlankNode, ListTerm, Term, Variable
from agent.reason.data_lists import MAX_READINGS
from agent.reason.facts import Facts
from agent.reason.plan import Call
from agent.reason.state import RuleState


def link_call(state: RuleState, move: Call, facts: Facts, then: Callable[[], bool]) -> Callable[[], bool]:
    """Return the function that runs a builtin and does ``then`` for every way in which it holds."""
    if move.compute.builtin.complete is not None:
        return _complete(state, move, then)
    compute, bound = move.compute, move.bound
    slots, context, evaluate = state.slots, state.context, compute.builtin.evaluate
    tries, rule = state.tries, state.rule
    sides = [
        (compute.subject, compute.subject_parts <= bound, "subject"),
        (compute.object, compute.object_parts <= bound, "object"),
    ]
    subjects, objects = (_argument(state, compute.builtin, *side, facts) for side in sides)
    unknown = [position for position, (_, is_known, _) in enumerate(sides) if not is_known]
    patterns = [sides[position][0] for position in unknown]
    target = (
        state.names.number(patterns[0])
        if patterns and isinstance(patterns[0], Variable | BlankNode)
        else None
    )
    assignments = state.assigner(patterns, bound, facts) if patterns else None

    def call() -> bool:
        for subject in subjects():
            for object_ in objects():
                for pair in evaluate(subject, object_, context):
                    tries.made += 1
                    if tries.made > tries.limit:
                        tries.check(rule)
                    if (subject is not None and pair[0] != subject) or (
                        object_ is not None and pair[1] != object_
                    ):
                        continue
                    if len(unknown) == 1 and target is not None:
                        slots[target] = state.intern(pair[unknown[0]])
                    elif assignments is not None:
                        if any(then() for _ in assignments([pair[position] for position in unknown])):
                            return True
                        continue
                    if then():
                        return True
        return False

    return call


def _complete(state: RuleState, move: Call, then: Callable[[], bool]) -> Callable[[], bool]:
    compute, complete = move.compute, move.compute.builtin.complete
    assert complete is not None  # noqa: S101  the caller looked
    needed = sorted(compute.parts & move.bound)

    def call() -> bool:
        known = state.known(needed)
        for found in complete(compute.subject, compute.object, known, state.context, state.spend):
            state.assign(found)
            if then():
                return True
        return False

    return call


def _argument(
    state: RuleState,
    builtin: Builtin,
    pattern: Term,
    is_known: bool,
    side: str,
    facts: Facts,
) -> Callable[[], Iterable[Term | None]]:
    """Return the function that gives the terms to try for one side of a builtin; ``None`` while it is not known."""
    if not is_known:
        return lambda: (None,)
    terms = _known(state, pattern, side in builtin.lists, facts)
    if not any(wanted == side for wanted, _ in builtin.inner):
        return terms
    return lambda: (read for term in terms() for read in _with_inner_lists(state, builtin, side, term, facts))


def _with_inner_lists(
    state: RuleState, builtin: Builtin, side: str, term: Term, facts: Facts
) -> Iterable[Term]:
    """Return the readings of a list some of whose members want a list, which may be one of the data."""
    if not isinstance(term, ListTerm):
        return (term,)
    members: list[Sequence[Term]] = [(item,) for item in term.items]
    for position in builtin.inner_members(side, term.items):
        if not isinstance(term.items[position], ListTerm):
            members[position] = state.lists(facts, state.intern(term.items[position]))
    if prod(map(len, members)) > MAX_READINGS:
        return ()
    return (ListTerm(items) for items in product(*members))


def _known(state: RuleState, pattern: Term, is_list: bool, facts: Facts) -> Callable[[], Sequence[Term]]:
    slots, terms = state.slots, facts.table.terms
    if isinstance(pattern, Variable | BlankNode):
        slot = state.names.number(pattern)
        if not is_list:
            return lambda: (terms[slots[slot]],)
        return lambda: state.lists(facts, slots[slot])
    if is_list and not isinstance(pattern, ListTerm):
        return lambda: state.lists(facts, facts.table.intern(pattern))
    if next(unknowns_of(pattern), None) is None:
        return lambda: (pattern,)
    return lambda: (fill_in(pattern, state.value),)
