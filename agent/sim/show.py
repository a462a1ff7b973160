"""What every scenario can do, whatever happens in it: be performed to its end, or be open to whoever joins in."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

Say = Callable[[str], None]
"""Takes what is told, a line at a time."""


class Verdict(Struct, frozen=True):
    """How a performance went: ``summary`` in a line; ``differences`` are lines, none if all was as expected."""

    summary: str
    differences: tuple[str, ...] = ()
    is_complete: bool = True


class Show(Protocol):
    """A scenario that is ready to begin."""

    async def perform(self, say: Say, stop: asyncio.Event) -> Verdict:
        """Go from the first line to the last, as fast as it goes, and compare what happened with the expected.

        ``stop`` ends it early; then nothing is compared, and the verdict is not complete.
        """
        ...

    async def improvise(self, say: Say, stop: asyncio.Event) -> None:
        """Open the world of the scenario to everybody with an HTTP client until ``stop``."""
        ...
