"""Data that an earlier version wrote are there in this one, with their members, descriptions and changes."""

import resource
import sqlite3
from pathlib import Path

import pytest

from ldp_server import ServerError, open_sqlite_store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.storage import Committed, Delete, Post, Put, Record
from ldp_server.storage.changes import Change, ChangeKind
from ldp_server.storage.database import DATA_FILE
from ldp_server.storage.layouts import LAYOUT

BASE = "http://h"
_COUNTERS = """
    CREATE TABLE counter (container TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE fact (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    INSERT INTO counter VALUES ('/c/', 4);
    INSERT INTO fact VALUES ('base', 'http://h');
"""
_CHANGES = """
    CREATE TABLE kept_name (path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE subtree (container TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE change (
        number INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, describes TEXT NOT NULL,
        PRIMARY KEY (number, path)
    ) WITHOUT ROWID;
    INSERT INTO kept_name VALUES ('/gone');
    INSERT INTO subtree VALUES ('/', 11), ('/c/', 11), ('/c/d/', 8);
    INSERT INTO change VALUES
        (8, '/c/d/', 'created', ''), (8, '/c/d/é%_', 'created', ''),
        (9, '/c/p', 'created', ''), (10, '/c/p.meta', 'changed', '/c/p'), (11, '/c/x', 'removed', '');
"""
_TABLE_1 = """
    CREATE TABLE resource (
        path TEXT PRIMARY KEY, parent TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX member ON resource (parent, path);
"""
_TABLE_2 = """
    CREATE TABLE resource (
        path TEXT PRIMARY KEY, parent TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL,
        media_type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, file TEXT NOT NULL DEFAULT ''
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX member ON resource (parent, path);
"""
_TABLE_3 = """
    CREATE TABLE resource (
        path TEXT NOT NULL PRIMARY KEY, parent TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL,
        media_type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, file TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX member ON resource (parent, path);
"""
_DOCUMENTS = """
    INSERT INTO resource (path, parent, version, text) VALUES
        ('/', '', 5, x''), ('/c/', '/', 11, x'63'), ('/c/d/', '/c/', 8, x''),
        ('/c/d/é%_', '/c/d/', 8, x'78'), ('/c/a', '/c/', 6, x'61');
"""
_CONTENTS = """
    INSERT INTO resource (path, parent, version, text) VALUES ('/c/p.meta', '/c/p', 10, x'6d');
    INSERT INTO resource VALUES ('/c/p', '/c/', 9, x'70', 'image/png', 1, '');
"""
_LAYOUT_4 = """
    CREATE TABLE resource (
        parent TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, text BLOB NOT NULL,
        media_type TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, file TEXT NOT NULL DEFAULT '',
        is_description INTEGER NOT NULL DEFAULT 0, UNIQUE (parent, name)
    );
    CREATE INDEX description ON resource (parent, name) WHERE is_description = 1;
    CREATE TABLE kept_name (path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE subtree (container TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE change (last INTEGER PRIMARY KEY, changes TEXT NOT NULL);
    INSERT INTO resource VALUES
        ('', '/', 5, x'', '', 0, '', 0), ('/', 'c/', 11, x'63', '', 0, '', 0), ('/c/', 'd/', 8, x'', '', 0, '', 0),
        ('/c/d/', 'é%_', 8, x'78', '', 0, '', 0), ('/c/', 'a', 6, x'61', '', 0, '', 0),
        ('/c/', 'p.meta', 10, x'6d', '', 0, '', 1), ('/c/', 'p', 9, x'70', 'image/png', 1, '', 0);
    INSERT INTO kept_name VALUES ('/gone');
    INSERT INTO subtree VALUES ('/', 11), ('/c/', 11), ('/c/d/', 8);
    INSERT INTO change VALUES
        (9, '[[8,"/c/d/","created",""],[8,"/c/d/é%_","created",""],[9,"/c/p","created",""]]'),
        (11, '[[10,"/c/p.meta","changed","/c/p"],[11,"/c/x","removed",""]]');
    INSERT INTO counter VALUES ('/was/', 7);
"""
_SEQUENCE = "INSERT INTO fact VALUES ('sequence', 12);"
_LAYOUTS = {
    1: (_TABLE_1, _COUNTERS, _DOCUMENTS, _SEQUENCE),
    2: (_TABLE_2, _COUNTERS, _CHANGES, _DOCUMENTS, _CONTENTS, _SEQUENCE),
    3: (_TABLE_3, _COUNTERS, _CHANGES, _DOCUMENTS, _CONTENTS),
    4: (_COUNTERS, _LAYOUT_4),
}


def text(content: str) -> Draft:
    return Draft((content.encode(),))


