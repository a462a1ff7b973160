"""The event loop of a command: Python's own, or uvloop, which is an extra (ADR 0143)."""

from asyncio import AbstractEventLoop
from collections.abc import Callable
from importlib.util import find_spec

from agent.cli.serve_options import Loop
from agent.errors import UsageError


def loop_factory(loop: Loop | None) -> Callable[[], AbstractEventLoop] | None:
    """Return what makes event loops of this kind, None for Python's own; without a kind uvloop's, if it is installed.

    Raises UsageError USE014 for one that is not installed.
    """
    is_there = find_spec("uvloop") is not None
    if loop is Loop.UVLOOP and not is_there:
        raise UsageError(
            "USE014",
            "--loop uvloop needs uvloop, which is not installed",
            hint="pip install 'milepost[fast]', or leave --loop out.",
        )
    if loop is Loop.ASYNCIO or not is_there:
        return None
    from uvloop import new_event_loop

    return new_event_loop
