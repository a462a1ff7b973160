"""Writing batches: all that came together is decided in order inside one transaction, and shares one flush."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ldp_server.storage import change_rows, container_rows, database
from ldp_server.storage.changes import Change, ChangeLog, moved_subtrees
from ldp_server.storage.decision import Plan, decide, left_over
from ldp_server.storage.path_filter import PathFilter
from ldp_server.storage.pending import Pending
from ldp_server.storage.port import Outcome, Post, Reason, Record, Refusal, Write
from ldp_server.storage.record_cache import size_of
from ldp_server.storage.remembered import Remembered

LOG = logging.getLogger(__name__)


class Request(Struct):
    """Writes that wait together for their outcomes, and who is told these in the thread of ``loop``."""

    writes: Sequence[Write]
    tell: Callable[[list[Outcome]], None]
    loop: asyncio.AbstractEventLoop


class Written(Struct):
    """What one transaction came to: the outcomes of its requests, and what it changed.

    ``records`` are new states by path (None: gone), about ``size`` bytes; ``moved`` subtree versions, ``changes`` go into the log,
    ``dropped`` are files of contents that nobody needs any more. If it comes ``after_failure``, something could not be written
    before it, and nobody knows whether it was. ``before`` is the number of the last commit before it, 0 if that is not known.
    """

    answers: list[tuple[Request, list[Outcome]]] = field(default_factory=list)
    records: dict[str, Record | None] = field(default_factory=dict)
    size: int = 0
    moved: dict[str, int | None] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    after_failure: bool = False
    before: int = 0


class Writer:
    """The one who writes to the data file; it belongs to one thread at a time.

    ``log`` is looked at for what it has forgotten only.
    """

    def __init__(self, connection: sqlite3.Connection, log: ChangeLog, cached_bytes: int) -> None:
        self.base = ""
        self._connection = connection
        self._log = log
        self._forgotten = 0
        self._cached_bytes = cached_bytes
        self._paths = PathFilter()
        self._fill_paths()
        self._forget_all()

    def write(self, batch: Sequence[Request]) -> list[Written]:
        """Write a batch; when that fails, write each request alone, so that one cannot spoil the others."""
        try:
            return [self._write(batch)]
        except Exception as error:
            self._forget_all()
            if len(batch) > 1:
                alone = [written for request in batch for written in self.write([request])]
            else:
                if isinstance(error, sqlite3.Error):
                    LOG.critical("the data file takes no write: %s", error)
                else:
                    LOG.exception("a write failed")
                failed: list[Outcome] = [Refusal(Reason.FAILED, "/") for _ in batch[0].writes]
                alone = [Written([(batch[0], failed)], before=self._last_commit())]
            alone[0].after_failure = True
            return alone

    def _last_commit(self) -> int:
        """Return the number of the last commit in the file, 0 if it cannot be read."""
        try:
            return database.sequence(self._connection)
        except sqlite3.Error:
            return 0

    def _fill_paths(self) -> None:
        self._paths.fill(database.count(self._connection), database.paths(self._connection))

    def _forget_all(self) -> None:
        """Forget what is in the data file: it may be there what a commit that failed has written."""
        self._sequence: int | None = None
        self._remembered = Remembered(self._connection, self._cached_bytes, self._paths)

    def _write(self, batch: Sequence[Request]) -> Written:
        if self._paths.is_full:
            self._fill_paths()
        pending = Pending(self._connection, self._remembered)
        changes: list[Change] = []
        written = Written(records=pending.records, changes=changes)
        with database.transaction(self._connection):
            sequence = database.sequence(self._connection) if self._sequence is None else self._sequence
            written.before = sequence
            self._remembered.look_up(
                [write.path for request in batch for write in request.writes if not isinstance(write, Post)]
            )
            for request in batch:
                outcomes: list[Outcome] = []
                for write in request.writes:
                    plan = decide(write, pending, sequence + 1, self.base)
                    if isinstance(plan, Plan):
                        sequence += 1
                        pending.add(plan)
                        changes += plan.changes()
                        outcomes.append(plan.done)
                        file = plan.dropped
                    else:
                        outcomes.append(plan)
                        file = left_over(write)
                    if file:
                        written.dropped.append(file)
                written.answers.append((request, outcomes))
            pending.write_out()
            self._write_changes(written, pending)
        self._sequence = sequence
        written.size = size_of(pending.records)
        self._remembered.take_in(pending.records, written.size, pending.counters)
        return written

    def _write_changes(self, written: Written, pending: Pending) -> None:
        if written.changes:
            written.moved = moved_subtrees(written.changes)
            change_rows.note(self._connection, written.changes)
            container_rows.move(self._connection, written.moved, pending.listed, pending.counters)
        horizon = self._log.horizon
        if horizon > self._forgotten:
            change_rows.forget(self._connection, horizon)
            self._forgotten = horizon
