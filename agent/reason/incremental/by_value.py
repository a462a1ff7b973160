"""Slots whose terms builtins compute and would only compare by value if they were known before.

A number that is known is tested by value: 1 and 1.0 are the same to math:sum, and not to a memory. So whoever looks for
instances with a given term in such a slot has them computed, and compares the terms.
"""

from collections.abc import Iterable

from agent.reason.body import Cell, Compute, Goal, Match, Slots
from agent.reason.plan import bindable


def computed_by_value(goals: Iterable[Goal], slots: Slots) -> frozenset[int]:
    """Return the slots of ``goals`` that get their terms from builtins that ``waits``, and from nothing in memory."""
    computed: set[int] = set()
    data: set[int] = set()
    for goal in goals:
        match goal:
            case Compute() if goal.builtin.waits:
                computed |= bindable(goal)
            case Match():
                data.update(goal.slots)
            case Cell():
                data.add(goal.object)
            case _:
                pass
    return frozenset(computed - data - slots.constants)
