"""States of resources that were written or read lately."""

from collections.abc import Mapping

from ldp_server.storage.port import Record

States = Mapping[str, Record | None]
"""States of resources by path, None where nothing is."""


def size_of(states: States) -> int:
    """Return about how many bytes it takes to hold ``states``."""
    return sum(map(_size, states, states.values()))


def _size(path: str, record: Record | None) -> int:
    if record is None:
        return 2 * len(path) + 200
    return 2 * len(path) + 200 + len(record.text if record.binary is None else record.binary.content)


class RecordCache:
    """States in about ``max_bytes``: a young half, which grows, and an old one, which goes when the young one is full.

    What is asked for is young again. To take in the states of a whole transaction costs little that way; an order of use would
    have to be changed for each of them.
    """

    def __init__(self, max_bytes: int) -> None:
        self._half = max_bytes // 2
        self._bytes = 0
        self._young: dict[str, Record | None] = {}
        self._old: dict[str, Record | None] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._young or path in self._old

    def get(self, path: str) -> Record | None:
        """Return the state of ``path`` if it is held, else None."""
        if path in self._young:
            return self._young[path]
        if path not in self._old:
            return None
        state = self._old[path]
        self.keep({path: state})
        return state

    def keep(self, states: States, size: int | None = None) -> None:
        """Hold ``states``, or forget all if half of the room is too little for them; ``size`` is what ``size_of`` said, if it was asked."""
        if size is None:
            size = size_of(states)
        if self._bytes + size > self._half:
            self._old = self._young if size <= self._half else {}
            self._young = {}
            self._bytes = 0
            if size > self._half:
                return
        if replaced := self._young.keys() & states.keys():
            self._bytes -= size_of({path: self._young[path] for path in replaced})
        self._young.update(states)
        self._bytes += size
