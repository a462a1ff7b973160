"""Time-outs of whole requests, with one timer for all that go on."""

import asyncio
from types import TracebackType

from agent.transport.patience import Patience


class Timeouts:
    """Ends blocks of code that take longer than ``seconds`` with a TimeoutError, as ``asyncio.timeout`` does."""

    def __init__(self, seconds: float) -> None:
        self._patience: Patience[_Timeout] = Patience(seconds, _give_up)

    def one(self) -> "_Timeout":
        """Return the context of one block, to be entered at once."""
        return _Timeout(self._patience)

    def close(self) -> None:
        """Let everything that goes on take as long as it likes."""
        self._patience.close()


class _Timeout:
    __slots__ = ("_cancelling", "_patience", "is_over", "task")

    def __init__(self, patience: "Patience[_Timeout]") -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a time-out needs a task to end")
        self.task = task
        self.is_over = False
        self._patience = patience
        self._cancelling = task.cancelling()

    def __enter__(self) -> None:
        self._patience.begin(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._patience.end(self)
        if self.is_over and self.task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error


def _give_up(timeout: _Timeout) -> None:
    timeout.is_over = True
    timeout.task.cancel()
