"""What a commit makes visible to reads, and when: nothing early, nothing late, and nothing old after it."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from ldp_server import SqliteStore, open_sqlite_store
from ldp_server.documents import Draft
from ldp_server.feeds.hub import Hub
from ldp_server.storage import Committed, Delete, Outcome, Put, Reason, Record, Refusal
from ldp_server.storage.changes import Change, ChangeKind
from ldp_server.storage.writer import Request, Writer, Written

BASE = "http://h"


def text(content: str) -> Draft:
    return Draft((content.encode(),))


Found = TypeVar("Found")


class SlowReader(SqliteStore):
    """A store that hands over what it read first when it may."""

    def __init__(self, folder: Path) -> None:
        self.has_read = threading.Event()
        self.may_answer = threading.Event()
        super().__init__(folder, first=1)

    def _answer_now(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        found = super()._answer_now(question)
        if not self.has_read.is_set():
            self.has_read.set()
            self.may_answer.wait(20)
        return found


@pytest.mark.parametrize(
    ("read", "path", "old", "new"),
    [
        (SlowReader.read, "/x", None, Record("/x", 2, b"new")),
        (SlowReader.read_listing, "/", (Record("/", 1, b""), []), (Record("/", 2, b""), ["/x"])),
    ],
    ids=["document", "listing"],
)
async def test_a_read_that_a_commit_overtakes_does_not_bring_the_old_state_back(
    tmp_path: Path,
    read: Callable[[SlowReader, str], Coroutine[None, None, object]],
    path: str,
    old: object,
    new: object,
) -> None:
    store = SlowReader(tmp_path)
    store.claim_base(BASE)
    reading = asyncio.create_task(read(store, path))
    await asyncio.to_thread(store.has_read.wait, 20)
    await store.commit([Put("/x", text("new"))])
    store.may_answer.set()
    assert await reading == old
    assert await read(store, path) == new
    await store.close()


async def test_who_is_told_of_a_new_member_sees_it_listed_without_waiting(tmp_path: Path) -> None:
    store = open_sqlite_store(tmp_path, first=1)
    store.claim_base(BASE)
    await store.read_listing("/")
    seen: list[object] = []

    def look(_: list[Outcome]) -> None:
        with pytest.raises(StopIteration) as ended:
            store.read_listing("/").send(None)
        seen.append(ended.value.value)

    store.submit([Put("/a", text("a"))], look)
    await store.commit([Put("/b", text("b"))])
    await store.commit([Delete("/a")])
    store.submit([Delete("/b")], look)
    await store.close()
    await asyncio.sleep(0)
    assert seen == [(Record("/", 2, b""), ["/a"]), (Record("/", 5, b""), [])]


class DoubtfulWriter(Writer):
    """A writer that is told that a commit failed, that of the next batch of so many requests; it did fail, or it did not."""

    fails_with = 0
    is_written = True

    def _write(self, batch: Sequence[Request]) -> Written:
        is_doubtful = len(batch) == self.fails_with
        if is_doubtful:
            self.fails_with = 0
        if self.is_written or not is_doubtful:
            written = super()._write(batch)
        if is_doubtful:
            raise sqlite3.OperationalError("disk I/O error")
        return written


class DoubtfulStore(SqliteStore):
    """A store with such a writer, and what a listener of its log ``heard``."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, first=1)
        self._writer = self.doubtful = DoubtfulWriter(self._connection, self._log, 1 << 20)
        self.claim_base(BASE)
        self.heard: list[Sequence[Change] | None] = []
        self.log.listen(self.heard.append)


async def test_after_a_commit_that_may_have_failed_the_file_says_what_is_there(tmp_path: Path) -> None:
    store = DoubtfulStore(tmp_path)
    await store.commit([Put("/old", text(""))])
    assert await store.read("/x") is None
    assert await store.read_listing("/") == (Record("/", 2, b""), ["/old"])
    store.doubtful.fails_with = 1
    assert await store.commit([Put("/x", text("x"))]) == [Refusal(Reason.FAILED, "/")]
    assert await store.commit([Put("/y", text("y"))]) == [Committed("/y", 4, created=True)]
    assert await store.read_listing("/") == (Record("/", 4, b""), ["/old", "/x", "/y"])
    assert await store.read("/x") == Record("/x", 3, b"x")
    await store.close()


