"""An entry of a queue as it is held in memory, and the steps of its life."""

import asyncio
from datetime import UTC, datetime

from msgspec import Struct, field
from msgspec.structs import replace

from agent.clock import lexical
from agent.schedulers.entries import Entry, Status
from agent.schedulers.proxy import Waiting
from agent.transport.client import Reply


class Held(Struct):
    """An entry as it is held in memory; ``version`` is that of its document.

    It was sent ``tries`` times since it was last put in line. ``kept`` is there until the
    entry is durable, and then tells whether it is. ``waiters`` are told the answer of the service,
    None if it is lost.
    """

    key: str
    entry: Entry
    arrived_s: float
    version: int = 0
    tries: int = 0
    kept: "asyncio.Future[bool] | None" = None
    waiters: "list[asyncio.Future[Reply | None]]" = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Tell whether the entry waits or is on its way."""
        return self.entry.status in {"Pending", "Running"}

    @property
    def since_s(self) -> float:
        """Return since when it waits, or since when it is on its way."""
        return seconds_of(self.entry.started) if self.entry.status == "Running" else self.arrived_s

    def waiting(self) -> Waiting:
        """Return the entry as its proxy knows it."""
        order = self.entry.order
        return Waiting(self.key, order.instance, order.activity, self.arrived_s)


def pending(entry: Entry) -> Entry:
    """Return ``entry`` as it waits, as if it had never been sent."""
    return replace(entry, status="Pending", started="", ended="", answer=None)


def ended(entry: Entry, status: Status, instant: str, code: int | None = None) -> Entry:
    """Return ``entry`` with the end it came to at ``instant``; ``code`` is the status of the service's answer."""
    return replace(entry, status=status, ended=instant, answer=code)


def instant_of(at_s: float) -> str:
    """Return the xsd:dateTime of a time in seconds since 1970."""
    return lexical(datetime.fromtimestamp(at_s, UTC))


def seconds_of(instant: str) -> float:
    """Return the time of an xsd:dateTime in seconds since 1970, 0 for what is none."""
    try:
        return datetime.fromisoformat(instant).timestamp()
    except ValueError:
        return 0.0
