"""Statements about several rows at once: each number of rows is a statement of its own, which SQLite keeps ready."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

_AT_ONCE = 16
"""So many rows share a statement at most, because each statement that is kept takes room."""


def marks(columns: int, rows: int) -> str:
    """Return the marks that the values of so many rows are bound to."""
    row = f"({', '.join('?' * columns)})"
    return ", ".join([row] * rows)


def portions(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield ``items`` in order, as many at a time as share a statement."""
    return (items[first : first + _AT_ONCE] for first in range(0, len(items), _AT_ONCE))