async def test_after_a_commit_that_may_have_failed_who_follows_is_told_that_something_is_lost(
    tmp_path: Path,
) -> None:
    store = DoubtfulStore(tmp_path)
    subscription = Hub(store.log).subscribe(frozenset({"/x"}))
    store.doubtful.fails_with = 1
    assert await store.commit([Put("/x", text("x"))]) == [Refusal(Reason.FAILED, "/")]
    assert store.heard == [None]
    assert (store.log.horizon, store.log.sequence) == (2, 2)
    assert subscription.take() is None
    await store.commit([Put("/x", text("y"))])
    known = [Change(3, "/x", ChangeKind.CHANGED)]
    assert (store.heard[1:], store.log.after(0), subscription.take()) == ([known], known, known)
    await store.close()


async def test_after_a_batch_that_may_have_failed_its_requests_are_written_again_behind_a_gap(
    tmp_path: Path,
) -> None:
    store = DoubtfulStore(tmp_path)
    store.doubtful.fails_with = 2
    await asyncio.gather(*(store.commit([Put(path, text("x"))]) for path in ("/alone", "/x", "/y")))
    assert store.heard == [
        [Change(2, "/alone", ChangeKind.CREATED)],
        None,
        [Change(5, "/x", ChangeKind.CHANGED)],
        [Change(6, "/y", ChangeKind.CHANGED)],
    ]
    assert store.log.horizon == 4
    await store.close()


async def test_a_commit_that_failed_indeed_is_no_loss(tmp_path: Path) -> None:
    store = DoubtfulStore(tmp_path)
    store.doubtful.fails_with, store.doubtful.is_written = 1, False
    assert await store.commit([Put("/x", text("x"))]) == [Refusal(Reason.FAILED, "/")]
    await store.commit([Put("/y", text("y"))])
    assert store.heard == [[Change(2, "/y", ChangeKind.CREATED)]]
    assert store.log.horizon == 1
    await store.close()


class LateStore(SqliteStore):
    """A store that makes nothing visible until it may."""

    def __init__(self, folder: Path, *, first: int = 1) -> None:
        self.has_written = asyncio.Event()
        self.may_publish = asyncio.Event()
        super().__init__(folder, first=first)

    def _finish(self, written: Sequence[Written]) -> None:
        self.has_written.set()
        waiting = asyncio.get_running_loop().create_task(self.may_publish.wait())
        waiting.add_done_callback(lambda _: super(LateStore, self)._finish(written))


async def test_what_is_not_visible_yet_is_not_at_hand(tmp_path: Path) -> None:
    before = open_sqlite_store(tmp_path, first=1)
    before.claim_base(BASE)
    await before.commit([Put("/x", text("old"))])
    await before.close()
    store = LateStore(tmp_path)
    store.claim_base(BASE)
    writing = asyncio.create_task(store.commit([Put("/x", text("new"))]))
    await store.has_written.wait()
    assert await store.read("/x") == Record("/x", 3, b"new")
    assert store.at_hand("/x") is None
    assert await store.read_listing("/") == (Record("/", 2, b""), ["/x"])
    assert store.at_hand("/") == Record("/", 2, b"")
    store.may_publish.set()
    await writing
    assert store.at_hand("/x") == Record("/x", 3, b"new")
    await store.close()


class SlowLateStore(SlowReader, LateStore):
    """A store that is late in both ways."""


async def test_who_saw_a_listing_sees_no_older_one_later(tmp_path: Path) -> None:
    store = SlowLateStore(tmp_path)
    store.claim_base(BASE)
    old = asyncio.create_task(store.read_listing("/"))
    await asyncio.to_thread(store.has_read.wait, 20)
    writing = asyncio.create_task(store.commit([Put("/x", text("new"))]))
    await store.has_written.wait()
    new = (Record("/", 2, b""), ["/x"])
    assert await store.read_listing("/") == new
    store.may_answer.set()
    assert await old == (Record("/", 1, b""), [])
    assert await store.read_listing("/") == new
    store.may_publish.set()
    await writing
    await store.close()


async def test_a_listing_that_is_not_visible_yet_is_not_at_hand(tmp_path: Path) -> None:
    store = LateStore(tmp_path)
    store.claim_base(BASE)
    writing = asyncio.create_task(store.commit([Put("/x", text("new"))]))
    await store.has_written.wait()
    assert await store.read_listing("/") == (Record("/", 2, b""), ["/x"])
    assert store.at_hand("/") is None
    store.may_publish.set()
    await writing
    assert store.at_hand("/") == Record("/", 2, b"")
    await store.close()
