"""The claim processes of the paper under load, event by event on the real proxies: what does a policy cost?"""

import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from agent.schedulers.penalty import Penalty
from agent.schedulers.policy import FifoPolicy, Policy
from agent.schedulers.process import Activity, Process, State
from agent.schedulers.proxy import Proxy, Waiting
from tests.support.claims import EXPERTISE, QUALITY

Kind = tuple[Callable[[], Process], Penalty]


@dataclass
class Claim:
    """One process: its plan, how long each service will take for it, and what has happened to it."""

    process: Process
    takes_s: dict[str, float]
    states: dict[str, tuple[State, float]] = field(default_factory=dict)
    finished_s: float = 0.0

    def seen(self) -> Process:
        """Return the process in its present states."""
        return replace(self.process, activities=tuple(self._seen(a) for a in self.process.activities))

    def ready(self) -> Iterator[Activity]:
        """Yield the activities that can begin."""
        for activity in self.process.activities:
            before = [self.states.get(name, ("new", 0.0))[0] for name in activity.after]
            if activity.name not in self.states and all(state == "done" for state in before):
                yield activity

    def _seen(self, activity: Activity) -> Activity:
        state, since_s = self.states.get(activity.name, ("new", 0.0))
        return replace(activity, state=state, since_s=None if state == "new" else since_s)


def claims(seed: int, rate: float, during_s: float, kinds: tuple[Kind, ...]) -> list[Claim]:
    """Return evenly spaced claims of 20 s, 10 a second but ``rate`` a second for ``during_s`` in the middle.

    Everything random is drawn here, so that all policies meet the same claims.
    """
    chance = random.Random(seed)
    now, number, found = 0.0, 0, []
    while now < 20.0:
        make, penalty = chance.choice(kinds)
        takes = {s: max(0.001, r * (1 + 0.3 * chance.gauss(0, 1))) for s, (r, _) in QUALITY.items()}
        process = make()
        if chance.random() >= 0.7:
            process = replace(process, activities=tuple(a for a in process.activities if a.name != EXPERTISE))
        found.append(Claim(replace(process, instance=f"{number:04}", started_s=now, penalty=penalty), takes))
        is_busy = abs(now - 10.0) < during_s / 2
        now, number = now + 1 / (rate if is_busy else 10.0), number + 1
    return found


def owed(arrivals: list[Claim], policy: Policy) -> float:
    """Return the sum of the penalties of ``arrivals`` when the expertise service is scheduled by ``policy``."""
    return _Day(arrivals, policy).run()


class _Day:
    def __init__(self, arrivals: list[Claim], policy: Policy) -> None:
        self._claims = {c.process.instance: Claim(c.process, c.takes_s) for c in arrivals}
        self._proxies = {
            service: Proxy(service, capacity, response_s, policy if service == EXPERTISE else FifoPolicy())
            for service, (response_s, capacity) in QUALITY.items()
        }
        self._events: list[tuple[float, str, str]] = [
            (c.process.started_s, c.process.instance, "") for c in arrivals
        ]
        self._events.append((0.25, "", ""))
        heapq.heapify(self._events)

    def run(self) -> float:
        """Let everything happen."""
        while self._events:
            now, instance, service = heapq.heappop(self._events)
            if not instance:
                self._adapt(now)
            elif service:
                self._proxies[service].answered(f"{instance} {service}")
                self._claims[instance].states[service] = ("done", now)
                self._claims[instance].finished_s = now
                self._dispatch(service, now)
            if instance:
                self._go_on(self._claims[instance], now)
        assert all(not p.waiting and not p.running for p in self._proxies.values())
        return sum(c.process.penalty.of(c.finished_s - c.process.started_s) for c in self._claims.values())

    def _adapt(self, now: float) -> None:
        under_way = [c for c in self._claims.values() if c.states and next(_open(c), None) is not None]
        self._proxies[EXPERTISE].adapt([claim.seen() for claim in under_way], now)
        self._dispatch(EXPERTISE, now)
        if len(self._events):
            heapq.heappush(self._events, (now + 0.25, "", ""))

    def _go_on(self, claim: Claim, now: float) -> None:
        for activity in list(claim.ready()):
            claim.states[activity.name] = ("pending", now)
            key = f"{claim.process.instance} {activity.name}"
            self._proxies[activity.name].enqueue(Waiting(key, claim.process.instance, activity.name, now))
            self._dispatch(activity.name, now)

    def _dispatch(self, service: str, now: float) -> None:
        proxy = self._proxies[service]
        for decision in proxy.dispatch(now):
            claim = self._claims[decision.selected.partition(" ")[0]]
            claim.states[service] = ("running", now)
            heapq.heappush(self._events, (now + claim.takes_s[service], claim.process.instance, service))
        assert len(proxy.running) <= proxy.capacity
        assert not proxy.waiting or not proxy.free or proxy.hold_ends_s(now) is not None


def _open(claim: Claim) -> Iterator[str]:
    return (a.name for a in claim.process.activities if claim.states.get(a.name, ("new", 0.0))[0] != "done")
