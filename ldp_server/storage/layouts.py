"""The tables of the data file, and how data of earlier layouts become data of this one.

Layout 4. A resource is kept under its place: the container that holds it and its name there. The one index of places
finds a resource and lists a container. Rows lie in the order they came, so that new ones share pages wherever their
names belong, and no text of some 1,000 bytes has a page of its own, as it would have in the index that a table
WITHOUT ROWID is.
"""

import sqlite3
from itertools import groupby

from ldp_server.paths import place
from ldp_server.storage import change_rows
from ldp_server.storage.changes import Change, ChangeKind

LAYOUT = 4
READABLE = range(1, LAYOUT + 1)
_LAST_WITHOUT_CHANGES = 1
_LAST_WITH_SEQUENCE = 2

_RESOURCES = """
    CREATE TABLE resource (
        parent TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL,
        media_type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, file TEXT NOT NULL DEFAULT '',
        is_description INTEGER NOT NULL DEFAULT 0, UNIQUE (parent, name)
    );
    CREATE INDEX description ON resource (parent, name) WHERE is_description = 1;
"""
_OTHERS = """
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
_SET_RESOURCES_ASIDE = "DROP INDEX member; ALTER TABLE resource RENAME TO resource_before"
# The parent of a description was what it describes, which is no container.
_BRING_RESOURCES_BACK = """
    INSERT INTO resource
        SELECT container, substr(path, length(container) + 1), version, text, media_type, size, file,
            parent != '' AND parent NOT LIKE '%/'
        FROM (SELECT *, container_of(path) AS container FROM resource_before);
    DROP TABLE resource_before;
"""
_MOVE_SEQUENCE = """
    UPDATE subtree SET version = (SELECT value FROM fact WHERE name = 'sequence') WHERE container = '/';
    DELETE FROM fact WHERE name = 'sequence';
"""


def create(connection: sqlite3.Connection, first: int) -> None:
    """Make the tables of new data, whose root has the version ``first``."""
    _run(connection, _RESOURCES + _OTHERS)
    connection.execute(
        "INSERT INTO resource (parent, name, version, text) VALUES ('', '/', ?, x'')", (first,)
    )
    _begin_changes(connection)


def convert(connection: sqlite3.Connection, layout: int) -> None:
    """Bring data of an earlier ``layout`` into this one; call it in a transaction."""
    if layout <= _LAST_WITHOUT_CHANGES:
        _run(connection, _FROM_LAYOUT_1)
    connection.create_function("container_of", 1, lambda path: place(path)[0], deterministic=True)
    for script in (_SET_RESOURCES_ASIDE, _RESOURCES, _BRING_RESOURCES_BACK):
        _run(connection, script)
    if layout <= _LAST_WITHOUT_CHANGES:
        _begin_changes(connection)
    else:
        _convert_changes(connection)
    if layout <= _LAST_WITH_SEQUENCE:
        _run(connection, _MOVE_SEQUENCE)


def _begin_changes(connection: sqlite3.Connection) -> None:
    _run(connection, change_rows.SUBTREES + change_rows.LOG)
    change_rows.move_subtrees(connection, change_rows.work_out_subtrees(connection))


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
