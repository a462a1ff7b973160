"""A cache that knows how many bytes it holds."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteCache(Generic[K, V]):
    """Values under keys, each with its size in bytes; the least recently used leave when room is needed."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._held: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        return key in self._held

    def __getitem__(self, key: K) -> V:
        """Return the value of a key that is held (KeyError) and count the use."""
        self._held.move_to_end(key)
        return self._held[key][0]

    def get(self, key: K) -> V | None:
        """Return the value of a key, if it is held, and count the use."""
        held = self._held.get(key)
        if held is None:
            return None
        self._held.move_to_end(key)
        return held[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Hold a value, or only forget the old one if this would take more than an eighth of the room."""
        before = self._held.pop(key, None)
        if before is not None:
            self._bytes -= before[1]
        if size > self._max_bytes // 8:
            return
        self._held[key] = (value, size)
        self._bytes += size
        while self._bytes > self._max_bytes:
            _, (_, freed) = self._held.popitem(last=False)
            self._bytes -= freed

    def grow(self, key: K, more: int) -> None:
        """Note that a value that is held takes so many bytes ``more``, or fewer (KeyError without one)."""
        value, size = self._held[key]
        self.keep(key, value, size + more)

    def drop(self, *keys: K) -> None:
        """Forget keys, as far as they are held."""
        for key in keys:
            if key in self._held:
                self._bytes -= self._held.pop(key)[1]
