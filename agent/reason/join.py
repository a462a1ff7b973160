"""Moves of a plan linked to a memory: each becomes a function that tries the rest for every way to go on.

A function returns true to stop the search: negation needs no more than one instance. All of them share one list of
slots, ``slots[i]`` being the number of the term in slot ``i``.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec.structs import replace

from agent.rdf.matching import part_of_list
from agent.rdf.structure import fill_in
from agent.rdf.terms import RDF_NIL, ListTerm, Term, spelling
from agent.reason.body import Match, Slots, variables_bound
from agent.reason.calls import link_call
from agent.reason.containers import Container, common
from agent.reason.facts import Facts
from agent.reason.plan import Call, Check, Choose, Consult, Follow, Gather, Move, Pack, Refuse, Select, Unpack
from agent.reason.state import RuleState

Go: TypeAlias = Callable[[], bool]
Numbers: TypeAlias = tuple[int, int, int]
Batch: TypeAlias = Callable[[Container], int]
BatchOf: TypeAlias = Callable[[int], Batch | None]

# Subtracting sets handles about that many terms while a join tries one.
_SET_SPEED = 16
_NONE: dict[int, Container] = {}
_EMPTY: Container = ()


class Answers(Protocol):
    """What links the questions of a rule to the backward rules that answer them."""

    def link(self, linker: "Linker", move: Consult, then: Go) -> Go:
        """Return the function that does ``then`` for each answer to the question of ``move``."""

    def negated(self) -> "Answers":
        """Return what answers the questions inside negated groups."""


class Linker(RuleState):
    """Links the moves of one rule; ``answers`` are there when a goal asks backward rules."""

    answers: Answers | None = None

    def link(
        self, moves: Sequence[Move], then: Go, facts: Facts | None = None, batch_of: BatchOf | None = None
    ) -> Go:
        """Return the function that makes ``moves`` on ``facts`` (else the memory) and then does ``then``.

        ``batch_of`` may give a way to do ``then`` for all terms of the last slot that is bound at once.
        """
        memory = self.facts if facts is None else facts
        last = moves[-1] if moves else None
        at_once = batch_of(last.slot) if batch_of is not None and isinstance(last, Choose) else None
        if at_once is not None and isinstance(last, Choose):
            moves, then = moves[:-1], self._choose_all(last, memory, at_once)
        for move in reversed(moves):
            then = _LINKS[type(move)](self, move, memory, then)
        return then

    def seed(self, match: Match, then: Go) -> Callable[[Iterable[Numbers]], None]:
        """Return the function that does ``then`` for each of the given triples that has the form of ``match``."""
        slots, constants = self.slots, self.names.constants
        s, p, o = match.slots
        if constants.isdisjoint((s, o)) and len({s, p, o}) == 3:

            def try_each(triples: Iterable[Numbers]) -> None:
                for slots[s], slots[p], slots[o] in triples:
                    then()

            return try_each
        if s not in constants and p in constants and o in constants:

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

    def _check(self, move: Check, facts: Facts, then: Go) -> Go:
        slots = self.slots
        s, p, o = move.match.slots
        if p in self.names.constants:
            table, _ = facts.indexes(slots[p])
            return lambda: slots[o] in table.get(slots[s], _EMPTY) and then()
        index = facts.by_subject
        return lambda: slots[o] in index.get(slots[p], _NONE).get(slots[s], _EMPTY) and then()

    def _candidates(self, move: Choose, facts: Facts) -> Callable[[], Container]:
        """Return the function that gives the terms that all matches of ``move`` allow."""
        slots = self.slots
        tables = []
        for match in move.matches:
            subjects, objects = facts.indexes(slots[match.predicate])
            tables.append((subjects, match.subject) if move.slot == match.object else (objects, match.object))
        if len(tables) == 1:
            table, key = tables[0]
            return lambda: table.get(slots[key], _EMPTY)

        def allowed_by_all() -> Container:
            allowed: Container | None = None
            for table, key in tables:
                values = table.get(slots[key])
                if values is None:
                    return _EMPTY
                allowed = values if allowed is None else common(allowed, values)
            return allowed or _EMPTY

        return allowed_by_all

    def _choose(self, move: Choose, facts: Facts, then: Go) -> Go:
        slots, slot, tries, rule = self.slots, move.slot, self.tries, self.rule
        candidates = self._candidates(move, facts)

        def choose() -> bool:
            values = candidates()
            tries.made += len(values)
            if tries.made > tries.limit:
                tries.check(rule)
            for value in values:
                slots[slot] = value
                if then():
                    return True
            return False

        return choose

    def _choose_all(self, move: Choose, facts: Facts, batch: Batch) -> Go:
        """Return the function that hands all terms for the last slot over at once: one set operation for all."""
        tries, rule = self.tries, self.rule
        candidates = self._candidates(move, facts)

        def choose_all() -> bool:
            values = candidates()
            if values:
                tries.made += batch(values) + len(values) // _SET_SPEED
                if tries.made > tries.limit:
                    tries.check(rule)
            return False

        return choose_all

    def _select(self, move: Select, facts: Facts, then: Go) -> Go:
        slots, bound, parts, tries, rule = self.slots, move.bound, move.match.slots, self.tries, self.rule
        s, p, o = (slot if slot in bound else None for slot in parts)
        open_ = [(position, slot) for position, slot in enumerate(parts) if slot not in bound]

        def select() -> bool:
            for triple in facts.select(
                None if s is None else slots[s],
                None if p is None else slots[p],
                None if o is None else slots[o],
            ):
                tries.made += 1
                if tries.made > tries.limit:
                    tries.check(rule)
                if _assign(slots, open_, triple) and then():
                    return True
            return False

        return select

    def _follow(self, move: Follow, facts: Facts, then: Go) -> Go:
        slots, terms, (s, p, o) = self.slots, facts.table.terms, move.cell.slots
        predicate = terms[slots[p]]
        table, _ = facts.indexes(slots[p])

        def values() -> Container:
            node = terms[slots[s]]
            said = table.get(slots[s], _EMPTY)
            if isinstance(node, ListTerm) and node.items:
                return {*said, self.intern(part_of_list(node, predicate))}
            return said

        if move.is_bound:
            return lambda: slots[o] in values() and then()

        def follow() -> bool:
            for value in values():
                slots[o] = value
                if then():
                    return True
            return False

        return follow

    def _unpack(self, move: Unpack, facts: Facts, then: Go) -> Go:
        terms, slot = facts.table.terms, move.structure.slot
        assignments = self.assigner([move.structure.pattern], move.bound, facts)

        def unpack() -> bool:
            return any(then() for _ in assignments([terms[self.slots[slot]]]))

        return unpack

    def _pack(self, move: Pack, _: Facts, then: Go) -> Go:
        slot, pattern = move.structure.slot, move.structure.pattern

        def pack() -> bool:
            self.slots[slot] = self.intern(fill_in(pattern, self.value))
            return then()

        return pack

    def on_before(self) -> "Linker":
        """Return the linker for what is tested against the memory before: negated groups."""
        answers = None if self.answers is None else self.answers.negated()
        return replace(self, facts=self.before, answers=answers)

    def _refuse(self, move: Refuse, _: Facts, then: Go) -> Go:
        holds = self.on_before().link(move.steps, _stop)
        return lambda: not holds() and then()

    def _consult(self, move: Consult, _: Facts, then: Go) -> Go:
        assert self.answers is not None  # noqa: S101  only rules of programs with backward rules have such a move
        return self.answers.link(self, move, then)

    def _gather(self, move: Gather, _: Facts, then: Go) -> Go:
        collect = move.collect
        counted = sorted(variables_bound(collect.goals, self.names) - move.bound)
        rows: dict[tuple[int, ...], Term] = {}

        def row() -> bool:
            rows[tuple(self.slots[slot] for slot in counted)] = fill_in(collect.template, self.value)
            return False

        search = self.on_before().link(move.steps, row)
        assignments = self.assigner([collect.result], move.bound, self.facts)

        def gather() -> bool:
            rows.clear()
            search()
            made = tuple(sorted(rows.values(), key=spelling))
            return any(then() for _ in assignments([ListTerm(made) if made else RDF_NIL]))

        return gather


def _assign(slots: list[int], positions: Iterable[tuple[int, int]], triple: Numbers) -> bool:
    """Bind slots to parts of ``triple`` and tell whether slots that occur twice got the same term."""
    for position, slot in positions:
        slots[slot] = triple[position]
    for position, slot in positions:  # noqa: SIM110  a loop is twice as fast as all() here
        if slots[slot] != triple[position]:
            return False
    return True


def _stop() -> bool:
    return True


def constants_of(names: Slots, facts: Facts) -> list[int]:
    """Return the slots of a rule with its constants in place."""
    return [
        facts.table.intern(name) if slot in names.constants else -1 for slot, name in enumerate(names.names)
    ]


_Link: TypeAlias = Callable[[Linker, Any, Facts, Go], Go]

# One way to link for each kind of move; the table knows which kind belongs to which method.
_LINKS: dict[type[Move], _Link] = {
    Check: Linker._check,
    Choose: Linker._choose,
    Select: Linker._select,
    Unpack: Linker._unpack,
    Pack: Linker._pack,
    Call: link_call,
    Consult: Linker._consult,
    Refuse: Linker._refuse,
    Follow: Linker._follow,
    Gather: Linker._gather,
}
