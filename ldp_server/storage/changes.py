"""What changed, commit by commit, for as long as there is room: the log that answers ``since`` and feeds streams."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import groupby

from msgspec import Struct

from ldp_server.paths import ancestors, is_container

LOG_BYTES = 16 * 1024 * 1024
_CHANGE_BYTES = 150


class ChangeKind(Enum):
    """What happened to a resource."""

    CREATED = "created"
    CHANGED = "changed"
    REMOVED = "removed"


class Change(Struct, frozen=True, order=True, gc=False, array_like=True):
    """One resource that the commit with this number created, changed or removed.

    The listing that a coming or going member changes is not told apart: it follows from the member. So do descriptions
    that come or go with what they describe; one that changes is told with the path of that in ``describes``.
    """

    number: int
    path: str
    kind: ChangeKind
    describes: str = ""


Listener = Callable[[Sequence[Change] | None], None]
"""Hears of changes of whole commits, or None: anything may have changed."""


class ChangeLog:
    """The last changes in order, about ``max_bytes`` of them. It belongs to one thread.

    ``sequence`` is the number of the last commit. Every change after ``horizon`` is held; what came before may be gone.
    """

    def __init__(self, sequence: int, *, max_bytes: int = LOG_BYTES) -> None:
        self.sequence = sequence
        self.horizon = sequence
        self._max_bytes = max_bytes
        self._bytes = 0
        self._changes: list[Change] = []
        self._listeners: list[Listener] = []

    def note(self, changes: Sequence[Change]) -> None:
        """Take in the changes of whole commits, in order, and tell the listeners."""
        size = sum(map(_size, changes))
        if self._bytes + size <= self._max_bytes:
            self._add(changes, size)
        else:
            # What is forgotten does not hang on which commits came together.
            for _, commit in groupby(changes, _number):
                self._add_whole([*commit])
        self.sequence = changes[-1].number
        for listener in self._listeners:
            listener(changes)

    def _add(self, changes: Sequence[Change], size: int) -> None:
        self._changes += changes
        self._bytes += size

    def _add_whole(self, commit: Sequence[Change]) -> None:
        self._add(commit, sum(map(_size, commit)))
        if self._bytes > self._max_bytes:
            # Until a quarter is free, so that this is seldom done.
            self._forget(self._max_bytes * 3 // 4)

    def lose(self, sequence: int) -> None:
        """Forget all changes, since nobody knows what the commits up to ``sequence`` changed, and tell the listeners so."""
        self._changes = []
        self._bytes = 0
        self.sequence = self.horizon = sequence
        for listener in self._listeners:
            listener(None)

    def recall(self, changes: Sequence[Change]) -> None:
        """Take in the changes of the commits before ``sequence``, in order: of the last commits all that fit; nobody is told."""
        self._changes = [*changes]
        self._bytes = sum(map(_size, changes))
        self.horizon = changes[0].number - 1 if changes else self.sequence
        self._forget(self._max_bytes)

    def after(self, number: int, most: int | None = None) -> Sequence[Change]:
        """Return the changes of the commits after ``number`` that are held; of many the first ``most``, whole commits."""
        if not self._changes or self._changes[-1].number <= number:
            return ()
        start = bisect_right(self._changes, number, key=_number)
        if most is None or start + most >= len(self._changes):
            return self._changes[start:]
        last = self._changes[start + most - 1].number
        return self._changes[start : bisect_right(self._changes, last, lo=start, key=_number)]

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with the changes of whole commits from now on; the function that is returned ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _forget(self, most: int) -> None:
        """Drop the oldest commits until at most so many bytes are held."""
        dropped = 0
        for change in self._changes:
            if self._bytes <= most and change.number != self.horizon:
                break
            self.horizon = change.number
            self._bytes -= _size(change)
            dropped += 1
        del self._changes[:dropped]


def _size(change: Change) -> int:
    return len(change.path) + _CHANGE_BYTES


def _number(change: Change) -> int:
    return change.number


def moved_subtrees(changes: Sequence[Change]) -> dict[str, int | None]:
    """Return the new subtree version of each container at or above the changes (None: the container is gone).

    The subtree version of a container is the number of the last commit that changed anything at or below it.
    """
    moved: dict[str, int | None] = {}
    for change in changes:
        number, path = change.number, change.path
        if is_container(path):
            moved[path] = None if change.kind is ChangeKind.REMOVED else number
        moved |= dict.fromkeys(ancestors(path), number)
    return moved
