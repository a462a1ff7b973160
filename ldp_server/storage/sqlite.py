"""Resources in an SQLite file: durable before they are acknowledged.

One thread writes: it takes the writes that came together, decides them in order inside one transaction, and
answers after the commit, so many writers share one flush to the disk. Reads go to a cache of records, else to a
reader thread with its own connection, which sees committed states only.
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from ldp_server.caching import ByteCache
from ldp_server.faults import ServerError
from ldp_server.paths import is_container
from ldp_server.storage import container_rows, database
from ldp_server.storage.changes import LOG_BYTES, ChangeLog
from ldp_server.storage.contents import FOLDER, ContentFolder
from ldp_server.storage.decision import left_over
from ldp_server.storage.families import gather
from ldp_server.storage.gathering import Gathering
from ldp_server.storage.memberships import Memberships
from ldp_server.storage.port import Family, Outcome, Reason, Record, Refusal, Write
from ldp_server.storage.record_cache import RecordCache
from ldp_server.storage.writer import Request, Writer, Written
from ldp_server.validators import first_version

Found = TypeVar("Found")
LOG = logging.getLogger(__name__)
_AT_ONCE = 64
_READERS = 2


class SqliteStore:
    """A store in a folder; use ``open_sqlite_store``. It belongs to the event loop that first commits."""

    def __init__(
        self,
        folder: Path,
        *,
        first: int | None = None,
        max_waiting: int = 1024,
        cached_bytes: int = 64 * 1024 * 1024,
        log_bytes: int = LOG_BYTES,
    ) -> None:
        with ExitStack() as opened:
            self._lock = opened.enter_context(closing(database.lock_folder(folder)))
            self._connection = opened.enter_context(
                closing(database.open_database(folder, first or first_version()))
            )
            self._contents = _open_contents(folder / FOLDER, database.files(self._connection))
            self._log = database.read_log(self._connection, folder, log_bytes)
            readers = [opened.enter_context(closing(database.open_reader(folder))) for _ in range(_READERS)]
            self._writer = Writer(self._connection, self._log, cached_bytes // 4)
            opened.pop_all()
        self._max_waiting = max_waiting
        self._waiting = 0
        self._closed = False
        self._moves = 0
        self._cached_bytes = cached_bytes
        self._forget_all()
        self._queue: SimpleQueue[list[Request] | None] = SimpleQueue()
        self._gathering: Gathering[Request] = Gathering(self._queue.put, _AT_ONCE)
        self._idle_readers: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        for reader in readers:
            self._idle_readers.put(reader)
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="ldp-reader")
        self._thread = threading.Thread(target=self._write_forever, name="ldp-writer", daemon=True)
        self._thread.start()

    def _forget_all(self) -> None:
        """Know nothing of what is in the file; ``_moves`` counts when what was read before became old."""
        self._moves += 1
        self._cache = RecordCache(self._cached_bytes)
        self._subtrees: ByteCache[str, int | None] = ByteCache(self._cached_bytes // 8)
        self._memberships = Memberships(self._cached_bytes // 8)

    @property
    def contents(self) -> ContentFolder:
        """Return the folder for the files of large contents."""
        return self._contents

    @property
    def log(self) -> ChangeLog:
        """The log of the commits that are visible."""
        return self._log

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do each write that can be done; see ``Store``. A full queue refuses all of them at once."""
        answer: asyncio.Future[list[Outcome]] = asyncio.get_running_loop().create_future()
        self.submit(writes, lambda outcomes: None if answer.done() else answer.set_result(outcomes))
        return await answer

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        """Do each write that can be done, and tell the outcomes; see ``Store`` and ``commit``."""
        if self._closed or self._waiting + len(writes) > self._max_waiting:
            refusal = Refusal(Reason.FAILED if self._closed else Reason.BUSY, "/")
            self._contents.remove(filter(None, map(left_over, writes)))
            tell([refusal for _ in writes])
            return
        self._waiting += len(writes)
        self._gathering.add(Request(writes, tell, asyncio.get_running_loop()))

    async def read(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        if path in self._cache:
            return self._cache.get(path)
        moves = self._moves
        record = await self._ask(lambda reader: database.record(reader, path))
        if self._may_keep(record, moves):
            self._cache.keep({path: record})
        return record

    def _may_keep(self, record: Record | None, moves: int) -> bool:
        """Tell whether what was read from the file, when there were so many ``moves``, is what is visible now.

        If somebody saw more than that, nobody keeps what was read before: the next read would show less.
        """
        if record is not None and record.version > self._log.sequence:
            self._moves += 1
        return moves == self._moves

    def at_hand(self, path: str) -> Record | None:
        """Return the resource at ``path`` if it is in memory, else None."""
        return self._cache.get(path)

    async def read_listing(self, path: str) -> tuple[Record, list[str]] | None:
        """Return a container and the paths of its members in order, or None."""
        if not is_container(path):
            return None
        container, members = self._cache.get(path), self._memberships.of(path)
        if container is not None and members is not None:
            return container, members
        moves = self._moves
        listing = await self._ask(lambda reader: database.listing(reader, path))
        if listing is not None and self._may_keep(listing[0], moves):
            # Its version moves when a member comes or goes, so these are the members that go with it.
            self._cache.keep({path: listing[0]})
            self._memberships.keep(path, listing[1])
        return listing

    async def was_deleted(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted under the rule that keeps its name."""
        return await self._ask(lambda reader: database.is_kept_name(reader, path))

    async def read_subtree(self, path: str) -> int | None:
        """Return the subtree version of a container, or None."""
        if path in self._subtrees:
            return self._subtrees[path]
        moves = self._moves
        version = await self._ask(lambda reader: container_rows.subtree(reader, path))
        if version is not None and version > self._log.sequence:
            # Committed, but not visible yet: who asks again with the number of what is misses nothing.
            return self._log.sequence
        if moves == self._moves:
            self._remember_subtree(path, version)
        return version

    async def read_family(self, path: str, max_bytes: int) -> Family | None:
        """Return a container with its members; see ``Store``."""
        if not is_container(path):
            return None
        return await self._ask(lambda reader: _family(reader, path, max_bytes))

    def claim_base(self, base: str) -> None:
        """Note the base URL of the stored IRIs, or raise LDP032; call it before the first commit."""
        self._writer.base = database.claim_base(self._connection, base)

    async def close(self) -> None:
        """Finish the writes that wait, then let go of threads, files and the lock."""
        if self._closed:
            return
        self._closed = True
        self._gathering.finish()
        self._queue.put(None)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._thread.join)
        await loop.run_in_executor(None, self._pool.shutdown)
        for _ in range(_READERS):
            self._idle_readers.get().close()
        database.close_database(self._connection)
        self._lock.close()

    async def _ask(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        """Return what ``question`` finds in the data as they are at one moment."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._answer_now, question)

    def _answer_now(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        reader = self._idle_readers.get()
        try:
            with database.one_moment(reader):
                return question(reader)
        finally:
            self._idle_readers.put(reader)

    def _remember_subtree(self, path: str, version: int | None) -> None:
        self._subtrees.keep(path, version, len(path) + 200)

    def _write_forever(self) -> None:
        """Write what waits until the store closes; this is the writer thread."""
        while (batch := self._queue.get()) is not None:
            written = self._writer.write(batch)
            try:
                batch[0].loop.call_soon_threadsafe(self._finish, written)
            except RuntimeError:
                LOG.warning("the event loop ended before %d writes could be acknowledged", len(batch))

    def _finish(self, written: Sequence[Written]) -> None:
        """Publish what was written, and let the next batch begin whatever comes of that."""
        try:
            self._publish(written)
        finally:
            self._gathering.done(sum(len(transaction.answers) for transaction in written))

    def _publish(self, written: Sequence[Written]) -> None:
        """Make the commits visible to reads, then acknowledge them."""
        self._moves += 1
        for transaction in written:
            self._take_in(transaction)
        for transaction in written:
            if transaction.after_failure and transaction.before > self._log.sequence:
                self._log.lose(transaction.before)
            if transaction.changes:
                self._log.note(transaction.changes)
            if transaction.dropped:
                self._pool.submit(self._contents.remove, transaction.dropped)
        # Only now, because who is told may read at once, also what another of these transactions changed.
        for transaction in written:
            for request, outcomes in transaction.answers:
                self._waiting -= len(request.writes)
                try:
                    request.tell(outcomes)
                except Exception:
                    # The others are not kept waiting for one that cannot be told.
                    LOG.exception("the outcomes of a write could not be told")

    def _take_in(self, transaction: Written) -> None:
        """Know what a transaction has changed."""
        if transaction.after_failure:
            self._forget_all()
        for path, version in transaction.moved.items():
            self._remember_subtree(path, version)
        self._cache.keep(transaction.records, transaction.size)
        self._memberships.note(transaction.records, transaction.moved)


def _open_contents(folder: Path, kept: Collection[str]) -> ContentFolder:
    """Return the folder of contents without what nothing refers to, or raise LDP031."""
    try:
        contents = ContentFolder(folder, is_durable=True)
        contents.sweep(kept)
    except OSError as error:
        raise ServerError(
            "LDP031",
            f"{folder} is not usable for contents ({error.strerror}). Make it a folder of the server's own.",
        ) from None
    return contents


class _Rows:
    """The state that a reader sees."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def record(self, path: str) -> Record | None:
        return database.record(self._connection, path)

    def members(self, path: str) -> Collection[str]:
        return database.members(self._connection, path)


def _family(reader: sqlite3.Connection, path: str, max_bytes: int) -> Family | None:
    container, subtree = database.record(reader, path), container_rows.subtree(reader, path)
    if container is None or subtree is None:
        return None
    return gather(container, subtree, _Rows(reader), max_bytes)


def open_sqlite_store(folder: Path, *, first: int | None = None, max_waiting: int = 1024) -> SqliteStore:
    """Open or create the store in ``folder``; a new one begins at version ``first`` (by default by chance).

    Raises ServerError: LDP030 (another process has it), LDP031 (damaged, or another program's file).
    """
    return SqliteStore(folder, first=first, max_waiting=max_waiting)
