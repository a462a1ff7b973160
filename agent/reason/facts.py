"""Working memory: interned terms and triples with indexes both ways for every predicate."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from operator import attrgetter
from typing import TypeAlias

from agent.rdf.statements import Group, Grouped, Row, Statements
from agent.rdf.structure import count_parts
from agent.rdf.terms import IRI, RDF_NIL, Formula, ListTerm, Term, Triple
from agent.reason.containers import MOST_IN_TUPLE, NOTHING, Container, put, put_all, put_more, take

Index: TypeAlias = dict[int, dict[int, Container]]

_CLOCK = count(1)


class TermTable:
    """Terms and their numbers: equal terms have equal numbers, counted from 0."""

    __slots__ = ("_numbers", "_parts", "terms")

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self._parts: dict[Term, int] = {}
        # An IRI is known by its text, which knows its hash already.
        self._numbers: dict[Term | str, int] = {}

    def intern(self, term: Term) -> int:
        """Return the number of ``term``, a new one if it has none yet; the empty list is rdf:nil."""
        key = term.value if type(term) is IRI else term
        number = self._numbers.get(key)
        if number is None:
            if isinstance(term, ListTerm) and not term.items:
                return self.intern(RDF_NIL)
            number = self._numbers[key] = len(self.terms)
            self.terms.append(term)
        return number

    def intern_all(self, triples: Iterable[Triple]) -> Sequence[Row]:
        """Return ``triples`` as triples of numbers, in their order."""
        if not isinstance(triples, Statements):
            intern = self.intern
            return [(intern(s), intern(p), intern(o)) for s, p, o in triples]
        rows = triples.rows
        if not self.terms and triples.places is not None:
            self.terms += triples.terms
            self._numbers.update(triples.places)
            return rows
        is_empty = not self.terms
        own = self._intern_terms(triples.terms)
        if is_empty and len(own) == len(self.terms):
            return rows
        if isinstance(rows, Grouped):
            return rows.renumbered(own)
        return [(own[s], own[p], own[o]) for s, p, o in rows]

    def _intern_terms(self, terms: Sequence[Term]) -> list[int]:
        """Return the numbers of ``terms``, which takes half as long as one after the other."""
        kinds = set(map(type, terms))
        if ListTerm in kinds:
            return list(map(self.intern, terms))
        keys: list[Term | str] = (
            list(map(attrgetter("value"), terms))
            if kinds == {IRI}
            else [term.value if type(term) is IRI else term for term in terms]
        )
        first = len(self.terms)
        own = list(map(self._numbers.setdefault, keys, count(first)))
        self.terms += terms
        end = len(self._numbers)
        if end < len(self.terms):
            # Those that were known have left gaps, which the last of the new ones fill.
            gaps = (number for number, found in enumerate(own[: end - first], first) if found != number)
            for number in range(end, len(self.terms)):
                if own[number - first] == number:
                    gap = self._numbers[keys[number - first]] = own[number - first] = next(gaps)
                    self.terms[gap] = self.terms[number]
            del self.terms[end:]
        return own

    def parts_of(self, term: ListTerm | Formula) -> int:
        """Return how many terms ``term`` has when it is written out."""
        return count_parts(term, self._parts)

    def find(self, term: Term) -> int | None:
        """Return the number of ``term`` if it has one."""
        if type(term) is IRI:
            return self._numbers.get(term.value)
        return self._numbers.get(RDF_NIL.value if isinstance(term, ListTerm) and not term.items else term)


class Facts:
    """A set of triples that grows and shrinks.

    Inside, triples are triples of numbers of ``table``: ``by_subject[p][s]`` contains the objects and
    ``by_object[p][o]`` the subjects, and no container is empty. The dicts of a predicate stay the same ones for the
    life of the memory. Do not change it while iterating over a result. ``moment`` is another one after each change
    that is noted, in this memory or any other; 0 if none was.
    """

    __slots__ = ("_size", "by_object", "by_subject", "moment", "stamps", "table")

    def __init__(self, table: TermTable | None = None) -> None:
        self.table = table if table is not None else TermTable()
        self.by_subject: Index = {}
        self.by_object: Index = {}
        self.stamps: dict[int, int] | None = None
        self.moment = 0
        self._size = 0

    def touch(self, predicates: Iterable[int]) -> None:
        """Note that triples of ``predicates`` came or went; whoever calls this once has to do so for every change."""
        if self.stamps is None:
            self.stamps = {}
        now = self.moment = next(_CLOCK)
        for predicate in predicates:
            self.stamps[predicate] = now

    def stamp(self, predicates: Iterable[Term]) -> tuple[int, ...] | None:
        """Return what is the same at two times only if the triples of ``predicates`` are; nothing if nobody notes changes."""
        if self.stamps is None:
            return None
        return tuple(self.stamps.get(self.table.intern(predicate), 0) for predicate in predicates)

    def overlay(self) -> "Facts":
        """Return a memory with the same triples: what is put into it under new predicates is not in this one.

        Both are to be left alone otherwise.
        """
        over = Facts(self.table)
        over.by_subject, over.by_object, over._size = dict(self.by_subject), dict(self.by_object), self._size
        return over

    def hide(self, predicate: Term) -> None:
        """Forget all triples of ``predicate`` in this overlay; those of the memory below stay."""
        number = self.table.intern(predicate)
        self.by_object.pop(number, None)
        self._size -= sum(map(len, self.by_subject.pop(number, {}).values()))

    def indexes(self, predicate: int) -> tuple[dict[int, Container], dict[int, Container]]:
        """Return the dicts of ``predicate``, by subject and by object: the same ones each time, empty at first."""
        subjects = self.by_subject.get(predicate)
        if subjects is None:
            subjects = self.by_subject[predicate] = {}
            self.by_object[predicate] = {}
        return subjects, self.by_object[predicate]

    def add(self, triple: Triple) -> bool:
        """Add ``triple`` and tell whether it is new."""
        intern = self.table.intern
        return self.insert(intern(triple.subject), intern(triple.predicate), intern(triple.object))

    def insert(self, subject: int, predicate: int, object_: int) -> bool:
        """Add the triple of three numbers and tell whether it is new."""
        subjects, objects = self.indexes(predicate)
        if object_ in subjects.get(subject, NOTHING):
            return False
        put(subjects, subject, object_)
        put(objects, object_, subject)
        self._size += 1
        return True

    def insert_new(self, rows: Collection[Row]) -> None:
        """Add triples of numbers that are all different and not known yet, which saves looking for them."""
        for p, subjects, objects in rows.groups if isinstance(rows, Grouped) else _groups(rows):
            by_subject, by_object = self.indexes(p)
            put_all(by_subject, subjects, objects)
            put_all(by_object, objects, subjects)
        self._size += len(rows)

    def insert_groups(
        self, predicate: int, groups: Mapping[int, set[int]], rows: list[Row]
    ) -> dict[int, set[int]]:
        """Add triples of ``predicate``, objects by their subject; return the new ones so, and put them at the end of ``rows``."""
        by_subject, by_object = self.indexes(predicate)
        came: dict[int, set[int]] = {}
        before = len(rows)
        find, append = by_object.get, rows.append
        for subject, values in groups.items():
            known = by_subject.get(subject, NOTHING)
            if isinstance(known, set):
                objects = values - known
                known |= objects
            else:
                objects = values.difference(known) if known else values
                if objects:
                    put_more(by_subject, subject, known, objects)
            if not objects:
                continue
            came[subject] = objects
            alone = (subject,)
            for object_ in objects:
                subjects = find(object_)
                if subjects is None:
                    by_object[object_] = alone
                elif isinstance(subjects, set):
                    subjects.add(subject)
                elif len(subjects) < MOST_IN_TUPLE:
                    by_object[object_] = (*subjects, subject)
                else:
                    by_object[object_] = {*subjects, subject}
                append((subject, predicate, object_))
        self._size += len(rows) - before
        return came

    def remove(self, subject: int, predicate: int, object_: int) -> bool:
        """Take the triple of three numbers out and tell whether it was there."""
        if not self.has(subject, predicate, object_):
            return False
        take(self.by_subject[predicate], subject, object_)
        take(self.by_object[predicate], object_, subject)
        self._size -= 1
        return True

    def clear(self) -> None:
        """Take all triples out."""
        for index in (self.by_subject, self.by_object):
            for values in index.values():
                values.clear()
        self._size = 0

    def has(self, subject: int, predicate: int, object_: int) -> bool:
        """Tell whether the triple of three numbers is known."""
        return object_ in self.by_subject.get(predicate, {}).get(subject, NOTHING)

    def __contains__(self, triple: object) -> bool:
        if not isinstance(triple, tuple) or len(triple) != 3:
            return False
        return next(self.match(*triple), None) is not None

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Triple]:
        return self.match(None, None, None)

    def match(self, subject: Term | None, predicate: Term | None, object_: Term | None) -> Iterator[Triple]:
        """Yield the triples that have the given terms; ``None`` stands for any."""
        numbers = [None if term is None else self.table.find(term) for term in (subject, predicate, object_)]
        for number, term in zip(numbers, (subject, predicate, object_), strict=True):
            if number is None and term is not None:
                return
        terms = self.table.terms
        for s, p, o in self.select(*numbers):
            yield Triple(terms[s], terms[p], terms[o])

    def select(
        self, subject: int | None, predicate: int | None, object_: int | None
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the triples of numbers that have the given ones; ``None`` stands for any."""
        # A rule linked while somebody iterates may add a predicate without triples.
        for p in tuple(self.by_subject) if predicate is None else (predicate,):
            if subject is not None:
                objects = self.by_subject.get(p, {}).get(subject, NOTHING)
                if object_ is None:
                    for o in objects:
                        yield subject, p, o
                elif object_ in objects:
                    yield subject, p, object_
            elif object_ is not None:
                for s in self.by_object.get(p, {}).get(object_, NOTHING):
                    yield s, p, object_
            else:
                for s, objects_of_s in self.by_subject.get(p, {}).items():
                    for o in objects_of_s:
                        yield s, p, o

    def objects(self, subject: Term, predicate: Term) -> Iterator[Term]:
        """Yield what ``subject`` has as ``predicate``."""
        for triple in self.match(subject, predicate, None):
            yield triple.object

    def subjects(self, predicate: Term, object_: Term) -> Iterator[Term]:
        """Yield what has ``object_`` as ``predicate``."""
        for triple in self.match(None, predicate, object_):
            yield triple.subject

    def value(self, subject: Term, predicate: Term) -> Term | None:
        """Return the object of ``subject`` and ``predicate``: any if there are several, nothing if there is none."""
        return next(self.objects(subject, predicate), None)

    def copy_predicate(self, source: "Facts", predicate: int) -> None:
        """Replace what is known of ``predicate`` by what ``source``, a memory of the same table, knows of it."""
        mine = self.indexes(predicate)
        theirs = source.by_subject.get(predicate, {}), source.by_object.get(predicate, {})
        self._size -= sum(map(len, mine[0].values()))
        for index, other in zip(mine, theirs, strict=True):
            index.clear()
            for key, values in other.items():
                index[key] = values.copy() if isinstance(values, set) else values
        self._size += sum(map(len, mine[0].values()))

    def predicates(self) -> list[int]:
        """Return the numbers of all predicates that ever had a triple."""
        return list(self.by_subject)


def _groups(rows: Iterable[Row]) -> Collection[Group]:
    """Return ``rows`` by predicate."""
    groups: dict[int, Group] = {}
    for s, p, o in rows:
        group = groups.get(p)
        if group is None:
            group = groups[p] = (p, [], [])
        group[1].append(s)
        group[2].append(o)
    return groups.values()
