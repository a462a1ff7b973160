"""Views: the rows of request rules and inconsistencies, kept from step to step on the final memory."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from agent.reason.body import Cell, Match
from agent.reason.budget import Budget, exceeded
from agent.reason.incremental.changes import Changes
from agent.reason.incremental.compiled import Compiled
from agent.reason.incremental.dispatch import Interest, by_predicate
from agent.reason.incremental.units import Unit

Row = tuple[int, ...]


class _Reads(NamedTuple):
    """What the rows of a view depend on: predicates that must hold, those of negated groups; ``any``: all visible ones."""

    facts: frozenset[int]
    groups: frozenset[int]
    any: bool


class Views:
    """The rows of all units that have rows."""

    def __init__(self, compiled: Compiled, budget: Budget) -> None:
        self._compiled = compiled
        self._budget = budget
        units = [unit for unit in compiled.units if unit.row is not None]
        self._rows: dict[int, set[Row]] = {unit.number: set() for unit in units}
        self._units = units
        self._runs = {unit.number: compiled.run_of(unit) for unit in units}
        self._holds = {unit.number: compiled.row_check(unit) for unit in units}
        self._reads = {unit.number: _reads(unit, compiled.numbers_of(unit)) for unit in units}
        self._gained = compiled.dispatch(units, "gained", self._rows)
        self._group_gained = compiled.group_dispatch(units, "gained", self._rows)
        self._interest = Interest((self._gained, self._group_gained))
        self._is_fresh = True

    def rows(self, unit: Unit) -> AbstractSet[Row]:
        """Return the rows of a unit."""
        return self._rows[unit.number]

    def forget(self) -> None:
        """Start anew with the next update."""
        self._is_fresh = True

    def update(self, changes: Changes, size: int) -> None:
        """Take what has changed since the last update; ``size`` is that of the memory."""
        self._compiled.room[0] = self._budget.facts
        if self._is_fresh or 2 * len(changes.gained) > size:
            for unit in self._units:
                rows = self._rows[unit.number]
                rows.clear()
                self._runs[unit.number](rows)
            self._is_fresh = False
        elif not any(map(self._interest.covers, {fact[1] for fact in (*changes.gained, *changes.lost)})):
            return
        else:
            self._drop(changes)
            self._gained.fire(by_predicate(changes.gained), set())
            self._group_gained.fire(by_predicate(fact for fact in changes.lost if fact[1] < 0), set())
        for unit in self._units:
            if len(self._rows[unit.number]) > self._budget.facts:
                raise exceeded("requests of a rule", self._budget.facts, unit.rule)

    def _drop(self, changes: Changes) -> None:
        """Drop the rows that hold no longer."""
        lost = {fact[1] for fact in changes.lost}
        came = {fact[1] for fact in changes.gained if fact[1] < 0}
        visible = any(predicate >= 0 for predicate in lost)
        for unit in self._units:
            rows, reads = self._rows[unit.number], self._reads[unit.number]
            if rows and ((reads.any and visible) or reads.facts & lost or reads.groups & came):
                holds = self._holds[unit.number]
                rows.difference_update([row for row in rows if not holds(row)])


def _reads(unit: Unit, numbers: Sequence[int]) -> _Reads:
    predicates = [goal.predicate for goal in unit.goals if isinstance(goal, Match | Cell)]
    constants = unit.slots.constants
    return _Reads(
        frozenset(numbers[slot] for slot in predicates if slot in constants),
        frozenset(group.predicate for group in unit.groups),
        any(slot not in constants for slot in predicates),
    )
