"""The state inside the writer's transaction: what is committed, and over it what the writes before have done."""

import sqlite3
from collections.abc import Collection

from ldp_server.caching import ByteCache
from ldp_server.storage import database
from ldp_server.storage.decision import Plan
from ldp_server.storage.port import Record


class Pending:
    """What the plans of one transaction have changed, and the rows that are still to be written for it.

    Each row is written once, however many plans changed it, and before anything is asked that only rows can tell.
    ``committed`` are records as they were before; who has the only writing connection may keep them from one
    transaction to the next.
    """

    def __init__(self, connection: sqlite3.Connection, committed: ByteCache[str, Record | None]) -> None:
        self.records: dict[str, Record | None] = {}
        self._connection = connection
        self._committed = committed
        self._saved: dict[str, Record] = {}
        self._touched: dict[str, Record] = {}
        self._removed: dict[str, None] = {}
        self._counters: dict[str, int] = {}
        self._kept_names: list[str] = []

    def add(self, plan: Plan) -> None:
        """Take in what ``plan`` changes."""
        for path in plan.removed:
            self.records[path] = self._removed[path] = None
            self._saved.pop(path, None)
            self._touched.pop(path, None)
        for saved in plan.saved:
            self.records[saved.path] = self._saved[saved.path] = saved
            self._touched.pop(saved.path, None)
        if (touched := plan.touched) is not None:
            self.records[touched.path] = touched
            (self._saved if touched.path in self._saved else self._touched)[touched.path] = touched
        if plan.counter is not None:
            container, number = plan.counter
            self._counters[container] = number
        self._kept_names += plan.kept_names

    def write_out(self) -> None:
        """Write the rows that are still to be written."""
        if self._removed:
            database.remove(self._connection, self._removed)
        if self._saved:
            database.save(self._connection, self._saved.values())
        if self._touched:
            database.touch(self._connection, self._touched.values())
        if self._counters:
            database.set_counters(self._connection, self._counters)
        if self._kept_names:
            database.keep_names(self._connection, self._kept_names)
        self._saved, self._touched, self._removed = {}, {}, {}
        self._counters, self._kept_names = {}, []

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        if path in self.records:
            return self.records[path]
        if path in self._committed:
            return self._committed[path]
        record = database.record(self._connection, path)
        keep(self._committed, path, record)
        return record

    def has_members(self, path: str) -> bool:
        """Tell whether the container at ``path`` has a member."""
        self.write_out()
        return database.has_members(self._connection, path)

    def members(self, path: str) -> Collection[str]:
        """Return the paths of the members of a container."""
        self.write_out()
        return database.members(self._connection, path)

    def counter(self, path: str) -> int:
        """Return the last number this container gave out."""
        if path in self._counters:
            return self._counters[path]
        return database.counter(self._connection, path)

    def is_kept_name(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted and left its name behind."""
        self.write_out()
        return database.is_kept_name(self._connection, path)


def keep(records: ByteCache[str, Record | None], path: str, record: Record | None) -> None:
    """Hold a record, or that there is none."""
    size = 0 if record is None else len(record.binary.content if record.binary else record.text)
    records.keep(path, record, 2 * len(path) + 200 + size)
