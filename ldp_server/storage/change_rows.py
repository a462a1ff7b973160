"""The change log in the SQLite file, written in the transaction of what it tells."""

import sqlite3
from collections.abc import Sequence

from msgspec import json

from ldp_server.storage.changes import Change, ChangeLog

_DECODER = json.Decoder(list[Change])

LOG = "CREATE TABLE change (last INTEGER PRIMARY KEY, changes TEXT NOT NULL)"
"""A row holds the changes of the commits that were written together, as JSON, under the number of the last of them."""


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
