"""By what requests are ordered."""

from dataclasses import dataclass
from typing import TypeAlias

from agent.schedulers.priority import DELAY_FACTOR, HORIZON_FACTOR


@dataclass(frozen=True, slots=True)
class FifoPolicy:
    """The oldest request first."""


@dataclass(frozen=True, slots=True)
class SlaPenaltyPolicy:
    """The request first whose delay would cost most (see ``priority``).

    ``reserve_for_predicted``: a slot is kept free for a request that is predicted and would come first.
    """

    delay_factor: float = DELAY_FACTOR
    horizon_factor: float = HORIZON_FACTOR
    reserve_for_predicted: bool = True


Policy: TypeAlias = FifoPolicy | SlaPenaltyPolicy
