"""A data folder that is in use, damaged or not ours is refused, and left as it is."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ldp_server import ServerError, open_sqlite_store
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.storage import Put
from ldp_server.storage.database import DATA_FILE, LOCK_FILE

BASE = "http://h"


def text(content: str) -> Draft:
    return Draft((content.encode(),))


async def test_a_folder_in_use_is_refused_and_free_after_closing(tmp_path: Path) -> None:
    first = open_sqlite_store(tmp_path, first=1)
    with pytest.raises(ServerError, match="LDP030"):
        open_sqlite_store(tmp_path, first=1)
    await first.close()
    await open_sqlite_store(tmp_path).close()


async def test_data_of_another_base_url_are_refused(tmp_path: Path) -> None:
    first = open_sqlite_store(tmp_path, first=1)
    first.claim_base("http://h:1")
    await first.close()
    second = open_sqlite_store(tmp_path, first=1)
    with pytest.raises(ServerError, match=r"LDP032.*http://h:1/"):
        second.claim_base("http://h:2")
    await second.close()


def _other_program(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()


def _other_layout(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.executescript(
            "CREATE TABLE t (x); PRAGMA application_id = 0x4D504C44; PRAGMA user_version = 99;"
        )
    connection.close()


def _noise(file: Path) -> None:
    file.write_bytes(b"this is not a database" * 100)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        (DATA_FILE, _other_program),
        (DATA_FILE, _other_layout),
        (DATA_FILE, _noise),
        (LOCK_FILE, _noise),
        (DATA_FILE, Path.mkdir),
    ],
)
def test_a_foreign_file_is_refused_and_left_alone(
    tmp_path: Path, name: str, spoil: Callable[[Path], None]
) -> None:
    spoil(tmp_path / name)
    before = (tmp_path / name).read_bytes() if (tmp_path / name).is_file() else b""
    with pytest.raises(ServerError, match="LDP031"):
        open_sqlite_store(tmp_path, first=1)
    assert ((tmp_path / name).read_bytes() if before else b"") == before


async def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    await store.commit([Put(f"/c/{n}", text("x" * 500)) for n in range(200)])
    await store.close()
    data = bytearray((tmp_path / DATA_FILE).read_bytes())
    data[4096 * 2 : 4096 * 6] = b"\x07" * (4096 * 4)
    (tmp_path / DATA_FILE).write_bytes(data)
    with pytest.raises(ServerError, match=r"LDP031.*damaged"):
        open_sqlite_store(tmp_path, first=1)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="LDP031"):
        open_sqlite_store(tmp_path / "file")


async def test_files_that_no_resource_names_are_removed_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    files = []
    for content in (b"kept", b"orphan", b"lost"):
        incoming = store.contents.create()
        incoming.write(content)
        incoming.finish()
        files.append(tmp_path / "contents" / incoming.name)
    await store.commit(
        [
            Put("/kept", Binary("a/b", 4, file=files[0].name)),
            Put("/lost", Binary("a/b", 4, file=files[2].name)),
        ]
    )
    await store.close()
    files[2].unlink()
    again = open_sqlite_store(tmp_path)
    assert list((tmp_path / "contents").iterdir()) == [files[0]]
    with again.contents.open(files[0].name) as kept:
        assert kept.read() == b"kept"
    assert [record.getMessage().partition(" is missing")[0] for record in caplog.records] == [
        f"the content {files[2]}"
    ]
    await again.close()


@pytest.mark.parametrize(
    "damage",
    [
        "INSERT INTO change VALUES (2, '[[2,')",
        """INSERT INTO change VALUES (2, '[[2,"/a","eaten",""]]')""",
        "INSERT INTO change VALUES (2, CAST(x'22ff22' AS TEXT))",
        "INSERT INTO change SELECT 2, '[[2,\"/a\",\"created\",\"\",' || replace(hex(zeroblob(50000)), '0', '[')",
        "DROP TABLE change",
        "DELETE FROM container",
    ],
)
async def test_a_damaged_log_is_refused_and_the_data_are_free_afterwards(tmp_path: Path, damage: str) -> None:
    await open_sqlite_store(tmp_path, first=1).close()
    with sqlite3.connect(tmp_path / DATA_FILE) as connection:
        connection.execute(damage)
    connection.close()
    with pytest.raises(
        ServerError,
        match=r"LDP031.*resources\.sqlite3 cannot be used: its change log is damaged \(.*Restore a copy",
    ):
        open_sqlite_store(tmp_path)
    (tmp_path / DATA_FILE).unlink()
    await open_sqlite_store(tmp_path).close()


async def test_contents_that_have_no_folder_are_told_and_the_data_are_free_afterwards(tmp_path: Path) -> None:
    (tmp_path / "contents").write_text("a file")
    with pytest.raises(ServerError, match=r"LDP031.*contents is not usable for contents \(File exists\)"):
        open_sqlite_store(tmp_path, first=1)
    (tmp_path / "contents").unlink()
    await open_sqlite_store(tmp_path, first=1).close()
