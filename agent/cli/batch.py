"""Commands that take their input, work it through, and end."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

BATCH = frozenset({"parse", "reason"})
"""The commands that do without the collector of cyclic garbage until the process ends."""


@contextmanager
def without_collection() -> Iterator[None]:
    """Keep the collector of cyclic garbage from running meanwhile; also a decorator of commands.

    It looks again and again at millions of terms and triples, a quarter of the time, and finds nothing: they live to
    the end, and none refers to itself.
    """
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()
