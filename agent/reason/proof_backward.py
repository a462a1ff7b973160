"""Proofs of what backward rules answer: no triple of memory is theirs, so nothing ranks their answers.

All instances that could lead to an answer are gathered, question by question, and proved from below: an instance
counts once all answers it rests on are proved. What is left over rests on itself.
"""

from collections.abc import Container, Iterable, Iterator

from msgspec import Struct, field

from agent.errors import ProgramError
from agent.rdf.terms import IRI
from agent.reason.backward import BackwardRules, Clause
from agent.reason.join import Go, Linker, Numbers, constants_of
from agent.reason.linked import link_inventions
from agent.reason.proof_parts import Instance, Search
from agent.reason.questions import told


class _Way(Struct):
    """A clause linked for questions that tell the same slots; it collects instances for ``wanted``."""

    clause: Clause
    search: Search
    linker: Linker
    wanted: Numbers = (-1, -1, -1)
    latest: int = -1
    found: list[Instance] = field(default_factory=list)

    def take(self) -> bool:
        """Note the present instance if it gives what is wanted."""
        slots = self.linker.slots
        s, p, o = self.clause.head
        if (slots[s], slots[p], slots[o]) == self.wanted:
            instance = self.search.instance(self.clause.rule, self.clause.goals, self.linker, self.latest)
            if instance is not None:
                self.found.append(instance)
        return False


class AnswerProofs:
    """Finds how the backward rules ``rules`` give an answer."""

    def __init__(self, rules: BackwardRules, search: Search) -> None:
        self._rules = rules
        self._search = search
        self._ways: dict[tuple[int, frozenset[int]], tuple[_Way, Go] | None] = {}

    def prove(
        self, wanted: Iterable[Numbers], latest: int, known: Container[Numbers]
    ) -> dict[Numbers, Instance] | None:
        """Return an instance for each of the answers ``wanted`` and for each that these rest on, premises first.

        They rest on triples that were in memory before ``latest``, and on answers ``known``. Nothing if an answer
        cannot be proved so.
        """
        instances: dict[Numbers, list[Instance]] = {}
        pending = [answer for answer in wanted if answer not in known]
        goals = tuple(pending)
        while pending:
            answer = pending.pop()
            if answer not in instances:
                instances[answer] = list(self._instances(answer, latest))
                pending += [need for each in instances[answer] for need in each.answers if need not in known]
        proved = _proved(instances, known)
        if not all(answer in proved for answer in goals):
            return None
        needed: set[Numbers] = set()
        pending = list(goals)
        while pending:
            answer = pending.pop()
            if answer in proved and answer not in needed:
                needed.add(answer)
                pending += proved[answer].answers
        return {answer: instance for answer, instance in proved.items() if answer in needed}

    def _instances(self, answer: Numbers, latest: int) -> Iterator[Instance]:
        memory = self._search.memory
        predicate = memory.table.terms[answer[1]]
        clauses = self._rules.clauses.get(predicate.value, ()) if isinstance(predicate, IRI) else ()
        for clause in clauses:
            slots = told(clause, constants_of(clause.slots, memory), answer, memory)
            linked = self._way(clause, frozenset(slots)) if slots is not None else None
            if slots is None or linked is None:
                continue
            way, go = linked
            for slot, value in slots.items():
                way.linker.slots[slot] = value
            way.wanted, way.latest, way.found = answer, latest, []
            go()
            yield from way.found

    def _way(self, clause: Clause, known: frozenset[int]) -> tuple[_Way, Go] | None:
        key = (id(clause), known)
        if key not in self._ways:
            plan = clause.plan(known)
            if isinstance(plan, ProgramError):
                self._ways[key] = None
            else:
                linker = self._search.linker(clause.rule.name, clause.slots)
                way = _Way(clause, self._search, linker)
                then = link_inventions(plan.head, clause.rule.name, linker, way.take)
                self._ways[key] = (way, linker.link(plan.moves, then))
        return self._ways[key]


def _proved(instances: dict[Numbers, list[Instance]], known: Container[Numbers]) -> dict[Numbers, Instance]:
    """Return, for each answer that can be proved from below, the first instance whose answers are all proved."""
    proved: dict[Numbers, Instance] = {}
    waiting: dict[Numbers, list[tuple[Numbers, int]]] = {}
    missing: dict[tuple[Numbers, int], int] = {}
    ready: list[tuple[Numbers, int]] = []
    for answer, found in instances.items():
        for number, instance in enumerate(found):
            needs = [need for need in instance.answers if need not in known]
            missing[answer, number] = len(needs)
            for need in needs:
                waiting.setdefault(need, []).append((answer, number))
            if not needs:
                ready.append((answer, number))
    while ready:
        answer, number = ready.pop()
        if answer in proved:
            continue
        proved[answer] = instances[answer][number]
        for way in waiting.get(answer, ()):
            missing[way] -= 1
            if not missing[way]:
                ready.append(way)
    return proved
