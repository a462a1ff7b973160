"""What decisions on writes are going to ask about, so that it can be read at once."""

from collections.abc import Callable, Iterable, Iterator

from ldp_server.names import candidate_names
from ldp_server.storage.port import Post, Write


def targets(writes: Iterable[Write], counter: Callable[[str], int]) -> Iterator[str]:
    """Yield the path each of ``writes`` is about, in order; for a new member the one it gets if that is free.

    ``counter`` gives the last number of a container.
    """
    counters: dict[str, int] = {}
    for write in writes:
        if isinstance(write, Post):
            container = write.container
            before = counters[container] if container in counters else counter(container)
            name, counters[container] = next(candidate_names(write.slug, before))
            yield container + name
        else:
            yield write.path
