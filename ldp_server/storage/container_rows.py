"""What moves in containers with every change below them, a row each in the SQLite file, apart from their own triples."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain

from ldp_server.storage.statements import marks, portions

CONTAINERS = """
    CREATE TABLE container (
        path TEXT PRIMARY KEY, listed INTEGER NOT NULL, subtree INTEGER NOT NULL, counter INTEGER NOT NULL
    ) WITHOUT ROWID;
"""
"""``listed`` is the number of the last commit in which a member came or went, 0 at first; ``subtree`` the subtree version, 0 for
a container that is gone; ``counter`` the last number that it gave out, which is kept when it goes."""


def subtree(connection: sqlite3.Connection, container: str) -> int | None:
    """Return the subtree version of a container, or None if there is no such container."""
    row = connection.execute("SELECT subtree FROM container WHERE path = ?", (container,)).fetchone()
    return int(row[0]) if row and row[0] else None


def counter(connection: sqlite3.Connection, container: str) -> int:
    """Return the last number a container gave out."""
    row = connection.execute("SELECT counter FROM container WHERE path = ?", (container,)).fetchone()
    return int(row[0]) if row else 0


def listed(connection: sqlite3.Connection, containers: Sequence[str]) -> dict[str, int]:
    """Return in which commit a member last came or went, of those of ``containers`` where one did."""
    found: dict[str, int] = {}
    for some in portions(containers):
        found |= dict(connection.execute(_listed(len(some)), some).fetchall())
    return found


@cache
def _listed(paths: int) -> str:
    return f"SELECT path, listed FROM container WHERE listed AND path IN {marks(paths, 1)}"  # noqa: S608  only marks are put in


def move(
    connection: sqlite3.Connection,
    moved: Mapping[str, int | None],
    listed: Mapping[str, int],
    counters: Mapping[str, int],
) -> None:
    """Set the subtree versions in ``moved`` (None: the container is gone), and of those containers what else is new."""
    rows = [
        (path, listed.get(path, 0), version or 0, counters.get(path, 0)) for path, version in moved.items()
    ]
    for some in portions(rows):
        connection.execute(_move(len(some)), [*chain.from_iterable(some)])
    gone = [(path,) for path, version in moved.items() if version is None]
    if gone:
        connection.executemany("DELETE FROM container WHERE path = ? AND counter = 0", gone)


@cache
def _move(rows: int) -> str:
    """Return the statement that moves so many containers; numbers only grow, and 0 is told where there is nothing new."""
    return f"""
        INSERT INTO container VALUES {marks(4, rows)} ON CONFLICT (path) DO UPDATE SET
        listed = max(listed, excluded.listed), subtree = excluded.subtree, counter = max(counter, excluded.counter)
    """  # noqa: S608  only marks are put in
