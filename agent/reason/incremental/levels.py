"""In which order negation is settled: the level of every predicate, by what is derived from what (ADR 0117).

A unit reads and concludes *keys*: predicates, for rdf:type pairs with the class. Where a body leaves predicate or
class open, another pattern of it often says which ones can be meant (``?p rdfs:domain ?c . ?s ?p ?o``): the terms that
stand there in memory now. Levels follow from that, and are worked out again when it changes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from agent.reason.body import Cell, Match
from agent.reason.facts import Facts
from agent.reason.incremental.units import FIELD, RETRIEVED, Unit

Key: TypeAlias = int | tuple[int]
"""A predicate, or the class of an rdf:type fact."""


class Keys(NamedTuple):
    """Some keys, all classes, everything."""

    some: frozenset[Key] = frozenset()
    classes: bool = False
    everything: bool = False


class Domains(Struct):
    """What open predicates and classes have been seen to stand for; it only grows.

    ``sources`` are the predicates whose facts say so.
    """

    facts: Facts
    rdf_type: int
    sources: set[int] = field(default_factory=set)
    _seen: dict[tuple[int, int, int | None], set[int]] = field(default_factory=dict)

    def of(self, unit: Unit, slot: int, numbers: Sequence[int], goal: object) -> AbstractSet[int] | None:
        """Return what ``slot`` of ``goal`` may stand for, as another goal of the unit says; nothing if none does."""
        best: AbstractSet[int] | None = None
        for other in unit.goals:
            if other is goal or not isinstance(other, Match) or other.predicate not in unit.slots.constants:
                continue
            if slot not in (other.subject, other.object) or other.subject == other.object:
                continue
            found = self._values(other, slot, numbers, unit)
            if best is None or len(found) < len(best):
                best = found
        return best

    def grow(self) -> bool:
        """Take what is in memory now and tell whether anything new is there."""
        size = sum(map(len, self._seen.values()))
        for source in self._seen:
            self._see(*source)
        return size != sum(map(len, self._seen.values()))

    def _values(self, match: Match, slot: int, numbers: Sequence[int], unit: Unit) -> set[int]:
        predicate = numbers[match.predicate]
        self.sources.add(predicate)
        is_subject = slot == match.subject
        across = match.object if is_subject else match.subject
        constant = numbers[across] if across in unit.slots.constants else None
        return self._see(predicate, int(is_subject), constant)

    def _see(self, predicate: int, is_subject: int, constant: int | None) -> set[int]:
        seen = self._seen.setdefault((predicate, is_subject, constant), set())
        same, other = self.facts.by_subject, self.facts.by_object
        if not is_subject:
            same, other = other, same
        if constant is None:
            seen.update(same.get(predicate, {}))
        else:
            seen.update(other.get(predicate, {}).get(constant, ()))
        return seen


class NotMaintainedError(Exception):
    """Negation depends on what follows from it, or is too large to be kept: the memory cannot be maintained."""


class Levels(Struct):
    """The levels of units, by their numbers, and of facts."""

    of_unit: dict[int, int]
    _keys: dict[Key, int] = field(default_factory=dict)
    _classes: int = 0
    _everything: int = 0
    _rdf_type: int = -1
    _protected: frozenset[int] = frozenset()

    def of_fact(self, predicate: int, object_: int) -> int:
        """Return the level at which facts with this predicate and object are settled."""
        key: Key = (object_,) if predicate == self._rdf_type else predicate
        return self.of_key(key)

    def of_key(self, key: Key) -> int:
        """Return the level of a key."""
        level = self._keys.get(key, 0)
        if isinstance(key, tuple):
            level = max(level, self._classes)
        if key not in self._protected and (isinstance(key, tuple) or key >= 0):
            level = max(level, self._everything)
        return level

    @property
    def highest(self) -> int:
        """Return the highest level."""
        return max([self._classes, self._everything, *self._keys.values(), *self.of_unit.values()], default=0)


Reads: TypeAlias = tuple[Keys, frozenset[int]]


class Readers:
    """The units by what they read: keys, some class or any, something or anything."""

    def __init__(self, reads: Mapping[int, Reads]) -> None:
        self._of_key: dict[Key, set[int]] = {}
        self._of_classes: set[int] = set()
        self._of_a_class: set[int] = set()
        self._of_everything: set[int] = set()
        self._of_anything: set[int] = set()
        for number, (keys, negated) in reads.items():
            for key in (*keys.some, *negated):
                self._of_key.setdefault(key, set()).add(number)
            has_class = any(isinstance(key, tuple) for key in keys.some)
            for is_meant, readers in (
                (keys.classes, self._of_classes),
                (keys.classes or has_class, self._of_a_class),
                (keys.everything, self._of_everything),
                (keys.everything or keys.classes or any(map(_is_open, keys.some)), self._of_anything),
            ):
                if is_meant:
                    readers.add(number)

    def of(self, heads: Keys) -> set[int]:
        """Return the numbers of the units that read something of ``heads``."""
        found = set[int]().union(*(self._of_key.get(key, ()) for key in heads.some))
        if heads.everything:
            found |= self._of_anything
        if heads.everything or heads.classes or any(map(_is_open, heads.some)):
            found |= self._of_everything
        if heads.classes:
            found |= self._of_a_class
        if heads.classes or any(isinstance(key, tuple) for key in heads.some):
            found |= self._of_classes
        return found


class Stratification:
    """The work of finding levels; ``numbers_of`` gives the constants of a unit."""

    def __init__(
        self,
        units: Sequence[Unit],
        numbers_of: Callable[[Unit], Sequence[int]],
        domains: Domains,
        protected: frozenset[int],
    ) -> None:
        self._units = units
        self._domains = domains
        self._protected = protected
        self._numbers_of = numbers_of
        self._after_unit: dict[int, AbstractSet[int]] = {}
        self._reads = {unit.number: self._read(unit) for unit in units}
        self._heads = {unit.number: self._concluded(unit) for unit in units}
        self._readers = Readers(self._reads)

    def levels(self) -> Levels:
        """Return the levels. Raises ``NotMaintainedError``."""
        levels = Levels(
            {unit.number: 0 for unit in self._units},
            _rdf_type=self._domains.rdf_type,
            _protected=self._protected,
        )
        most = sum(1 for unit in self._units if unit.group is not None) + 1
        changed = True
        while changed:
            changed = False
            for unit in self._units:
                if unit.row is not None:
                    continue
                keys, negated = self._reads[unit.number]
                level = max(
                    self._level_of(keys, levels),
                    *(levels.of_key(group) + 1 for group in negated),
                    self._level_of(self._heads[unit.number], levels),
                    0,
                )
                if level > most or (level and unit.retrievals):
                    raise NotMaintainedError
                changed |= self._raise(unit, level, levels)
        return levels

    def reached_from(self, numbers: Iterable[int]) -> set[int]:
        """Return the numbers of the units that depend on what the given units conclude, these included."""
        reached = set(numbers)
        pending = list(reached)
        while pending:
            for after in self._after(pending.pop()):
                if after not in reached:
                    reached.add(after)
                    pending.append(after)
        return reached

    def _after(self, number: int) -> AbstractSet[int]:
        """Return the units that read what a unit concludes."""
        found = self._after_unit.get(number)
        if found is None:
            found = self._after_unit[number] = self._readers.of(self._heads[number])
        return found

    def meets(self, one: Keys, other: Keys) -> bool:
        """Tell whether two sets of keys have something in common."""
        for some, others in ((one, other), (other, one)):
            if some.everything and (others.everything or others.classes or any(map(_is_open, others.some))):
                return True
            if some.classes and (others.classes or any(isinstance(key, tuple) for key in others.some)):
                return True
        return not one.some.isdisjoint(other.some)

    def keys_of(self, predicates: Iterable[int]) -> Keys:
        """Return the keys of all facts with some predicates."""
        numbers = frozenset(predicates)
        rdf_type = self._domains.rdf_type
        return Keys(numbers - {rdf_type}, classes=rdf_type in numbers)

    def concluded_by(self, number: int) -> Keys:
        """Return what a unit concludes."""
        return self._heads[number]

    def read_by(self, number: int) -> Keys:
        """Return what a unit reads, negated groups left out."""
        return self._reads[number][0]

    def _raise(self, unit: Unit, level: int, levels: Levels) -> bool:
        changed = levels.of_unit[unit.number] != level
        levels.of_unit[unit.number] = level
        keys = self._heads[unit.number]
        for key in keys.some:
            if levels.of_key(key) < level:
                levels._keys[key] = level
                changed = True
        if keys.classes and levels._classes < level:
            levels._classes = level
            changed = True
        if keys.everything and levels._everything < level:
            levels._everything = level
            changed = True
        return changed

    def _level_of(self, keys: Keys, levels: Levels) -> int:
        if keys.everything:
            return levels.highest
        level = max((levels.of_key(key) for key in keys.some), default=0)
        if keys.classes:
            classes = (value for key, value in levels._keys.items() if isinstance(key, tuple))
            level = max([level, levels._classes, levels._everything, *classes])
        return level

    def _read(self, unit: Unit) -> Reads:
        numbers = self._numbers_of(unit)
        found = [
            self._keys(unit, goal.slots, numbers, goal)
            for goal in unit.goals
            if isinstance(goal, Match | Cell)
        ]
        return _union(found), frozenset(group.predicate for group in unit.groups)

    def _concluded(self, unit: Unit) -> Keys:
        if unit.group is not None:
            return Keys(frozenset([unit.group.predicate]))
        if unit.retrievals:
            return Keys(frozenset([RETRIEVED, FIELD]))
        if unit.head is None:
            return Keys()
        numbers = self._numbers_of(unit)
        found = []
        for triple in unit.head.triples:
            keys = self._keys(unit, triple, numbers, None)
            if triple[1] not in unit.slots.constants:
                keys = Keys(keys.some - self._protected, keys.classes, keys.everything)
            found.append(keys)
        return _union(found)

    def _keys(self, unit: Unit, triple: tuple[int, int, int], numbers: Sequence[int], goal: object) -> Keys:
        _, p, o = triple
        rdf_type = self._domains.rdf_type
        if p not in unit.slots.constants:
            predicates = self._domains.of(unit, p, numbers, goal)
            if predicates is None:
                return Keys(everything=True)
            return Keys(frozenset(predicates - {rdf_type}), classes=rdf_type in predicates)
        if numbers[p] != rdf_type:
            return Keys(frozenset([numbers[p]]))
        if o in unit.slots.constants:
            return Keys(frozenset([(numbers[o],)]))
        classes = self._domains.of(unit, o, numbers, goal)
        return Keys(classes=True) if classes is None else Keys(frozenset((each,) for each in classes))


def _is_open(key: Key) -> bool:
    """Tell whether a pattern with a variable as predicate sees the facts of a key."""
    return isinstance(key, tuple) or key >= 0


def _union(keys: Iterable[Keys]) -> Keys:
    found = list(keys)
    return Keys(
        frozenset[Key]().union(*(each.some for each in found)),
        any(each.classes for each in found),
        any(each.everything for each in found),
    )
