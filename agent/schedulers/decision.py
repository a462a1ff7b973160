"""What was decided, and what else could have been: the record of one request that was let through."""

from typing import Literal, TypeAlias

from msgspec import Struct

from agent.schedulers.policy import Policy
from agent.schedulers.priority import Ranked

Reason: TypeAlias = Literal["", "LowerScore", "LaterRequest"]


class Alternative(Struct, frozen=True):
    """A request that could have been chosen. ``because`` says why it was not; empty for the chosen one.

    ``ranked`` are the figures behind ``score``, where the policy worked any out.
    """

    key: str
    score: float
    ranked: Ranked | None = None
    because: Reason = ""


class Decision(Struct, frozen=True):
    """At ``at_s``, ``policy`` let the request ``selected`` through; it is one of ``alternatives``, the best first."""

    at_s: float
    policy: Policy
    selected: str
    alternatives: tuple[Alternative, ...]
