"""Proofs of what a run knows, found afterwards by the check functions that also decide what stays when a fact goes.

Nothing is kept while running. The first instance that a check function gives may rest on what it is to support, as
symmetric rules and documents that ask for themselves do. So instances are tried going down and count going up: a fact
is proved once all premises of one of its instances are. Where nothing moves any more, facts that are still open get
their next instance, in turns; a fact of the memory always has one that rests on what is proved.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from agent.n3.program import DerivationRule, RequestRule
from agent.rdf.structure import fill_in
from agent.rdf.terms import IRI, Literal, Term, Triple, Variable, document_of
from agent.reason.body import Cell, Match
from agent.reason.budget import Tries
from agent.reason.incremental.compiled import Compiled, InstancesOf
from agent.reason.incremental.contributions import CONCLUDED, GIVEN, PROGRAM, WANTED, Contributions
from agent.reason.incremental.dispatch import Fact
from agent.reason.incremental.units import ONE, RETRIEVED, Unit
from agent.reason.prepared import PreparedRequest
from agent.reason.proof import ASKS, READS, THE_ORDER, THE_PROGRAM, THE_SENTRIES, THIS_STEP, Step
from agent.reason.proof_parts import conditions_in, slots_of, values_of

Rule: TypeAlias = DerivationRule | RequestRule

_HELD = {PROGRAM: THE_PROGRAM, CONCLUDED: THE_SENTRIES, GIVEN: "", WANTED: THE_ORDER}


class _Way(Struct, eq=False):
    """A way to prove ``fact``: by an instance of a rule (``unit``, ``slots``), or by what ``source`` says."""

    fact: Fact
    premises: tuple[Fact, ...]
    unit: Unit | None = None
    slots: Sequence[int] = ()
    source: int = 0
    missing: int = 0


class _Open(Struct):
    """What is under way: the ways that are left for each fact, who waits for it, who is to be looked at."""

    todo: list[Fact]
    ways: dict[Fact, Iterator[_Way]] = field(default_factory=dict)
    waiting: dict[Fact, list[_Way]] = field(default_factory=dict)
    turns: deque[Fact] = field(default_factory=deque)


class Checks:
    """The check functions that give instances, by the predicate of what they support, and the rules they are of."""

    def __init__(self, compiled: Compiled, rules: Mapping[int, Rule]) -> None:
        self.compiled = compiled
        self.rules = rules
        self._parts: dict[int, tuple[tuple[tuple[str, int], ...], tuple[Triple, ...]]] = {}
        self._of: dict[int, list[tuple[Unit, InstancesOf]]] = {}
        self._of_any: list[tuple[Unit, InstancesOf]] = []
        self._of_row: dict[int, Callable[[tuple[int, ...]], Iterable[Sequence[int]]]] = {}
        for unit in compiled.units:
            if unit.row is None and unit.group is None:
                for predicate, instances in compiled.instances(unit):
                    known = self._of_any if predicate is None else self._of.setdefault(predicate, [])
                    known.append((unit, instances))

    def instances(self, fact: Fact) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield the instances that support ``fact``: the unit and the numbers in its slots."""
        s, p, o = fact
        for unit, instances in (*self._of.get(p, ()), *(self._of_any if p >= 0 else ())):
            for slots in instances(s, p, o):
                yield unit, slots

    def rows(self, unit: Unit, row: Iterable[int]) -> Iterable[Sequence[int]]:
        """Return the instances of a request rule that have the values ``row`` of its view."""
        if unit.number not in self._of_row:
            self._of_row[unit.number] = self.compiled.row_instances(unit)
        return self._of_row[unit.number](tuple(row))

    def premises(self, unit: Unit, slots: Sequence[int]) -> tuple[Fact, ...]:
        """Return the facts that the patterns of an instance have found; a list has cells that are no facts."""
        has = self.compiled.facts.has
        found: dict[Fact, None] = {}
        for goal in unit.goals:
            if isinstance(goal, Match | Cell):
                s, p, o = goal.slots
                fact = slots[s], slots[p], slots[o]
                if has(*fact):
                    found[fact] = None
        return tuple(found)

    def step(self, triple: Triple, unit: Unit, slots: Sequence[int], premises: Iterable[int]) -> Step:
        """Return the step that an instance of a rule is."""
        known = self._parts.get(unit.number)
        rule = self.rules[unit.number]
        if known is None:
            known = slots_of(rule.body, unit.slots), tuple(conditions_in(rule.body))
            self._parts[unit.number] = known
        named, conditions = known
        binding = values_of(named, slots, self.compiled.facts.table.terms)
        values: dict[Term, Term] = {Variable(name): value for name, value in binding}
        filled = tuple([Triple(*(fill_in(term, values.get) for term in each)) for each in conditions])
        return Step(triple, "", rule.name, tuple(dict.fromkeys(premises)), binding, filled)


