"""What comes close together is handed over together."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
PATIENCE_S = 0.002


class Gathering(Generic[T]):
    """Items that wait for somebody who takes one batch after the other, and says when it is ``done`` with one.

    What comes meanwhile waits. Who has just been answered often comes again soon, so the next batch begins when as many
    have come as were answered and waited then, or ``most``, and ``patience_s`` after the first of them at the latest. So
    those who come again and again share each batch, and one alone waits for nobody.
    """

    def __init__(
        self, hand_over: Callable[[list[T]], None], most: int, patience_s: float = PATIENCE_S
    ) -> None:
        self._hand_over = hand_over
        self._most = most
        self._patience_s = patience_s
        self._items: list[T] = []
        self._is_busy = False
        self._expected = 1
        self._end_of_patience: asyncio.TimerHandle | None = None

    def add(self, item: T) -> None:
        """Let ``item`` be handed over soon; call it in the thread of the running event loop."""
        self._items.append(item)
        if not self._is_busy:
            self._look()

    def done(self, answered: int) -> None:
        """Begin the next batch, now or soon; so many items of the last one are ``answered``."""
        self._is_busy = False
        self._expected = min(answered + len(self._items), self._most)
        if self._items:
            self._look()

    def finish(self) -> None:
        """Hand over what waits now, even if the batch before is not done."""
        if self._end_of_patience is not None:
            self._end_of_patience.cancel()
            self._end_of_patience = None
        if self._items:
            items, self._items = self._items, []
            self._is_busy = True
            self._hand_over(items)

    def _look(self) -> None:
        if len(self._items) >= self._expected:
            self.finish()
        elif self._end_of_patience is None:
            self._end_of_patience = asyncio.get_running_loop().call_later(self._patience_s, self.finish)
