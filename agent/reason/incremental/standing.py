"""Conclusions that are drawn from a memory by other means than rules, and kept as it is."""

from collections.abc import Callable, Collection, Iterable
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from agent.rdf.terms import Triple
from agent.reason.facts import Facts
from agent.reason.incremental.dispatch import Fact


class Kept(Protocol):
    """What is kept beside a memory to draw conclusions with."""

    def reads(self) -> frozenset[str] | None:
        """Return the predicates that the last conclusions depended on; nothing if it may be any."""
        ...


Of = TypeVar("Of", bound=Kept)


class Standing(Struct, Generic[Of], frozen=True):
    """How conclusions stand from step to step.

    ``keep`` makes what is kept beside a new memory, ``conclude`` draws conclusions with it after the memory gained
    and lost facts since the last time.
    """

    keep: Callable[[Facts], Of]
    conclude: Callable[[Of, Collection[Fact], Collection[Fact]], Iterable[Triple]]
