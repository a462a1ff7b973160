"""The SQLite file: its tables, its statements, and what is checked when it is opened.

Membership is not stored twice: the members of a container are the rows whose parent it is, so a listing
cannot disagree with the resources. The parent of a description is what it describes.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ldp_server.binaries import Binary
from ldp_server.faults import ServerError
from ldp_server.paths import parent
from ldp_server.storage import change_rows
from ldp_server.storage.port import Record

DATA_FILE = "resources.sqlite3"
LOCK_FILE = "lock.sqlite3"

_APPLICATION_ID = 0x4D504C44
_LAYOUT = 3
# Rows lie in the order they came, so that new ones share pages wherever their names belong, and no text of some
# 1,000 bytes has a page of its own, as it would have in the index that a table WITHOUT ROWID is.
_RESOURCES = """
    CREATE TABLE resource (
        path TEXT NOT NULL PRIMARY KEY, parent TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL,
        media_type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, file TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX member ON resource (parent, path);
"""
_TABLES = f"""
    {_RESOURCES}
    CREATE TABLE counter (container TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE kept_name (path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE fact (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""
_FROM_LAYOUT_1 = """
    ALTER TABLE resource ADD COLUMN media_type TEXT NOT NULL DEFAULT '';
    ALTER TABLE resource ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE resource ADD COLUMN file TEXT NOT NULL DEFAULT '';
    CREATE TABLE kept_name (path TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_SET_ASIDE = "DROP INDEX member; ALTER TABLE resource RENAME TO resource_before"
_BRING_BACK = """
    INSERT INTO resource SELECT path, parent, version, text, media_type, size, file FROM resource_before;
    DROP TABLE resource_before;
    UPDATE subtree SET version = (SELECT value FROM fact WHERE name = 'sequence') WHERE container = '/';
    DELETE FROM fact WHERE name = 'sequence';
"""
_FROM_LAYOUT_2 = _SET_ASIDE, _RESOURCES, _BRING_BACK
_SAVE = """
    INSERT INTO resource VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET version = excluded.version,
        text = excluded.text, media_type = excluded.media_type, size = excluded.size, file = excluded.file
"""


def lock_folder(folder: Path) -> sqlite3.Connection:
    """Create ``folder`` if need be and hold it until the connection closes or the process ends, or raise LDP030."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / LOCK_FILE, isolation_level=None, timeout=0, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise ServerError("LDP031", f"The data folder {folder} cannot be used: {error}.") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise ServerError(
                "LDP030", f"Another server uses {folder}. Stop it, or choose another folder."
            ) from None
        raise ServerError("LDP031", f"The data folder {folder} cannot be used: {error}.") from None
    except sqlite3.DatabaseError as error:
        lock.close()
        raise _foreign(folder / LOCK_FILE, str(error)) from None
    return lock


def open_database(folder: Path, first: int) -> sqlite3.Connection:
    """Return the writer's connection to the data of ``folder``, or raise LDP031; new data begin at version ``first``."""
    file = folder / DATA_FILE
    try:
        connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise _foreign(file, str(error)) from None
    try:
        _prepare(connection, file, first)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise _foreign(file, str(error)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, file: Path, first: int) -> None:
    application, layout = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    is_new = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not is_new and application != _APPLICATION_ID:
        raise _foreign(file, "it belongs to another program")
    if not is_new and layout not in {1, 2, _LAYOUT}:
        raise _foreign(file, f"it has layout {layout}, this version reads layout {_LAYOUT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if is_new:
        with transaction(connection):
            _run(connection, _TABLES)
            connection.execute(
                "INSERT INTO resource (path, parent, version, text) VALUES ('/', '', ?, x'')", (first,)
            )
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            _add_changes(connection)
            connection.execute(f"PRAGMA user_version = {_LAYOUT}")
        return
    if (verdict := _pragma(connection, "quick_check(1)")) != "ok":
        raise _foreign(file, f"it is damaged ({str(verdict)[:200]})")
    if layout != _LAYOUT:
        with transaction(connection):
            if layout == 1:
                _run(connection, _FROM_LAYOUT_1)
                _add_changes(connection)
            for script in _FROM_LAYOUT_2:
                _run(connection, script)
            connection.execute(f"PRAGMA user_version = {_LAYOUT}")


def _add_changes(connection: sqlite3.Connection) -> None:
    """Add the change log and the subtree versions to the tables of layout 1."""
    _run(connection, change_rows.TABLES)
    change_rows.move_subtrees(connection, change_rows.work_out_subtrees(connection))


def _run(connection: sqlite3.Connection, script: str) -> None:
    for statement in script.split(";"):
        connection.execute(statement)


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _foreign(file: Path, reason: str) -> ServerError:
    return ServerError(
        "LDP031", f"{file} cannot be used: {reason}. Restore a copy, or choose another folder."
    )


def open_reader(folder: Path) -> sqlite3.Connection:
    """Return a connection that cannot write."""
    connection = sqlite3.connect(folder / DATA_FILE, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA query_only = ON")
    return connection


def close_database(connection: sqlite3.Connection) -> None:
    """Fold the log into the file and close; a fault here costs nothing, the log is read at the next start."""
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        return
    finally:
        connection.close()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what happens inside, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def one_moment(reader: sqlite3.Connection) -> Iterator[None]:
    """Let several reads see the same committed state."""
    reader.execute("BEGIN")
    try:
        yield
    finally:
        reader.execute("COMMIT")


def claim_base(connection: sqlite3.Connection, base: str) -> str:
    """Note ``base`` in new data, or raise LDP032 if the data were written under another one."""
    row = connection.execute("SELECT value FROM fact WHERE name = 'base'").fetchone()
    if row is None:
        with transaction(connection):
            connection.execute("INSERT INTO fact VALUES ('base', ?)", (base,))
    elif row[0] != base:
        raise ServerError(
            "LDP032",
            f"The IRIs in this data folder begin with {row[0]}/, but the server is to answer at {base}/. "
            f"Start it with base URL {row[0]}/, or choose another folder.",
        )
    return base


def sequence(connection: sqlite3.Connection) -> int:
    """Return the number of the last commit, which is the subtree version of the root: each changes something there."""
    return int(connection.execute("SELECT version FROM subtree WHERE container = '/'").fetchone()[0])


def record(connection: sqlite3.Connection, path: str) -> Record | None:
    """Return the resource at ``path``, or None."""
    row = connection.execute(
        "SELECT path, version, text, media_type, size, file, parent FROM resource WHERE path = ?", (path,)
    ).fetchone()
    return None if row is None else _record(row)


def records(connection: sqlite3.Connection, paths: Sequence[str]) -> dict[str, Record]:
    """Return the resources at those of ``paths`` that have one."""
    rows = connection.execute(
        "SELECT path, version, text, media_type, size, file, parent FROM resource"
        " WHERE path IN (SELECT value FROM json_each(?))",
        (json.dumps(paths),),
    )
    return {row[0]: _record(row) for row in rows.fetchall()}


def _record(row: tuple[str, int, bytes, str, int, str, str]) -> Record:
    path, version, text, media_type, size, file, above = row
    if media_type:
        return Record(path, version, b"", Binary(media_type, size, text, file))
    return Record(path, version, text, None, "" if above.endswith("/") else above)


def files(connection: sqlite3.Connection) -> list[str]:
    """Return the names of all files of contents."""
    return [row[0] for row in connection.execute("SELECT file FROM resource WHERE file != ''")]


def has_members(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether a container has a member."""
    return (
        connection.execute("SELECT 1 FROM resource WHERE parent = ? LIMIT 1", (path,)).fetchone() is not None
    )


def members(connection: sqlite3.Connection, path: str) -> list[str]:
    """Return the paths of the members of a container in order."""
    # One row, because between two rows the interpreter may change hands. No path has a line break.
    [joined] = connection.execute(
        "SELECT group_concat(path, char(10)) FROM resource WHERE parent = ?", (path,)
    ).fetchone()
    return sorted(joined.split("\n")) if joined else []


def listing(connection: sqlite3.Connection, path: str) -> tuple[Record, list[str]] | None:
    """Return a container and the paths of its members in order, or None."""
    container = record(connection, path)
    return None if container is None else (container, members(connection, path))


def counter(connection: sqlite3.Connection, path: str) -> int:
    """Return the last number a container gave out."""
    row = connection.execute("SELECT last FROM counter WHERE container = ?", (path,)).fetchone()
    return int(row[0]) if row else 0


def is_kept_name(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether a resource at ``path`` was deleted and left its name behind."""
    return connection.execute("SELECT 1 FROM kept_name WHERE path = ?", (path,)).fetchone() is not None


def save(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    """Write new states of resources."""
    connection.executemany(_SAVE, map(_row, records))


def touch(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    """Write new versions of resources that stay as they are otherwise."""
    connection.executemany(
        "UPDATE resource SET version = ? WHERE path = ?",
        [(record.version, record.path) for record in records],
    )


def remove(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Remove resources."""
    connection.executemany("DELETE FROM resource WHERE path = ?", [(path,) for path in paths])


def set_counters(connection: sqlite3.Connection, counters: Mapping[str, int]) -> None:
    """Note the last numbers that containers gave out."""
    connection.executemany(
        "INSERT INTO counter VALUES (?, ?) ON CONFLICT (container) DO UPDATE SET last = excluded.last",
        counters.items(),
    )


def keep_names(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Note names that are not used again."""
    connection.executemany("INSERT OR IGNORE INTO kept_name VALUES (?)", [(path,) for path in paths])


def _row(saved: Record) -> tuple[str, str, int, bytes, str, int, str]:
    above = "" if saved.path == "/" else saved.describes or parent(saved.path)
    if saved.binary is None:
        return saved.path, above, saved.version, saved.text, "", 0, ""
    held = saved.binary
    return saved.path, above, saved.version, held.content, held.media_type, held.size, held.file
