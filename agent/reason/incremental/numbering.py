"""Numbers for what rules make and ask for: packed tuples, documents, invented terms, with the ways back."""

from collections.abc import Callable, Sequence

from agent.rdf.structure import fill_in
from agent.rdf.terms import IRI, BlankNode, Term, document_of
from agent.reason.facts import Facts
from agent.reason.incremental.units import Unit
from agent.reason.skolem import skolem


class Packed:
    """Tuples of numbers as one negative number each."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, ...], int] = {}
        self._tuples: list[tuple[int, ...]] = [()]

    def number(self, parts: tuple[int, ...]) -> int:
        """Return the number of a tuple, a new one if it has none."""
        number = self._numbers.get(parts)
        if number is None:
            number = self._numbers[parts] = -len(self._tuples)
            self._tuples.append(parts)
        return number

    def find(self, parts: tuple[int, ...]) -> int:
        """Return the number of a tuple, 0 if it has none."""
        return self._numbers.get(parts, 0)

    def parts(self, number: int) -> tuple[int, ...]:
        """Return the tuple of a number."""
        return self._tuples[-number]


class Documents:
    """Which document each term asks for, and which terms ask for a document."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._of: dict[int, int | None] = {}
        self._names: dict[int, list[int]] = {}

    def of(self, name: int) -> int | None:
        """Return the number of the document that the term ``name`` asks for, if it is an http or https IRI."""
        if name not in self._of:
            term = self._facts.table.terms[name]
            found = None
            if isinstance(term, IRI) and term.value.lower().startswith(("http://", "https://")):
                found = self._facts.table.intern(IRI(document_of(term.value)))
                self._names.setdefault(found, []).append(name)
            self._of[name] = found
        return self._of[name]

    def names_of(self, document: int) -> Sequence[int]:
        """Return the terms that asked for a document so far."""
        return self._names.get(document, ())


class Inventions:
    """The terms that heads make of their frontiers, and the frontiers they were made of."""

    def __init__(self, units: Sequence[Unit], intern: Callable[[Term, str], int], facts: Facts) -> None:
        self._units = units
        self._intern = intern
        self._terms = facts.table.terms
        self._made: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = {}
        self._frontiers: dict[tuple[int, int, int], list[tuple[int, ...]]] = {}

    def made(self, unit: int, frontier: tuple[int, ...]) -> tuple[int, ...]:
        """Return the numbers of what the head of a unit makes of ``frontier``."""
        numbers = self._made.get((unit, frontier))
        if numbers is None:
            numbers = self._made[unit, frontier] = self._make(self._units[unit], frontier)
            for position, number in enumerate(numbers):
                self._frontiers.setdefault((unit, position, number), []).append(frontier)
        return numbers

    def made_before(self, unit: int, frontier: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the same if it was made before."""
        return self._made.get((unit, frontier))

    def frontiers(self, unit: int, position: int, number: int) -> Sequence[tuple[int, ...]]:
        """Return what a term was made of."""
        return self._frontiers.get((unit, position, number), ())

    def _make(self, unit: Unit, frontier: tuple[int, ...]) -> tuple[int, ...]:
        head = unit.head
        assert head is not None  # noqa: S101  only heads invent
        values = {
            name: self._terms[number] for (name, _), number in zip(head.frontier, frontier, strict=True)
        }
        own: dict[Term, Term] = {}

        def value_of(part: Term) -> Term | None:
            return (
                own.get(part) if isinstance(part, BlankNode) else values.get(str(getattr(part, "name", "")))
            )

        numbers = []
        for invention in head.inventions:
            if isinstance(invention.part, BlankNode):
                term: Term = skolem(unit.rule, invention.part.label, values)
                own[invention.part] = term
            else:
                term = fill_in(invention.part, value_of)
            numbers.append(self._intern(term, unit.rule))
        return tuple(numbers)
