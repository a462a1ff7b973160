"""Three ways to run the steps of a course, and what a step comes to whichever way it is run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias

from agent.errors import BudgetError, ProgramError
from agent.messages import Headers
from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program, RequestRule
from agent.rdf.terms import Term, Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Conclude, Reasoner
from agent.reason.naive import NaiveStep, naive_step
from tests.support.random_worlds import Course, Step, with_given

BUDGET = Budget(facts=70)
MOST_BATCHES = 200
Row: TypeAlias = tuple[str, frozenset[tuple[str, Term]]]


class LastingReasoner(Protocol):
    """A reasoner that lives as long as a run."""

    @property
    def facts(self) -> Facts: ...

    def begin(self, facts: Iterable[Triple], context: Context) -> None: ...

    def wanted(self) -> Mapping[str, Headers]: ...

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None: ...

    def finish(self, conclude: Conclude | None = None) -> None: ...

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]: ...

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]: ...


class MakeReasoner(Protocol):
    """What makes a reasoner for a program; it raises ``ProgramError`` for one that cannot be run."""

    def __call__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> LastingReasoner: ...


@dataclass(frozen=True)
class Outcome:
    """What a step comes to: memory, documents with the fields they are asked for with, requests, contradictions."""

    facts: frozenset[Triple]
    documents: frozenset[tuple[str, Headers]]
    requests: frozenset[Row]
    contradictions: frozenset[Row]

    @property
    def naive(self) -> NaiveStep:
        """Return the part of it that the oracle knows."""
        return NaiveStep(self.facts, frozenset(uri for uri, _ in self.documents), self.requests)


Found: TypeAlias = Outcome | str
"""What a step comes to, or why it comes to nothing: the code of the error, or ``CUT``."""

CUT = "cut"


def rows_of(found: Iterable[tuple[RequestRule | Inconsistency, Mapping[str, Term]]]) -> frozenset[Row]:
    rows = [(rule.name, frozenset(binding.items())) for rule, binding in found]
    assert len(set(rows)) == len(rows), "a binding came twice"
    return frozenset(rows)


def known_to(facts: Facts) -> frozenset[Triple]:
    """Return what is known, once it is known the same both ways and counted right."""
    known = frozenset(facts)
    forth = {(s, p, o) for p, index in facts.by_subject.items() for s in index for o in index[s]}
    back = {(s, p, o) for p, index in facts.by_object.items() for o in index for s in index[o]}
    assert forth == back, "the indexes differ"
    assert len(known) == len(facts) == len(forth), "the number of facts is wrong"
    return known


def outcome_of(engine: LastingReasoner | Reasoner, documents: Mapping[str, Headers]) -> Outcome:
    """Return what a finished step comes to."""
    return Outcome(
        known_to(engine.facts),
        frozenset(documents.items()),
        rows_of(engine.request_bindings()),
        rows_of(engine.contradictions()),
    )


def recomputed(course: Course, step: Step) -> Found:
    """Return what ``step`` comes to when it is reasoned about from the beginning."""
    try:
        reasoner = Reasoner(course.program, step.context, BUDGET, protected=course.protected)
        reasoner.add(step.facts)
        read: set[str] = set()
        while waiting := reasoner.retrievals().keys() - read:
            read |= waiting
            reasoner.add([triple for uri in waiting for triple in step.document(uri)])
        reasoner.finish(course.conclude if course.concludes else None)
        return outcome_of(reasoner, reasoner.retrievals())
    except (BudgetError, ProgramError) as error:
        return error.code


def naively(course: Course, step: Step) -> NaiveStep | str:
    """Return what ``step`` comes to by definition."""
    try:
        return naive_step(
            with_given(course.program, step),
            step.document,
            step.context,
            course.conclude if course.concludes else None,
            protected=course.protected,
            budget=BUDGET,
        )
    except (BudgetError, ProgramError) as error:
        return error.code


class Driver:
    """Runs a course on a reasoner; ``chance`` decides which answers come first, and how many at once."""

    def __init__(self, course: Course, make: MakeReasoner, chance: Random) -> None:
        self._course = course
        self._chance = chance
        self._reasoner = make(course.program, budget=BUDGET, protected=course.protected)

    def run(self, step: Step) -> Found:
        """Return what ``step`` comes to."""
        try:
            return self._run(step)
        except (BudgetError, ProgramError) as error:
            return error.code

    def _run(self, step: Step) -> Found:
        reasoner, chance = self._reasoner, self._chance
        reasoner.begin(self._shuffled(step.facts), step.context)
        asked: dict[str, None] = {}
        waiting: list[str] = []
        for _ in range(MOST_BATCHES):
            new = [uri for uri in sorted(reasoner.wanted()) if uri not in asked]
            asked.update(dict.fromkeys(new))
            waiting += new
            if step.is_cut and chance.random() < 0.4:
                return CUT
            if not waiting:
                break
            arriving = chance.sample(waiting, chance.randint(1, len(waiting)))
            waiting = [uri for uri in waiting if uri not in arriving]
            reasoner.answer({uri: self._shuffled(step.document(uri)) for uri in arriving})
        assert not waiting, "reading does not end"
        reasoner.finish(self._course.conclude if self._course.concludes else None)
        return outcome_of(reasoner, reasoner.wanted())

    def _shuffled(self, triples: Iterable[Triple]) -> list[Triple]:
        mixed = list(triples)
        self._chance.shuffle(mixed)
        return mixed
