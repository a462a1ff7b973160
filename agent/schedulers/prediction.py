"""When a process will end: the longest way through what is still to be done.

Every response takes as long as it is said to take, nothing waits in queues, and what is undecided is taken to
happen (paper section IV.C). An order that runs in a circle is cut where it would come back.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from agent.schedulers.process import Activity, Process


class Forecast(Struct, frozen=True):
    """``starts_s`` and ``answers_s``: by activity, when its request is made and when it is answered; ``finish_s``."""

    starts_s: Mapping[str, float]
    answers_s: Mapping[str, float]
    finish_s: float


def forecast(process: Process, now_s: float, delays_s: Mapping[str, float] = {}) -> Forecast:
    """Return what is to be expected of ``process``; ``delays_s`` adds seconds to the answers of activities.

    Activities that are done are left out of ``starts_s`` and ``answers_s``.
    """
    starts: dict[str, float] = {}
    answers: dict[str, float] = {}
    for activity in _in_order(process.activities):
        if activity.state == "done":
            continue
        start = max((answers[name] for name in activity.after if name in answers), default=now_s)
        if activity.state == "pending":
            start = now_s
        elif activity.state == "running":
            start = now_s if activity.since_s is None else activity.since_s
        starts[activity.name] = start
        answers[activity.name] = max(now_s, start + activity.duration_s + delays_s.get(activity.name, 0.0))
    return Forecast(starts, answers, max(answers.values(), default=now_s))


def _in_order(activities: Iterable[Activity]) -> Iterator[Activity]:
    """Yield every activity after those it waits for, as far as these do not wait for it."""
    by_name = {activity.name: activity for activity in activities}
    entered: set[str] = set()
    for first in by_name.values():
        pending = [(first, False)]
        while pending:
            activity, is_ready = pending.pop()
            if is_ready:
                yield activity
            elif activity.name not in entered:
                entered.add(activity.name)
                pending.append((activity, True))
                pending += [(by_name[name], False) for name in sorted(activity.after) if name in by_name]
