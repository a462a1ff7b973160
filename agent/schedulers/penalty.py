"""What a process owes its customer for the time it took (paper "Adaptive Request Prioritization", section V.A)."""

import math
from typing import Protocol

from msgspec import Struct

_ROUNDING = 1e-9
"""Seconds by which a sum of times may miss a threshold and still have reached it."""


class Penalty(Protocol):
    """An amount that depends on the duration of a process, and never falls with it."""

    def of(self, duration_s: float) -> float:
        """Return what is owed after ``duration_s`` seconds."""
        ...


class StagedPenalty(Struct, frozen=True):
    """``amount`` for every whole stage of ``stage_s`` seconds past ``threshold_s``.

    Nothing is owed at the threshold itself: the first amount is due one stage later.
    """

    threshold_s: float
    amount: float
    stage_s: float = 1.0

    def of(self, duration_s: float) -> float:
        """Return what is owed after ``duration_s`` seconds."""
        stages = math.floor((duration_s - self.threshold_s) / self.stage_s + _ROUNDING)
        return max(stages, 0) * self.amount


class ConstantPenalty(Struct, frozen=True):
    """``amount`` once, from ``threshold_s`` seconds on."""

    threshold_s: float
    amount: float

    def of(self, duration_s: float) -> float:
        """Return what is owed after ``duration_s`` seconds."""
        return self.amount if duration_s + _ROUNDING >= self.threshold_s else 0.0


class SummedPenalty(Struct, frozen=True):
    """The sum of several penalties."""

    parts: tuple[Penalty, ...]

    def of(self, duration_s: float) -> float:
        """Return what is owed after ``duration_s`` seconds."""
        return sum(part.of(duration_s) for part in self.parts)


NO_PENALTY = SummedPenalty(())
"""Nothing is owed, however long it takes."""
