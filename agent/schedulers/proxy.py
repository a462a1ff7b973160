"""A service with a number of slots, and the requests that wait for one. Pure: the caller sends, and tells of answers.

``adapt`` works out anew how urgent requests are, to be called every adaptation period. ``dispatch`` decides who goes
next, to be called after it, whenever a request has come or gone, and when ``hold_ends_s`` is reached.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping

from msgspec import Struct

from agent.schedulers.decision import Alternative, Decision, Reason
from agent.schedulers.policy import Policy, SlaPenaltyPolicy
from agent.schedulers.priority import HORIZON_FACTOR, Ranked, prioritise
from agent.schedulers.process import Process

MOST_ALTERNATIVES = 50
"""A decision keeps this many of the requests that it could have chosen, the best ones."""


class Waiting(Struct, frozen=True):
    """A request: ``key`` names it, ``activity`` of ``instance`` made it at ``arrived_s``."""

    key: str
    instance: str
    activity: str
    arrived_s: float


class Place(Struct, frozen=True):
    """Where a waiting request stands: ``rank`` counts from 1, ``score`` is what its delay would cost."""

    key: str
    rank: int
    score: float


class Proxy:
    """The queue and the slots of one service."""

    def __init__(
        self,
        service: str,
        capacity: int,
        response_time_s: float,
        policy: Policy,
        adaptation_period_s: float | None = None,
    ) -> None:
        self.service = service
        self.capacity = capacity
        self.policy = policy
        self._response_time_s = response_time_s
        self._period_s = (
            HORIZON_FACTOR * response_time_s if adaptation_period_s is None else adaptation_period_s
        )
        self._waiting: dict[str, Waiting] = {}
        self._running: dict[str, Waiting] = {}
        self._ranked: Mapping[tuple[str, str], Ranked] = {}
        self._order: list[Waiting] | None = None
        self._adapted_s = 0.0

    @property
    def free(self) -> int:
        """Return how many slots are free."""
        return max(self.capacity - len(self._running), 0)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Return the requests that wait, in the order of their arrival."""
        return tuple(sorted(self._waiting.values(), key=_age))

    @property
    def waiting_count(self) -> int:
        """Return how many requests wait."""
        return len(self._waiting)

    @property
    def running(self) -> tuple[Waiting, ...]:
        """Return the requests that occupy slots."""
        return tuple(self._running.values())

    @property
    def wants_processes(self) -> bool:
        """Tell whether ``adapt`` makes a difference under the present policy."""
        return isinstance(self.policy, SlaPenaltyPolicy)

    def set_policy(self, policy: Policy) -> None:
        """Decide by ``policy`` from now on; figures of the old one are forgotten."""
        self.policy = policy
        self._ranked, self._order = {}, None

    def enqueue(self, request: Waiting) -> None:
        """Let ``request`` wait; one with a known key is there already."""
        if request.key in self._running or request.key in self._waiting:
            return
        self._waiting[request.key] = request
        if self._order is not None:
            insort(self._order, request, key=self._urgency)

    def occupy(self, request: Waiting) -> None:
        """Give ``request`` a slot without a decision: it was let through before."""
        self._leave(request.key)
        self._running[request.key] = request

    def answered(self, key: str) -> None:
        """Free the slot of ``key``."""
        self._running.pop(key, None)

    def withdraw(self, key: str) -> None:
        """Let ``key`` wait no longer."""
        self._leave(key)

    def put_back(self, key: str) -> None:
        """Free the slot of ``key`` and let it wait again, at its old place."""
        request = self._running.pop(key, None)
        if request is not None:
            self.enqueue(request)

    def adapt(self, processes: Iterable[Process], now_s: float) -> None:
        """Work out how urgent the requests of ``processes`` are (paper section IV.B)."""
        self._adapted_s = now_s
        if not isinstance(self.policy, SlaPenaltyPolicy):
            return
        ranked = prioritise(
            processes,
            self.service,
            self._response_time_s,
            now_s,
            delay_factor=self.policy.delay_factor,
            horizon_factor=self.policy.horizon_factor,
        )
        self._ranked, self._order = {(r.instance, r.activity): r for r in ranked}, None

    def ranking(self) -> tuple[Place, ...]:
        """Return the waiting requests, the next one first."""
        return tuple(
            Place(request.key, rank, self._score(request))
            for rank, request in enumerate(self._in_order(), start=1)
        )

    def dispatch(self, now_s: float) -> tuple[Decision, ...]:
        """Let requests through while slots are free; the caller sends what the decisions selected."""
        decisions: list[Decision] = []
        while self.free and self._waiting:
            order = self._in_order()
            if self.free <= self._held(order[0], now_s):
                break
            decisions.append(self._decide(order, now_s))
            self.occupy(order[0])
        return tuple(decisions)

    def hold_ends_s(self, now_s: float) -> float | None:
        """Return when the first slot that is kept for a predicted request becomes free for others, if any is."""
        ends = [
            self._hold_end_s(ranked) for ranked in self._ranked.values() if self._is_awaited(ranked, now_s)
        ]
        return min(ends, default=None) if self._waiting and self.free else None

    def _in_order(self) -> list[Waiting]:
        """Return the requests that wait, the next one first; kept sorted, for a queue may be long."""
        if self._order is None:
            self._order = sorted(self._waiting.values(), key=self._urgency)
        return self._order

    def _leave(self, key: str) -> None:
        request = self._waiting.pop(key, None)
        if request is not None and self._order is not None:
            del self._order[bisect_left(self._order, self._urgency(request), key=self._urgency)]

    def _urgency(self, request: Waiting) -> tuple[float, float, str, str, str]:
        return -self._score(request), *_age(request)

    def _score(self, request: Waiting) -> float:
        ranked = self._ranked.get((request.instance, request.activity))
        return 0.0 if ranked is None else ranked.difference

    def _held(self, best: Waiting, now_s: float) -> int:
        """Return how many slots are kept for requests that are awaited and would come before ``best``."""
        score = self._score(best)
        return sum(
            ranked.difference > score for ranked in self._ranked.values() if self._is_awaited(ranked, now_s)
        )

    def _is_awaited(self, ranked: Ranked, now_s: float) -> bool:
        reserves = isinstance(self.policy, SlaPenaltyPolicy) and self.policy.reserve_for_predicted
        return (
            reserves
            and ranked.is_predicted
            and ranked.difference > 0.0
            and now_s < self._hold_end_s(ranked)
            and not self._has_come(ranked)
        )

    def _hold_end_s(self, ranked: Ranked) -> float:
        """Return until when a slot is kept: half a response time past the prediction, or the next adaptation."""
        predicted_s = self._adapted_s + ranked.request_s
        return min(predicted_s + HORIZON_FACTOR * self._response_time_s, self._adapted_s + self._period_s)

    def _has_come(self, ranked: Ranked) -> bool:
        known = (*self._waiting.values(), *self._running.values())
        return any((r.instance, r.activity) == (ranked.instance, ranked.activity) for r in known)

    def _decide(self, order: list[Waiting], now_s: float) -> Decision:
        best = self._score(order[0])
        alternatives = tuple(
            Alternative(
                request.key,
                self._score(request),
                self._ranked.get((request.instance, request.activity)),
                _because(position, self._score(request), best),
            )
            for position, request in enumerate(order[:MOST_ALTERNATIVES])
        )
        return Decision(now_s, self.policy, order[0].key, alternatives)


def _age(request: Waiting) -> tuple[float, str, str, str]:
    """Return what orders requests by arrival; those of one instant by whose they are, which chance has no part in."""
    return request.arrived_s, request.instance, request.activity, request.key


def _because(position: int, score: float, best: float) -> Reason:
    if not position:
        return ""
    return "LowerScore" if score < best else "LaterRequest"
