"""Origins: how many requests one server gets at a time, and when to stop waiting for it.

A server that leaves as many requests in a row unanswered as it may have at a time is silent: what else is asked of
it fails at once, until it answers or all of those requests have ended. So a black hole costs a step one deadline or
two, not one for each of its documents.
"""

import asyncio
from typing import Any

from agent.transport.errands import Lane


class Origin:
    """What is known about the server behind one origin; ``at_a_time`` requests may be waited for together."""

    def __init__(self, at_a_time: int) -> None:
        self.lane = Lane(at_a_time)
        self._at_a_time = at_a_time
        self._late_in_a_row = 0
        self._open = 0

    @property
    def is_silent(self) -> bool:
        """Whether there is no use in asking now."""
        return self._late_in_a_row >= self._at_a_time

    def answered(self) -> None:
        """Take note of an answer."""
        self._late_in_a_row = 0

    def left_waiting(self, request: "asyncio.Task[Any]") -> None:
        """Take note of a request that missed its deadline and goes on."""
        self._late_in_a_row += 1
        self._open += 1
        request.add_done_callback(self._ended)

    def _ended(self, _request: "asyncio.Task[Any]") -> None:
        self._open -= 1
        if not self._open:
            self._late_in_a_row = 0
