"""What comes close together is handed over together."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_QUIET_ROUNDS = 2


class Gathering(Generic[T]):
    """Items that wait until the event loop has gone round without a new one, or until there are ``most``.

    In a round the loop takes in what came by all connections, and what came is handled in the next one. So the items of
    requests that came together are one batch, and whoever takes it works while the loop has little to do.
    """

    def __init__(self, hand_over: Callable[[list[T]], None], most: int) -> None:
        self._hand_over = hand_over
        self._most = most
        self._items: list[T] = []

    def add(self, item: T) -> None:
        """Let ``item`` be handed over soon; call it in the thread of the running event loop."""
        self._items.append(item)
        if len(self._items) == 1:
            self._look_again(asyncio.get_running_loop(), 1, _QUIET_ROUNDS)
        elif len(self._items) >= self._most:
            self.finish()

    def finish(self) -> None:
        """Hand over what waits now."""
        if self._items:
            items, self._items = self._items, []
            self._hand_over(items)

    def _look_again(self, loop: asyncio.AbstractEventLoop, known: int, rounds: int) -> None:
        loop.call_soon(self._look, loop, self._items, known, rounds)

    def _look(self, loop: asyncio.AbstractEventLoop, items: list[T], known: int, rounds: int) -> None:
        if items is not self._items:
            return
        if len(items) > known:
            self._look_again(loop, len(items), _QUIET_ROUNDS)
        elif rounds > 1:
            self._look_again(loop, known, rounds - 1)
        else:
            self.finish()
