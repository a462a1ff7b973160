"""A question kept true from change to change: each answer watches the triples that it rests on.

A triple that comes is joined with the rest of the question; one that goes has those answers looked for again that
rested on it. What comes or goes in a negated group does so with the answers that it may matter to. Everything else
stays as it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from agent.gsm.questions.rules import RUNNING, THIS, QuestionRules
from agent.n3.builtins import BUILTINS, Context
from agent.n3.builtins.kept import kept_as
from agent.n3.program import DerivationRule, Pattern
from agent.n3.scopes import NOT_INCLUDES
from agent.rdf.matching import CELLS
from agent.rdf.terms import IRI, Formula, Literal, Term, Triple
from agent.reason.body import Absent, Compute, Match
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Linker, Numbers, constants_of
from agent.reason.linked import LinkedRule
from agent.reason.prepared import Body, prepare_derivation

EVERYBODY = -1
"""Stands for the instance of a question that is not about one."""


class Spellings:
    """How many objects of some predicates the SPARQL engine would write otherwise: questions watch where there are none."""

    def __init__(self, memory: Facts) -> None:
        self._memory = memory
        self._counts: dict[int, int] = {}

    def of(self, predicate: int) -> int:
        """Return how many triples of ``predicate`` have such an object."""
        if predicate not in self._counts:
            subjects = self._memory.by_object.get(predicate, {})
            self._counts[predicate] = sum(
                len(found) for object_, found in subjects.items() if self._differs(object_)
            )
        return self._counts[predicate]

    def change(self, gained: Iterable[Numbers], lost: Iterable[Numbers]) -> None:
        """Take what the memory gained and lost."""
        for facts, sign in ((gained, 1), (lost, -1)):
            for _, predicate, object_ in facts:
                if predicate in self._counts and self._differs(object_):
                    self._counts[predicate] += sign

    def _differs(self, object_: int) -> bool:
        term = self._memory.table.terms[object_]
        return isinstance(term, Literal) and kept_as(term) is not None


def watchable(rules: QuestionRules) -> tuple[DerivationRule, ...] | None:
    """Return the rules to watch, which find literals as they are spelled; nothing if the question cannot be watched."""
    spellings = {rule.head[0].triple.predicate for rule in rules.auxiliary if is_about_spelling(rule)}
    if len(spellings) != len(rules.auxiliary):
        return None
    chosen = [
        _without_groups_of(rule, spellings)
        for rule in rules.conclusions
        if spellings.isdisjoint(pattern.triple.predicate for pattern in rule.body)
    ]
    return tuple(chosen) if all(map(_is_watchable, chosen)) else None


def _without_groups_of(rule: DerivationRule, predicates: AbstractSet[Term]) -> DerivationRule:
    """Return ``rule`` without the negated groups that read ``predicates``, which have no triples."""
    kept = [
        pattern
        for pattern in rule.body
        if predicates.isdisjoint(triple.predicate for triple in _negated([pattern.triple]))
    ]
    return replace(rule, body=tuple(kept)) if len(kept) < len(rule.body) else rule


def _is_watchable(rule: DerivationRule) -> bool:
    body = prepare_derivation(rule).body
    negated = list(_negated(pattern.triple for pattern in rule.body))
    return (
        all(isinstance(goal, Match | Compute | Absent) for goal in body.goals)
        and all(match.predicate in body.slots.constants for match in body.matches)
        and all(isinstance(triple.predicate, IRI) and triple.predicate not in CELLS for triple in negated)
    )


def _negated(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Yield the patterns of the negated groups in a body, and of the groups in these."""
    pending = [triple.object for triple in triples if triple.predicate == NOT_INCLUDES]
    while pending:
        group = pending.pop()
        for triple in group.triples if isinstance(group, Formula) else ():
            if triple.predicate == NOT_INCLUDES:
                pending.append(triple.object)
            elif not (isinstance(triple.predicate, IRI) and triple.predicate.value in BUILTINS):
                yield triple


def is_about_spelling(rule: DerivationRule) -> bool:
    """Tell whether an auxiliary rule derives what is spelled otherwise."""
    predicate = rule.head[0].triple.predicate
    return isinstance(predicate, IRI) and "#question-written-" in predicate.value


