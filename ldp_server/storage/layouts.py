"""The tables of the data file, and how data of earlier layouts become data of this one.

Layout 5. A resource is kept under its place: the container that holds it and its name there. The one index of places
finds a resource and lists a container. Rows lie in the order they came, so that new ones share pages wherever their
names belong, and no text of some 1,000 bytes has a page of its own, as it would have in the index that a table
WITHOUT ROWID is. What moves in a container with every change below it lies apart, in one row for each container.
"""

import sqlite3
from itertools import groupby

from ldp_server.paths import ancestors, is_container, place
from ldp_server.storage import change_rows, container_rows
from ldp_server.storage.changes import Change, ChangeKind

LAYOUT = 5
READABLE = range(1, LAYOUT + 1)
_LAST_WITHOUT_CHANGES = 1
_LAST_WITH_SEQUENCE = 2
_LAST_WITH_PATHS = 3

_RESOURCES = """
    CREATE TABLE resource (
        parent TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL,
        media_type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, file TEXT NOT NULL DEFAULT '',
        is_description INTEGER NOT NULL DEFAULT 0, UNIQUE (parent, name)
    );
    CREATE INDEX description ON resource (parent, name) WHERE is_description = 1;
"""
_OTHERS = """
    CREATE TABLE kept_name (path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE fact (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""
_FROM_LAYOUT_1 = """
    ALTER TABLE resource ADD COLUMN media_type TEXT NOT NULL DEFAULT '';
    ALTER TABLE resource ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE resource ADD COLUMN file TEXT NOT NULL DEFAULT '';
    CREATE TABLE kept_name (path TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_SET_RESOURCES_ASIDE = "DROP INDEX member; ALTER TABLE resource RENAME TO resource_before"
# The parent of a description was what it describes, which is no container.
_BRING_RESOURCES_BACK = """
    INSERT INTO resource
        SELECT container, substr(path, length(container) + 1), version, text, media_type, size, file,
            parent != '' AND parent NOT LIKE '%/'
        FROM (SELECT *, container_of(path) AS container FROM resource_before);
    DROP TABLE resource_before;
"""
_SUBTREES = "CREATE TABLE subtree (container TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID"
_MOVE_SEQUENCE = """
    UPDATE subtree SET version = (SELECT value FROM fact WHERE name = 'sequence') WHERE container = '/';
    DELETE FROM fact WHERE name = 'sequence';
"""
_FILL_CONTAINERS = """
    INSERT INTO container SELECT container, 0, version, 0 FROM subtree;
    INSERT INTO container SELECT container, 0, 0, last FROM counter WHERE true
        ON CONFLICT (path) DO UPDATE SET counter = excluded.counter;
    DROP TABLE subtree;
    DROP TABLE counter;
"""


def create(connection: sqlite3.Connection, first: int) -> None:
    """Make the tables of new data, whose root has the version ``first``."""
    _run(connection, _RESOURCES + _OTHERS + container_rows.CONTAINERS + change_rows.LOG)
    connection.execute(
        "INSERT INTO resource (parent, name, version, text) VALUES ('', '/', ?, x'')", (first,)
    )
    connection.execute("INSERT INTO container VALUES ('/', 0, ?, 0)", (first,))


def convert(connection: sqlite3.Connection, layout: int) -> None:
    """Bring data of an earlier ``layout`` into this one; call it in a transaction."""
    if layout <= _LAST_WITHOUT_CHANGES:
        _run(connection, _FROM_LAYOUT_1)
    if layout <= _LAST_WITH_PATHS:
        connection.create_function("container_of", 1, lambda path: place(path)[0], deterministic=True)
        for script in (_SET_RESOURCES_ASIDE, _RESOURCES, _BRING_RESOURCES_BACK):
            _run(connection, script)
        if layout <= _LAST_WITHOUT_CHANGES:
            _begin_changes(connection)
        else:
            _convert_changes(connection)
    if layout <= _LAST_WITH_SEQUENCE:
        _run(connection, _MOVE_SEQUENCE)
    _run(connection, container_rows.CONTAINERS + _FILL_CONTAINERS)


def _begin_changes(connection: sqlite3.Connection) -> None:
    _run(connection, change_rows.LOG + ";" + _SUBTREES)
    connection.executemany("INSERT INTO subtree VALUES (?, ?)", _subtrees(connection).items())


def _subtrees(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the subtree versions as they follow from the resources: the highest version at or below a container.

    The version of a container moved when a member went, so what was removed is not missed.
    """
    versions: dict[str, int] = {}
    for path, version in connection.execute("SELECT parent || name, version FROM resource ORDER BY version"):
        own = [path] if is_container(path) else []
        versions |= dict.fromkeys([*own, *ancestors(path)], version)
    return versions


def _convert_changes(connection: sqlite3.Connection) -> None:
    """Give the changes of each commit one row; they had one each."""
    connection.execute("ALTER TABLE change RENAME TO change_before")
    _run(connection, change_rows.LOG)
    rows = connection.execute("SELECT number, path, kind, describes FROM change_before ORDER BY number, path")
    for _, commit in groupby(rows, key=lambda row: row[0]):
        change_rows.note(
            connection,
            [Change(number, path, ChangeKind(kind), describes) for number, path, kind, describes in commit],
        )
    connection.execute("DROP TABLE change_before")


def _run(connection: sqlite3.Connection, script: str) -> None:
    for statement in script.split(";"):
        connection.execute(statement)
