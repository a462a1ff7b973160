"""What is known of the data file from one transaction to the next."""

import sqlite3
from collections.abc import Iterable, Mapping

from ldp_server.caching import ByteCache
from ldp_server.paths import slash_twin
from ldp_server.storage import container_rows, database
from ldp_server.storage.path_filter import PathFilter
from ldp_server.storage.port import Record
from ldp_server.storage.record_cache import RecordCache, States


class Remembered:
    """Records that are in the data file, and numbers that containers gave out; what is not known is read there.

    Who has the only writing ``connection`` may keep this from one transaction to the next. It takes about ``max_bytes``.
    ``paths`` are those of all resources that are in the file, or may soon be.
    """

    def __init__(self, connection: sqlite3.Connection, max_bytes: int, paths: PathFilter) -> None:
        self._connection = connection
        self.expect = paths.add
        self.rules_out = paths.rules_out
        self._records = RecordCache(max_bytes)
        self._counters: ByteCache[str, int] = ByteCache(max_bytes // 8)

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        if path in self._records:
            return self._records.get(path)
        if self.rules_out(path):
            return None
        record = database.record(self._connection, path)
        self._records.keep({path: record})
        return record

    def look_up(self, paths: Iterable[str]) -> None:
        """Read at once what is not known yet of ``paths`` and their slash twins."""
        unknown = [path for path in paths if not self.rules_out(path) and path not in self._records]
        if unknown:
            asked = [*unknown, *map(slash_twin, unknown)]
            self._records.keep(dict.fromkeys(asked) | database.records(self._connection, asked))

    def counter(self, path: str) -> int:
        """Return the last number this container gave out."""
        if path in self._counters:
            return self._counters[path]
        number = container_rows.counter(self._connection, path)
        self._keep_counter(path, number)
        return number

    def take_in(self, records: States, size: int, counters: Mapping[str, int]) -> None:
        """Know what a transaction that is committed has changed; ``size`` is that of ``records``."""
        self._records.keep(records, size)
        for container, number in counters.items():
            self._keep_counter(container, number)

    def _keep_counter(self, container: str, number: int) -> None:
        self._counters.keep(container, number, len(container) + 200)