def _write(folder: Path, layout: int) -> None:
    folder.mkdir()
    with sqlite3.connect(folder / DATA_FILE) as connection:
        connection.executescript("".join(_LAYOUTS[layout]))
        connection.execute("PRAGMA application_id = 0x4D504C44")
        connection.execute(f"PRAGMA user_version = {layout}")
    connection.close()


def _tables(folder: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(folder / DATA_FILE) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        number = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return [("layout", str(number)), *((name, " ".join(sql.split())) for name, sql in rows if sql)]


@pytest.mark.parametrize("layout", sorted(_LAYOUTS))
async def test_data_of_an_earlier_layout_are_converted(tmp_path: Path, layout: int) -> None:
    folder, odd = tmp_path / "data", "/c/d/é%_"
    _write(folder, layout)
    content = Record("/c/p", 9, b"", Binary("image/png", 1, b"p"))
    description = Record("/c/p.meta", 10, b"m", describes="/c/p")
    has_contents, last = layout > 1, 11 if layout > 2 else 12
    for _ in range(2):
        store = open_sqlite_store(folder)
        store.claim_base(BASE)
        assert await store.read_listing("/") == (Record("/", 5, b""), ["/c/"])
        assert await store.read_listing("/c/") == (
            Record("/c/", 11, b"c"),
            ["/c/a", "/c/d/", *["/c/p"] * has_contents],
        )
        assert await store.read_listing("/c/d/") == (Record("/c/d/", 8, b""), [odd])
        assert await store.read(odd) == Record(odd, 8, b"x")
        assert await store.read("/c/p") == (content if has_contents else None)
        assert await store.read("/c/p.meta") == (description if has_contents else None)
        assert await store.was_deleted("/gone") == has_contents
        assert [await store.read_subtree(path) for path in ("/", "/c/", "/c/d/")] == [last, 11, 8]
        assert (store.log.sequence, store.log.horizon) == (last, 7 if has_contents else last)
        assert [*store.log.after(0)] == (
            [
                Change(8, "/c/d/", ChangeKind.CREATED),
                Change(8, odd, ChangeKind.CREATED),
                Change(9, "/c/p", ChangeKind.CREATED),
                Change(10, "/c/p.meta", ChangeKind.CHANGED, "/c/p"),
                Change(11, "/c/x", ChangeKind.REMOVED),
            ]
            if has_contents
            else []
        )
        await store.close()
    store = open_sqlite_store(folder)
    store.claim_base(BASE)
    assert await store.commit([Post("/c/", text("y")), Delete("/c/a"), Put(odd, text("z"))]) == [
        Committed("/c/5", last + 1, created=True),
        Committed("/c/a", last + 2),
        Committed(odd, last + 3),
    ]
    assert [await store.read_subtree(path) for path in ("/", "/c/", "/c/d/", "/was/")] == [
        last + 3,
        last + 3,
        last + 3,
        None,
    ]
    assert await store.commit([Put("/was/", text("")), Post("/was/", text("w"))]) == [
        Committed("/was/", last + 4, created=True),
        Committed("/was/8" if layout == 4 else "/was/1", last + 5, created=True),
    ]
    await store.close()
    await open_sqlite_store(tmp_path / "new").close()
    assert _tables(folder) == _tables(tmp_path / "new")
    assert _tables(folder)[0] == ("layout", str(LAYOUT))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DROP TABLE change", "no such table: change"),
        ("UPDATE change SET kind = 'eaten' WHERE number = 10", "'eaten' is not a valid ChangeKind"),
    ],
)
def test_data_that_cannot_be_converted_stay_as_they_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str, told: str
) -> None:
    _write(tmp_path / "data", 3)
    file = tmp_path / "data" / DATA_FILE
    with sqlite3.connect(file) as connection:
        connection.execute(damage)
    connection.close()
    before = _tables(tmp_path / "data")
    with pytest.raises(ServerError, match=f"LDP031.*{told}"):
        open_sqlite_store(tmp_path / "data")
    assert _tables(tmp_path / "data") == before
    assert [record.getMessage() for record in caplog.records] == [
        f"{file} is brought into the layout of this version; that may take a while"
    ]


async def test_a_conversion_without_room_leaves_the_data_as_they_were(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    _write(folder, 3)
    with sqlite3.connect(folder / DATA_FILE) as connection:
        connection.execute("UPDATE resource SET text = zeroblob(200000) WHERE path = '/c/a'")
    connection.close()
    before = _tables(folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        with pytest.raises(ServerError) as told:
            open_sqlite_store(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert told.value.message == (
        f"{folder / DATA_FILE} cannot be used: disk I/O error. Its data are as they were; make room for them and let "
        "the server write there, or choose another folder."
    )
    assert _tables(folder) == before
    await open_sqlite_store(folder).close()
    assert _tables(folder)[0] == ("layout", str(LAYOUT))
