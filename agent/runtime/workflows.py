"""The port through which workflows take part in a step: what they may see, what they need, what they conclude."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

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


class Conclusions(Protocol):
    """What follows from the sentries on one memory, which is kept from step to step."""

    def conclude(
        self,
        outcomes: Mapping[str, Outcome],
        instant: str,
        gained: Collection[tuple[int, int, int]],
        lost: Collection[tuple[int, int, int]],
    ) -> tuple[Sequence[Triple], Sequence[SentryValue]]:
        """Evaluate what may have changed since the memory ``gained`` and ``lost`` facts, and return what follows."""
        ...

    def reads(self) -> frozenset[str] | None:
        """Return the predicates that this depended on; nothing if it may be any."""
        ...


class Workflows(Protocol):
    """What a step asks of workflows. Nothing here waits or reads a clock."""

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


@runtime_checkable
class LastingWorkflows(Workflows, Protocol):
    """Workflows whose conclusions can be kept beside a memory that lives from step to step."""

    def keep(self, facts: Facts) -> Conclusions:
        """Return the conclusions on a memory that lives from step to step, to be drawn again and again."""
        ...
