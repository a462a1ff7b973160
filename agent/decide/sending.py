"""The order of sending: which requests may go out now, given the answers so far (ADR 0003).

* Inside a unit: ascending ``ag:rank``, equal ranks in parallel, each rank after the answers to the one before.
  The first failure stops the later ranks in every unit that contains the failed request; what is stopped counts
  as failed in its other units.
* Of no unit: first POST, then everything else, then DELETE; one request at a time per document. Failures stop nothing.
* A unit with ``ag:last true`` starts when all other requests of its instance are answered, and not at all when one
  of them failed or was stopped. What it shares with other units goes out with those.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, field

from agent.decide.order import is_last, own_edges, rank_groups
from agent.decide.request import Edge, Request

State: TypeAlias = Literal["waiting", "sent", "done", "failed", "stopped"]

NOTHING_TO_DELETE = frozenset({400, 404, 410})
"""Statuses of a DELETE whose document is not there; some servers say 400."""


def is_done(request: Request, status: int) -> bool:
    """Tell whether an answer counts as success: 2xx, an existing document for ``ag:createOnly``, nothing to delete."""
    if 200 <= status < 300:
        return True
    if request.creates_only and status == 412:
        return True
    return request.method == "DELETE" and status in NOTHING_TO_DELETE


class _Unit(Struct):
    """The ranks of one unit; ``current`` may be sent (-1: not started), those after ``limit`` are stopped."""

    groups: list[list[int]]
    limit: int
    current: int = -1
    open: int = 0


class _Instance(Struct):
    """What the last units of one instance wait for."""

    open: int = 0
    failed: bool = False
    waiting: list[_Unit] = field(default_factory=list)


class Sending:
    """The sending of one update set; requests are known by their position in it."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.states: list[State] = ["waiting"] * len(requests)
        self._requests = requests
        self._units_of: dict[int, list[tuple[_Unit, int]]] = defaultdict(list)
        self._blockers = [0] * len(requests)
        self._instances_of: dict[int, list[_Instance]] = defaultdict(list)
        self._free = _Barriers(requests)
        self._ready: list[int] = []
        self._unsettled = len(requests)
        self._starting, self._instances = self._build()

    @property
    def is_over(self) -> bool:
        """Tell whether every request is answered or stopped."""
        return not self._unsettled

    def start(self) -> list[int]:
        """Return the requests to send first."""
        for unit in self._starting:
            self._advance(unit)
        for instance in self._instances:
            self._start_last(instance)
        self._ready += self._free.next()
        return self._released()

    def answered(self, position: int, *, done: bool) -> list[int]:
        """Note the answer to a request (or that there was none), and return the requests to send now."""
        self._settle(position, "done" if done else "failed")
        return self._released()

    def _build(self) -> tuple[list[_Unit], list[_Instance]]:
        edges_of: dict[object, list[tuple[int, Edge]]] = defaultdict(list)
        for position, request in enumerate(self._requests):
            for edge in request.edges:
                if edge.unit is not None or edge.last:
                    edges_of[position if edge.unit is None else edge.unit].append((position, edge))
        units: list[_Unit] = []
        late: dict[int, None] = {}
        waiting: dict[str, list[_Unit]] = defaultdict(list)
        for edges, own in zip(edges_of.values(), own_edges(edges_of.values()), strict=True):
            unit = self._unit(own)
            if is_last(edges):
                late.update(dict.fromkeys(position for position, _ in own))
                waiting[min((edge.instance for _, edge in edges if edge.instance), default="")].append(unit)
            else:
                units.append(unit)
        self._free.add(position for position in range(len(self._requests)) if position not in self._units_of)
        return units, [self._watch(name, waiting[name], late) for name in sorted(waiting)]

    def _unit(self, edges: list[tuple[int, Edge]]) -> _Unit:
        groups = rank_groups(edges)
        unit = _Unit(groups, len(groups) - 1)
        for index, group in enumerate(groups):
            for position in group:
                self._units_of[position].append((unit, index))
                self._blockers[position] += 1
        return unit

    def _watch(self, name: str, waiting: list[_Unit], late: Iterable[int]) -> _Instance:
        """Return what the last units of an instance wait for; of no instance: everything in the step."""
        instance = _Instance(waiting=waiting)
        excluded = set(late)
        for position, request in enumerate(self._requests):
            if position not in excluded and (not name or name in request.instances):
                instance.open += 1
                self._instances_of[position].append(instance)
        return instance

    def _released(self) -> list[int]:
        released = sorted(set(self._ready))
        self._ready.clear()
        for position in released:
            self.states[position] = "sent"
        return released

    def _advance(self, unit: _Unit) -> None:
        """Let the next rank of a unit go, and those after it as long as nothing of a rank is open."""
        while unit.current < unit.limit:
            unit.current += 1
            group = unit.groups[unit.current]
            for position in group:
                self._blockers[position] -= 1
                if not self._blockers[position] and self.states[position] == "waiting":
                    self._ready.append(position)
            unit.open = sum(self.states[position] in {"waiting", "sent"} for position in group)
            if unit.open:
                return

    def _settle(self, position: int, state: State) -> None:
        """Note the end of a request, and of those that it stops."""
        pending: deque[tuple[int, State]] = deque([(position, state)])
        while pending:
            position, state = pending.popleft()
            if self.states[position] in {"done", "failed", "stopped"}:
                continue
            self.states[position] = state
            self._unsettled -= 1
            for unit, index in self._units_of[position]:
                if state != "done":
                    pending.extend((later, "stopped") for later in self._fail(unit, index))
                if index == unit.current:
                    unit.open -= 1
                    if not unit.open:
                        self._advance(unit)
            for instance in self._instances_of[position]:
                instance.open -= 1
                instance.failed |= state != "done"
                pending.extend((late, "stopped") for late in self._start_last(instance))
            self._ready += self._free.settled(position)

    def _fail(self, unit: _Unit, index: int) -> list[int]:
        """Stop the ranks of a unit after ``index`` and return their requests."""
        stopped = unit.groups[index + 1 : unit.limit + 1]
        unit.limit = min(unit.limit, index)
        return [position for group in stopped for position in group]

    def _start_last(self, instance: _Instance) -> list[int]:
        """Start the last units of an instance that is otherwise complete; return what is stopped instead."""
        if instance.open:
            return []
        if not instance.failed:
            for unit in instance.waiting:
                self._advance(unit)
            return []
        return [position for unit in instance.waiting for position in self._fail(unit, -1)]


class _Barriers:
    """Requests of no unit: POST, then the others, then DELETE, one at a time per document."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self._requests = requests
        self._phases: list[dict[str, deque[int]]] = [{}, {}, {}]
        self._open = 0
        self._members: set[int] = set()

    def add(self, positions: Iterable[int]) -> None:
        """Take these requests on, in canonical order per document."""
        for position in positions:
            request = self._requests[position]
            phase = {"POST": 0, "DELETE": 2}.get(request.method, 1)
            self._phases[phase].setdefault(request.uri, deque()).append(position)
            self._members.add(position)

    def next(self) -> list[int]:
        """Return the first requests of the next phase that has any."""
        while self._phases and not self._phases[0]:
            self._phases.pop(0)
        if not self._phases:
            return []
        self._open = sum(len(queue) for queue in self._phases[0].values())
        return [queue.popleft() for queue in self._phases[0].values()]

    def settled(self, position: int) -> list[int]:
        """Return what may go out after the answer to a request: the next on its document, or the next phase."""
        if position not in self._members:
            return []
        self._open -= 1
        if not self._open:
            self._phases.pop(0)
            return self.next()
        queue = self._phases[0][self._requests[position].uri]
        return [queue.popleft()] if queue else []
