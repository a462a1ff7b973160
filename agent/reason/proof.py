"""Proofs: why a triple is in memory, worked out from the memory alone when somebody asks.

A memory that ranks its triples by the order in which they came is all that reasoning has to leave behind: whatever
was derived was derived from triples of lower rank, so a proof that only goes down is never a circle. The rules are
asked backwards, with the variables of their heads bound, by the same joins that derived forwards.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.n3.builtins import Context
from agent.n3.program import DerivationRule, Program, RequestRule
from agent.rdf.terms import IRI, Literal, Term, Triple, Variable
from agent.reason.answers import Answerer
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Numbers
from agent.reason.proof_backward import AnswerProofs
from agent.reason.proof_parts import Binding, Conclusion, Instance, Search, find_instances
from agent.reason.rules import prepare_rules
from agent.vocab import AG

THIS_STEP = IRI(AG + "thisStep")
READS = IRI(AG + "reads")
"""Says in proofs that a step of a run reads a document; it is in no memory."""
ASKS = IRI(AG + "asks")
"""Says in proofs that a step of a run sends what a request rule asks for; it is in no memory."""

THE_PROGRAM = "the program"
THE_SENTRIES = "the values of the sentries"
THE_ORDER = "what the run is for"
_NO_DOCUMENTS = frozenset({THE_PROGRAM, THE_SENTRIES, THE_ORDER})

SourceOf: TypeAlias = Callable[[Triple], str]
"""Names the file that states a triple; the empty text if none does."""


class RankedFacts(Facts):
    """A memory that remembers in which order its triples came: ``ranks`` counts from 0, and no rank is given twice."""

    __slots__ = ("_next", "ranks")

    def __init__(self) -> None:
        super().__init__()
        self.ranks: dict[Numbers, int] = {}
        self._next = 0

    def insert(self, subject: int, predicate: int, object_: int) -> bool:
        """Add the triple of three numbers and tell whether it is new."""
        is_new = super().insert(subject, predicate, object_)
        if is_new:
            self.ranks[subject, predicate, object_] = self._next
            self._next += 1
        return is_new

    def insert_new(self, rows: Collection[Numbers]) -> None:
        """Add triples of numbers that are all different and not known yet."""
        super().insert_new(rows)
        self.ranks.update(zip(rows, count(self._next)))
        self._next += len(rows)

    def remove(self, subject: int, predicate: int, object_: int) -> bool:
        """Take the triple of three numbers out and tell whether it was there."""
        self.ranks.pop((subject, predicate, object_), None)
        return super().remove(subject, predicate, object_)

    def rank(self, triple: Triple) -> int:
        """Return the rank of a triple that is known."""
        s, p, o = (self.table.intern(term) for term in triple)
        return self.ranks[s, p, o]


class Step(Struct, frozen=True):
    """One step of a proof: ``triple`` is stated by the file ``source``, or follows by ``rule``.

    In a run ``source`` may be a document; the one premise is then the step that says why it is read, and ``also`` are
    other documents that state the triple. That a document is read is ``ag:thisStep ag:reads`` it, by a GET rule.
    ``premises`` are the numbers of earlier steps that the rule's body matches under ``binding``; ``conditions`` what
    else the body says: builtins, with their values, and negated groups. ``is_past`` if one of those groups matches by
    now: it did not when the rule ran, and what came after it is not taken back. ``is_answer`` if a backward rule gives
    the triple for this proof, and it need not be in memory.
    """

    triple: Triple
    source: str = ""
    rule: str = ""
    premises: tuple[int, ...] = ()
    binding: Binding = ()
    conditions: tuple[Triple, ...] = ()
    is_past: bool = False
    is_answer: bool = False
    also: tuple[str, ...] = ()


class Proofs(Protocol):
    """What finds proofs in a memory as it is now; ``steps`` are shared between all that it is asked."""

    @property
    def steps(self) -> Sequence[Step]:
        """Return the steps so far."""
        ...

    def sources(self, numbers: Iterable[int]) -> set[str]:
        """Return the documents that state what the steps ``numbers`` rest on; why they are read is left aside."""
        ...

    def prove(self, triple: Triple) -> int | None:
        """Return the number of the step that says ``triple``, nothing if it is not in memory."""
        ...

    def ground(self, rule: RequestRule, binding: Mapping[str, Term]) -> Step | None:
        """Return the step that says why ``rule`` asks for something with ``binding``, nothing if it does not.

        It is about the step of the run, ``ag:thisStep``, and not among ``steps``; its premises are.
        """
        ...


_Said: TypeAlias = tuple[Numbers, bool]
"""A triple of memory or, if so marked, an answer of backward rules."""


class Prover:
    """Finds proofs in one memory; steps are shared between all that it is asked.

    ``protected`` predicates are not derived by a head whose predicate is a variable. Raises ``BudgetError`` naming the
    rule when looking for proofs tries more bindings than ``budget`` allows.
    """

    def __init__(
        self,
        program: Program,
        memory: RankedFacts,
        context: Context,
        source_of: SourceOf,
        budget: Budget | None = None,
        *,
        protected: frozenset[str] = frozenset(),
    ) -> None:
        self.steps: list[Step] = []
        self._protected = frozenset(map(IRI, protected))
        self._numbers: dict[_Said, int] = {}
        self._proved_answers: set[Numbers] = set()
        self._memory = memory
        self._source_of = source_of
        budget = budget or Budget()
        tries = Tries(budget.bindings)
        backward = prepare_rules(program).backward
        answerer = Answerer(backward, memory, memory, context, budget, tries)
        self._search = Search(memory, memory.ranks, context, budget, tries, answerer)
        self._asked = backward.asked
        self._answers = AnswerProofs(backward, self._search)
        self._by_predicate: dict[Term, list[tuple[DerivationRule, int]]] = {}
        self._by_any: list[tuple[DerivationRule, int]] = []
        for rule in program.derivations:
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
        return self._numbers[(s, p, o), False]

    def sources(self, numbers: Iterable[int]) -> set[str]:
        """Return the documents that state what the steps ``numbers`` rest on."""
        steps = needed(self.steps, numbers)
        return {step.source for step in steps if step.source and step.source not in _NO_DOCUMENTS}

    def ground(self, rule: RequestRule, binding: Mapping[str, Term]) -> Step | None:
        """Return the step that says why ``rule`` asks for something with ``binding``; nothing if it does not.

        It is about the step of the run, ``ag:thisStep``, and not among ``steps``; its premises are.
        """
        latest = len(self._memory.ranks)
        for found in find_instances(rule, binding, self._search, self._asked):
            answers = self._answered(found, latest)
            if answers is not None:
                for premise in found.premises:
                    self._prove(premise)
                for answer, its_instance in answers.items():
                    for premise in its_instance.premises:
                        self._prove(premise)
                    self._conclude((answer, True), its_instance)
                triple = Triple(THIS_STEP, ASKS, Literal(rule.name))
                return self._step(triple, found, is_answer=False)
        return None

    def _prove(self, wanted: Numbers) -> None:
        pending: list[tuple[_Said, Instance | None]] = [((wanted, False), None)]
        while pending:
            said, found = pending.pop()
            if said in self._numbers:
                continue
            if found is not None:
                self._conclude(said, found)
                continue
            pending += self._begun(said[0])

    def _begun(self, triple: Numbers) -> list[tuple[_Said, Instance | None]]:
        """Return what is to be done for ``triple`` in reverse: prove its premises, then conclude it."""
        terms = self._terms(triple)
        source = self._source_of(terms)
        instance, answers = (None, {}) if source else self._instance(triple)
        if instance is None:
            self._add((triple, False), Step(terms, source))
            return []
        todo: list[tuple[_Said, Instance | None]] = [((triple, False), instance)]
        for answer, its_instance in reversed(answers.items()):
            todo.append(((answer, True), its_instance))
            todo += [((premise, False), None) for premise in reversed(its_instance.premises)]
        return todo + [((premise, False), None) for premise in reversed(instance.premises)]

    def _conclude(self, said: _Said, found: Instance) -> None:
        if said not in self._numbers:
            self._add(said, self._step(self._terms(said[0]), found, is_answer=said[1]))

    def _step(self, triple: Triple, found: Instance, *, is_answer: bool) -> Step:
        needed = [
            *((premise, False) for premise in found.premises),
            *((answer, True) for answer in found.answers),
        ]
        premises = tuple(dict.fromkeys(self._numbers[each] for each in needed))
        return Step(
            triple, "", found.rule, premises, found.binding, found.conditions, found.is_past, is_answer
        )

    def _add(self, said: _Said, step: Step) -> None:
        self._numbers[said] = len(self.steps)
        if said[1]:
            self._proved_answers.add(said[0])
        self.steps.append(step)

    def _terms(self, triple: Numbers) -> Triple:
        terms = self._memory.table.terms
        return Triple(*(terms[number] for number in triple))

    def _instance(self, triple: Numbers) -> tuple[Instance | None, dict[Numbers, Instance]]:
        """Return an instance that gives ``triple``, and those that give the answers it rests on."""
        predicate = self._memory.table.terms[triple[1]]
        is_protected = predicate in self._protected
        places = [*self._by_predicate.get(predicate, ()), *(() if is_protected else self._by_any)]
        for negating in (True, False):
            for rule, number in places:
                for found in reversed(self._conclusion(rule, number, negating).find(triple)):
                    answers = self._answered(found, self._memory.ranks[triple])
                    if answers is not None:
                        return found, answers
        return None, {}

    def _answered(self, instance: Instance, latest: int) -> dict[Numbers, Instance] | None:
        if not instance.answers:
            return {}
        return self._answers.prove(instance.answers, latest, self._proved_answers)

    def _conclusion(self, rule: DerivationRule, number: int, negating: bool) -> Conclusion:
        key = (rule.name, number, negating)
        if key not in self._conclusions:
            self._conclusions[key] = Conclusion(rule, number, self._search, self._asked, negating)
        return self._conclusions[key]


def needed(steps: Sequence[Step], wanted: Iterable[int]) -> tuple[Step, ...]:
    """Return the steps that the steps ``wanted`` rest on, and those, in the same order and numbered anew."""
    pending, kept = list(wanted), set[int]()
    while pending:
        number = pending.pop()
        if number not in kept:
            kept.add(number)
            pending += steps[number].premises
    renumbered = {old: new for new, old in enumerate(sorted(kept))}
    return tuple(_renumbered(steps[number], renumbered) for number in sorted(kept))


def _renumbered(step: Step, numbers: Mapping[int, int]) -> Step:
    return replace(step, premises=tuple(numbers[premise] for premise in step.premises))
