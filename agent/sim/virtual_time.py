"""A clock that stands still until it is moved, so that what happens does not depend on how fast the machine is."""

from datetime import UTC, datetime


class VirtualClock:
    """The time of a simulated world: it begins at ``start`` and moves only when it is told to."""

    def __init__(self, start: datetime) -> None:
        self.start_s = start.timestamp()
        self._at_s = self.start_s

    def seconds(self) -> float:
        """Return the present as seconds since 1970."""
        return self._at_s

    def elapsed(self) -> float:
        """Return the seconds since the beginning."""
        return self._at_s - self.start_s

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return datetime.fromtimestamp(self._at_s, UTC)

    def move_to(self, at_s: float) -> None:
        """Make ``at_s``, in seconds since 1970, the present; time never goes back."""
        self._at_s = max(self._at_s, at_s)
