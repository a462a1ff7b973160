"""How much of its memory a step may take back before it is better to begin it with an empty one (ADR 0127).

A step that takes nothing back costs less than beginning anew: what it puts into memory would have to come anyway. One
that takes back pays several times, for taking, for looking for another support, and for what comes back. So what is
taken back is counted, and is never more than a share of what is in memory.
"""

from collections.abc import Callable
from sys import maxsize
from typing import TypeAlias

from msgspec import Struct

Most: TypeAlias = Callable[[int], int]
"""How many facts a step may take back from a memory of so many."""

FEW = 1_000
"""So many may always be taken back: that takes a few milliseconds."""
SHARE = 5
"""One in so many facts may be taken back."""


class TakesTooMuchError(Exception):
    """A step takes back more than it may; the memory is in between and has to be made anew."""


def most_taken(size: int) -> int:
    """Return how many facts a step may take back from a memory of ``size`` facts."""
    return max(FEW, size // SHARE)


class Effort(Struct):
    """What the step under way has taken back so far.

    ``is_bounded`` tells whether that may become too much. ``work`` is how many facts were taken back and put into memory.
    """

    most: Most = most_taken
    is_bounded: bool = False
    taken: int = 0
    work: int = 0

    def begin(self) -> None:
        """Begin a step on the memory of the step before."""
        self.is_bounded, self.taken, self.work = True, 0, 0

    def take(self, count: int) -> None:
        """Count ``count`` facts that are taken back."""
        self.taken += count
        self.work += count

    def left(self, size: int) -> int:
        """Return how many more facts may be taken back from a memory of ``size``."""
        return self.most(size) - self.taken if self.is_bounded else maxsize
