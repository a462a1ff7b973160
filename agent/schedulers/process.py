"""A running process as a scheduler sees it: what is done, what goes on, what is still to come."""

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.schedulers.penalty import NO_PENALTY, Penalty

State: TypeAlias = Literal["new", "pending", "running", "done"]


class Activity(Struct, frozen=True):
    """A part of a process. All times are seconds on one clock.

    ``service`` is the URI that its request goes to, if it has one; ``duration_s`` how long that takes. "pending": its
    request waits since ``since_s`` for the service; "running": it is worked on since then. ``after`` names the
    activities that have to be done before a new one can begin.
    """

    name: str
    service: str | None = None
    duration_s: float = 0.0
    state: State = "new"
    since_s: float | None = None
    after: frozenset[str] = frozenset()


class Process(Struct, frozen=True):
    """A process that began at ``started_s``; ``instance`` is its IRI."""

    instance: str
    started_s: float
    penalty: Penalty = NO_PENALTY
    activities: tuple[Activity, ...] = ()
