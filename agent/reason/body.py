"""Rule bodies as goals over numbered slots.

A slot holds a term: that of a constant from the beginning, that of a variable or blank node once a goal has bound it.
Lists and formulas with open parts have a slot of their own and a ``Structure`` goal that ties it to its parts; so has
every list that data may spell out in cells, each time it is written.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from agent.errors import Place, ProgramError
from agent.n3.builtins import BUILTINS, Builtin
from agent.n3.program import Pattern
from agent.n3.scopes import (
    COLLECT_ALL_IN,
    FOR_ALL_IN,
    INCLUDES,
    NOT_INCLUDES,
    SCOPED,
    Scoped,
    is_memory,
    loose_variables,
    names_used,
    scoped,
)
from agent.rdf.matching import CELLS
from agent.rdf.structure import unknowns_of
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Term, Triple, Variable, spelling
from agent.vocab import LOG

MAX_NESTING = 16


class Match(Struct, frozen=True):
    """A triple of slots that must be in memory."""

    subject: int
    predicate: int
    object: int

    @property
    def slots(self) -> tuple[int, int, int]:
        """Return the three slots."""
        return self.subject, self.predicate, self.object


class Ask(Struct, frozen=True):
    """A triple of slots that must be in memory or follow by backward rules; its predicate is a constant."""

    subject: int
    predicate: int
    object: int

    @property
    def slots(self) -> tuple[int, int, int]:
        """Return the three slots."""
        return self.subject, self.predicate, self.object


class Structure(Struct, frozen=True):
    """The term of ``slot`` must have the shape of ``pattern``, whose open parts are in ``parts``.

    One that ``is_made`` may be the term that its parts make up; any other comes from memory and is looked into.
    """

    slot: int
    pattern: Term
    parts: frozenset[int]
    is_made: bool = False


class Cell(Struct, frozen=True):
    """The list or node of slot ``subject``, bound by other goals, must have ``object`` as rdf:first or rdf:rest."""

    subject: int
    predicate: int
    object: int

    @property
    def slots(self) -> tuple[int, int, int]:
        """Return the three slots."""
        return self.subject, self.predicate, self.object


class Compute(Struct, frozen=True):
    """A builtin must hold for two terms, whose open parts are in the slots ``subject_parts`` and ``object_parts``.

    ``key`` orders builtins the same way however the body is written.
    """

    builtin: Builtin
    subject: Term
    object: Term
    subject_parts: frozenset[int]
    object_parts: frozenset[int]
    modes: tuple[frozenset[str], ...]
    key: tuple[str, str, str]

    @property
    def parts(self) -> frozenset[int]:
        """Return the slots of all open parts."""
        return self.subject_parts | self.object_parts


class Absent(Struct, frozen=True):
    """The goals must not hold together, whatever the slots that are not bound outside may be."""

    goals: "tuple[Goal, ...]"


class Collect(Struct, frozen=True):
    """The list of ``template``, once for each way in which the goals hold together, must have the shape of ``result``.

    ``inner`` are the slots of everything open in the goals and the template, ``result_parts`` those of the result.
    """

    goals: "tuple[Goal, ...]"
    template: Term
    result: Term
    inner: frozenset[int]
    result_parts: frozenset[int]
    key: tuple[str, str, str]


Goal: TypeAlias = Match | Ask | Structure | Cell | Compute | Absent | Collect


class Slots:
    """The slots of one rule: ``names[i]`` is the constant, variable, blank node, list or formula of slot ``i``."""

    def __init__(self) -> None:
        self.names: list[Term] = []
        self.constants: set[int] = set()
        self._numbers: dict[Term, int] = {}

    def number(self, term: Term) -> int:
        """Return the slot of ``term``, a new one if it has none."""
        number = self._numbers.get(term)
        if number is None:
            number = self._numbers[term] = self.fresh(term)
            if next(unknowns_of(term), None) is None:
                self.constants.add(number)
        return number

    def find(self, term: Term) -> int | None:
        """Return the slot of ``term`` if it has one."""
        return self._numbers.get(term)

    def fresh(self, name: Term) -> int:
        """Return a new slot that no term leads to."""
        self.names.append(name)
        return len(self.names) - 1

    def parts(self, term: Term) -> frozenset[int]:
        """Return the slots of the open parts of ``term``."""
        return frozenset(self.number(part) for part in unknowns_of(term))


def read_goals(
    patterns: Iterable[Pattern], slots: Slots, asked: Container[str] = frozenset()
) -> tuple[Goal, ...]:
    """Return the goals of a body; the predicates ``asked`` have backward rules.

    Raises ``ProgramError`` for a scope that is used wrongly or nested too deep.
    """
    body = tuple((pattern.triple, pattern.place) for pattern in patterns)
    return _Reader(slots, [triple for triple, _ in body], asked).goals(body, 0)


Body: TypeAlias = tuple[tuple[Triple, Place], ...]


class _Reader:
    """Reads the body of one rule, which consists of ``triples``."""

    def __init__(self, slots: Slots, triples: Sequence[Triple], asked: Container[str]) -> None:
        self._slots = slots
        self._used = names_used(triples)
        self._loose = loose_variables(triples)
        self._asked = asked

    def goals(self, body: Body, nesting: int) -> tuple[Goal, ...]:
        """Return the goals of a body or of a group in it."""
        goals: dict[Goal, None] = {}
        for triple, place in body:
            builtin = BUILTINS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None
            if triple.predicate in SCOPED:
                goals.update(dict.fromkeys(self._scoped(triple, place, nesting)))
            elif builtin is not None:
                goals[self._computation(builtin, triple)] = None
            else:
                goals.update(dict.fromkeys(self._match(triple)))
        return tuple(_with_cells(goals, self._slots))

    def _match(self, triple: Triple) -> Iterator[Goal]:
        slots = self._slots
        is_asked = isinstance(triple.predicate, IRI) and triple.predicate.value in self._asked
        numbers = []
        for term in triple:
            if isinstance(term, ListTerm) and term.items and not is_asked:
                # Each list may be other cells of the data, even one that is written twice.
                number = slots.fresh(term)
                is_made = term is triple.subject and triple.predicate in CELLS
                yield Structure(number, term, slots.parts(term), is_made)
            else:
                number = slots.number(term)
                if isinstance(term, ListTerm | Formula) and number not in slots.constants:
                    yield Structure(number, term, slots.parts(term), is_asked)
            numbers.append(number)
        yield (Ask if is_asked else Match)(*numbers)

    def _computation(self, builtin: Builtin, triple: Triple) -> Compute:
        slots = self._slots
        subject, _, object_ = triple
        for term in (subject, object_):
            slots.number(term)
        key = (builtin.iri, spelling(subject), spelling(object_))
        modes = builtin.modes_for(subject, object_)
        parts = [
            frozenset(slots.number(part) for part in unknowns_of(side) if part not in self._loose)
            for side in (subject, object_)
        ]
        return Compute(builtin, subject, object_, parts[0], parts[1], modes, key)

    def _scoped(self, triple: Triple, place: Place, nesting: int) -> Iterator[Goal]:
        """Yield the goals of a triple that looks into a scope."""
        found = scoped(triple)
        if found is None:
            raise _misuse(triple, place, "needs a list of its parts as subject")
        if nesting >= MAX_NESTING:
            raise ProgramError("ASM022", f"scopes are nested more than {MAX_NESTING} deep", place=place)
        if is_memory(found.scope, self._used):
            for group in found.groups:
                if not isinstance(group, Formula):
                    raise _misuse(triple, place, "needs a formula { ... } to look for in the memory")
            inside = [
                self.goals(tuple((inner, place) for inner in group.triples), nesting + 1)
                for group in found.groups
                if isinstance(group, Formula)
            ]
        else:
            inside = [(self._inclusion(found.scope, group),) for group in found.groups]
            if triple.predicate != INCLUDES:
                yield self._inclusion(found.scope, Formula(()))
        match triple.predicate:
            case predicate if predicate == INCLUDES:
                yield from inside[0]
            case predicate if predicate == NOT_INCLUDES:
                yield Absent(inside[0])
            case predicate if predicate == FOR_ALL_IN:
                yield Absent((*inside[0], Absent(inside[1])))
            case _:
                yield self._collect(triple, found, inside[0])

    def _inclusion(self, scope: Term, group: Term) -> Compute:
        return self._computation(BUILTINS[INCLUDES.value], Triple(scope, INCLUDES, group))

    def _collect(self, triple: Triple, found: Scoped, goals: tuple[Goal, ...]) -> Collect:
        template, result = found.others
        inner = self._slots.parts(template) | frozenset(
            slot for goal in goals for slot in parts_of(goal, self._slots)
        )
        key = (COLLECT_ALL_IN.value, spelling(triple.subject), spelling(triple.object))
        return Collect(goals, template, result, inner, self._slots.parts(result), key)


def _misuse(triple: Triple, place: Place, what: str) -> ProgramError:
    name = triple.predicate.value.removeprefix(LOG) if isinstance(triple.predicate, IRI) else "?"
    return ProgramError("ASM022", f"log:{name} {what}", place=place)


def parts_of(goal: Goal, slots: Slots) -> Iterator[int]:
    """Yield the slots that a goal, or one inside it, may bind: those of variables, lists and formulas."""
    match goal:
        case Match() | Ask():
            yield from (slot for slot in goal.slots if slot not in slots.constants)
        case Structure(slot, _, parts):
            yield slot
            yield from parts
        case Cell():
            yield from (slot for slot in (goal.subject, goal.object) if slot not in slots.constants)
        case Compute():
            yield from goal.parts
        case Absent():
            for inner in goal.goals:
                yield from parts_of(inner, slots)
        case Collect():
            yield from goal.inner
            yield from goal.result_parts


def slots_bound(goals: Iterable[Goal], slots: Slots) -> set[int]:
    """Return the slots that are bound when ``goals`` hold."""
    bound: set[int] = set()
    for goal in goals:
        if isinstance(goal, Match | Ask):
            bound.update(goal.slots)
        elif isinstance(goal, Collect):
            bound |= goal.result_parts
        elif not isinstance(goal, Absent):
            bound.update(parts_of(goal, slots))
    return bound


def variables_bound(goals: Iterable[Goal], slots: Slots) -> set[int]:
    """Return the slots of variables and blank nodes that are bound when ``goals`` hold."""
    return {slot for slot in slots_bound(goals, slots) if isinstance(slots.names[slot], Variable | BlankNode)}


def _with_cells(goals: Iterable[Goal], slots: Slots) -> Iterator[Goal]:
    """Yield ``goals`` with ``Cell`` for each match of rdf:first and rdf:rest whose subject another goal may bind."""
    goals = list(goals)
    bound: Counter[int] = Counter()
    for goal in goals:
        if isinstance(goal, Match) and slots.names[goal.predicate] in CELLS:
            bound[goal.object] += 1
        elif isinstance(goal, Structure) and goal.is_made:
            bound[goal.slot] += 1
        elif not isinstance(goal, Absent):
            bound.update(set(parts_of(goal, slots)))
    for goal in goals:
        if isinstance(goal, Match) and slots.names[goal.predicate] in CELLS and bound[goal.subject]:
            yield Cell(goal.subject, goal.predicate, goal.object)
        else:
            yield goal
