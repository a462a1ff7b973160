"""The durable store: writers share transactions, and what fails takes nothing else with it."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ldp_server import SqliteStore, Store, open_sqlite_store
from ldp_server.documents import Draft
from ldp_server.paths import parent
from ldp_server.storage import (
    Committed,
    Delete,
    Outcome,
    Post,
    Put,
    Reason,
    Record,
    Refusal,
    Write,
    path_filter,
)
from ldp_server.storage.changes import Change
from ldp_server.storage.database import DATA_FILE
from ldp_server.validators import Precondition, Tags

BASE = "http://h"
ABSENT = Precondition(none_match=Tags(any_state=True))


def text(content: str) -> Draft:
    return Draft((content.encode(),))


async def members(store: Store, path: str) -> list[str]:
    found = await store.read_listing(path)
    assert found is not None
    return found[1]


async def test_many_writers_share_commits_and_all_are_answered(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    outcomes = await asyncio.gather(*(store.commit([Put(f"/c/{n}", text(str(n)))]) for n in range(200)))
    assert sorted(outcome.version for [outcome] in outcomes if isinstance(outcome, Committed)) == list(
        range(2, 202)
    )
    assert await members(store, "/c/") == sorted(f"/c/{n}" for n in range(200))
    await store.close()


async def test_a_full_queue_refuses_at_once_and_recovers(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1, max_waiting=3)
    store.claim_base(BASE)
    outcomes = await asyncio.gather(*(store.commit([Put(f"/{n}", text(""))]) for n in range(5)))
    assert [type(outcome) for [outcome] in outcomes] == [Committed, Committed, Committed, Refusal, Refusal]
    assert outcomes[4] == [Refusal(Reason.BUSY, "/")]
    assert await store.commit([Put("/late", text(""))]) == [Committed("/late", 5, created=True)]
    await store.close()


async def test_who_cannot_be_told_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)

    def fail(_outcomes: list[Outcome]) -> None:
        raise RuntimeError("nobody listens")

    store.submit([Put("/a", text("x"))], fail)
    written = asyncio.wait_for(store.commit([Put("/b", text("y"))]), 20)
    assert await written == [Committed("/b", 3, created=True)]
    await store.close()


class Traced(SqliteStore):
    """A store that tells what its writer asks of the data file."""

    def trace(self) -> list[str]:
        statements: list[str] = []
        self._connection.set_trace_callback(
            lambda statement: statements.append(" ".join(statement.split()[:3]))
        )
        return statements


async def test_requests_that_wait_share_a_transaction_that_writes_each_row_once(
    tmp_path: Path,
) -> None:
    store = Traced(tmp_path, first=1)
    store.claim_base(BASE)
    statements = store.trace()
    await asyncio.gather(
        store.commit([Put("/c/", text(""))]),
        store.commit([Put("/c/1", text("x")), Put("/c/1", text("y"))]),
        store.commit([Put("/c/2", text("x"))]),
        store.commit([Post("/c/", text("x"))]),
        store.commit([Delete("/c/2")]),
        store.commit([Put("/c/2", text("z"))]),
    )
    while_the_first_was_written = statements[statements.index("COMMIT") + 1 :]
    assert Counter(while_the_first_was_written) == {
        "BEGIN IMMEDIATE": 1,
        "WITH wanted (parent,": 1,
        "SELECT counter FROM": 1,
        "DELETE FROM resource": 1,
        "INSERT INTO resource": 1,
        "INSERT INTO change": 1,
        "INSERT INTO container": 1,
        "COMMIT": 1,
    }
    await store.close()


async def test_new_resources_are_not_looked_for_and_the_names_that_the_file_has_are_found(
    tmp_path: Path,
) -> None:
    before = open_sqlite_store(tmp_path, first=1)
    before.claim_base(BASE)
    await before.commit([Put("/c/1", text("")), Put("/c/2/", text("")), Put("/c/s/", text(""))])
    await before.close()
    store = Traced(tmp_path)
    store.claim_base(BASE)
    assert await store.commit([Put("/d/new", text(""))]) == [Committed("/d/new", 5, created=True)]
    statements = store.trace()
    assert await store.commit(
        [
            Put("/d/other", text("")),
            Post("/c/", text("")),
            Post("/c/", text(""), slug="s"),
            Put("/c/1", text("")),
        ]
    ) == [
        Committed("/d/other", 6, created=True),
        Committed("/c/3", 7, created=True),
        Committed("/c/s-4", 8, created=True),
        Committed("/c/1", 9),
    ]
    asked = [statement for statement in statements if statement.startswith(("WITH", "SELECT"))]
    # The one path that is there, its container, and for two names that are taken the name and its slash twin; of the three
    # that are containers it is asked whether a member came or went.
    assert Counter(asked) == {"WITH wanted (parent,": 6, "SELECT path, listed": 3, "SELECT counter FROM": 1}
    await store.close()


async def test_what_is_ruled_out_is_worked_out_anew_when_much_was_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_filter, "_FEWEST_PLACES", 32)
    store = Traced(tmp_path, first=1)
    store.claim_base(BASE)
    statements = store.trace()
    for number in range(20):
        assert await store.commit([Put(f"/{number}", text(""), ABSENT)]) == [
            Committed(f"/{number}", number + 2, created=True)
        ]
    assert 2 <= statements.count("SELECT count(*) FROM") <= 5
    again = await store.commit(
        [Put(f"/{number}{slash}", text(""), ABSENT) for number in range(20) for slash in ("", "/")]
    )
    assert again == [
        Refusal(reason, f"/{number}")
        for number in range(20)
        for reason in (Reason.PRECONDITION, Reason.SLASH_TWIN)
    ]
    await store.close()


async def test_a_number_that_a_container_gave_out_is_not_given_out_again_after_a_restart_or_its_end(
    tmp_path: Path,
) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    rounds: list[tuple[list[Write], str]] = [
        ([Put("/c/", text("")), Put("/empty/", text("")), Post("/c/", text(""))], "/c/1"),
        ([Delete("/c/1"), Put("/c/x", text("")), Post("/c/", text(""))], "/c/2"),
        ([Put("/c/x", text("y")), Delete("/c/2")], ""),
        ([Post("/c/", text(""))], "/c/3"),
        ([Delete("/c/x"), Delete("/c/3"), Delete("/c/"), Delete("/empty/")], ""),
        ([Put("/c/", text("")), Post("/c/", text(""))], "/c/4"),
    ]
    for writes, made in rounds:
        store.claim_base(BASE)
        *_, last = await store.commit(writes)
        assert isinstance(last, Committed)
        assert not made or last.path == made
        await store.close()
        store = open_sqlite_store(tmp_path)
    await store.close()
    with closing(sqlite3.connect(tmp_path / DATA_FILE)) as data:
        rows = data.execute("SELECT path, counter FROM container ORDER BY path").fetchall()
    # A container that gave out no number leaves nothing.
    assert rows == [("/", 0), ("/c/", 4)]


async def test_what_is_refused_writes_nothing(tmp_path: Path) -> None:
    store = Traced(tmp_path, first=1)
    store.claim_base(BASE)
    await store.commit([Put("/x", text(""))])
    statements = store.trace()
    assert await store.commit([Put("/x", text("y"), ABSENT)]) == [Refusal(Reason.PRECONDITION, "/x")]
    assert statements == ["BEGIN IMMEDIATE", "COMMIT"]
    await store.close()


async def test_what_the_log_has_forgotten_goes_from_the_data_file_with_the_next_commit(
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path, first=1, log_bytes=1000)
    store.claim_base(BASE)
    horizons = set()
    for number in range(2, 32):
        horizons.add(forgotten := store.log.horizon)
        await store.commit([Put("/x", text(str(number)))])
        with closing(sqlite3.connect(tmp_path / DATA_FILE)) as data:
            kept = [last for (last,) in data.execute("SELECT last FROM change ORDER BY last")]
        assert kept == [*range(forgotten + 1, number + 1)]
    assert len(horizons) > 5
    await store.close()


async def test_a_restart_keeps_what_a_log_held_that_had_forgotten_a_part_of_a_batch(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, first=1, log_bytes=1000)
    store.claim_base(BASE)
    for size in (1, 6, 1):
        await store.commit([Put("/x", text(str(number))) for number in range(size)])
    held = [change.number for change in store.log.after(0)]
    await store.close()
    again = SqliteStore(tmp_path, log_bytes=1000)
    recalled = [change.number for change in again.log.after(0)]
    assert (held, recalled) == ([5, 6, 7, 8, 9], [4, 5, 6, 7, 8, 9])
    assert (again.log.horizon, again.log.sequence) == (3, 9)
    await again.close()


class BrokenDraft(Draft, frozen=True):
    def named(self, name: str) -> bytes:
        raise RuntimeError(name)


async def test_a_write_that_fails_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    outcomes = await asyncio.gather(
        store.commit([Put("/a", text("a"))]),
        store.commit([Put("/b", BrokenDraft((b"",)))]),
        store.commit([Put("/c", text("c"))]),
    )
    assert outcomes[1] == [Refusal(Reason.FAILED, "/")]
    assert await members(store, "/") == ["/a", "/c"]
    await store.close()


async def test_who_is_told_of_a_write_sees_all_that_was_written_with_it(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    seen: list[Record | None] = []

    def look(_: list[Outcome]) -> None:
        seen.append(store.at_hand("/a"))

    for path, draft in (
        ("/alone", text("")),
        ("/a", text("a")),
        ("/b", BrokenDraft((b"",))),
        ("/a", text("later")),
    ):
        store.submit([Put(path, draft)], look)
    await store.commit([Put("/c", text("c"))])
    assert seen == [None, *[Record("/a", 4, b"later")] * 3]
    await store.close()


async def test_commits_that_cannot_be_told_to_a_listener_do_not_hold_up_those_after_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Sequence[Change] | None) -> None:
        deafen()
        raise RuntimeError("deaf")

    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    deafen = store.log.listen(fail)
    told: list[list[Outcome]] = []
    store.submit([Put("/a", text("a"))], told.append)
    assert await store.commit([Put("/b", text("b"))]) == [Committed("/b", 3, created=True)]
    assert told == []
    assert "RuntimeError: deaf" in caplog.text
    await store.close()


class SmallDisk(SqliteStore):
    """A store whose file cannot grow beyond a number of pages."""

    def limit(self, pages: int) -> None:
        self._connection.execute(f"PRAGMA max_page_count = {pages}")


async def test_a_full_disk_refuses_whole_writes_and_keeps_what_was_acknowledged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = SmallDisk(tmp_path)
    store.claim_base(BASE)
    store.limit(40)
    puts = [Put(f"/{n}/deep/doc", text("x" * 3000)) for n in range(60)]
    outcomes = await asyncio.gather(*(store.commit([put]) for put in puts))
    kept = [put for put, [outcome] in zip(puts, outcomes, strict=True) if isinstance(outcome, Committed)]
    assert 5 < len(kept) < 60
    assert outcomes.count([Refusal(Reason.FAILED, "/")]) == 60 - len(kept)
    assert await members(store, "/") == sorted(parent(parent(put.path)) for put in kept)
    store.limit(1000)
    late = [Put(put.path, put.draft, ABSENT) for put in puts if put not in kept]
    assert all(isinstance(outcome, Committed) and outcome.created for outcome in await store.commit(late))
    await store.close()
    again = open_sqlite_store(tmp_path)
    assert await members(again, "/") == sorted(parent(parent(put.path)) for put in puts)
    for put in puts:
        record = await again.read(put.path)
        assert record is not None
        assert record.text == b"x" * 3000
    await again.close()
    assert "the data file takes no write: database or disk is full" in caplog.text
    assert "Traceback" not in caplog.text
