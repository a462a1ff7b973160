"""A level: the units that are settled together, with what starts them (ADR 0117)."""

from dataclasses import dataclass, field

from agent.reason.incremental.bulk import Rules
from agent.reason.incremental.dispatch import Dispatch, Interest
from agent.reason.incremental.units import Unit


@dataclass(slots=True)
class Level:
    """The units of one level and their triggers.

    ``gained`` and ``lost`` are for facts that came and went, ``group_gained`` for facts of negated groups that went,
    ``group_lost`` for those that came. ``interest`` is in what concerns any of them. ``rules`` are for everything at
    once, made when they are needed.
    """

    units: list[Unit]
    gained: Dispatch
    lost: Dispatch
    group_gained: Dispatch
    group_lost: Dispatch
    interest: Interest = field(init=False)
    rules: Rules | None = None

    def __post_init__(self) -> None:
        self.interest = Interest(self.dispatches)

    @property
    def dispatches(self) -> tuple[Dispatch, ...]:
        """Return all triggers."""
        return self.gained, self.lost, self.group_gained, self.group_lost
