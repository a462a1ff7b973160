"""Questions over many steps: an answer stays while nothing that it rests on has changed.

A question without negation watches the triples of its solutions. One with rules otherwise is searched for again, and one
without is asked again, when one of the predicates that it reads has changed.
"""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

import pyoxigraph as ox
from msgspec import Struct, field

from agent.errors import BudgetError
from agent.gsm.question import Question
from agent.gsm.questions.answers import Answers
from agent.gsm.questions.mirror import Mirror
from agent.gsm.questions.rules import QuestionRules, rules_of
from agent.gsm.questions.watched import (
    EVERYBODY,
    Spellings,
    WatchedQuestion,
    is_about_spelling,
    watchable,
)
from agent.n3.builtins import Context
from agent.n3.builtins.kept import can_stand
from agent.n3.program import DerivationRule
from agent.rdf.terms import IRI
from agent.reason.facts import Facts
from agent.reason.incremental.dispatch import by_predicate
from agent.reason.join import Numbers


class _Kept(Struct):
    """What is kept of one question: the predicates whose change matters (nothing: of any), and what is known by now.

    ``watchable`` are the rules to watch while no triple of ``spelled`` predicates has another spelling.
    """

    reads: frozenset[int] | None
    rules: QuestionRules | None = None
    watchable: tuple[DerivationRule, ...] | None = None
    spelled: frozenset[int] = frozenset()
    watched: WatchedQuestion | None = None
    searched: Answers | None = None
    asked: dict[str, bool | Exception] = field(default_factory=dict)


class StandingQuestions:
    """The answers on ``memory`` as it is; ``change`` has to be called after each change of it.

    The memory tells the instant of the step too. Questions that name documents as graphs are not for it: they read
    what no memory holds.
    """

    def __init__(self, memory: Facts) -> None:
        self._memory = memory
        self._mirror = Mirror(memory)
        self._spellings = Spellings(memory)
        self._kept: dict[Question, _Kept] = {}
        self._touched: dict[Question, set[int] | None] = {}
        self._instant = ""

    def change(self, gained: Collection[Numbers], lost: Collection[Numbers]) -> None:
        """Take what the memory gained and lost; both are without repetition and have nothing in common."""
        if not gained and not lost:
            return
        self._mirror.change(gained, lost)
        self._spellings.change(gained, lost)
        came, went = by_predicate(gained), by_predicate(lost)
        changed = came.keys() | went.keys()
        for question, kept in self._kept.items():
            if kept.reads is None or not changed.isdisjoint(kept.reads):
                self._note(question, self._update(kept, came, went))

    def begin(self, instant: str) -> None:
        """Begin a step at ``instant``."""
        if instant != self._instant:
            self._instant = instant
            for question, kept in self._kept.items():
                if question.reads_time and kept.watched is None:
                    self._note(question, None)
                    kept.searched = None
                    kept.asked.clear()

    def touched(self) -> Mapping[Question, AbstractSet[int] | None]:
        """Return the questions whose answers may be others than when this was called last.

        Each comes with the numbers of the instances that this is about; nothing stands for all of them.
        """
        touched, self._touched = self._touched, {}
        return touched

    def _note(self, question: Question, instances: set[int] | None) -> None:
        known = self._touched.setdefault(question, set())
        if instances is None or known is None or EVERYBODY in instances:
            self._touched[question] = None
        else:
            known |= instances

    def holds(self, question: Question, instance: str) -> bool | None:
        """Tell whether the question has the answer true; nothing if it names documents as graphs.

        Errors as of ``Evaluation.holds``.
        """
        if question.uses_graphs:
            return None
        if question not in self._kept:
            self._kept[question] = self._kept_by_rules(question) or self._kept_asked(question)
        kept = self._kept[question]
        if kept.rules is not None and (not question.is_relative or can_stand(IRI(instance), "subject")):
            answer = self._by_rules(question, kept, instance)
            if answer is not None:
                return answer
            kept = self._kept[question] = self._kept_asked(question)
        return self._asked(question, kept, instance)

    def _kept_by_rules(self, question: Question) -> _Kept | None:
        rules = rules_of(question)
        if rules is None:
            return None
        spelled = [rule.body[0].triple.predicate for rule in rules.auxiliary if is_about_spelling(rule)]
        return _Kept(
            self._numbers(rules.reads),
            rules,
            watchable(rules),
            frozenset(map(self._memory.table.intern, spelled)),
        )

    def _kept_asked(self, question: Question) -> _Kept:
        from agent.gsm.questions.reads import predicates_of  # noqa: PLC0415  loads rdflib, slowly; only questions need it

        return _Kept(self._numbers(predicates_of(question)))

    def _numbers(self, predicates: frozenset[str] | None) -> frozenset[int] | None:
        intern = self._memory.table.intern
        return None if predicates is None else frozenset(intern(IRI(name)) for name in predicates)

    def _update(
        self, kept: _Kept, came: Mapping[int, Sequence[Numbers]], went: Mapping[int, Sequence[Numbers]]
    ) -> set[int] | None:
        """Take a change of what a question reads; return the instances that it is about, nothing if it may be all."""
        kept.searched = None
        kept.asked.clear()
        if kept.watched is None:
            return None
        if any(map(self._spellings.of, kept.spelled)):
            kept.watched = None
            return None
        try:
            return kept.watched.change(came, went)
        except BudgetError:
            kept.watched = kept.watchable = None
            return None

    def _by_rules(self, question: Question, kept: _Kept, instance: str) -> bool | None:
        """Tell whether a question with rules holds; nothing if that takes too long."""
        is_plain = not any(map(self._spellings.of, kept.spelled))
        if kept.watched is None and kept.watchable is not None and is_plain:
            try:
                kept.watched = WatchedQuestion(self._memory, kept.watchable, Context(self._instant))
            except BudgetError:
                kept.watchable = None
        if kept.watched is not None:
            return kept.watched.holds(
                self._memory.table.find(IRI(instance)) if question.is_relative else EVERYBODY
            )
        if kept.searched is None:
            kept.searched = Answers(self._memory, [question], self._instant)
        return kept.searched.holds(question, instance)

    def _asked(self, question: Question, kept: _Kept, instance: str) -> bool:
        key = instance if question.is_relative else ""
        if key not in kept.asked:
            kept.asked[key] = self._answer(question, kept, instance)
        answer = kept.asked[key]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _answer(self, question: Question, kept: _Kept, instance: str) -> bool | Exception:
        try:
            text = question.asked(instance, self._instant)
            store = self._mirror.of(kept.reads)
            answer = store.query(text, base_iri=question.base or None, prefixes=dict(question.prefixes))
        except (ValueError, RuntimeError, OSError, SyntaxError) as error:
            return error
        return isinstance(answer, ox.QueryBoolean) and bool(answer)
