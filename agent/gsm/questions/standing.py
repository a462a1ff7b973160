"""Questions that the SPARQL engine answers over many steps: asked again only when what they read has changed."""

from collections.abc import Iterable

import pyoxigraph as ox

from agent.gsm.question import Question
from agent.gsm.questions.mirror import Mirror
from agent.rdf.terms import IRI, Triple
from agent.reason.facts import Facts

_Key = tuple[Question, str]


class StandingQuestions:
    """The answers on ``memory`` as it is; ``change`` has to be called after each change of it.

    Questions that name documents as graphs are not for it: they read what no memory holds.
    """

    def __init__(self, memory: Facts) -> None:
        self._mirror = Mirror(memory)
        self._reads: dict[Question, frozenset[str] | None] = {}
        self._answers: dict[_Key, bool | Exception] = {}
        self._instant = ""

    def change(self, added: Iterable[Triple], removed: Iterable[Triple]) -> None:
        """Take what the memory gained and lost; both are without repetition and have nothing in common."""
        added, removed = list(added), list(removed)
        if not added and not removed:
            return
        self._mirror.change(added, removed)
        changed = {
            triple.predicate.value for triple in (*added, *removed) if isinstance(triple.predicate, IRI)
        }
        stale = {
            question
            for question, reads in self._reads.items()
            if reads is None or not changed.isdisjoint(reads)
        }
        self._forget(stale)

    def holds(self, question: Question, instance: str, instant: str) -> bool:
        """Tell whether ``question`` has the answer true; errors as of ``Evaluation.holds``."""
        if instant != self._instant:
            self._instant = instant
            self._forget({each for each in self._reads if each.reads_time})
        key = (question, instance if question.is_relative else "")
        if key not in self._answers:
            self._answers[key] = self._asked(question, instance)
        answer = self._answers[key]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _asked(self, question: Question, instance: str) -> bool | Exception:
        from agent.gsm.questions.reads import predicates_of  # noqa: PLC0415  loads rdflib, slowly; only questions need it

        if question not in self._reads:
            self._reads[question] = predicates_of(question)
        store = self._mirror.of(self._reads[question])
        try:
            text = question.asked(instance, self._instant)
            answer = store.query(text, base_iri=question.base or None, prefixes=dict(question.prefixes))
        except (ValueError, RuntimeError, OSError, SyntaxError) as error:
            return error
        return isinstance(answer, ox.QueryBoolean) and bool(answer)

    def _forget(self, questions: set[Question]) -> None:
        self._answers = {key: answer for key, answer in self._answers.items() if key[0] not in questions}
