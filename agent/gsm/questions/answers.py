"""Answers to questions from their rules, on the memory as it is: no copy of it is made for the SPARQL engine.

What rules need besides is derived on a memory laid over it. A question is answered like ASK: the search stops at the
first solution, for each running instance.
"""

from collections.abc import Iterable

from agent.errors import BudgetError
from agent.gsm.question import Question
from agent.gsm.questions.rules import RUNNING, THIS, QuestionRules, rules_of
from agent.n3.builtins import Context
from agent.n3.builtins.kept import can_stand
from agent.n3.program import Program
from agent.rdf.terms import IRI
from agent.reason.budget import Budget
from agent.reason.existence import Existence
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner

_LEAST_BINDINGS = 20_000
_BINDINGS_PER_FACT = 4
"""A search that tries more is given up: the SPARQL engine may find a better order."""


class Answers:
    """The answers to ``questions`` on ``memory`` at ``instant``, which the memory tells as that of the step."""

    def __init__(self, memory: Facts, questions: Iterable[Question], instant: str) -> None:
        self._memory = memory
        self._rules = {question: rules_of(question) for question in questions}
        self._context = Context(instant)
        self._budget = Budget(bindings=_LEAST_BINDINGS + _BINDINGS_PER_FACT * len(memory))
        self._known: dict[Question, frozenset[str] | bool | None] = {}
        self._completed = self._complete([rules for rules in self._rules.values() if rules is not None])

    def holds(self, question: Question, instance: str) -> bool | None:
        """Tell whether ``question`` has the answer true for ``instance``; nothing if it has to be asked."""
        rules = self._rules.get(question)
        if rules is None or (rules.is_relative and not can_stand(IRI(instance), "subject")):
            return None
        if question not in self._known:
            self._known[question] = self._answer(rules)
        known = self._known[question]
        return instance in known if isinstance(known, frozenset) else known

    def _answer(self, rules: QuestionRules) -> frozenset[str] | bool | None:
        """Return whether a question holds, or the instances for which it does; nothing if that takes too long."""
        if self._completed is None:
            return None
        existence = Existence(self._completed, self._context, self._budget)
        try:
            if not rules.is_relative:
                return any(map(existence.holds, rules.conclusions))
            found = (existence.values(rule, RUNNING, THIS) for rule in rules.conclusions)
            return frozenset(a.value for values in found for a in values if isinstance(a, IRI))
        except BudgetError:
            return None

    def _complete(self, rules: Iterable[QuestionRules]) -> Facts | None:
        """Return the memory with all that ``rules`` read besides, or nothing if that takes too long."""
        auxiliary = {rule.name: rule for each in rules for rule in each.auxiliary}
        if not auxiliary:
            return self._memory
        memory = self._memory.overlay()
        for predicate in frozenset[str]().union(*(each.predicates for each in rules)):
            memory.hide(IRI(predicate))
        try:
            reasoner = Reasoner(
                Program(derivations=tuple(auxiliary.values())), self._context, self._budget, memory=memory
            )
            reasoner.catch_up()
        except BudgetError:
            return None
        return reasoner.facts
