"""Resources in memory: for demonstrations, tests and agents that keep nothing."""

import tempfile
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from ldp_server.paths import is_container, parent, slash_twin
from ldp_server.storage.changes import LOG_BYTES, Change, ChangeLog, moved_subtrees
from ldp_server.storage.contents import ContentFolder
from ldp_server.storage.decision import Plan, decide, left_over
from ldp_server.storage.families import gather
from ldp_server.storage.port import Family, Outcome, Reason, Record, Refusal, Write
from ldp_server.validators import first_version


class MemoryStore:
    """A store that forgets. Commits run in the event loop's thread, so nothing comes between two of them."""

    def __init__(self, *, first: int | None = None, log_bytes: int = LOG_BYTES) -> None:
        """Make an empty store whose first state has the version ``first`` (by default chosen by chance)."""
        self._sequence = first or first_version()
        self._records: dict[str, Record] = {"/": Record("/", self._sequence, b"")}
        self._members: dict[str, dict[str, None]] = {"/": {}}
        self._counters: dict[str, int] = {}
        self._kept_names: set[str] = set()
        self._subtrees: dict[str, int | None] = {"/": self._sequence}
        self._log = ChangeLog(self._sequence, max_bytes=log_bytes)
        self._base = ""
        self._closed = False
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    @property
    def log(self) -> ChangeLog:
        """The log of all commits."""
        return self._log

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do each write that can be done; see ``Store``."""
        return self._outcomes(writes)

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        """Do each write that can be done, and tell the outcomes at once; see ``Store``."""
        tell(self._outcomes(writes))

    @cached_property
    def contents(self) -> ContentFolder:
        """Return the folder for the files of large contents; it is a temporary one, gone when the store closes."""
        self._temporary = tempfile.TemporaryDirectory(prefix="milepost-contents-")
        return ContentFolder(Path(self._temporary.name), is_durable=False)

    async def read(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        return self._records.get(path)

    def at_hand(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        return self._records.get(path)

    async def read_listing(self, path: str) -> tuple[Record, list[str]] | None:
        """Return a container and the paths of its members in order, or None."""
        record = self._records.get(path)
        return (record, self.members(path)) if record and is_container(path) else None

    async def was_deleted(self, path: str) -> bool:
        """Tell whether a resource at ``path`` was deleted under the rule that keeps its name."""
        return path in self._kept_names

    async def read_subtree(self, path: str) -> int | None:
        """Return the subtree version of a container, or None."""
        return self._subtrees.get(path)

    async def read_family(self, path: str, max_bytes: int) -> Family | None:
        """Return a container with its members; see ``Store``."""
        container, subtree = self._records.get(path), self._subtrees.get(path)
        if container is None or subtree is None:
            return None
        return gather(container, subtree, self, max_bytes)

    def claim_base(self, base: str) -> None:
        """Note the base URL; an empty memory takes any."""
        self._base = base

    async def close(self) -> None:
        """Refuse later writes, and let go of the files of contents."""
        self._closed = True
        if self._temporary is not None:
            self._temporary.cleanup()

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None (for decisions)."""
        return self._records.get(path)

    def rules_out(self, path: str) -> bool:
        """Tell whether nothing is at ``path``, nor at its slash twin (for decisions)."""
        return path not in self._records and slash_twin(path) not in self._records

    def has_members(self, path: str) -> bool:
        """Tell whether the container at ``path`` has a member (for decisions)."""
        return bool(self._members.get(path))

    def members(self, path: str) -> list[str]:
        """Return the paths of the members of a container in order (for decisions)."""
        return sorted(self._members.get(path, ()))

    def counter(self, path: str) -> int:
        """Return the last number this container gave out (for decisions)."""
        return self._counters.get(path, 0)

    def is_kept_name(self, path: str) -> bool:
        """Tell whether a resource at ``path`` left its name behind (for decisions)."""
        return path in self._kept_names

    def _outcomes(self, writes: Sequence[Write]) -> list[Outcome]:
        if self._closed:
            return [Refusal(Reason.FAILED, "/") for _ in writes]
        return list(map(self._commit, writes))

    def _commit(self, write: Write) -> Outcome:
        plan = decide(write, self, self._sequence + 1, self._base)
        if isinstance(plan, Refusal):
            if file := left_over(write):
                self.contents.remove([file])
            return plan
        self._sequence += 1
        self._carry_out(plan)
        self._note(plan.changes())
        if plan.dropped:
            self.contents.remove([plan.dropped])
        return plan.done

    def _note(self, changes: Sequence[Change]) -> None:
        moved = moved_subtrees(changes)
        self._subtrees.update(moved)
        path = changes[0].path  # a commit removes one resource, if any
        if path in moved and moved[path] is None:
            del self._subtrees[path]
        self._log.note(changes)

    def _carry_out(self, plan: Plan) -> None:
        is_new = plan.done.created
        for record in plan.saved:
            path = record.path
            self._records[path] = record
            if is_new and not record.describes:
                self._members.setdefault(parent(path), {})[path] = None
                if is_container(path):
                    self._members.setdefault(path, {})
        for path in plan.removed:
            if not self._records.pop(path).describes:
                del self._members[parent(path)][path]
                self._members.pop(path, None)
        if plan.kept_names:
            self._kept_names.update(plan.kept_names)
        if plan.touched is not None:
            self._records[plan.touched.path] = plan.touched
        if plan.counter is not None:
            container, number = plan.counter
            self._counters[container] = number
