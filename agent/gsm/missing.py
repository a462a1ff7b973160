"""What is not known in a step, and which sentries it matters to (ADR 0007).

To a sentry with negation every document matters that the step asked for, except other instances: their roots and
elements, and whatever else is read only because it lies in a container whose instances are all executed. Elements of
the own instance need no thought: an instance of which one is not known has no sentries evaluated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from agent.gsm.scope import is_member
from agent.gsm.sentry import Sentry, documents_of
from agent.gsm.terms import (
    CONTAINS,
    EXECUTES_MEMBERS,
    IN_ARTIFACT_INSTANCE,
    IS_EXECUTED,
    IS_SOURCE,
    IS_USED,
    SPIN_SUBJECT,
)
from agent.rdf.documents import Outcome
from agent.rdf.outcomes import is_known, unread_of
from agent.rdf.terms import IRI, TRUE, Term, document_of
from agent.reason.facts import Facts

_ELEMENT_NAME = re.compile(r".+\.[0-9a-f]{16}")


class Missing:
    """The documents of ``outcomes`` that are not, or not wholly, known.

    ``containers`` are the status containers; ``sentries`` are all that are evaluated: what one names is no other
    instance to any.
    """

    def __init__(
        self,
        facts: Facts,
        outcomes: Mapping[str, Outcome],
        containers: Iterable[str],
        sentries: Iterable[Sentry],
    ) -> None:
        self._facts = facts
        self._outcomes = outcomes
        self._containers = tuple(containers)
        self._unread = frozenset(unread_of(outcomes))
        sources = list(facts.subjects(IS_SOURCE, TRUE))
        self._shared = frozenset(_unreadable(facts, sources, outcomes))
        if self._unread:
            named = frozenset[str]().union(*(sentry.sources for sentry in sentries))
            self._shared |= self._unread - self._of_others(sources, named)

    def matters_to(self, sentry: Sentry) -> frozenset[str]:
        """Return what is not known and in the scope of ``sentry``."""
        if sentry.depends_on:
            return frozenset(uri for uri in sentry.depends_on if not is_known(self._outcomes.get(uri)))
        return self._shared

    def _of_others(self, sources: Iterable[Term], asked: frozenset[str]) -> frozenset[str]:
        """Return the unread documents that belong to instances and that no model names."""
        facts = self._facts
        named = asked.union(*(documents_of(facts, source) for source in sources))
        named |= {
            document_of(subject.value)
            for pattern in facts.subjects(IS_USED, TRUE)
            for subject in facts.objects(pattern, SPIN_SUBJECT)
            if isinstance(subject, IRI)
        }
        listed = {
            member.value
            for source in sources
            for member in facts.objects(source, CONTAINS)
            if isinstance(member, IRI)
        }
        executed = [c.value for c in facts.subjects(EXECUTES_MEMBERS, TRUE) if isinstance(c, IRI)]
        told = self._told()
        return frozenset(
            uri
            for uri in self._unread - named
            if uri in told
            or self._is_called_like_an_element(uri)
            or (uri not in listed and any(is_member(uri, container) for container in executed))
        )

    def _told(self) -> frozenset[str]:
        """Return the documents of instances and elements, as far as facts tell."""
        facts = self._facts
        terms = {term for s, _, o in facts.match(None, IN_ARTIFACT_INSTANCE, None) for term in (s, o)}
        terms |= set(facts.subjects(IS_EXECUTED, TRUE))
        return frozenset(document_of(term.value) for term in terms if isinstance(term, IRI))

    def _is_called_like_an_element(self, uri: str) -> bool:
        return any(
            is_member(uri, container) and _ELEMENT_NAME.fullmatch(uri.removeprefix(container))
            for container in self._containers
        )


def _unreadable(facts: Facts, sources: Iterable[Term], outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    """Yield the sources that could not even be asked for: they are no http URIs, or not described."""
    for source in sources:
        yield from (uri for uri in documents_of(facts, source) if uri not in outcomes)
