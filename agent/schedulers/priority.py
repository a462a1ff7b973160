"""The order in which requests to a service should be served (paper section IV.C, Listing 1).

For every request that waits, and every one that is predicted to be made soon: how much more would its process owe if
this answer came late? The request whose delay costs most comes first, among equals the one that was made first.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from agent.schedulers.prediction import forecast
from agent.schedulers.process import Activity, Process

DELAY_FACTOR = 2.0
HORIZON_FACTOR = 0.5
_ROUNDING = 1e-9


class Ranked(Struct, frozen=True):
    """One request. ``request_s`` is when it was or will be made, in seconds from now; negative: it waits already.

    ``difference`` is what a delay adds to the penalty; it follows from the other figures. Finishes are seconds
    since the process began.
    """

    instance: str
    activity: str
    difference: float
    request_s: float
    is_predicted: bool
    default_finish_s: float
    delayed_finish_s: float
    default_penalty: float
    delayed_penalty: float


def prioritise(
    processes: Iterable[Process],
    service: str,
    response_time_s: float,
    now_s: float,
    *,
    delay_factor: float = DELAY_FACTOR,
    horizon_factor: float = HORIZON_FACTOR,
) -> tuple[Ranked, ...]:
    """Return the requests to ``service`` that wait or are predicted, the most urgent first.

    A delayed answer takes ``delay_factor`` response times; requests are predicted ``horizon_factor`` response times
    ahead.
    """
    horizon_s = horizon_factor * response_time_s
    delay_s = (delay_factor - 1.0) * response_time_s
    found = [
        ranked
        for process in processes
        for ranked in _requests(process, service, now_s, horizon_s=horizon_s, delay_s=delay_s)
    ]
    return tuple(sorted(found, key=lambda r: (-r.difference, r.request_s, r.instance, r.activity)))


def _requests(
    process: Process, service: str, now_s: float, *, horizon_s: float, delay_s: float
) -> Iterator[Ranked]:
    ours = [activity for activity in process.activities if activity.service == service]
    if not any(activity.state in {"new", "pending"} for activity in ours):
        return
    default = forecast(process, now_s)
    for activity in ours:
        start_s = default.starts_s.get(activity.name, now_s)
        is_near = activity.state == "new" and start_s - now_s <= horizon_s + _ROUNDING
        if activity.state == "pending" or is_near:
            yield _ranked(process, activity, now_s, start_s, default.finish_s, delay_s)


def _ranked(
    process: Process, activity: Activity, now_s: float, start_s: float, finish_s: float, delay_s: float
) -> Ranked:
    is_predicted = activity.state == "new"
    made_s = start_s if is_predicted or activity.since_s is None else activity.since_s
    default_s = finish_s - process.started_s
    delayed_s = forecast(process, now_s, {activity.name: delay_s}).finish_s - process.started_s
    default, delayed = process.penalty.of(default_s), process.penalty.of(delayed_s)
    return Ranked(
        process.instance,
        activity.name,
        delayed - default,
        made_s - now_s,
        is_predicted,
        default_s,
        delayed_s,
        default,
        delayed,
    )
