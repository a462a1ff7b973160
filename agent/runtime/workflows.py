"""The port through which workflows take part in a step: what they may see, what they need, what they conclude."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from agent.rdf.documents import Content, Outcome
from agent.rdf.terms import Triple
from agent.reason.facts import Facts


class SentryValue(Protocol):
    """The value of one sentry for one instance: "true", "not true", "unknown" or "broken"."""

    @property
    def sentry(self) -> str:
        """Return the sentry's IRI, or another name of it for people."""
        ...

    @property
    def instance(self) -> str:
        """Return the IRI of the workflow instance."""
        ...

    @property
    def value(self) -> str:
        """Return the value."""
        ...

    @property
    def reason(self) -> str:
        """Return why the value is "unknown" or "broken", for people, or ""."""
        ...

    @property
    def reads_time(self) -> bool:
        """Tell whether the value may change although no document does."""
        ...


class Workflows(Protocol):
    """What a step asks of workflows. Nothing here waits, reads a clock or keeps state between steps."""

    @property
    def protected(self) -> frozenset[str]:
        """Return the predicates that no rule with a variable as predicate may derive."""
        ...

    def admit(self, content: Content) -> tuple[tuple[Triple, ...], int]:
        """Return the triples of a document that count, and how many do not."""
        ...

    def sources(self, facts: Facts) -> Iterable[str]:
        """Return the documents that sentries need, given the memory so far."""
        ...

    def conclude(
        self, facts: Facts, outcomes: Mapping[str, Outcome], instant: str
    ) -> tuple[list[Triple], Sequence[SentryValue]]:
        """Evaluate the sentries once and return what follows from them."""
        ...
