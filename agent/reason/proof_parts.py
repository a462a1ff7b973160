"""Instances of rules that give a wanted triple: what a step of a proof rests on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from agent.n3.builtins import BUILTINS, Context
from agent.n3.program import DerivationRule, Pattern, RequestRule
from agent.n3.scopes import INCLUDES, SCOPED, scoped
from agent.rdf.structure import fill_in
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, ListTerm, Term, Triple, Variable, variables_of
from agent.reason.answers import Answerer
from agent.reason.body import Absent, Ask, Cell, Compute, Goal, Match, Slots, Structure
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Go, Linker, Numbers, constants_of
from agent.reason.linked import link_inventions
from agent.reason.plan import order
from agent.reason.prepared import prepare_derivation, prepare_request

Binding = tuple[tuple[str, Term], ...]


class Instance(Struct, frozen=True):
    """An instance of a rule: the triples of memory it rests on, its variables, its builtins and negated groups.

    ``answers`` are the triples that backward rules have to give. ``is_past`` if a negated group matches by now, and
    only the memory of then allowed the rule.
    """

    rule: str
    premises: tuple[Numbers, ...]
    answers: tuple[Numbers, ...]
    binding: Binding
    conditions: tuple[Triple, ...]
    is_past: bool = False


class Search(Struct):
    """What all searches in a memory share; ``ranks`` says in which order its triples came."""

    memory: Facts
    ranks: Mapping[Numbers, int]
    context: Context
    budget: Budget
    tries: Tries
    answerer: Answerer

    def linker(self, rule: str, slots: Slots) -> Linker:
        """Return what links the moves of ``rule`` to the memory."""
        constants = constants_of(slots, self.memory)
        return Linker(
            rule,
            slots,
            self.memory,
            self.memory,
            self.context,
            self.budget,
            self.tries,
            constants,
            self.answerer,
        )

    def instance(
        self, rule: DerivationRule | RequestRule, goals: Iterable[Goal], linker: Linker, latest: int
    ) -> Instance | None:
        """Return what the present binding of ``linker`` rests on, if all of it was in memory before ``latest``."""
        slots, ranks = linker.slots, self.ranks
        premises: dict[Numbers, None] = {}
        answers: dict[Numbers, None] = {}
        for goal in goals:
            if isinstance(goal, Match | Ask):
                triple = _triple_of(goal, slots)
                is_answer = isinstance(goal, Ask) and ranks.get(triple, latest) >= latest
                (answers if is_answer else premises)[triple] = None
        binding = binding_of(rule.body, linker.names, slots, self.memory.table.terms)
        values: dict[Term, Term] = {Variable(name): value for name, value in binding}
        for goal in goals:
            premises.update(dict.fromkeys(self._cells_of(goal, values, slots, latest)))
        if any(ranks[premise] >= latest for premise in premises):
            return None
        return Instance(
            rule.name, tuple(premises), tuple(answers), binding, tuple(conditions_of(rule.body, values))
        )

    def _cells_of(
        self, goal: Goal, values: Mapping[Term, Term], slots: Sequence[int], latest: int
    ) -> Iterator[Numbers]:
        """Yield the cells of data lists that ``goal`` has read."""
        if isinstance(goal, Compute):
            for node in _list_nodes(goal, values):
                yield from _cells(self.memory, self.ranks, node, latest)
        elif isinstance(goal, Structure) and isinstance(goal.pattern, ListTerm):
            yield from _cells(self.memory, self.ranks, self.memory.table.terms[slots[goal.slot]], latest)
        elif isinstance(goal, Cell) and _triple_of(goal, slots) in self.ranks:
            yield _triple_of(goal, slots)


@dataclass(slots=True)
class Conclusion:
    """One triple of a rule's head, asked for the instances that give it.

    Without ``negating`` the negated groups of the body are left aside: what they tested was the memory of then.
    """

    rule: DerivationRule
    number: int
    search: Search
    asked: frozenset[str]
    negating: bool
    _linker: Linker = field(init=False)
    _head: Numbers = field(init=False)
    _goals: tuple[Goal, ...] = field(init=False)
    _bound: tuple[tuple[int, int], ...] = field(init=False)
    _go: Go = field(init=False)
    _wanted: Numbers = (-1, -1, -1)
    _found: list[Instance] = field(default_factory=list)
    _rows: dict[Numbers, list[list[int]]] | None = None

    def __post_init__(self) -> None:
        prepared = prepare_derivation(self.rule, self.asked)
        slots = prepared.body.slots
        self._goals = tuple(
            goal for goal in prepared.body.goals if self.negating or not isinstance(goal, Absent)
        )
        self._head = prepared.head.triples[self.number]
        data = data_slots(self._goals)
        self._bound = tuple(
            (position, slot)
            for position, slot in enumerate(self._head)
            if slot in data and slot not in slots.constants
        )
        bound = [slot for _, slot in self._bound]
        moves = order(self._goals, slots, bound, self.rule.name, self.rule.place)
        self._linker = self.search.linker(self.rule.name, slots)
        then = link_inventions(prepared.head, self.rule.name, self._linker, self._take)
        self._go = self._linker.link(moves, then)

    def find(self, triple: Numbers) -> Sequence[Instance]:
        """Return instances that give ``triple`` and rest on triples that came before it.

        If one of them needs no answers of backward rules, there may be more; it is the last then.
        """
        slots, constants = self._linker.slots, self._linker.names.constants
        if any(
            slot in constants and slots[slot] != part for slot, part in zip(self._head, triple, strict=True)
        ):
            return ()
        self._found, self._wanted = [], triple
        if not self._bound and not constants.issuperset(self._head):
            for row in self._all_rows().get(triple, ()):
                slots[:] = row
                if self._examine():
                    break
            return self._found
        for position, slot in self._bound:
            slots[slot] = triple[position]
        if all(slots[slot] == triple[position] for position, slot in self._bound):
            self._go()
        return self._found

    def _all_rows(self) -> dict[Numbers, list[list[int]]]:
        """Return all instances by the triple they give: nothing in that triple leads back to the body."""
        if self._rows is None:
            self._rows = {}
            self._go()
        return self._rows

    def _take(self) -> bool:
        slots = self._linker.slots
        s, p, o = self._head
        given = (slots[s], slots[p], slots[o])
        if self._rows is not None and not self._bound:
            self._rows.setdefault(given, []).append(slots[:])
            return False
        return given == self._wanted and self._examine()

    def _examine(self) -> bool:
        """Note the present instance if it may be one, and tell whether no other is needed."""
        latest = self.search.ranks[self._wanted]
        instance = self.search.instance(self.rule, self._goals, self._linker, latest)
        if instance is None:
            return False
        self._found.append(replace(instance, is_past=not self.negating))
        return not instance.answers


def find_instances(
    rule: RequestRule, binding: Mapping[str, Term], search: Search, asked: frozenset[str]
) -> Sequence[Instance]:
    """Return instances of a request rule for a binding of its templates, one that needs no answers first."""
    prepared = prepare_request(rule, asked)
    goals, slots = prepared.body.goals, prepared.body.slots
    linker = search.linker(rule.name, slots)
    known = {slot: search.memory.table.intern(binding[name]) for name, slot in prepared.projection}
    found: list[Instance] = []

    def take() -> bool:
        if any(linker.slots[slot] != number for slot, number in known.items()):
            return False
        instance = search.instance(rule, goals, linker, len(search.ranks))
        if instance is not None:
            found.append(instance)
        return instance is not None and not instance.answers

    bound = [slot for slot in known if slot in data_slots(goals)]
    for slot in bound:
        linker.slots[slot] = known[slot]
    linker.link(order(goals, slots, bound, rule.name, rule.place), take)()
    return found[::-1]


def binding_of(body: Sequence[Pattern], names: Slots, slots: Sequence[int], terms: Sequence[Term]) -> Binding:
    """Return the variables of ``body`` with their values; ``slots`` has the numbers of what is in ``terms``."""
    return values_of(slots_of(body, names), slots, terms)


def values_of(named: Sequence[tuple[str, int]], slots: Sequence[int], terms: Sequence[Term]) -> Binding:
    """Return the values of those of the variables ``named``, with their slots, that are bound."""
    return tuple([(name, terms[slots[slot]]) for name, slot in named if slots[slot] >= 0])


def slots_of(body: Sequence[Pattern], names: Slots) -> tuple[tuple[str, int], ...]:
    """Return the variables that ``body`` may bind, with their slots."""
    found_slots: dict[str, int] = {}
    for pattern in body:
        triple = pattern.triple
        found = scoped(triple) if triple.predicate in SCOPED - {INCLUDES} else None
        if triple.predicate not in SCOPED - {INCLUDES} or found is not None:
            for name in variables_of(triple if found is None else found.others[1:]):
                slot = names.find(Variable(name))
                if slot is not None:
                    found_slots[name] = slot
    return tuple(found_slots.items())


def data_slots(goals: Iterable[Goal]) -> set[int]:
    """Return the slots that triples of memory bind, in every order of the goals."""
    found: set[int] = set()
    for goal in goals:
        if isinstance(goal, Match | Ask):
            found.update(goal.slots)
        elif isinstance(goal, Structure):
            found.update(goal.parts)
    return found


def _triple_of(goal: Match | Ask | Cell, slots: Sequence[int]) -> Numbers:
    """Return the triple that ``goal`` has found."""
    return slots[goal.subject], slots[goal.predicate], slots[goal.object]


def _list_nodes(goal: Compute, values: Mapping[Term, Term]) -> Iterator[Term]:
    """Yield the arguments of a builtin that are lists of the data."""
    for side, term in (("subject", goal.subject), ("object", goal.object)):
        value = values.get(term, term)
        if side in goal.builtin.lists and not isinstance(value, ListTerm):
            yield value
        elif isinstance(value, ListTerm):
            members = [value.items[position] for position in goal.builtin.inner_members(side, value.items)]
            yield from (values.get(member, member) for member in members)


def _cells(memory: Facts, ranks: Mapping[Numbers, int], node: Term, latest: int) -> Iterator[Numbers]:
    """Yield the cells from ``node`` on that came before ``latest``."""
    table = memory.table
    first, rest, nil = (table.find(term) for term in (RDF_FIRST, RDF_REST, RDF_NIL))
    start = table.find(node)
    pending = [] if start is None or first is None or rest is None else [start]
    seen: set[int] = set()
    while pending:
        cell = pending.pop()
        if cell in seen or cell == nil:
            continue
        seen.add(cell)
        for predicate in (first, rest):
            for triple in memory.select(cell, predicate, None):
                if ranks[triple] < latest:
                    yield triple
                    if predicate == rest:
                        pending.append(triple[2])


def conditions_of(body: Sequence[Pattern], values: Mapping[Term, Term]) -> Iterator[Triple]:
    """Yield what a body says beside its patterns, with the values in place."""
    for triple in conditions_in(body):
        yield Triple(*(fill_in(term, values.get) for term in triple))


def conditions_in(body: Sequence[Pattern]) -> Iterator[Triple]:
    """Yield what a body says beside its patterns: builtins and groups."""
    for pattern in body:
        predicate = pattern.triple.predicate
        if predicate in SCOPED or (isinstance(predicate, IRI) and predicate.value in BUILTINS):
            yield pattern.triple
