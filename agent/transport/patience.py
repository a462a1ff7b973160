"""Patience: giving up what takes too long, with one timer for everything that is waited for."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Waited = TypeVar("Waited")

_SLICES = 8


class Patience(Generic[Waited]):
    """Calls ``give_up`` for what has begun and not ended within ``seconds``, or an eighth of that later.

    The time is cut into slices, and one that we overslept counts no more than any other: while the machine thinks,
    or the computer is busy, answers lie unread, and that is no fault of those who sent them.
    """

    def __init__(self, seconds: float, give_up: Callable[[Waited], None]) -> None:
        self.seconds = seconds
        self._give_up = give_up
        self._open: dict[Waited, int] = {}
        self._slice = 0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, one: Waited) -> None:
        """Wait for ``one`` from now on."""
        # The slice that is running may be nearly over, and does not count then.
        self._open[one] = self._slice + _SLICES + (self._timer is not None)
        if self._timer is None:
            self._arm()

    def end(self, one: Waited) -> bool:
        """Wait for ``one`` no longer; return whether it was still waited for."""
        return self._open.pop(one, None) is not None

    def close(self) -> None:
        """Wait for nothing any more."""
        self._open.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self.seconds / _SLICES, self._next_slice)

    def _next_slice(self) -> None:
        self._timer = None
        self._slice += 1
        late = []
        for one, last in self._open.items():  # in the order in which they began, so of their ends
            if last > self._slice:
                break
            late.append(one)
        for one in late:
            del self._open[one]
        if self._open:
            self._arm()
        for one in late:
            self._give_up(one)
