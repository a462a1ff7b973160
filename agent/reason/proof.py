"""Proofs: why a triple is in memory, worked out from the memory alone when somebody asks.

A memory that ranks its triples by the order in which they came is all that reasoning has to leave behind: whatever
was derived was derived from triples of lower rank, so a proof that only goes down is never a circle. The rules are
asked backwards, with the variables of their heads bound, by the same joins that derived forwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agent.n3.builtins import Context
from agent.n3.program import DerivationRule
from agent.rdf.terms import Term, Triple, Variable
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Numbers
from agent.reason.proof_parts import Binding, Conclusion, Instance, Search

SourceOf: TypeAlias = Callable[[Triple], str]
"""Names the file that states a triple; the empty text if none does."""


class RankedFacts(Facts):
    """A memory that remembers in which order its triples came: ``ranks`` counts from 0."""

    __slots__ = ("ranks",)

    def __init__(self) -> None:
        super().__init__()
        self.ranks: dict[Numbers, int] = {}

    def insert(self, subject: int, predicate: int, object_: int) -> bool:
        """Add the triple of three numbers and tell whether it is new."""
        is_new = super().insert(subject, predicate, object_)
        if is_new:
            self.ranks[subject, predicate, object_] = len(self.ranks)
        return is_new

    def rank(self, triple: Triple) -> int:
        """Return the rank of a triple that is known."""
        s, p, o = (self.table.intern(term) for term in triple)
        return self.ranks[s, p, o]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof: ``triple`` is stated by the file ``source``, or follows by ``rule``.

    ``premises`` are the numbers of earlier steps that the rule's body matches under ``binding``; ``conditions`` what
    else the body says: builtins, with their values, and negated groups. ``is_past`` if one of those groups matches by
    now: it did not when the rule ran, and what came after it is not taken back.
    """

    triple: Triple
    source: str = ""
    rule: str = ""
    premises: tuple[int, ...] = ()
    binding: Binding = ()
    conditions: tuple[Triple, ...] = ()
    is_past: bool = False


class Prover:
    """Finds proofs in one memory; steps are shared between all that it is asked.

    Raises ``BudgetError`` naming the rule when looking for proofs tries more bindings than ``budget`` allows.
    """

    def __init__(
        self,
        rules: Sequence[DerivationRule],
        memory: RankedFacts,
        context: Context,
        source_of: SourceOf,
        budget: Budget | None = None,
    ) -> None:
        self.steps: list[Step] = []
        self._numbers: dict[Numbers, int] = {}
        self._memory = memory
        self._source_of = source_of
        budget = budget or Budget()
        self._search = Search(memory, memory.ranks, context, budget, Tries(budget.bindings))
        self._by_predicate: dict[Term, list[tuple[DerivationRule, int]]] = {}
        self._by_any: list[tuple[DerivationRule, int]] = []
        for rule in rules:
            for number, pattern in enumerate(rule.head):
                predicate = pattern.triple.predicate
                is_open = isinstance(predicate, Variable)
                places = self._by_any if is_open else self._by_predicate.setdefault(predicate, [])
                places.append((rule, number))
        self._conclusions: dict[tuple[str, int, bool], Conclusion] = {}

    def prove(self, triple: Triple) -> int | None:
        """Return the number of the step that says ``triple``, which is last in ``steps`` if it is new.

        Nothing if the triple is not in memory. A step without source and rule was put there by something else.
        """
        table = self._memory.table
        s, p, o = (table.find(term) for term in triple)
        if s is None or p is None or o is None or (s, p, o) not in self._memory.ranks:
            return None
        self._prove((s, p, o))
        return self._numbers[s, p, o]

    def _prove(self, wanted: Numbers) -> None:
        pending: list[tuple[Numbers, Instance | None]] = [(wanted, None)]
        while pending:
            triple, found = pending.pop()
            if triple in self._numbers:
                continue
            if found is not None:
                self._conclude(triple, found)
                continue
            source = self._source_of(self._terms(triple))
            if source:
                self._add(triple, Step(self._terms(triple), source))
                continue
            instance = self._instance(triple)
            if instance is None:
                self._add(triple, Step(self._terms(triple)))
                continue
            pending.append((triple, instance))
            pending += [(premise, None) for premise in reversed(instance.premises)]

    def _conclude(self, triple: Numbers, found: Instance) -> None:
        premises = tuple(dict.fromkeys(self._numbers[premise] for premise in found.premises))
        terms, rule = self._terms(triple), found.rule
        self._add(triple, Step(terms, "", rule, premises, found.binding, found.conditions, found.is_past))

    def _add(self, triple: Numbers, step: Step) -> None:
        self._numbers[triple] = len(self.steps)
        self.steps.append(step)

    def _terms(self, triple: Numbers) -> Triple:
        terms = self._memory.table.terms
        return Triple(*(terms[number] for number in triple))

    def _instance(self, triple: Numbers) -> Instance | None:
        predicate = self._memory.table.terms[triple[1]]
        places = [*self._by_predicate.get(predicate, ()), *self._by_any]
        for negating in (True, False):
            for rule, number in places:
                found = self._conclusion(rule, number, negating).find(triple)
                if found is not None:
                    return found
        return None

    def _conclusion(self, rule: DerivationRule, number: int, negating: bool) -> Conclusion:
        key = (rule.name, number, negating)
        if key not in self._conclusions:
            self._conclusions[key] = Conclusion(rule, number, self._search, negating)
        return self._conclusions[key]
