"""By what requests are ordered."""

from typing import TypeAlias

from msgspec import Struct

from agent.schedulers.priority import DELAY_FACTOR, HORIZON_FACTOR


class FifoPolicy(Struct, frozen=True):
    """The oldest request first."""


class SlaPenaltyPolicy(Struct, frozen=True):
    """The request first whose delay would cost most (see ``priority``).

    ``reserve_for_predicted``: a slot is kept free for a request that is predicted and would come first.
    """

    delay_factor: float = DELAY_FACTOR
    horizon_factor: float = HORIZON_FACTOR
    reserve_for_predicted: bool = True


Policy: TypeAlias = FifoPolicy | SlaPenaltyPolicy
