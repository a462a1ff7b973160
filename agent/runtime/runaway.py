"""Instances that run in a circle (ADR 0009): a guard stays true, so its stage opens again as soon as it has closed.

A step is a function of what it reads. So when an instance is in a status in which it has been before, and neither
the environment nor anybody else has changed anything since, it will come back to it for ever: after ``ROUNDS`` such
rounds that is certain. Where the environment does change, by the instance's own tasks or by chance, nothing is
certain; a stage that opens ``OPENINGS`` times in a row is suspected. A row ends when the instance rests.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct, field

ROUNDS = 5
OPENINGS = 100
WARN_AT = 5
REST_STEPS = 3
REMEMBERED = 128
"""How many different statuses of one instance are remembered: a longer circle is only suspected."""

Kind: TypeAlias = Literal["repeating", "certain", "suspected"]


class Acting(Struct, frozen=True):
    """An instance in a step in which its status changed.

    ``status`` and ``environment`` are digests of what the step read: of the instance without counters, and of
    everything that is no status. ``opened`` are the IRIs of the stages of the model that opened, with those of the
    guards that opened them. ``reads_time``: some sentry of it may change although no document does.
    """

    instance: str
    status: str
    environment: str
    opened: Mapping[str, tuple[str, ...]]
    reads_time: bool = False


class Runaway(Struct, frozen=True):
    """What is the matter with ``instance``: ``stage`` opened ``count`` times in a row by ``guards``.

    ``repeating`` is a warning; after ``certain`` and ``suspected`` the instance is parked. ``stage`` is "" when the
    circle has no opening in it.
    """

    instance: str
    kind: Kind
    stage: str
    guards: tuple[str, ...]
    count: int

    @property
    def reason(self) -> str:
        """Return it in words."""
        if not self.stage:
            return f"the status repeats, {self.count} times so far, and nothing else changes"
        by = f" by guard {' and '.join(self.guards)}" if self.guards else ""
        times = f"stage {self.stage} was opened {self.count} times in a row{by}"
        return f"{times}, and nothing else changed" if self.kind == "certain" else times


class _History(Struct):
    """What is remembered of an instance since it last rested."""

    environment: str = ""
    visits: "OrderedDict[str, int]" = field(default_factory=OrderedDict)
    openings: dict[str, int] = field(default_factory=dict)
    guards: dict[str, tuple[str, ...]] = field(default_factory=dict)
    warned: set[str] = field(default_factory=set)
    rested: int = 0


class Runaways:
    """Watches instances step by step; instances that rest are forgotten."""

    def __init__(self) -> None:
        self._histories: dict[str, _History] = {}

    def __len__(self) -> int:
        """Return the number of instances that something is remembered of."""
        return len(self._histories)

    def observe(self, acting: Iterable[Acting]) -> tuple[Runaway, ...]:
        """Take the instances that acted in a step, and return what is the matter with any of them."""
        found: list[Runaway] = []
        acted = set()
        for one in acting:
            acted.add(one.instance)
            found += self._judge(one, self._histories.setdefault(one.instance, _History()))
        for instance in self._histories.keys() - acted:
            self._rest(instance)
        return tuple(found)

    def forget(self, instance: str) -> None:
        """Begin anew with ``instance``."""
        self._histories.pop(instance, None)

    def _rest(self, instance: str) -> None:
        history = self._histories[instance]
        # Nothing was decided on this status and this environment: if it acts again, something has changed.
        history.visits.clear()
        history.rested += 1
        if history.rested >= REST_STEPS:
            del self._histories[instance]

    def _judge(self, one: Acting, history: _History) -> list[Runaway]:
        history.rested = 0
        if one.environment != history.environment:
            history.environment = one.environment
            history.visits.clear()
        visits = history.visits[one.status] = history.visits.get(one.status, 0) + 1
        history.visits.move_to_end(one.status)
        if len(history.visits) > REMEMBERED:
            history.visits.popitem(last=False)
        for stage, guards in one.opened.items():
            history.openings[stage] = history.openings.get(stage, 0) + 1
            history.guards[stage] = guards
        return _found(one, history, visits)


def _found(one: Acting, history: _History, visits: int) -> list[Runaway]:
    def runaway(kind: Kind, stage: str, count: int) -> Runaway:
        return Runaway(one.instance, kind, stage, history.guards.get(stage, ()), count)

    found = []
    for stage, count in history.openings.items():
        if count > WARN_AT and stage not in history.warned:
            history.warned.add(stage)
            found.append(runaway("repeating", stage, count))
    most = max(history.openings, key=lambda stage: history.openings[stage], default="")
    if visits > ROUNDS and not one.reads_time:
        found.append(runaway("certain", most, history.openings.get(most, visits)))
    elif history.openings.get(most, 0) >= OPENINGS:
        found.append(runaway("suspected", most, history.openings[most]))
    return found
