"""The change log and the subtree versions in the SQLite file, written in the transaction of what they tell."""

import sqlite3
from collections.abc import Mapping, Sequence

from msgspec import json

from ldp_server.paths import ancestors, is_container
from ldp_server.storage.changes import Change, ChangeLog

_DECODER = json.Decoder(list[Change])

SUBTREES = "CREATE TABLE subtree (container TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;"
LOG = "CREATE TABLE change (last INTEGER PRIMARY KEY, changes TEXT NOT NULL)"
"""A row holds the changes of the commits that were written together, as JSON, under the number of the last of them."""


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


def note(connection: sqlite3.Connection, changes: Sequence[Change]) -> None:
    """Add changes to the log, those of whole commits in order."""
    connection.execute(
        "INSERT INTO change VALUES (?, ?)", (changes[-1].number, json.encode(changes).decode())
    )


def forget(connection: sqlite3.Connection, horizon: int) -> None:
    """Drop the changes up to ``horizon``, except such as were written together with later ones."""
    connection.execute("DELETE FROM change WHERE last <= ?", (horizon,))


def load(connection: sqlite3.Connection, sequence: int, max_bytes: int) -> ChangeLog:
    """Return the log, or raise DecodeError; ``sequence`` is the number of the last commit."""
    rows = connection.execute("SELECT changes FROM change ORDER BY last").fetchall()
    log = ChangeLog(sequence, max_bytes=max_bytes)
    log.recall([change for (text,) in rows for change in _DECODER.decode(text)])
    return log


def work_out_subtrees(connection: sqlite3.Connection) -> dict[str, int | None]:
    """Return the subtree versions as they follow from the resources: the highest version at or below a container.

    A container's own version moves when a member goes, so what was removed is not missed.
    """
    versions: dict[str, int | None] = {}
    for path, version in connection.execute("SELECT parent || name, version FROM resource ORDER BY version"):
        own = [path] if is_container(path) else []
        versions |= dict.fromkeys([*own, *ancestors(path)], version)
    return versions
