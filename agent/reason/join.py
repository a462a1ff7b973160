"""Moves of a plan linked to a memory: each becomes a function that tries the rest for every way to go on.

A function returns true to stop the search: negation needs no more than one instance. All of them share one list of
slots, ``slots[i]`` being the number of the term in slot ``i``.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agent.n3.builtins import Context
from agent.rdf.terms import RDF_NIL, BlankNode, ListTerm, Term, Variable
from agent.reason.body import Compute, Match, Slots
from agent.reason.budget import Budget, exceeded
from agent.reason.data_lists import read_lists
from agent.reason.facts import Facts
from agent.reason.plan import Call, Check, Choose, Move, Pack, Refuse, Select, Unpack
from agent.reason.structure import fill_in, take_apart

Go: TypeAlias = Callable[[], bool]
Numbers: TypeAlias = tuple[int, int, int]

_NONE: dict[int, set[int]] = {}
_EMPTY: frozenset[int] = frozenset()


@dataclass(slots=True)
class Linker:
    """Links the moves of one rule.

    ``facts`` is the memory; ``before`` the memory that negated groups are tested against, of the same term table.
    """

    rule: str
    names: Slots
    facts: Facts
    before: Facts
    context: Context
    budget: Budget
    slots: list[int]

    def link(self, moves: Sequence[Move], then: Go, facts: Facts | None = None) -> Go:
        """Return the function that makes ``moves`` on ``facts`` (else the memory) and then does ``then``."""
        memory = self.facts if facts is None else facts
        for move in reversed(moves):
            match move:
                case Check(match):
                    then = self._check(match, memory, then)
                case Choose(slot, matches):
                    then = self._choose(slot, matches, memory, then)
                case Select(match, bound):
                    then = self._select(match, bound, memory, then)
                case Unpack(structure, bound):
                    then = self._unpack(structure.slot, structure.pattern, bound, then)
                case Pack(structure):
                    then = self._pack(structure.slot, structure.pattern, then)
                case Call(compute, bound):
                    then = self._call(compute, bound, memory, then)
                case Refuse(inner):
                    then = _refuse(self.link(inner, _stop, self.before), then)
        return then

    def seed(self, match: Match, then: Go) -> Callable[[Iterable[Numbers]], None]:
        """Return the function that does ``then`` for each of the given triples that has the form of ``match``."""
        slots, constants = self.slots, self.names.constants
        s, p, o = match.slots
        if p in constants and s not in constants and s != o:
            if o not in constants:

                def try_each(triples: Iterable[Numbers]) -> None:
                    for slots[s], _, slots[o] in triples:
                        then()

                return try_each

            def try_those(triples: Iterable[Numbers]) -> None:
                wanted = slots[o]
                for slots[s], _, value in triples:
                    if value == wanted:
                        then()

            return try_those
        fixed = [(position, slot) for position, slot in enumerate(match.slots) if slot in constants]
        open_ = [(position, slot) for position, slot in enumerate(match.slots) if slot not in constants]

        def try_any(triples: Iterable[Numbers]) -> None:
            for triple in triples:
                if all(triple[position] == slots[slot] for position, slot in fixed) and _assign(
                    slots, open_, triple
                ):
                    then()

        return try_any

    def _check(self, match: Match, facts: Facts, then: Go) -> Go:
        slots = self.slots
        s, p, o = match.slots
        if p in self.names.constants:
            table = facts.by_subject.setdefault(slots[p], {})
            return lambda: slots[o] in table.get(slots[s], _EMPTY) and then()
        index = facts.by_subject
        return lambda: slots[o] in index.get(slots[p], _NONE).get(slots[s], _EMPTY) and then()

    def _choose(self, slot: int, matches: Sequence[Match], facts: Facts, then: Go) -> Go:
        slots = self.slots
        tables = []
        for match in matches:
            index, key = (
                (facts.by_subject, match.subject) if slot == match.object else (facts.by_object, match.object)
            )
            tables.append((index.setdefault(slots[match.predicate], {}), key))
        if len(tables) == 1:
            table, key = tables[0]

            def choose_one() -> bool:
                for value in table.get(slots[key], _EMPTY):
                    slots[slot] = value
                    if then():
                        return True
                return False

            return choose_one

        def choose_common() -> bool:
            common: set[int] | None = None
            for table, key in tables:
                values = table.get(slots[key])
                if not values:
                    return False
                common = values if common is None else common & values
            for value in common or _EMPTY:
                slots[slot] = value
                if then():
                    return True
            return False

        return choose_common

    def _select(self, match: Match, bound: frozenset[int], facts: Facts, then: Go) -> Go:
        slots = self.slots
        s, p, o = (slot if slot in bound else None for slot in match.slots)
        open_ = [(position, slot) for position, slot in enumerate(match.slots) if slot not in bound]

        def select() -> bool:
            triples = facts.select(
                None if s is None else slots[s],
                None if p is None else slots[p],
                None if o is None else slots[o],
            )
            return any(_assign(slots, open_, triple) and then() for triple in triples)

        return select

    def _value(self, part: Term) -> Term | None:
        """Return the term that ``part`` of a pattern is bound to, if it has a slot."""
        slot = self.names.find(part)
        return None if slot is None else self.facts.table.terms[self.slots[slot]]

    def _unpack(self, slot: int, pattern: Term, bound: frozenset[int], then: Go) -> Go:
        terms = self.facts.table.terms
        assign = self._assigner([pattern], bound)
        return lambda: assign([terms[self.slots[slot]]]) and then()

    def _assigner(self, patterns: Sequence[Term], bound: frozenset[int]) -> Callable[[Sequence[Term]], bool]:
        """Return the function that binds the open parts of ``patterns`` so that they become the given terms."""
        names = self.names

        def assign(terms: Sequence[Term]) -> bool:
            known = {names.names[slot]: self.facts.table.terms[self.slots[slot]] for slot in needed}
            found: dict[Term, Term] = {}
            for pattern, term in zip(patterns, terms, strict=True):
                more = take_apart(pattern, term, known | found)
                if more is None:
                    return False
                found |= more
            for name, value in found.items():
                self.slots[names.number(name)] = self.intern(value)
            return True

        needed = {slot for pattern in patterns for slot in names.parts(pattern)} & bound
        return assign

    def intern(self, term: Term) -> int:
        """Return the number of ``term``. Raises ``BudgetError`` if there are too many."""
        number = self.facts.table.intern(term)
        if number >= self.budget.terms:
            raise exceeded("terms", self.budget.terms, self.rule)
        return number

    def _pack(self, slot: int, pattern: Term, then: Go) -> Go:
        def pack() -> bool:
            self.slots[slot] = self.intern(fill_in(pattern, self._value))
            return then()

        return pack

    def _call(self, compute: Compute, bound: frozenset[int], facts: Facts, then: Go) -> Go:
        slots, context, evaluate = self.slots, self.context, compute.builtin.evaluate
        sides = [
            (compute.subject, compute.subject_parts <= bound, "subject" in compute.builtin.lists),
            (compute.object, compute.object_parts <= bound, "object" in compute.builtin.lists),
        ]
        subjects, objects = (self._argument(*side, facts) for side in sides)
        unknown = [position for position, (_, is_known, _) in enumerate(sides) if not is_known]
        patterns = [sides[position][0] for position in unknown]
        target = (
            self.names.number(patterns[0])
            if patterns and isinstance(patterns[0], Variable | BlankNode)
            else None
        )
        assign = self._assigner(patterns, bound)

        def call() -> bool:
            for subject in subjects():
                for object_ in objects():
                    for pair in evaluate(subject, object_, context):
                        if (subject is not None and pair[0] != subject) or (
                            object_ is not None and pair[1] != object_
                        ):
                            continue
                        if len(unknown) == 1 and target is not None:
                            slots[target] = self.intern(pair[unknown[0]])
                        elif unknown and not assign([pair[position] for position in unknown]):
                            continue
                        if then():
                            return True
            return False

        return call

    def _argument(
        self,
        pattern: Term,
        is_known: bool,
        is_list: bool,
        facts: Facts,
    ) -> Callable[[], Sequence[Term | None]]:
        """Return the function that gives the terms to try for one side of a builtin; ``None`` while it is not known."""
        if not is_known:
            return lambda: (None,)
        slots, terms = self.slots, facts.table.terms
        if isinstance(pattern, Variable | BlankNode):
            slot = self.names.number(pattern)
            if not is_list:
                return lambda: (terms[slots[slot]],)
            return lambda: _lists(facts, slots[slot])
        if is_list and not isinstance(pattern, ListTerm):
            return lambda: _lists(facts, facts.table.intern(pattern))
        if not self.names.parts(pattern):
            return lambda: (pattern,)
        return lambda: (fill_in(pattern, self._value),)


def _lists(facts: Facts, number: int) -> Sequence[Term]:
    """Return the lists that the term of ``number`` is: itself, or those that the data say."""
    term = facts.table.terms[number]
    if isinstance(term, ListTerm):
        return (term,)
    if term == RDF_NIL:
        return (ListTerm(()),)
    return read_lists(facts, number) or (term,)


def _assign(slots: list[int], positions: Iterable[tuple[int, int]], triple: Numbers) -> bool:
    """Bind slots to parts of ``triple`` and tell whether slots that occur twice got the same term."""
    for position, slot in positions:
        slots[slot] = triple[position]
    return all(slots[slot] == triple[position] for position, slot in positions)


def _stop() -> bool:
    return True


def _refuse(holds: Go, then: Go) -> Go:
    return lambda: not holds() and then()


def constants_of(names: Slots, facts: Facts) -> list[int]:
    """Return the slots of a rule with its constants in place."""
    return [
        facts.table.intern(name) if slot in names.constants else -1 for slot, name in enumerate(names.names)
    ]
