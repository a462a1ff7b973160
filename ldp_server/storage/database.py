"""The SQLite file: its statements, and what is checked when it is opened.

Membership is not stored twice: the members of a container are the rows whose parent it is, so a listing
cannot disagree with the resources.
"""

import logging
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from operator import itemgetter
from pathlib import Path

from msgspec import DecodeError
from msgspec.structs import replace

from ldp_server.binaries import Binary, described_by
from ldp_server.faults import ServerError
from ldp_server.paths import is_container, place
from ldp_server.storage import change_rows, container_rows, layouts
from ldp_server.storage.changes import ChangeLog
from ldp_server.storage.port import Record
from ldp_server.storage.statements import marks, portions

LOG = logging.getLogger(__name__)

DATA_FILE = "resources.sqlite3"
LOCK_FILE = "lock.sqlite3"

_APPLICATION_ID = 0x4D504C44
_OF_THE_SYSTEM = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
)
"""What SQLite says when the file is well but the system does not let it read or write."""


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
    except (sqlite3.DatabaseError, ValueError) as error:
        connection.close()
        if isinstance(error, sqlite3.Error) and error.sqlite_errorcode & 0xFF in _OF_THE_SYSTEM:
            raise ServerError(
                "LDP031",
                f"{file} cannot be used: {error}. Its data are as they were; make room for them and let the server "
                "write there, or choose another folder.",
            ) from None
        raise _foreign(file, str(error)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, file: Path, first: int) -> None:
    application, layout = _number(connection, "application_id"), _number(connection, "user_version")
    is_new = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not is_new and application != _APPLICATION_ID:
        raise _foreign(file, "it belongs to another program")
    if not is_new and layout not in layouts.READABLE:
        raise _foreign(file, f"it has layout {layout}, this version reads layout {layouts.LAYOUT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if is_new:
        with transaction(connection):
            layouts.create(connection, first)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {layouts.LAYOUT}")
        return
    if (verdict := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise _foreign(file, f"it is damaged ({verdict[:200]})")
    if layout != layouts.LAYOUT:
        LOG.warning("%s is brought into the layout of this version; that may take a while", file)
        with transaction(connection):
            layouts.convert(connection, layout)
            connection.execute(f"PRAGMA user_version = {layouts.LAYOUT}")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


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
    number = container_rows.subtree(connection, "/")
    if number is None:
        raise sqlite3.DatabaseError("the version of the root is missing")
    return number


def read_log(connection: sqlite3.Connection, folder: Path, max_bytes: int) -> ChangeLog:
    """Return the change log of the data in ``folder``, or raise LDP031."""
    try:
        return change_rows.load(connection, sequence(connection), max_bytes)
    except (DecodeError, RecursionError, sqlite3.DatabaseError) as error:
        raise _foreign(folder / DATA_FILE, f"its change log is damaged ({error})") from None


def record(connection: sqlite3.Connection, path: str) -> Record | None:
    """Return the resource at ``path``, or None."""
    return records(connection, [path]).get(path)


def records(connection: sqlite3.Connection, paths: Sequence[str]) -> dict[str, Record]:
    """Return the resources at those of ``paths`` that have one."""
    found: dict[str, Record] = {}
    for some in portions(paths):
        places = [*chain.from_iterable(map(place, some))]
        for row in connection.execute(_search(len(some)), places).fetchall():
            record = _record(row)
            found[record.path] = record
    containers = [*filter(is_container, found)]
    for path, number in container_rows.listed(connection, containers).items():
        if number > found[path].version:
            found[path] = replace(found[path], version=number)
    return found


@cache
def _search(places: int) -> str:
    """Return the statement that reads the resources at so many places."""
    return f"""
        WITH wanted (parent, name) AS (VALUES {marks(2, places)})
        SELECT parent, name, version, text, media_type, size, file, is_description
        FROM wanted CROSS JOIN resource USING (parent, name)
    """  # noqa: S608  nothing but marks is put in


@cache
def _save(rows: int) -> str:
    """Return the statement that writes so many new states."""
    return f"""
        INSERT INTO resource VALUES {marks(8, rows)} ON CONFLICT (parent, name) DO UPDATE SET
        version = excluded.version, text = excluded.text, media_type = excluded.media_type, size = excluded.size,
        file = excluded.file
    """  # noqa: S608  nothing but marks is put in


def _record(row: tuple[str, str, int, bytes, str, int, str, int]) -> Record:
    container, name, version, text, media_type, size, file, is_description = row
    path = container + name
    if media_type:
        return Record(path, version, b"", Binary(media_type, size, text, file))
    return Record(path, version, text, None, described_by(path) if is_description else "")


def files(connection: sqlite3.Connection) -> list[str]:
    """Return the names of all files of contents."""
    return [row[0] for row in connection.execute("SELECT file FROM resource WHERE file != ''")]


def count(connection: sqlite3.Connection) -> int:
    """Return how many resources there are."""
    return int(connection.execute("SELECT count(*) FROM resource").fetchone()[0])


def paths(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the paths of all resources."""
    return map(itemgetter(0), connection.execute("SELECT parent || name FROM resource"))


def has_members(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether a container has a member; a description is none, but is never there without what it describes."""
    return (
        connection.execute("SELECT 1 FROM resource WHERE parent = ? LIMIT 1", (path,)).fetchone() is not None
    )


def members(connection: sqlite3.Connection, path: str) -> list[str]:
    """Return the paths of the members of a container in order; a description is none."""
    names = _names(connection, "SELECT group_concat(name, char(10)) FROM resource WHERE parent = ?", path)
    descriptions = set(
        _names(
            connection,
            "SELECT group_concat(name, char(10)) FROM resource WHERE parent = ? AND is_description = 1",
            path,
        )
    )
    # The index gives them nearly in order, which sorting makes use of.
    names.sort()
    return [path + name for name in names if name not in descriptions]


def _names(connection: sqlite3.Connection, question: str, path: str) -> list[str]:
    """Return the names that come in one row, because between two the interpreter may change hands; none has a line break."""
    [joined] = connection.execute(question, (path,)).fetchone()
    return joined.split("\n") if joined else []


def listing(connection: sqlite3.Connection, path: str) -> tuple[Record, list[str]] | None:
    """Return a container and the paths of its members in order, or None."""
    container = record(connection, path)
    return None if container is None else (container, members(connection, path))


def is_kept_name(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether a resource at ``path`` was deleted and left its name behind."""
    return connection.execute("SELECT 1 FROM kept_name WHERE path = ?", (path,)).fetchone() is not None


def save(connection: sqlite3.Connection, records: Collection[Record]) -> None:
    """Write new states of resources."""
    for some in portions([*map(_row, records)]):
        connection.execute(_save(len(some)), [*chain.from_iterable(some)])


def remove(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Remove resources."""
    connection.executemany("DELETE FROM resource WHERE parent = ? AND name = ?", map(place, paths))


def keep_names(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Note names that are not used again."""
    connection.executemany("INSERT OR IGNORE INTO kept_name VALUES (?)", [(path,) for path in paths])


def _row(saved: Record) -> tuple[str, str, int, bytes, str, int, str, int]:
    container, name = place(saved.path)
    if saved.binary is None:
        return container, name, saved.version, saved.text, "", 0, "", 1 if saved.describes else 0
    held = saved.binary
    return container, name, saved.version, held.content, held.media_type, held.size, held.file, 0
