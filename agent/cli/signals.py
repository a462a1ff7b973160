"""SIGINT and SIGTERM: the first one asks for an orderly end, and tells which exit code to leave with."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from agent.cli.console import echo


class Stop:
    """Whether somebody asked us to stop: ``asked`` is set then, ``exit_code`` is 130 or 143, before that 0.

    ``notice`` is printed when it happens.
    """

    def __init__(self, notice: str = "") -> None:
        self.asked = asyncio.Event()
        self.exit_code = 0
        self._notice = notice

    def ask(self, number: signal.Signals) -> None:
        """Take note of signal ``number``."""
        if self._notice and not self.asked.is_set():
            echo(self._notice, err=True)
        self.exit_code = 128 + number
        self.asked.set()


@contextmanager
def stoppable(notice: str = "") -> Iterator[Stop]:
    """Let SIGINT and SIGTERM ask the running event loop's work to stop, while the context is open."""
    stop = Stop(notice)
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, stop.ask, number)
    try:
        yield stop
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
