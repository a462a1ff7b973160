"""Everything that follows from a memory, round by round, whole predicates at a time (ADR 0123).

What is new in a round is kept by predicate and subject, as the memory is. Rules go through containers, and put whole
containers to what is new; what was known already is taken out of it once, when the round ends.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec import Struct, field

from agent.reason.body import Match
from agent.reason.budget import Budget, exceeded
from agent.reason.containers import Container
from agent.reason.incremental.bulk_text import BulkFunctions, write_start
from agent.reason.incremental.compiled import Compiled
from agent.reason.incremental.dispatch import Fact, Gate, gate_of
from agent.reason.incremental.units import Unit

Found: TypeAlias = dict[int, dict[int, set[int]]]
"""For each predicate, what it has for each subject, or for each object."""
Function: TypeAlias = Callable[..., None]

_UNNAMED = "(any)"  # the simple engine has the last word, and names the rule
_FEW = 8  # subjects: beyond them a round costs more than what goes round it


class New(Struct):
    """What a round finds, some of it by subject and some by object; what is known may be among it."""

    by_subject: Found = field(default_factory=dict)
    by_object: Found = field(default_factory=dict)

    def clear(self) -> None:
        """Forget everything, for the next round."""
        self.by_subject.clear()
        self.by_object.clear()


class _Late(Struct):
    """A function that is compiled when it is first called."""

    compile: Callable[[], Function]
    function: Function | None = None

    def __call__(self, *inputs: object) -> None:
        if self.function is None:
            self.function = self.compile()
        self.function(*inputs)


class _Start(Struct, frozen=True):
    """A goal that facts may start a rule from: the predicate and the object it names, ``None`` for any that ``gate`` lets in."""

    predicate: int | None
    object: int | None
    part: _Late
    whole: _Late
    gate: Gate | None


class Rules(Struct):
    """The functions of some units: by what starts them, and for each unit, its starts (none if it has to be run)."""

    of_predicate: dict[int, list[_Late]] = field(default_factory=dict)
    of_object: dict[int, dict[int, list[_Late]]] = field(default_factory=dict)
    of_any: list[_Start] = field(default_factory=list)
    units: list[tuple[list[_Start], _Late]] = field(default_factory=list)


class Bulk:
    """Evaluates rules on the memory of ``compiled``; ``rounds`` counts how often something new came."""

    def __init__(self, compiled: Compiled, budget: Budget) -> None:
        self.rounds = 0
        self._compiled = compiled
        self._facts = compiled.facts
        self._budget = budget
        self._delta: Found = {}

    def rules_of(self, units: Iterable[Unit]) -> Rules:
        """Return the functions of ``units``."""
        rules = Rules()
        for unit in units:
            numbers, constants = self._compiled.numbers_of(unit), unit.slots.constants
            starts = []
            for position, goal in unit.starts:
                _, p, o = goal.slots
                start = _Start(
                    numbers[p] if p in constants else None,
                    numbers[o] if o in constants else None,
                    self._late(unit, partial(write_start, position, False)),
                    self._late(unit, partial(write_start, position, True)),
                    None if p in constants else gate_of(unit, goal, numbers, self._facts),
                )
                _register(rules, start)
                if isinstance(goal, Match):
                    starts.append(start)
            rules.units.append((starts, self._late(unit, BulkFunctions.all)))
        return rules

    def saturate(self, rules: Rules) -> list[Fact]:
        """Derive all that follows from the memory, and return it. Raises what ``fire`` and ``settle`` do."""
        found: list[Fact] = []
        new = New()
        self.fire_all(rules, new)
        while came := self.settle(new, found):
            self.rounds += 1
            self._check_rounds()
            new.clear()
            if 2 * came > len(self._facts):
                self.fire_all(rules, new)
            else:
                self.fire(rules, self._delta, new)
                self._follow(rules, new, found)
        return found

    def _follow(self, rules: Rules, new: New, found: list[Fact]) -> None:
        """Do the next rounds of ``saturate`` while each finds few facts, all of one predicate that starts rules whatever the object.

        A walk takes a round for each of its steps, and what a round does for many predicates costs more than the step.
        """
        n, m = new.by_subject, new.by_object
        if m or len(n) != 1:
            return
        ((predicate, groups),) = n.items()
        if predicate < 0 or predicate in rules.of_object or rules.of_any:
            return
        functions = rules.of_predicate.get(predicate, ())
        insert = self._facts.insert_groups
        room, most = self._compiled.room, self._budget.facts
        last_round, most_found = self._budget.rounds, most - len(self._facts) + len(found)
        rounds = self.rounds
        while len(groups) <= _FEW and not m and len(n) == 1 and (came := insert(predicate, groups, found)):
            rounds += 1
            if rounds > last_round or len(found) > most_found:
                break
            groups.clear()
            room[0] = most
            for late in functions:
                (late.function or late)(came, None, predicate, n, m)
        self.rounds = rounds
        self._check_rounds()
        self._check_size()

    def _check_rounds(self) -> None:
        if self.rounds > self._budget.rounds:
            raise exceeded("rounds", self._budget.rounds, _UNNAMED)

    def _check_size(self) -> None:
        if len(self._facts) > self._budget.facts:
            raise exceeded("facts", self._budget.facts, _UNNAMED)

    def all_from(self, rules: Rules, facts: Iterable[Fact] | None = None) -> Iterator[Fact]:
        """Yield all that follows from ``facts``, else from all in memory, in one step and is not in memory, each fact once."""
        new = New()
        if facts is None:
            self.fire_all(rules, new)
        else:
            self.fire(rules, _grouped(facts), new)
        for predicate, by_object in new.by_object.items():
            _by_subject(
                by_object, self._facts.indexes(predicate)[1], new.by_subject.setdefault(predicate, {})
            )
        for predicate, groups in new.by_subject.items():
            index = self._compiled.memory_of(predicate).indexes(predicate)[0]
            for subject, objects in groups.items():
                for object_ in objects.difference(index.get(subject, ())):
                    yield subject, predicate, object_

    def fire_all(self, rules: Rules, new: New) -> None:
        """Find what follows from everything: each body starts from the goal that has the fewest facts."""
        self._limit()
        n, m = new.by_subject, new.by_object
        for starts, run in rules.units:
            if not starts:
                run(n, m)
                continue
            start = min(starts, key=self._size)
            if not self._size(start):
                continue
            for predicate in list(self._facts.by_subject) if start.predicate is None else [start.predicate]:
                memory = self._compiled.memory_of(predicate)
                by_subject, by_object = memory.indexes(predicate)
                if start.object is None:
                    if by_subject:
                        start.whole(by_subject, by_object, predicate, n, m)
                elif subjects := by_object.get(start.object):
                    start.whole(subjects, None, predicate, n, m)

    def fire(self, rules: Rules, delta: Found, new: New) -> None:
        """Find what follows from the facts of ``delta``, which are in memory."""
        self._limit()
        n, m = new.by_subject, new.by_object
        for predicate, facts in delta.items():
            for late in rules.of_predicate.get(predicate, ()):
                (late.function or late)(facts, None, predicate, n, m)
            wanted = rules.of_object.get(predicate)
            if wanted:
                for object_, subjects in _by_object(facts, wanted).items():
                    for function in wanted[object_]:
                        function(subjects, None, predicate, n, m)
            if rules.of_any and predicate >= 0:
                for start in rules.of_any:
                    if start.gate is None or start.gate.lets(predicate):
                        self._fire_any(start, facts, predicate, new)

    def settle(self, new: New, found: list[Fact]) -> int:
        """Put what is new into memory and at the end of ``found``; return how much of it was not known.

        Raises ``BudgetError`` if there is too much.
        """
        for predicate, by_object in new.by_object.items():
            _by_subject(
                by_object, self._facts.indexes(predicate)[1], new.by_subject.setdefault(predicate, {})
            )
        before = len(found)
        self._delta = {}
        for predicate, groups in new.by_subject.items():
            memory = self._facts if predicate >= 0 else self._compiled.hidden
            came = memory.insert_groups(predicate, groups, found)
            if came:
                self._delta[predicate] = came
        self._check_size()
        return len(found) - before

    def _limit(self) -> None:
        # What is found and known already is no more than memory holds: so this many are too many.
        self._compiled.room[0] = self._budget.facts

    def _fire_any(self, start: _Start, facts: dict[int, set[int]], predicate: int, new: New) -> None:
        if start.object is None:
            start.part(facts, None, predicate, new.by_subject, new.by_object)
            return
        subjects = [subject for subject, objects in facts.items() if start.object in objects]
        if subjects:
            start.part(subjects, None, predicate, new.by_subject, new.by_object)

    def _size(self, start: _Start) -> int:
        return size_of(self._compiled, start.predicate, start.object)

    def _late(self, unit: Unit, write: Callable[[BulkFunctions, str], str]) -> _Late:
        return _Late(lambda: self._compiled.function(unit, write, BulkFunctions))


def size_of(compiled: Compiled, predicate: int | None, object_: int | None) -> int:
    """Return about how many facts there are with a predicate and an object; ``None`` stands for any."""
    if predicate is None:
        return len(compiled.facts)
    by_subject, by_object = compiled.memory_of(predicate).indexes(predicate)
    if object_ is not None:
        return len(by_object.get(object_, ()))
    return max(len(by_subject), len(by_object))


def _register(rules: Rules, start: _Start) -> None:
    if start.predicate is None:
        rules.of_any.append(start)
    elif start.object is None:
        rules.of_predicate.setdefault(start.predicate, []).append(start.part)
    else:
        rules.of_object.setdefault(start.predicate, {}).setdefault(start.object, []).append(start.part)


def _grouped(facts: Iterable[Fact]) -> Found:
    """Return ``facts`` by predicate and subject."""
    groups: Found = {}
    for s, p, o in facts:
        groups.setdefault(p, {}).setdefault(s, set()).add(o)
    return groups


def _by_subject(
    by_object: dict[int, set[int]], index: dict[int, Container], into: dict[int, set[int]]
) -> None:
    """Put what is not in ``index`` of facts given by object into ``into``, by subject."""
    for object_, subjects in by_object.items():
        known = index.get(object_)
        for subject in subjects if known is None else subjects.difference(known):
            objects = into.get(subject)
            if objects is None:
                into[subject] = {object_}
            else:
                objects.add(object_)


def _by_object(facts: dict[int, set[int]], wanted: Iterable[int]) -> dict[int, list[int]]:
    """Return the subjects of ``facts`` by those objects that are ``wanted``."""
    groups: dict[int, list[int]] = {}
    for subject, objects in facts.items():
        for object_ in objects:
            if object_ in wanted:
                groups.setdefault(object_, []).append(subject)
    return groups
