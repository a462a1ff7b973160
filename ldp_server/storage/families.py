"""A container together with its members, read in one go."""

from collections.abc import Collection
from typing import Protocol

from ldp_server.binaries import description_path
from ldp_server.paths import is_container
from ldp_server.storage.port import Family, FamilyTooLargeError, Record

_LINE = 100
"""About the size of a triple that tells of a member, without its path."""


class View(Protocol):
    """The state at one moment."""

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""

    def members(self, path: str) -> Collection[str]:
        """Return the paths of the members of a container."""


def gather(container: Record, subtree: int, view: View, max_bytes: int) -> Family:
    """Return ``container`` with its members, or raise FamilyTooLargeError when that takes more than ``max_bytes``.

    For a Non-RDF source its description stands.
    """
    members = []
    size = len(container.text)
    _check(size, max_bytes)
    for path in view.members(container.path):
        record = view.record(path)
        if record is not None and record.binary is not None:
            record = view.record(description_path(path))
        if record is None:
            continue
        below = tuple(view.members(path)) if is_container(path) else ()
        size += _LINE + len(record.text) + sum(_LINE + len(other) for other in below)
        _check(size, max_bytes)
        members.append((record, below))
    return Family(container, subtree, tuple(members), size)


def _check(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise FamilyTooLargeError