class MemoryProofs:
    """Finds proofs in a memory as it is now; steps are shared between all that it is asked.

    ``views`` are the request rules by identity, prepared and as units. Without ``tells_why_read`` what a document says
    is not traced back to the rule that asked for it. Raises ``BudgetError`` when more instances are tried than ``tries``
    allows.
    """

    def __init__(
        self,
        checks: Checks,
        said: Contributions,
        views: Mapping[int, tuple[PreparedRequest, Unit]],
        tries: Tries,
        *,
        tells_why_read: bool,
    ) -> None:
        self._steps: list[Step] = []
        self._found: list[_Way] = []
        self._views = views
        self._tells_why_read = tells_why_read
        self._checks = checks
        self._facts = checks.compiled.facts
        self._said = said
        self._tries = tries
        self._numbers: dict[Fact, int] = {}
        self._documents: dict[int, None] = {}

    @property
    def steps(self) -> Sequence[Step]:
        """Return the steps so far; written out when they are asked for."""
        self._steps += map(self._step, self._found[len(self._steps) :])
        return self._steps

    def sources(self, numbers: Iterable[int]) -> set[str]:
        """Return the documents that state what the steps ``numbers`` rest on; why they are read is left aside."""
        pending, seen, found = list(numbers), set[int](), set[int]()
        while pending:
            number = pending.pop()
            if number in seen:
                continue
            seen.add(number)
            way = self._found[number]
            if way.unit is not None:
                pending += [self._numbers[premise] for premise in way.premises]
            elif way.source >= 0:
                found.add(way.source)
        return set(map(self._name, found))

    def prove(self, triple: Triple) -> int | None:
        """Return the number of the step that says ``triple``, nothing if it is not in memory."""
        find = self._facts.table.find
        s, p, o = find(triple.subject), find(triple.predicate), find(triple.object)
        if s is None or p is None or o is None or not self._facts.has(s, p, o):
            return None
        return self._prove((s, p, o))

    def ground(self, rule: RequestRule, binding: Mapping[str, Term]) -> Step | None:
        """Return the step that says why ``rule`` asks for something with ``binding``; nothing if it does not.

        It is about the step of the run, ``ag:thisStep``, and not among ``steps``; its premises are.
        """
        prepared, unit = self._views[id(rule)]
        row = [self._facts.table.find(binding[name]) for name, _ in prepared.projection]
        for slots in (
            () if None in row else self._checks.rows(unit, [each for each in row if each is not None])
        ):
            premises = [self._prove(premise) for premise in self._checks.premises(unit, slots)]
            return self._checks.step(Triple(THIS_STEP, ASKS, Literal(rule.name)), unit, slots, premises)
        return None

    # ---- searching

    def _prove(self, fact: Fact) -> int:
        numbers = self._numbers
        under_way = _Open([fact])
        while fact not in numbers:
            if under_way.todo:
                self._open(under_way.todo.pop(), under_way)
            elif not self._take_turns(under_way):
                raise LookupError(f"{fact} has no proof")
        return numbers[fact]

    def _open(self, fact: Fact, under_way: _Open) -> None:
        if fact in self._numbers or fact in under_way.ways:
            return
        under_way.ways[fact] = self._ways(fact)
        under_way.turns.append(fact)
        self._try_next(fact, under_way)

    def _take_turns(self, under_way: _Open) -> bool:
        """Give the fact that was reached last its next way; tell whether there was one that may get one."""
        turns = under_way.turns
        while turns:
            fact = turns.pop()
            if fact not in self._numbers and self._try_next(fact, under_way):
                turns.appendleft(fact)
                return True
        return False

    def _try_next(self, fact: Fact, under_way: _Open) -> bool:
        way = next(under_way.ways[fact], None)
        if way is None:
            return False
        self._tries.made += 1
        self._tries.check("(proofs)")
        missing = [premise for premise in way.premises if premise not in self._numbers]
        way.missing = len(missing)
        for premise in missing:
            under_way.waiting.setdefault(premise, []).append(way)
        under_way.todo += reversed(missing)
        if not missing:
            self._settle(way, under_way.waiting)
        return True

    def _settle(self, way: _Way, waiting: dict[Fact, list[_Way]]) -> None:
        """Count what ``way`` proves, and what only waited for it."""
        ready = [way]
        while ready:
            way = ready.pop()
            if way.fact in self._numbers:
                continue
            self._numbers[way.fact] = len(self._found)
            self._found.append(way)
            for other in waiting.pop(way.fact, ()):
                other.missing -= 1
                if not other.missing:
                    ready.append(other)

    def _step(self, way: _Way) -> Step:
        premises = [self._numbers[premise] for premise in way.premises]
        triple = self._triple(way.fact)
        if way.unit is not None:
            return self._checks.step(triple, way.unit, way.slots, premises)
        if way.source >= 0:
            return Step(triple, self._name(way.source), premises=tuple(premises), also=self._others(way))
        return Step(triple, _HELD[way.source])

    # ---- ways

    def _ways(self, fact: Fact) -> Iterator[_Way]:
        said = self._said.said
        for held in _HELD:
            if held in self._said.counting and fact in said.get(held, ()):
                yield _Way(fact, (), source=held)
        for document in self._sources(fact):
            premises: tuple[Fact, ...] = ((document, RETRIEVED, ONE),) if self._tells_why_read else ()
            yield _Way(fact, premises, source=document)
        for unit, slots in self._checks.instances(fact):
            found = self._checks.premises(unit, slots)
            if fact not in found:
                yield _Way(fact, found, unit, slots)

    def _sources(self, fact: Fact) -> Iterator[int]:
        """Yield the documents that say ``fact`` and count, likely ones first: no index leads to them."""
        if fact[1] < 0 or not self._said.is_said(fact):
            return
        said, counting = self._said.said, self._said.counting
        left = self._said.times(fact) - sum(fact in said.get(held, ()) for held in _HELD if held in counting)
        tried: set[int] = set()
        for document in self._likely(fact):
            if left <= 0:
                return
            if document >= 0 and document in counting and document not in tried and fact in said[document]:
                tried.add(document)
                self._documents[document] = None
                left -= 1
                yield document

    def _likely(self, fact: Fact) -> Iterator[int]:
        """Yield documents, those first that are named in ``fact``, then those that said something else: all in the end."""
        table = self._facts.table
        for number in (fact[0], fact[2]):
            term = table.terms[number]
            if isinstance(term, IRI):
                document = table.find(IRI(document_of(term.value)))
                if document is not None and document in self._said.said:
                    yield document
        yield from tuple(self._documents)
        yield from tuple(self._said.said)

    def _others(self, way: _Way) -> tuple[str, ...]:
        if self._said.times(way.fact) == 1:
            return ()
        names = (self._name(document) for document in self._sources(way.fact) if document != way.source)
        return tuple(sorted(names))

    def _name(self, document: int) -> str:
        term = self._facts.table.terms[document]
        return term.value if isinstance(term, IRI) else str(term)

    def _triple(self, fact: Fact) -> Triple:
        terms = self._facts.table.terms
        if fact[1] == RETRIEVED:
            return Triple(THIS_STEP, READS, terms[fact[0]])
        return Triple(terms[fact[0]], terms[fact[1]], terms[fact[2]])
