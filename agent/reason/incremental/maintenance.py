"""The memory kept true from change to change: overdelete and rederive, then semi-naive insertion, level by level.

Level 0, without negation, is settled whenever documents are read. The levels above it wait until nothing is read any
more (``settle_above``).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from agent.errors import BudgetError
from agent.reason.body import Match
from agent.reason.budget import Budget, exceeded
from agent.reason.containers import Container
from agent.reason.facts import Facts
from agent.reason.incremental.bulk import Bulk, Rules, size_of
from agent.reason.incremental.changes import Changes
from agent.reason.incremental.compiled import Check, Compiled
from agent.reason.incremental.contributions import GIVEN, PROGRAM, Contributions
from agent.reason.incremental.dispatch import Dispatch, Entry, Fact, Interest, by_predicate
from agent.reason.incremental.effort import Effort, TakesTooMuchError
from agent.reason.incremental.level import Level
from agent.reason.incremental.levels import Levels
from agent.reason.incremental.units import FIELD, RETRIEVED

MANY = 64
"""Fewer facts are handled one by one."""
WORTH_BULK = 2_000
"""With fewer facts it does not pay to compile the functions that take whole predicates."""


class Maintenance:
    """A memory (``compiled.facts``) and what keeps it true.

    ``changes`` are what came and went on balance until somebody clears them; ``asks_otherwise`` is set when documents
    that are retrieved, or header fields to do so, came or went. ``unconcluded`` are the changes since conclusions were
    drawn.
    """

    def __init__(
        self, compiled: Compiled, contributions: Contributions, budget: Budget, effort: Effort
    ) -> None:
        self.facts: Facts = compiled.facts
        self.hidden: Facts = compiled.hidden
        self.changes = Changes()
        self.unconcluded = Changes()
        self.asks_otherwise = True
        self.rounds = 0
        self._recent = Changes()
        self._kept_changes = (self.changes, self.unconcluded)
        self._all_changes = (*self._kept_changes, self._recent)
        self._compiled = compiled
        self._said = contributions
        self._budget = budget
        self._bulk = Bulk(compiled, budget)
        self._effort = effort
        self.facts.touch(())
        self._levels: list[Level] = []
        self._interest = Interest(())
        self._order = Levels({})
        self._is_fresh = True
        self._waiting: dict[int, list[Fact]] = {}
        self._checks: dict[int, list[Check]] = {}
        self._checks_of_any: list[Check] = []
        self._runs: dict[int, Callable[[set[Any]], None]] = {}
        for unit in compiled.units:
            if unit.row is None:
                self._runs[unit.number] = compiled.run_of(unit)
                for predicate, check in compiled.checks(unit):
                    if predicate is None:
                        self._checks_of_any.append(check)
                    else:
                        self._checks.setdefault(predicate, []).append(check)

    def arrange(self, levels: Levels) -> None:
        """Take the levels of all units; the memory must be empty."""
        if self._levels and levels == self._order:
            return
        self._order = levels
        self._levels = []
        units = [unit for unit in self._compiled.units if unit.row is None]
        for number in range(levels.highest + 1):
            mine = [unit for unit in units if levels.of_unit[unit.number] == number]
            self._levels.append(
                Level(
                    mine,
                    self._compiled.dispatch(mine, "gained"),
                    self._compiled.dispatch(mine, "lost"),
                    self._compiled.group_dispatch(mine, "gained"),
                    self._compiled.group_dispatch(mine, "lost"),
                )
            )
        self._interest = Interest(each for level in self._levels for each in level.dispatches)

    def clear(self) -> None:
        """Empty the memory; what documents said is kept, but counts no more."""
        self.facts.touch(self.facts.predicates())
        self.facts.clear()
        self.hidden.clear()
        for changes in self._all_changes:
            changes.clear()
        self._said.forget_counts()
        self._waiting.clear()
        self._is_fresh = True
        self.asks_otherwise = True
        self.rounds = 0
        self._effort.is_bounded = False

    def begin(self) -> None:
        """Begin a step."""
        self.rounds = 0

    def renew(self, added: Sequence[Fact], removed: Sequence[Fact]) -> None:
        """Take what is given for a step otherwise than for the step before; the memory must be settled.

        What no rule reads, which is what is another one in every step if nothing happens, is exchanged at once: nothing
        rests on it.
        """
        covers = self._interest.covers
        read = {predicate for predicate in {fact[1] for fact in (*added, *removed)} if covers(predicate)}
        self._exchange(
            [fact for fact in added if fact[1] not in read],
            [
                fact
                for fact in removed
                if fact[1] not in read and self._has(fact) and not self._is_supported(fact)
            ],
        )
        if read:
            self.change(
                [fact for fact in added if fact[1] in read], [fact for fact in removed if fact[1] in read]
            )

    def _exchange(self, added: Sequence[Fact], removed: Sequence[Fact]) -> None:
        """Put facts into memory and take others out; nothing may follow from any."""
        for fact in removed:
            self._memory(fact).remove(*fact)
        self._effort.take(len(removed))
        for changes in self._kept_changes:
            changes.went(removed)
        self._touch(removed)
        self._note(self._put(added), self._kept_changes)

    def start(self) -> None:
        """Fill the empty memory with what is given and what follows from it on level 0."""
        new = self._run_without_start(self._levels[0])
        self._saturate(self._levels[0], [*self._said.count(PROGRAM), *self._said.count(GIVEN), *new])

    def change(self, added: Sequence[Fact], removed: Sequence[Fact]) -> None:
        """Take what is said for the first time, and what somebody says no longer; settle level 0."""
        level = self._levels[0]
        now: list[Fact] = []
        for fact in removed:
            self._wait(fact, now)
        back = self._withdraw(level, now, (), ()) if now else []
        # A document that says something may have been dropped since.
        self._saturate(level, [fact for fact in added if self._said.is_said(fact)] + back)

    def settle_above(self) -> None:
        """Settle the levels above 0."""
        for number in range(1, len(self._levels)):
            level = self._levels[number]
            if not self._is_concerned(number):
                continue
            lost, gained = list(self._recent.lost), list(self._recent.gained)
            removed = self._waiting.pop(number, ())
            new: set[Fact] = set()
            if removed or not self._is_fresh:
                new.update(self._withdraw(level, removed, lost, gained))
            if self._is_fresh:
                new.update(self._run_without_start(level))
            if 2 * len(gained) > len(self.facts):
                self._fire_all(level, new)
            else:
                level.gained.fire(by_predicate(gained), new)
            level.group_gained.fire(by_predicate(fact for fact in lost if fact[1] < 0), new)
            self._saturate(level, new)
        self._waiting.clear()
        self._recent.clear()
        self._is_fresh = False

    def _is_concerned(self, number: int) -> bool:
        """Tell whether anything has changed that matters to a level."""
        if self._is_fresh or number in self._waiting:
            return True
        recent = {fact[1] for facts in (self._recent.lost, self._recent.gained) for fact in facts}
        return any(map(self._levels[number].interest.covers, recent))

    def _wait(self, fact: Fact, now: list[Fact]) -> None:
        """Put a fact that is said by one less where it is dealt with: into ``now``, or off to its level."""
        number = self._order.of_fact(fact[1], fact[2]) if len(self._levels) > 1 else 0
        if number == 0:
            now.append(fact)
        else:
            self._waiting.setdefault(number, []).append(fact)

    # ---- going

    def _withdraw(
        self, level: Level, removed: Iterable[Fact], lost: Sequence[Fact], gained: Sequence[Fact]
    ) -> list[Fact]:
        """Remove what may have lost its support on ``level`` and return what has another one.

        Raises ``TakesTooMuchError``.
        """
        effort, size = self._effort, len(self.facts) + len(self.hidden)
        restored = [fact for fact in lost if self._memory(fact).insert(*fact)]
        effort.take(len(restored))
        found: set[Fact] = set()
        if lost:
            self._fire_lost(level.lost, lost, found)
        groups = [fact for fact in gained if fact[1] < 0]
        if groups:
            self._fire_lost(level.group_lost, groups, found)
        withdrawn: dict[Fact, None] = {}
        pending = [*removed, *found]
        while pending:
            fresh = self._taken(pending, withdrawn, effort.left(size))
            effort.take(len(fresh))
            pending = []
            for fact in fresh:
                if fact[1] == RETRIEVED:
                    for said in self._said.discount(fact[0]):
                        self._wait(said, pending)
            found = set()
            self._fire_lost(level.lost, fresh, found)
            pending += found
        for fact in withdrawn:
            self._memory(fact).remove(*fact)
        for changes in self._all_changes:
            changes.went(withdrawn)
        for fact in restored:
            self._memory(fact).remove(*fact)
        self._touch(withdrawn)
        return [fact for fact in withdrawn if self._is_supported(fact)]

    def _taken(self, facts: Iterable[Fact], withdrawn: dict[Fact, None], left: int) -> list[Fact]:
        """Put those of ``facts`` to ``withdrawn`` that are in memory and not given, and return them.

        Raises ``TakesTooMuchError`` if they are more than ``left``.
        """
        fresh = []
        for fact in facts:
            if fact in withdrawn or self._said.is_given(fact) or not self._has(fact):
                continue
            withdrawn[fact] = None
            fresh.append(fact)
            if len(fresh) > left:
                self._effort.take(len(fresh))
                raise TakesTooMuchError
        return fresh

    def _fire_lost(self, dispatch: Dispatch, facts: Sequence[Fact], found: set[Fact]) -> None:
        """Find what may have lost its support with ``facts``. Raises ``TakesTooMuchError`` if that is too much by itself."""
        effort, room = self._effort, self._compiled.room
        before, most = room[0], effort.most(len(self.facts) + len(self.hidden))
        if effort.is_bounded:
            room[0] = most
        try:
            dispatch.fire(by_predicate(facts), found)
        except BudgetError:
            if effort.is_bounded and len(found) > most:
                raise TakesTooMuchError from None
            raise
        finally:
            room[0] = before

    def _is_supported(self, fact: Fact) -> bool:
        if self._said.is_said(fact):
            return True
        s, p, o = fact
        if any(check(s, p, o) for check in self._checks.get(p, ())):
            return True
        return p >= 0 and any(check(s, p, o) for check in self._checks_of_any)

    # ---- coming

    def _saturate(self, level: Level, new: Iterable[Fact]) -> None:
        """Add facts and what follows from them on ``level``."""
        while True:
            delta = self._insert(new)
            if not delta:
                return
            self.rounds += 1
            if self.rounds > self._budget.rounds:
                raise exceeded("rounds", self._budget.rounds, _UNNAMED)
            found: set[Fact] = set()
            if 2 * len(delta) > len(self.facts) and len(delta) > MANY:
                self._fire_all(level, found)
            elif len(delta) > WORTH_BULK:
                found.update(self._bulk.all_from(self._rules_of(level), delta))
            else:
                level.gained.fire(by_predicate(delta), found)
            new = found

    def _insert(self, facts: Iterable[Fact]) -> list[Fact]:
        """Add facts, and what documents say that are retrieved now; return those that are new."""
        delta: list[Fact] = []
        pending = list(facts)
        while pending:
            came = self._put(pending)
            delta += came
            pending = [said for fact in came if fact[1] == RETRIEVED for said in self._said.count(fact[0])]
        self._note(delta, self._all_changes)
        return delta

    def _note(self, delta: Sequence[Fact], noted: Iterable[Changes]) -> None:
        """Take note of facts that came into memory. Raises ``BudgetError`` if it holds too many."""
        for changes in noted:
            changes.came(delta)
        self._touch(delta)
        self._effort.work += len(delta)
        room = self._compiled.room[0] = self._budget.facts - len(self.facts)
        if room < 0:
            raise exceeded("facts", self._budget.facts, _UNNAMED)

    def _put(self, facts: Collection[Fact]) -> list[Fact]:
        """Put facts into memory and return those that are new."""
        if len(facts) <= MANY:
            return [fact for fact in facts if self._memory(fact).insert(*fact)]
        visible, hidden = self.facts.by_subject, self.hidden.by_subject
        new = list(
            dict.fromkeys(
                (s, p, o)
                for s, p, o in facts
                if o not in (visible if p >= 0 else hidden).get(p, _NONE).get(s, _NOTHING)
            )
        )
        self.facts.insert_new([fact for fact in new if fact[1] >= 0])
        self.hidden.insert_new([fact for fact in new if fact[1] < 0])
        return new

    def _touch(self, facts: Iterable[Fact]) -> None:
        predicates = {fact[1] for fact in facts}
        if not predicates:
            return
        self.facts.touch(predicates)
        self.asks_otherwise = self.asks_otherwise or not _ASKS.isdisjoint(predicates)

    def _run_without_start(self, level: Level) -> set[Fact]:
        """Return what follows from bodies that no fact can start."""
        new: set[Fact] = set()
        for unit in level.units:
            if next(unit.starts, None) is None:
                self._runs[unit.number](new)
        return new

    def _fire_all(self, level: Level, new: set[Fact]) -> None:
        """Find what follows from everything: each body starts from the goal that has the fewest facts."""
        if len(self.facts) > WORTH_BULK:
            new.update(self._bulk.all_from(self._rules_of(level)))
            return
        for unit in level.units:
            entries = level.gained.of_unit.get(unit.number, ())
            # Lists have cells without any triple, so nothing is known about their number.
            matches = [
                entry
                for entry, (_, goal) in zip(entries, unit.starts, strict=True)
                if isinstance(goal, Match)
            ]
            if not matches:
                self._runs[unit.number](new)
                continue
            entry = min(matches, key=self._size)
            if self._size(entry):
                entry.trigger_all(self._compiled.memory_of(entry.predicate or 0), new)

    def _rules_of(self, level: Level) -> Rules:
        if level.rules is None:
            level.rules = self._bulk.rules_of(level.units)
        return level.rules

    def _size(self, entry: Entry) -> int:
        return size_of(self._compiled, entry.predicate, entry.object)

    def _memory(self, fact: Fact) -> Facts:
        return self.hidden if fact[1] < 0 else self.facts

    def _has(self, fact: Fact) -> bool:
        return self._memory(fact).has(*fact)


_NOTHING: Container = ()
_NONE: dict[int, Container] = {}
_UNNAMED = "(any)"  # the engine that recomputes has the last word, and names the rule
_ASKS = frozenset({RETRIEVED, FIELD})
