"""Rule bodies as goals over numbered slots.

A slot holds a term: that of a constant from the beginning, that of a variable or blank node once a goal has bound it.
Lists and formulas with open parts have a slot of their own and a ``Structure`` goal that ties it to its parts.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from agent.errors import Place, ProgramError
from agent.n3.builtins import BUILTINS, Builtin
from agent.n3.program import Pattern
from agent.rdf.terms import IRI, Formula, ListTerm, Term, Triple
from agent.reason.negation import MAX_NESTING, is_negation
from agent.reason.skolem import spelling
from agent.reason.structure import unknowns_of


@dataclass(frozen=True, slots=True)
class Match:
    """A triple of slots that must be in memory."""

    subject: int
    predicate: int
    object: int

    @property
    def slots(self) -> tuple[int, int, int]:
        """Return the three slots."""
        return self.subject, self.predicate, self.object


@dataclass(frozen=True, slots=True)
class Ask:
    """A triple of slots that must be in memory or follow by backward rules; its predicate is a constant."""

    subject: int
    predicate: int
    object: int

    @property
    def slots(self) -> tuple[int, int, int]:
        """Return the three slots."""
        return self.subject, self.predicate, self.object


@dataclass(frozen=True, slots=True)
class Structure:
    """The term of ``slot`` must have the shape of ``pattern``, whose open parts are in ``parts``."""

    slot: int
    pattern: Term
    parts: frozenset[int]


@dataclass(frozen=True, slots=True)
class Compute:
    """A builtin must hold for two terms, whose open parts are in the slots ``subject_parts`` and ``object_parts``.

    ``key`` orders builtins the same way however the body is written.
    """

    builtin: Builtin
    subject: Term
    object: Term
    subject_parts: frozenset[int]
    object_parts: frozenset[int]
    key: tuple[str, str, str]

    @property
    def parts(self) -> frozenset[int]:
        """Return the slots of all open parts."""
        return self.subject_parts | self.object_parts


@dataclass(frozen=True, slots=True)
class Absent:
    """The goals must not hold together, whatever the slots that are not bound outside may be."""

    goals: "tuple[Goal, ...]"


Goal: TypeAlias = Match | Ask | Structure | Compute | Absent


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

    Raises ``ProgramError`` for a negation without a formula or nested too deep.
    """
    return _read(tuple((pattern.triple, pattern.place) for pattern in patterns), slots, asked, 0)


def _read(
    body: tuple[tuple[Triple, Place], ...], slots: Slots, asked: Container[str], nesting: int
) -> tuple[Goal, ...]:
    goals: dict[Goal, None] = {}
    for triple, place in body:
        builtin = BUILTINS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None
        if is_negation(triple):
            goals[_negation(triple, place, slots, asked, nesting)] = None
        elif builtin is not None:
            goals[_computation(builtin, triple, slots)] = None
        else:
            goals.update(dict.fromkeys(_match(triple, slots, asked)))
    return tuple(goals)


def _match(triple: Triple, slots: Slots, asked: Container[str]) -> Iterator[Goal]:
    is_asked = isinstance(triple.predicate, IRI) and triple.predicate.value in asked
    yield (Ask if is_asked else Match)(*(slots.number(term) for term in triple))
    for term in triple:
        if isinstance(term, ListTerm | Formula) and slots.number(term) not in slots.constants:
            yield Structure(slots.number(term), term, slots.parts(term))


def _computation(builtin: Builtin, triple: Triple, slots: Slots) -> Compute:
    subject, _, object_ = triple
    for term in (subject, object_):
        slots.number(term)
    key = (builtin.iri, spelling(subject), spelling(object_))
    return Compute(builtin, subject, object_, slots.parts(subject), slots.parts(object_), key)


def _negation(triple: Triple, place: Place, slots: Slots, asked: Container[str], nesting: int) -> Absent:
    group = triple.object
    if not isinstance(group, Formula):
        raise ProgramError("ASM022", "log:notIncludes needs a formula { ... } as its object", place=place)
    if nesting >= MAX_NESTING:
        raise ProgramError("ASM022", f"negations are nested more than {MAX_NESTING} deep", place=place)
    return Absent(_read(tuple((inner, place) for inner in group.triples), slots, asked, nesting + 1))
