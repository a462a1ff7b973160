"""The members of containers that were listed lately, kept in order while they come and go."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from ldp_server.caching import ByteCache
from ldp_server.paths import place
from ldp_server.storage.port import Record

_BESIDE = 100
"""About how many bytes a path takes besides its own."""
_BESIDE_ALL = 250
"""About how many bytes a container takes besides itself and its members."""


class Memberships:
    """The members of some containers, in about ``max_bytes``: all of a container's, or nothing is known of it.

    A container that takes more than an eighth of that is not kept. So a change moves a tenth of a megabyte at most, where
    all of them may take eight.
    """

    def __init__(self, max_bytes: int) -> None:
        self._held: ByteCache[str, list[str]] = ByteCache(max_bytes)
        self._most = max_bytes // (8 * _BESIDE)

    def of(self, container: str) -> list[str] | None:
        """Return the paths of the members of ``container`` in order, None if they are not known."""
        members = self._held.get(container)
        return None if members is None else members.copy()

    def keep(self, container: str, members: Sequence[str]) -> None:
        """Know the members of ``container``, which come in order."""
        if len(members) > self._most:
            # Told apart at once, because to add up a million paths takes a tenth of a second.
            self._held.drop(container)
            return
        self._held.keep(container, [*members], _BESIDE_ALL + sum(map(_size, (container, *members))))

    def note(self, records: Mapping[str, Record | None], containers: Iterable[str]) -> None:
        """Take in new states of resources by path (None: gone); ``containers`` are those at and above them, maybe more."""
        if not any(container in self._held for container in containers):
            return
        for path, record in records.items():
            if record is None:
                self._held.drop(path)
            container = place(path)[0]
            members = self._held.get(container)
            if members is not None:
                # A document may have gone, and its name be that of a description now, which is no member.
                self._move(container, members, path, is_there=record is not None and not record.describes)

    def _move(self, container: str, members: list[str], path: str, *, is_there: bool) -> None:
        """Let ``path`` be among the members of ``container``, or not."""
        at = bisect_left(members, path)
        was_there = members[at : at + 1] == [path]
        if is_there == was_there:
            return
        if is_there:
            members.insert(at, path)
            self._held.grow(container, _size(path))
        else:
            del members[at]
            self._held.grow(container, -_size(path))


def _size(path: str) -> int:
    return len(path) + _BESIDE
