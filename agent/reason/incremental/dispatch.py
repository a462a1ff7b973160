"""Which compiled functions a fact concerns, found by its predicate and, where a goal names one, its object."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from agent.rdf.matching import CELLS
from agent.reason.body import Cell, Match
from agent.reason.containers import Container
from agent.reason.facts import Facts
from agent.reason.incremental.units import Unit

Fact: TypeAlias = tuple[int, int, int]
Batch: TypeAlias = Sequence[Fact]
Trigger: TypeAlias = Callable[[Batch, int, set[Fact]], None]

_FEW = 4


def by_predicate(facts: Iterable[Fact]) -> dict[int, list[Fact]]:
    """Return ``facts`` by their predicate."""
    groups: dict[int, list[Fact]] = {}
    for fact in facts:
        group = groups.get(fact[1])
        if group is None:
            groups[fact[1]] = [fact]
        else:
            group.append(fact)
    return groups


class Lazy(Struct):
    """A function that is compiled when it is called and ``is_possible`` for the first time: before it finds nothing.

    What it finds goes into ``into``, if that is given.
    """

    compile: Callable[[], Trigger]
    into: set[Any] | None = None
    is_possible: Callable[[], bool] = lambda: True
    trigger: Trigger | None = None

    def __call__(self, facts: Batch, predicate: int, new: set[Any]) -> None:
        """Call the function."""
        if self.trigger is None:
            if not self.is_possible():
                return
            self.trigger = self.compile()
        self.trigger(facts, predicate, new if self.into is None else self.into)


class Gate(NamedTuple):
    """What must be known of a predicate before facts of it can start a rule that leaves it open.

    The predicate has to be a key of ``known``, or in what ``key`` has there. This index is that of the memory itself:
    it is right however the schema changes.
    """

    known: dict[int, Container]
    key: int | None

    def lets(self, predicate: int) -> bool:
        """Tell whether facts of ``predicate`` can start the rule."""
        return predicate in (self.known if self.key is None else self.known.get(self.key, ()))


def gate_of(unit: Unit, start: Match | Cell, numbers: Sequence[int], facts: Facts) -> Gate | None:
    """Return what another pattern of ``unit`` says of the predicate that ``start`` leaves open; nothing if none does."""
    slot, constants = start.predicate, unit.slots.constants
    for goal in unit.goals:
        if not isinstance(goal, Match) or goal == start or goal.predicate not in constants:
            continue
        # Lists have cells without any triple.
        if unit.slots.names[goal.predicate] in CELLS or slot not in (goal.subject, goal.object):
            continue
        subjects, objects = facts.indexes(numbers[goal.predicate])
        index, other = (subjects, goal.object) if slot == goal.subject else (objects, goal.subject)
        if other in constants:
            return Gate(objects if index is subjects else subjects, numbers[other])
        return Gate(index, None)
    return None


class Entry(NamedTuple):
    """A trigger with the predicate and the object that its facts must have; ``None`` stands for any."""

    predicate: int | None
    object: int | None
    trigger: Lazy

    def trigger_all(self, memory: Facts, new: set[Any]) -> None:
        """Call the trigger with all its facts in ``memory``."""
        groups = by_predicate(memory.select(None, self.predicate, self.object))
        for predicate, facts in groups.items():
            self.trigger(facts, predicate, new)


class Dispatch(Struct):
    """The triggers of some units; ``of_unit`` has them by the number of the unit."""

    of_predicate: dict[int, list[Lazy]] = field(default_factory=dict)
    of_object: dict[int, dict[int, list[Lazy]]] = field(default_factory=dict)
    of_any: list[tuple[Gate | None, Lazy]] = field(default_factory=list)
    of_unit: dict[int, list[Entry]] = field(default_factory=dict)

    def add(
        self,
        unit: int,
        predicate: int | None,
        object_: int | None,
        trigger: Lazy,
        gate: Gate | None = None,
    ) -> None:
        """Add a trigger of a unit for facts with the given predicate and object; ``None`` stands for any, let in by ``gate``."""
        self.of_unit.setdefault(unit, []).append(Entry(predicate, object_, trigger))
        if predicate is None:
            self.of_any.append((gate, trigger))
        elif object_ is None:
            self.of_predicate.setdefault(predicate, []).append(trigger)
        else:
            self.of_object.setdefault(predicate, {}).setdefault(object_, []).append(trigger)

    def fire(self, groups: dict[int, list[Fact]], new: set[Fact]) -> None:
        """Call the triggers that facts, grouped by predicate, concern."""
        for predicate, facts in groups.items():
            if predicate >= 0:
                for gate, trigger in self.of_any:
                    if gate is None or gate.lets(predicate):
                        trigger(facts, predicate, new)
            for trigger in self.of_predicate.get(predicate, ()):
                trigger(facts, predicate, new)
            of_object = self.of_object.get(predicate)
            if of_object:
                _by_object(of_object, facts, predicate, new)


class Interest:
    """The predicates whose facts concern some triggers: those that goals name, and those that a gate lets in as things stand."""

    def __init__(self, dispatches: Iterable[Dispatch]) -> None:
        self._named: set[int] = set()
        gates: dict[tuple[int, int | None], Gate] = {}
        self._is_open = False
        for dispatch in dispatches:
            self._named.update(dispatch.of_predicate, dispatch.of_object)
            for gate, _ in dispatch.of_any:
                if gate is None:
                    self._is_open = True
                else:
                    gates[id(gate.known), gate.key] = gate
        self._gates = tuple(gates.values())

    def covers(self, predicate: int) -> bool:
        """Tell whether facts of ``predicate`` may concern a trigger."""
        if predicate in self._named:
            return True
        return predicate >= 0 and (self._is_open or any(gate.lets(predicate) for gate in self._gates))


def _by_object(of_object: dict[int, list[Lazy]], facts: list[Fact], predicate: int, new: set[Fact]) -> None:
    if len(facts) <= _FEW:
        for fact in facts:
            for trigger in of_object.get(fact[2], ()):
                trigger((fact,), predicate, new)
        return
    groups: dict[int, list[Fact]] = {}
    for fact in facts:
        if fact[2] in of_object:
            groups.setdefault(fact[2], []).append(fact)
    for object_, concerned in groups.items():
        for trigger in of_object[object_]:
            trigger(concerned, predicate, new)
