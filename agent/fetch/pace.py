"""How often a source is asked: the minimum period, and longer and longer delays after failures."""

import re

from msgspec import Struct

_MANY = 32


class Pace(Struct, frozen=True):
    """The least time between two requests to one source, and after failures, in seconds.

    The delay begins at ``first_delay_s``, doubles with each failure in a row and ends at ``longest_delay_s``.
    """

    min_period_s: float = 1.0
    first_delay_s: float = 1.0
    longest_delay_s: float = 60.0

    def delay_s(self, failures: int, retry_after: str = "") -> float:
        """Return how long to leave a source alone after ``failures`` in a row.

        ``retry_after`` is the field of that name; only its form in seconds counts, up to the longest delay.
        """
        delay = min(self.first_delay_s * 2.0 ** min(failures - 1, _MANY), self.longest_delay_s)
        if re.fullmatch(r"\d{1,9}", retry_after):
            delay = max(delay, min(float(retry_after), self.longest_delay_s))
        return delay


POLITE = Pace()
"""For polling a world that belongs to others."""

UNPACED = Pace(0.0, 0.0, 0.0)
"""For programs that run a number of steps without a pause: each step asks again."""
