"""SIGINT and SIGTERM: the first one asks for an orderly end, and tells which exit code to leave with."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager


class Stop:
    """Whether somebody asked us to stop: ``asked`` is set then, ``exit_code`` is 130 or 143, before that 0."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.exit_code = 0

    def ask(self, number: signal.Signals) -> None:
        """Take note of signal ``number``."""
        self.exit_code = 128 + number
        self.asked.set()


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Let SIGINT and SIGTERM ask the running event loop's work to stop, while the context is open."""
    stop = Stop()
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, stop.ask, number)
    try:
        yield stop
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
