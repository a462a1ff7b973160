"""The change log and the subtree versions in the SQLite file, written in the transaction of what they tell."""

import sqlite3
from collections.abc import Iterable, Mapping
from itertools import groupby

from ldp_server.paths import ancestors, is_container
from ldp_server.storage.changes import Change, ChangeKind, ChangeLog

TABLES = """
    CREATE TABLE subtree (container TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE change (
        number INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, describes TEXT NOT NULL,
        PRIMARY KEY (number, path)
    ) WITHOUT ROWID;
"""


def subtree(connection: sqlite3.Connection, container: str) -> int | None:
    """Return the subtree version of a container, or None if there is no such container."""
    row = connection.execute("SELECT version FROM subtree WHERE container = ?", (container,)).fetchone()
    return int(row[0]) if row else None


def move_subtrees(connection: sqlite3.Connection, moved: Mapping[str, int | None]) -> None:
    """Set the subtree versions of containers; None takes one away."""
    connection.executemany(
        "INSERT INTO subtree VALUES (?, ?) ON CONFLICT (container) DO UPDATE SET version = excluded.version",
        [item for item in moved.items() if item[1] is not None],
    )
    gone = [(container,) for container, version in moved.items() if version is None]
    if gone:
        connection.executemany("DELETE FROM subtree WHERE container = ?", gone)


def note(connection: sqlite3.Connection, changes: Iterable[Change]) -> None:
    """Add changes to the log."""
    connection.executemany(
        "INSERT INTO change VALUES (?, ?, ?, ?)",
        [(change.number, change.path, change.kind.value, change.describes) for change in changes],
    )


def forget(connection: sqlite3.Connection, horizon: int) -> None:
    """Drop the changes up to ``horizon``."""
    connection.execute("DELETE FROM change WHERE number <= ?", (horizon,))


def load(connection: sqlite3.Connection, sequence: int, max_bytes: int) -> ChangeLog:
    """Return the log; ``sequence`` is the number of the last commit."""
    rows = connection.execute(
        "SELECT number, path, kind, describes FROM change ORDER BY number, path"
    ).fetchall()
    log = ChangeLog(sequence, horizon=rows[0][0] - 1 if rows else sequence, max_bytes=max_bytes)
    for number, commit in groupby(rows, key=lambda row: row[0]):
        log.note([Change(number, path, ChangeKind(kind), describes) for _, path, kind, describes in commit])
    return log


def work_out_subtrees(connection: sqlite3.Connection) -> dict[str, int | None]:
    """Return the subtree versions as they follow from the resources: the highest version at or below a container.

    A container's own version moves when a member goes, so what was removed is not missed.
    """
    versions: dict[str, int | None] = {}
    for path, version in connection.execute("SELECT path, version FROM resource ORDER BY version"):
        own = [path] if is_container(path) else []
        versions |= dict.fromkeys([*own, *ancestors(path)], version)
    return versions
