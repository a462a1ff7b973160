"""The values of sentries: true, not true, unknown, broken (ADR 0007). Only true acts.

A question that more data cannot turn around is true whatever failed. A question with negation is true only if
nothing in its scope failed: a server in trouble must look like no knowledge, never like an absence.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, Protocol, TypeAlias

import pyoxigraph as ox
from msgspec import Struct

from agent.gsm.question import Question
from agent.gsm.sentry import Sentry
from agent.rdf.convert import to_ox_triples
from agent.rdf.documents import Content, Outcome
from agent.rdf.endpoints import name_of
from agent.rdf.terms import Triple

Value: TypeAlias = Literal["true", "not true", "unknown", "broken"]


class SentryValue(Struct, frozen=True):
    """The value of ``sentry`` (its name for people) for ``instance``; ``reason`` says why it is unknown or broken.

    ``reads_time``: the value may change although no document does.
    """

    sentry: str
    instance: str
    value: Value
    reason: str = ""
    reads_time: bool = False


class Known(Protocol):
    """What knows answers without asking."""

    def holds(self, question: Question, instance: str) -> bool | None:
        """Tell whether ``question`` has the answer true for ``instance``; nothing if it has to be asked."""
        ...


class Evaluation:
    """Questions about one memory at one instant; the memory is handed to the SPARQL engine when first needed.

    What ``answers`` knows is not asked for: its answers are the same.
    FROM and GRAPH see the documents as they were retrieved, everything else sees the memory with what was derived.
    """

    def __init__(
        self,
        memory: Iterable[Triple],
        outcomes: Mapping[str, Outcome],
        instant: str,
        answers: Known | None = None,
    ) -> None:
        self._memory = memory
        self._answers = answers
        self._outcomes = outcomes
        self._instant = instant
        self._store: ox.Store | None = None
        self._has_graphs = False
        self._general: dict[Question, bool] = {}

    def holds(self, question: Question, instance: str) -> bool:
        """Tell whether the question has the answer true; ValueError if it cannot be asked for ``instance``."""
        known = None if self._answers is None else self._answers.holds(question, instance)
        if known is not None:
            return known
        if question.is_relative:
            return self._ask(question, instance)
        if question not in self._general:
            self._general[question] = self._ask(question, instance)
        return self._general[question]

    def solutions(
        self, question: Question, text: str
    ) -> list[dict[str, ox.NamedNode | ox.BlankNode | ox.Literal]]:
        """Return the solutions of the SELECT query ``text``, made from pieces of ``question``; errors as of ``holds``."""
        store = self._loaded(question.uses_graphs)
        rows = store.query(text, base_iri=question.base or None, prefixes=dict(question.prefixes))
        if not isinstance(rows, ox.QuerySolutions):
            raise ValueError("this is no SELECT query")  # noqa: TRY004  it is the text that is wrong
        names = [variable.value for variable in rows.variables]
        return [{name: row[name] for name in names if row[name] is not None} for row in rows]

    def _ask(self, question: Question, instance: str) -> bool:
        text = question.asked(instance, self._instant)
        store = self._loaded(question.uses_graphs)
        answer = store.query(text, base_iri=question.base or None, prefixes=dict(question.prefixes))
        return bool(answer)

    def _loaded(self, with_graphs: bool) -> ox.Store:
        if self._store is None:
            self._store = ox.Store()
            self._store.extend(ox.Quad(t.subject, t.predicate, t.object) for t in to_ox_triples(self._memory))
        if with_graphs and not self._has_graphs:
            self._has_graphs = True
            self._store.extend(self._graphs())
        return self._store

    def _graphs(self) -> Iterator[ox.Quad]:
        for uri, outcome in self._outcomes.items():
            if isinstance(outcome, Content):
                graph = ox.NamedNode(uri)
                yield from (
                    ox.Quad(t.subject, t.predicate, t.object, graph) for t in to_ox_triples(outcome.triples)
                )


def value_of(
    sentry: Sentry, instance: str, *, by_rules: bool, unread: Iterable[str], evaluation: Evaluation
) -> SentryValue:
    """Return the value of ``sentry`` for ``instance``.

    ``by_rules`` tells whether the rules found it to hold; ``unread`` are the documents in its scope that failed or
    were read only in part.
    """
    missing = sorted(unread)
    value, reason = _judge(sentry, instance, by_rules, missing, evaluation)
    return SentryValue(sentry.name, instance, value, reason, sentry.reads_time)


def _judge(
    sentry: Sentry, instance: str, by_rules: bool, missing: list[str], evaluation: Evaluation
) -> tuple[Value, str]:
    if by_rules:
        return "true", ""
    because = (
        f"not known: {name_of(missing[0])}{f' and {len(missing) - 1} more' if missing[1:] else ''}"
        if missing
        else ""
    )
    for question in sentry.questions:
        try:
            holds = evaluation.holds(question, instance)
        except (ValueError, RuntimeError, OSError, SyntaxError) as error:
            return "broken", str(error)
        if holds and not (question.negates and missing):
            return "true", ""
    if missing:
        return "unknown", because
    if sentry.fault:
        return "broken", sentry.fault
    if not sentry.questions and not sentry.by_rules:
        return "broken", "nothing says what it asks: no ag:ask, sh:ask, sp:text or sp:where"
    return "not true", ""
