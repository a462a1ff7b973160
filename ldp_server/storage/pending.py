"""The state inside the writer's transaction: what is committed, and over it what the writes before have done."""

import sqlite3
from collections.abc import Collection, Iterable

from ldp_server.caching import ByteCache
from ldp_server.paths import slash_twin
from ldp_server.storage import database
from ldp_server.storage.decision import Plan
from ldp_server.storage.foresight import targets
from ldp_server.storage.port import Record, Write


class Remembered:
    """Records that are in the data file, and numbers that containers gave out, as far as they are known.

    Who has the only writing connection may keep them from one transaction to the next.
    """

    def __init__(self, max_bytes: int) -> None:
        self.records: ByteCache[str, Record | None] = ByteCache(max_bytes)
        self.counters: ByteCache[str, int] = ByteCache(max_bytes // 8)

    def take_in(self, pending: "Pending") -> None:
        """Know what a transaction that is committed has changed."""
        for path, record in pending.records.items():
            keep(self.records, path, record)
        for container, number in pending.counters.items():
            self.keep_counter(container, number)

    def keep_counter(self, container: str, number: int) -> None:
        """Know the last number that a container gave out."""
        self.counters.keep(container, number, len(container) + 200)


class Pending:
    """What the plans of one transaction have changed, and the rows that are still to be written for it.

    Each row is written once, however many plans changed it, and before anything is asked that only rows can tell.
    ``remembered`` is what was known before.
    """

    def __init__(self, connection: sqlite3.Connection, remembered: Remembered) -> None:
        self.records: dict[str, Record | None] = {}
        self.counters: dict[str, int] = {}
        self._connection = connection
        self._remembered = remembered
        self._read: dict[str, Record | None] = {}
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
            self.counters[container] = self._counters[container] = number
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

    def look_up(self, writes: Iterable[Write]) -> None:
        """Read at once what the decisions on ``writes`` are going to ask about, as far as that is plain."""
        unknown = [path for path in targets(writes, self.counter) if path not in self._remembered.records]
        if unknown:
            paths = [*unknown, *map(slash_twin, unknown)]
            self._read = dict.fromkeys(paths) | database.records(self._connection, paths)

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        if path in self.records:
            return self.records[path]
        if path in self._read:
            return self._read[path]
        if path in self._remembered.records:
            return self._remembered.records[path]
        record = database.record(self._connection, path)
        keep(self._remembered.records, path, record)
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
        if path in self.counters:
            return self.counters[path]
        if path in self._remembered.counters:
            return self._remembered.counters[path]
        number = database.counter(self._connection, path)
        self._remembered.keep_counter(path, number)
        return number

    def is_kept_name(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted and left its name behind."""
        self.write_out()
        return database.is_kept_name(self._connection, path)


def keep(records: ByteCache[str, Record | None], path: str, record: Record | None) -> None:
    """Hold a record, or that there is none."""
    size = 0 if record is None else len(record.binary.content if record.binary else record.text)
    records.keep(path, record, 2 * len(path) + 200 + size)
