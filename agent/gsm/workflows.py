"""Workflows in a step: what documents may say, what sentries need, and what follows from the sentries.

Implements the port ``agent.runtime.workflows.Workflows``; the lifecycle itself is in rules/gsm.
"""

from collections.abc import Iterable, Mapping
from functools import partial

from agent.gsm.asked import asked_sentries, result_of
from agent.gsm.evaluation import Evaluation, SentryValue, value_of
from agent.gsm.missing import Missing
from agent.gsm.questions.answers import Answers
from agent.gsm.scope import PROTECTED, admit
from agent.gsm.sentries import Sentries
from agent.gsm.sentry import READ_OF_SENTRIES, read_sentry
from agent.gsm.standing import StandingConclusions
from agent.gsm.terms import (
    HOLDS_IN,
    IS_EXECUTED,
    IS_INSTANCE_OF,
    USES_SENTRY,
)
from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import TRUE, Term, Triple
from agent.reason.facts import Facts

FEW_FACTS = 500
SOURCES_REST_ON = (IS_EXECUTED, IS_INSTANCE_OF, USES_SENTRY, *READ_OF_SENTRIES)


class GsmWorkflows:
    """The workflows of a run: those in ``containers`` and the single ``instances``.

    ``containers`` has every status container, also those that single instances keep their elements in. Questions
    about more than ``few_facts`` are answered by rules (ADR 0119): the SPARQL engine needs a copy of all of them.
    """

    protected = PROTECTED

    def __init__(
        self, containers: Iterable[str], instances: Iterable[str] = (), *, few_facts: int = FEW_FACTS
    ) -> None:
        self._few_facts = few_facts
        self._sources: frozenset[str] = frozenset()
        self._sources_stamp: tuple[int, ...] | None = None
        self._moment = 0
        self._sentries: Sentries | None = None
        self._containers = tuple(sorted(containers))
        self._instances = tuple(sorted(instances))

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        """Return the triples of a document that count, and how many do not."""
        return admit(content, self._containers, self._instances)

    def sources(self, facts: Facts) -> frozenset[str]:
        """Return the documents that the texts of sentries name; triple patterns and ``ag:source`` are for rules."""
        if facts.moment and facts.moment == self._moment:
            return self._sources
        self._moment = facts.moment
        stamp = facts.stamp(SOURCES_REST_ON)
        if stamp is None or stamp != self._sources_stamp:
            sentries = {node for root in _models(facts) for node in facts.objects(root, USES_SENTRY)}
            found: set[str] = set()
            read = partial(read_sentry, facts) if stamp is None else self._kept_sentries(facts).read
            self._sources = frozenset(found.union(*(read(node).sources for node in sentries)))
            self._sources_stamp = stamp
        return self._sources

    def _kept_sentries(self, facts: Facts) -> Sentries:
        if self._sentries is None or self._sentries.memory is not facts:
            self._sentries = Sentries(facts)
        return self._sentries

    def keep(self, facts: Facts) -> StandingConclusions:
        """Return the conclusions on a memory that lives from step to step."""
        return StandingConclusions(facts, self._containers, self._kept_sentries(facts))

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], list[SentryValue]]:
        """Evaluate the sentries of all running instances; return results that hold, and all values."""
        triples: list[Triple] = []
        values: list[SentryValue] = []
        asked = list(asked_sentries(facts))
        sentries = {node: read_sentry(facts, node) for node in dict.fromkeys(node for _, node in asked)}
        questions = [question for sentry in sentries.values() for question in sentry.questions]
        answers = Answers(facts, questions, instant) if len(facts) > self._few_facts else None
        evaluation = Evaluation(facts, outcomes, instant, answers)
        missing = Missing(facts, outcomes, self._containers, sentries.values())
        for instance, node in asked:
            sentry = sentries[node]
            known = Triple(node, HOLDS_IN, instance) in facts
            unread = missing.matters_to(sentry)
            value = value_of(sentry, instance.value, by_rules=known, unread=unread, evaluation=evaluation)
            values.append(value)
            if value.value == "true" and not known:
                triples += result_of(node, instance)
        return triples, values


def _models(facts: Facts) -> set[Term]:
    """Return what executed instances are instances of."""
    executed, is_instance_of, true = (
        facts.table.intern(each) for each in (IS_EXECUTED, IS_INSTANCE_OF, TRUE)
    )
    instances = facts.by_object.get(executed, {}).get(true, ())
    models_of = facts.by_subject.get(is_instance_of, {})
    numbers = set[int]().union(*(models_of.get(instance, ()) for instance in instances))
    return {facts.table.terms[number] for number in numbers}
