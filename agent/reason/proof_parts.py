"""Instances of rules that give a wanted triple: what a step of a proof rests on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.n3.builtins import BUILTINS, Context
from agent.n3.program import DerivationRule, Pattern
from agent.n3.scopes import INCLUDES, SCOPED, scoped
from agent.rdf.structure import fill_in
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, ListTerm, Term, Triple, Variable, variables_of
from agent.reason.body import Absent, Cell, Compute, Goal, Match, Structure
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Go, Linker, Numbers, constants_of
from agent.reason.linked import link_inventions
from agent.reason.plan import order
from agent.reason.prepared import prepare_derivation

Binding = tuple[tuple[str, Term], ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a rule: the triples of memory it rests on, its variables, its builtins and negated groups.

    ``is_past`` if a negated group matches by now, and only the memory of then allowed the rule.
    """

    rule: str
    premises: tuple[Numbers, ...]
    binding: Binding
    conditions: tuple[Triple, ...]
    is_past: bool


@dataclass(slots=True)
class Search:
    """What all searches in a memory share; ``ranks`` says in which order its triples came."""

    memory: Facts
    ranks: Mapping[Numbers, int]
    context: Context
    budget: Budget
    tries: Tries


@dataclass(slots=True)
class Conclusion:
    """One triple of a rule's head, asked for the instances that give it.

    Without ``negating`` the negated groups of the body are left aside: what they tested was the memory of then.
    """

    rule: DerivationRule
    number: int
    search: Search
    negating: bool
    _linker: Linker = field(init=False)
    _head: Numbers = field(init=False)
    _goals: tuple[Goal, ...] = field(init=False)
    _bound: tuple[tuple[int, int], ...] = field(init=False)
    _go: Go = field(init=False)
    _wanted: Numbers = (-1, -1, -1)
    _instance: Instance | None = None
    _rows: dict[Numbers, list[list[int]]] | None = None

    def __post_init__(self) -> None:
        prepared = prepare_derivation(self.rule)
        slots, search = prepared.body.slots, self.search
        self._goals = tuple(
            goal for goal in prepared.body.goals if self.negating or not isinstance(goal, Absent)
        )
        self._head = prepared.head.triples[self.number]
        data = _data_slots(self._goals)
        self._bound = tuple(
            (position, slot)
            for position, slot in enumerate(self._head)
            if slot in data and slot not in slots.constants
        )
        bound = [slot for _, slot in self._bound]
        moves = order(self._goals, slots, bound, self.rule.name, self.rule.place)
        memory = search.memory
        self._linker = Linker(
            self.rule.name,
            slots,
            memory,
            memory,
            search.context,
            search.budget,
            search.tries,
            constants_of(slots, memory),
        )
        then = link_inventions(prepared.head, self.rule.name, self._linker, self._found)
        self._go = self._linker.link(moves, then)

    def find(self, triple: Numbers) -> Instance | None:
        """Return an instance that gives ``triple`` and rests on triples that came before it, if there is one."""
        slots, constants = self._linker.slots, self._linker.names.constants
        if any(
            slot in constants and slots[slot] != part for slot, part in zip(self._head, triple, strict=True)
        ):
            return None
        self._instance, self._wanted = None, triple
        if not self._bound and not constants.issuperset(self._head):
            for row in self._all_rows().get(triple, ()):
                slots[:] = row
                if self._examine():
                    break
            return self._instance
        for position, slot in self._bound:
            slots[slot] = triple[position]
        if all(slots[slot] == triple[position] for position, slot in self._bound):
            self._go()
        return self._instance

    def _all_rows(self) -> dict[Numbers, list[list[int]]]:
        """Return all instances by the triple they give: nothing in that triple leads back to the body."""
        if self._rows is None:
            self._rows = {}
            self._go()
        return self._rows

    def _found(self) -> bool:
        slots = self._linker.slots
        s, p, o = self._head
        given = (slots[s], slots[p], slots[o])
        if self._rows is not None and not self._bound:
            self._rows.setdefault(given, []).append(slots[:])
            return False
        return given == self._wanted and self._examine()

    def _examine(self) -> bool:
        """Take the present instance if everything it rests on came before the wanted triple."""
        search, slots = self.search, self._linker.slots
        ranks = search.ranks
        latest = ranks[self._wanted]
        premises: dict[Numbers, None] = {}
        for goal in self._goals:
            if isinstance(goal, Match):
                premises[_triple_of(goal, slots)] = None
        binding = self._binding()
        values: dict[Term, Term] = {Variable(name): value for name, value in binding}
        for goal in self._goals:
            if isinstance(goal, Compute):
                for node in _list_nodes(goal, values):
                    premises.update(dict.fromkeys(_cells(search.memory, ranks, node, latest)))
            elif isinstance(goal, Structure) and isinstance(goal.pattern, ListTerm):
                node = search.memory.table.terms[slots[goal.slot]]
                premises.update(dict.fromkeys(_cells(search.memory, ranks, node, latest)))
            elif isinstance(goal, Cell) and _triple_of(goal, slots) in ranks:
                premises[_triple_of(goal, slots)] = None
        if any(ranks[premise] >= latest for premise in premises):
            return False
        conditions = tuple(_conditions(self.rule.body, values))
        self._instance = Instance(self.rule.name, tuple(premises), binding, conditions, not self.negating)
        return True

    def _binding(self) -> Binding:
        names, slots, terms = self._linker.names, self._linker.slots, self.search.memory.table.terms
        bound: dict[str, Term] = {}
        for pattern in self.rule.body:
            triple = pattern.triple
            found = scoped(triple) if triple.predicate in SCOPED - {INCLUDES} else None
            if triple.predicate not in SCOPED - {INCLUDES} or found is not None:
                for name in variables_of(triple if found is None else found.others[1:]):
                    slot = names.find(Variable(name))
                    if slot is not None and slots[slot] >= 0:
                        bound[name] = terms[slots[slot]]
        return tuple(bound.items())


def _data_slots(goals: Iterable[Goal]) -> set[int]:
    """Return the slots that triples of memory bind, in every order of the goals."""
    found: set[int] = set()
    for goal in goals:
        if isinstance(goal, Match):
            found.update(goal.slots)
        elif isinstance(goal, Structure):
            found.update(goal.parts)
    return found


def _triple_of(goal: Match | Cell, slots: Sequence[int]) -> Numbers:
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


def _conditions(body: Sequence[Pattern], values: Mapping[Term, Term]) -> Iterator[Triple]:
    """Yield what a body says beside its patterns, with the values in place."""
    for pattern in body:
        predicate = pattern.triple.predicate
        if predicate in SCOPED or (isinstance(predicate, IRI) and predicate.value in BUILTINS):
            yield Triple(*(fill_in(term, values.get) for term in pattern.triple))
