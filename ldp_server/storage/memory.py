"""Resources in memory: for demonstrations, tests and agents that keep nothing."""

from bisect import bisect_left, insort
from collections.abc import Sequence

from ldp_server.paths import is_container, parent
from ldp_server.storage.decision import Plan, decide
from ldp_server.storage.port import Outcome, Reason, Record, Refusal, Write
from ldp_server.validators import first_version


class MemoryStore:
    """A store that forgets. Commits run in the event loop's thread, so nothing comes between two of them."""

    def __init__(self, *, first: int | None = None) -> None:
        """Make an empty store whose first state has the version ``first`` (by default chosen by chance)."""
        self._sequence = first or first_version()
        self._records: dict[str, Record] = {"/": Record("/", self._sequence, b"")}
        self._members: dict[str, list[str]] = {"/": []}
        self._counters: dict[str, int] = {}
        self._base = ""
        self._closed = False

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Do each write that can be done; see ``Store``."""
        if self._closed:
            return [Refusal(Reason.FAILED, "/") for _ in writes]
        return [self._commit(write) for write in writes]

    async def read(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None."""
        return self._records.get(path)

    async def read_listing(self, path: str) -> tuple[Record, list[str]] | None:
        """Return a container and the paths of its members in order, or None."""
        record = self._records.get(path)
        return (record, list(self._members[path])) if record and is_container(path) else None

    def claim_base(self, base: str) -> None:
        """Note the base URL; an empty memory takes any."""
        self._base = base

    async def close(self) -> None:
        """Refuse later writes."""
        self._closed = True

    def record(self, path: str) -> Record | None:
        """Return the resource at ``path``, or None (for decisions)."""
        return self._records.get(path)

    def has_members(self, path: str) -> bool:
        """Tell whether the container at ``path`` has a member (for decisions)."""
        return bool(self._members.get(path))

    def members(self, path: str) -> Sequence[str]:
        """Return the paths of the members of a container (for decisions)."""
        return self._members.get(path, ())

    def counter(self, path: str) -> int:
        """Return the last number this container gave out (for decisions)."""
        return self._counters.get(path, 0)

    def _commit(self, write: Write) -> Outcome:
        plan = decide(write, self, self._sequence + 1, self._base)
        if isinstance(plan, Refusal):
            return plan
        self._sequence += 1
        self._carry_out(plan)
        return plan.done

    def _carry_out(self, plan: Plan) -> None:
        for record in plan.saved:
            if record.path not in self._records:
                insort(self._members.setdefault(parent(record.path), []), record.path)
                if is_container(record.path):
                    self._members.setdefault(record.path, [])
            self._records[record.path] = record
        if plan.removed is not None:
            siblings = self._members[parent(plan.removed)]
            del siblings[bisect_left(siblings, plan.removed)]
            del self._records[plan.removed]
            self._members.pop(plan.removed, None)
        if plan.touched is not None:
            touched = self._records[plan.touched]
            self._records[plan.touched] = Record(touched.path, plan.done.version, touched.text)
        if plan.counter is not None:
            container, number = plan.counter
            self._counters[container] = number
