"""Instants of steps: UTC, three decimals, never going back.

The only place that reads the wall clock; everything else takes an instant or a ``Clock`` as argument.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Where instants come from."""

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        ...


class WallClock:
    """The clock on the wall."""

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return datetime.fromtimestamp(time.time(), UTC)


class SteppingClock:
    """A clock for tests and replay: starts at ``start`` and moves by ``step`` at each reading."""

    def __init__(self, start: datetime, step: timedelta) -> None:
        self._next = start
        self._step = step

    def now(self) -> datetime:
        """Return the instant, then move on."""
        instant = self._next
        self._next += self._step
        return instant


def next_instant(wall: datetime, last: datetime | None) -> datetime:
    """Return the instant of a step: ``wall`` cut to milliseconds, but later than ``last`` by at least one."""
    instant = wall.replace(microsecond=wall.microsecond // 1000 * 1000)
    if last is not None and instant <= last:
        return last + timedelta(milliseconds=1)
    return instant


def lexical(instant: datetime) -> str:
    """Return the xsd:dateTime of ``instant`` with three decimals and Z, so that text order is time order."""
    return f"{instant:%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03d}Z"
