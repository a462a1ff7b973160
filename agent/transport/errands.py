"""Errands at one origin: a bounded number at a time, each begun as soon as another has ended, by few tasks.

A task that has ended an errand takes the next one. So a thousand documents of one server need as many tasks as may
ask it at a time, not a thousand, and nothing but a queue between them.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Coroutine


class Errand(ABC):
    """Something to be done once; ``task`` is who does it, None until it has begun."""

    __slots__ = ("task",)

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None

    @abstractmethod
    def run(self) -> Coroutine[None, None, None]:
        """Do it. Faults are the errand's own affair: only CancelledError comes out."""


class Lane:
    """The errands at one origin in the order they came, ``at_a_time`` of them together."""

    def __init__(self, at_a_time: int) -> None:
        self._at_a_time = at_a_time
        self._waiting: deque[Errand] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, errand: Errand) -> None:
        """Have ``errand`` done when its turn comes; never at once, so that its caller has the word first."""
        self._waiting.append(errand)
        self._fill()

    def leave(self, errand: Errand) -> "asyncio.Task[None]":
        """Let ``errand``, which has begun, go on without counting; return who does it, and nothing else after it."""
        if errand.task is None:
            raise ValueError("an errand that has not begun cannot be left")
        self._tasks.discard(errand.task)
        self._fill()
        return errand.task

    async def withdraw(self, errand: Errand) -> None:
        """Give up ``errand``, which has not ended, and wait until it has."""
        if errand.task is None:
            self._waiting.remove(errand)
            return
        errand.task.cancel()
        await asyncio.gather(errand.task, return_exceptions=True)

    async def clear(self) -> None:
        """Give up every errand that counts, and wait until those that have begun have ended."""
        self._waiting.clear()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)

    def _fill(self) -> None:
        if self._waiting and len(self._tasks) < self._at_a_time:
            task = asyncio.ensure_future(self._work())
            self._tasks.add(task)
            # A task that is cancelled before its first breath runs no line of its own, not even a finally.
            task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        self._fill()

    async def _work(self) -> None:
        task = asyncio.current_task()
        while self._waiting and task in self._tasks:
            errand = self._waiting.popleft()
            errand.task = task
            await errand.run()


def fault_of(error: Exception) -> str:
    """Return what is said of an errand that ended in ``error``, which nobody should ever see."""
    return f"a fault in Milepost: {type(error).__name__}: {error}"
