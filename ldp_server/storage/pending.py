"""The state inside the writer's transaction: what is committed, and over it what the writes before have done."""

import sqlite3
from collections.abc import Collection

from ldp_server.storage import database
from ldp_server.storage.decision import Plan
from ldp_server.storage.port import Record
from ldp_server.storage.remembered import Remembered


class Pending:
    """What the plans of one transaction have changed, and the rows that are still to be written for it.

    Each row is written once, however many plans changed it, and before anything is asked that only rows can tell.
    ``remembered`` is what was known before.
    """

    def __init__(self, connection: sqlite3.Connection, remembered: Remembered) -> None:
        self.records: dict[str, Record | None] = {}
        self.counters: dict[str, int] = {}
        self.listed: dict[str, int] = {}
        self._connection = connection
        self._remembered = remembered
        self.rules_out = remembered.rules_out
        self._saved: dict[str, Record] = {}
        self._removed: dict[str, None] = {}
        self._kept_names: list[str] = []

    def add(self, plan: Plan) -> None:
        """Take in what ``plan`` changes."""
        for path in plan.removed:
            self.records[path] = self._removed[path] = None
            self._saved.pop(path, None)
        is_new = plan.done.created
        for saved in plan.saved:
            path = saved.path
            self.records[path] = self._saved[path] = saved
            if is_new:
                self._remembered.expect(path)
        if (touched := plan.touched) is not None:
            self.records[touched.path] = touched
            self.listed[touched.path] = touched.version
        if plan.counter is not None:
            container, number = plan.counter
            self.counters[container] = number
        if plan.kept_names:
            self._kept_names += plan.kept_names

    def write_out(self) -> None:
        """Write the rows that are still to be written."""
        if self._removed:
            database.remove(self._connection, self._removed)
        if self._saved:
            database.save(self._connection, self._saved.values())
        if self._kept_names:
            database.keep_names(self._connection, self._kept_names)
        self._saved, self._removed, self._kept_names = {}, {}, []

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        return self.records[path] if path in self.records else self._remembered.record(path)

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
        return self.counters[path] if path in self.counters else self._remembered.counter(path)

    def is_kept_name(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted and left its name behind."""
        self.write_out()
        return database.is_kept_name(self._connection, path)
