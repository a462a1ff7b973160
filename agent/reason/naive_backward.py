"""The oracle's backward rules: every question and every answer so far, gone through again until nothing is new."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from agent.errors import ProgramError
from agent.n3.program import DerivationRule
from agent.rdf.terms import BlankNode, Term, Triple, variables_of
from agent.reason.budget import Budget, exceeded
from agent.reason.naive_unify import Binding, filled, open_parts, plain, unified

Question: TypeAlias = tuple[Term | None, Term, Term | None]
Instances: TypeAlias = Callable[["NaiveAnswers", DerivationRule, Binding], Iterable[Binding]]
Conclusions: TypeAlias = Callable[[DerivationRule, Binding], Iterable[Triple]]


class NaiveAnswers:
    """Answers questions on ``facts``; those inside negated groups on ``before``."""

    def __init__(
        self,
        rules: Iterable[DerivationRule],
        asked: frozenset[str],
        facts: Iterable[Triple],
        before: Iterable[Triple],
        instances: Instances,
        conclusions: Conclusions,
        budget: Budget,
    ) -> None:
        self.asked = asked
        self.facts = facts
        self.before = before
        self._rules = list(rules)
        self._instances = instances
        self._conclusions = conclusions
        self._budget = budget
        self._questions: dict[Question, None] = {}
        self._known: set[Triple] = set()
        self._is_busy = False
        self._inner: NaiveAnswers | None = None

    def negated(self) -> "NaiveAnswers":
        """Return what answers questions inside negated groups."""
        if self._inner is None:
            self._inner = NaiveAnswers(
                self._rules,
                self.asked,
                self.before,
                self.before,
                self._instances,
                self._conclusions,
                self._budget,
            )
        return self._inner

    def answers(self, pattern: Triple, binding: Binding) -> list[Triple]:
        """Return the triples that ``pattern`` may be, as far as it is known under ``binding``."""
        subject, predicate, object_ = (
            None if any(part not in binding for part in open_parts(term)) else plain(filled(term, binding))
            for term in pattern
        )
        assert predicate is not None  # noqa: S101  only constants are asked for
        question = (subject, predicate, object_)
        is_new = question not in self._questions
        self._questions[question] = None
        if is_new and not self._is_busy:
            self._is_busy = True
            self._work()
            self._is_busy = False
        return [triple for triple in self._known if _fits(triple, question)]

    def _work(self) -> None:
        size = (0, 0)
        while size != (len(self._questions), len(self._known)):
            size = (len(self._questions), len(self._known))
            for question in list(self._questions):
                self._known.update(fact for fact in self.facts if _fits(fact, question))
                for rule in self._rules:
                    self._known.update(self._concluded(rule, question))
                if len(self._known) > self._budget.facts or len(self._questions) > self._budget.questions:
                    raise exceeded("answers of backward rules", self._budget.facts, "?")

    def _concluded(self, rule: DerivationRule, question: Question) -> Iterator[Triple]:
        """Yield what ``rule`` answers to ``question``; nothing if too little is known to start from."""
        for pattern in rule.head:
            pairs = [
                (term, part)
                for term, part in zip(pattern.triple, question, strict=True)
                if part is not None and not any(isinstance(name, BlankNode) for name in open_parts(term))
            ]
            for start in unified([term for term, _ in pairs], [part for _, part in pairs], {}, self.facts):
                try:
                    bindings = list(self._instances(self, rule, start))
                except ProgramError:
                    continue
                for binding in bindings:
                    yield from (
                        triple
                        for triple in self._conclusions(rule, binding)
                        if _fits(triple, question) and next(variables_of(triple[::2]), None) is None
                    )


def _fits(triple: Triple, question: Question) -> bool:
    return all(part is None or part == term for term, part in zip(triple, question, strict=True))