class WatchedQuestion:
    """The answers to one question on ``memory``; ``rules`` are watchable.

    Raises ``BudgetError`` when a change takes too many tries; it is of no use then.
    """

    def __init__(self, memory: Facts, rules: Sequence[DerivationRule], context: Context) -> None:
        self._memory = memory
        self._tries = Tries(0)
        self._rests_on: dict[int, set[Numbers]] = {}
        self._watchers: dict[Numbers, set[int]] = {}
        self._stops = False
        self._found: set[int] = set()
        self._starts: dict[int, list[tuple[LinkedRule, int, bool]]] = {}
        self._doubtful: set[int] = set()
        self._doubts: dict[int, list[tuple[LinkedRule, int]]] = {}
        self._rules = [self._linked(rule, context) for rule in rules]
        for rule in rules:
            self._link_doubts(rule, context)
        self._spend()
        self._stops = True
        for linked, running in self._rules:
            if running is None:
                linked.run()
            else:
                _, predicate, object_ = self._seed(linked, running)
                linked.run_from(running, list(memory.select(None, predicate, object_)))

    def holds(self, instance: int | None) -> bool:
        """Tell whether the question holds for the instance of this number, if it has one."""
        return instance in self._rests_on

    def change(
        self, gained: Mapping[int, Sequence[Numbers]], lost: Mapping[int, Sequence[Numbers]]
    ) -> set[int]:
        """Take what the memory gained and lost, by predicate; return the instances whose answers may be others now."""
        self._spend()
        self._found.clear()
        doubtful = self._doubtful = set()
        for facts in (gained, lost):
            for predicate in facts.keys() & self._doubts.keys():
                for rule, start in self._doubts[predicate]:
                    rule.run_from(start, facts[predicate])
        for predicate in lost.keys() & self._starts.keys():
            for fact in lost[predicate]:
                doubtful |= self._watchers.get(fact, set())
        for key in doubtful:
            for fact in self._rests_on.pop(key, ()):
                watchers = self._watchers[fact]
                watchers.discard(key)
                if not watchers:
                    del self._watchers[fact]
        for key in doubtful:
            self._look_for(key)
        for predicate in gained.keys() & self._starts.keys():
            for rule, start, is_for_one in self._starts[predicate]:
                self._stops = is_for_one
                rule.run_from(start, gained[predicate])
        return doubtful | self._found

    def _look_for(self, key: int) -> None:
        for rule, running in self._rules:
            if key in self._rests_on:
                return
            self._stops = True
            if running is None:
                rule.run()
            else:
                _, predicate, object_ = self._seed(rule, running)
                if self._memory.has(key, predicate, object_):
                    rule.run_from(running, [(key, predicate, object_)])

    @staticmethod
    def _seed(rule: LinkedRule, running: int) -> Numbers:
        s, p, o = (rule.linker.slots[slot] for slot in rule.body.matches[running].slots)
        return s, p, o

    def _spend(self) -> None:
        self._tries.made = 0
        self._tries.limit = 20_000 + 4 * len(self._memory)

    def _link_doubts(self, rule: DerivationRule, context: Context) -> None:
        """Link what finds the instances that a triple in a negated group of ``rule`` may matter to."""
        positive = tuple(pattern for pattern in rule.body if pattern.triple.predicate != NOT_INCLUDES)
        for triple in _negated(pattern.triple for pattern in rule.body):
            doubt = replace(rule, body=(*positive, Pattern(triple, rule.place)))
            body = prepare_derivation(doubt).body
            linker = self._linker(body, context)
            this = body.slots.find(THIS)

            def found(this: int | None = this, slots: list[int] = linker.slots) -> bool:
                self._doubtful.add(EVERYBODY if this is None else slots[this])
                return this is None

            number = body.slots.number
            start = body.matches.index(Match(*(number(term) for term in triple)))
            predicate = linker.slots[body.matches[start].predicate]
            self._doubts.setdefault(predicate, []).append((LinkedRule(body, linker, found), start))

    def _linker(self, body: Body, context: Context) -> Linker:
        slots = constants_of(body.slots, self._memory)
        return Linker(
            body.rule, body.slots, self._memory, self._memory, context, Budget(), self._tries, slots
        )

    def _linked(self, rule: DerivationRule, context: Context) -> tuple[LinkedRule, int | None]:
        """Return a rule linked to the memory, and the number of its pattern about the instance, if it has one."""
        body = prepare_derivation(rule).body
        linker = self._linker(body, context)
        slots = linker.slots
        this = body.slots.find(THIS)

        def found() -> bool:
            key = EVERYBODY if this is None else slots[this]
            if key not in self._rests_on:
                facts = {(slots[m.subject], slots[m.predicate], slots[m.object]) for m in body.matches}
                self._rests_on[key] = facts
                self._found.add(key)
                for fact in facts:
                    self._watchers.setdefault(fact, set()).add(key)
            return self._stops

        linked = LinkedRule(body, linker, found)
        for start, match in enumerate(body.matches):
            if match.predicate in body.slots.constants:
                starts = self._starts.setdefault(slots[match.predicate], [])
                starts.append((linked, start, this is None or this in match.slots))
        if this is None:
            return linked, None
        number = body.slots.number
        return linked, body.matches.index(Match(*(number(term) for term in RUNNING)))
