"""Many triples as one value, in which every term stands once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import TypeAlias, overload

from agent.rdf.terms import Term, Triple

Row: TypeAlias = tuple[int, int, int]
"""A triple as the places of its terms in a sequence of terms."""
Group: TypeAlias = tuple[int, list[int], list[int]]
"""A predicate, with the subjects and the objects of its rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouped(Sequence[Row]):
    """Rows by predicate, each of which has one group; ``order`` has for each row the group that it is the next row of.

    It reads like a sequence of rows, which are made while it is read. A memory takes the groups as they are.
    """

    groups: Sequence[Group]
    order: Sequence[Group]

    def renumbered(self, own: Sequence[int]) -> "Grouped":
        """Return the rows with what ``own`` has at the places that stand in them."""
        find = own.__getitem__
        groups: dict[int, Group] = {
            p: (find(p), list(map(find, subjects)), list(map(find, objects)))
            for p, subjects, objects in self.groups
        }
        return Grouped(list(groups.values()), [groups[p] for p, _, _ in self.order])

    def __len__(self) -> int:
        return len(self.order)

    def __iter__(self) -> Iterator[Row]:
        rows = {p: zip(subjects, repeat(p), objects) for p, subjects, objects in self.groups}
        return map(next, map(rows.__getitem__, map(itemgetter(0), self.order)))

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        return tuple(self)[at]


@dataclass(frozen=True, slots=True, eq=False)
class Statements(Sequence[Triple]):
    """Triples in order: ``rows`` has the places of their terms in ``terms``, no term of which stands there twice.

    With ``is_set`` no triple comes twice. ``places`` are those of all terms, of IRIs by their values, if whoever made it
    knows them and there are no lists among them: nobody needs to find them out once more.

    It reads like a sequence of triples, which are made while it is read. Whoever takes many of them takes the terms
    and rows instead: a term is then looked at once, however often it is used.
    """

    terms: Sequence[Term]
    rows: Sequence[Row]
    is_set: bool = False
    places: Mapping[Term | str, int] | None = None

    def used(self) -> set[int]:
        """Return the places of the terms that stand in a triple."""
        return set().union(*(map(itemgetter(part), self.rows) for part in range(3)))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Triple]:
        terms = self.terms
        for s, p, o in self.rows:
            yield Triple(terms[s], terms[p], terms[o])

    @overload
    def __getitem__(self, at: int) -> Triple: ...
    @overload
    def __getitem__(self, at: slice) -> "Statements": ...
    def __getitem__(self, at: int | slice) -> "Triple | Statements":
        if isinstance(at, slice):
            return Statements(self.terms, self.rows[at])
        s, p, o = self.rows[at]
        return Triple(self.terms[s], self.terms[p], self.terms[o])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Statements) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def statements_of(triples: Iterable[Triple]) -> Statements:
    """Return ``triples`` in their order as one value."""
    numbers: dict[Term, int] = {}
    rows = [
        (
            numbers.setdefault(s, len(numbers)),
            numbers.setdefault(p, len(numbers)),
            numbers.setdefault(o, len(numbers)),
        )
        for s, p, o in triples
    ]
    return Statements(list(numbers), rows)
