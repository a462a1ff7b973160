"""The claim processes of the paper "Adaptive Request Prioritization" and a little queue, for the scheduling tests."""

from agent.schedulers.policy import FifoPolicy
from agent.schedulers.prediction import forecast
from agent.schedulers.process import Activity, Process
from agent.schedulers.proxy import Proxy, Waiting

ANALYSIS, EXPERTISE, DECISION = "analysis", "expertise", "decision"
INFORMATION, ESTIMATION, REGISTRATION = "information", "estimation", "registration"
QUALITY: dict[str, tuple[float, int]] = {
    ANALYSIS: (0.15, 5),
    EXPERTISE: (0.50, 5),
    DECISION: (0.20, 5),
    INFORMATION: (0.10, 10),
    ESTIMATION: (0.10, 100),
    REGISTRATION: (0.01, 100),
}
"""Response time in seconds and number of simultaneous requests of each service (Table I)."""


def comprehensive_claim(*, expertise: bool = True) -> Process:
    """Return T1: registration, then estimation beside analysis and information, decision, expertise."""
    return _claim(
        (REGISTRATION, ()),
        (ESTIMATION, (REGISTRATION,)),
        (ANALYSIS, (REGISTRATION,)),
        (INFORMATION, (ANALYSIS,)),
        (DECISION, (ESTIMATION, INFORMATION)),
        *([(EXPERTISE, (DECISION,))] if expertise else []),
    )


def liability_claim() -> Process:
    """Return T2: registration, information, decision, expertise."""
    return _claim(
        (REGISTRATION, ()),
        (INFORMATION, (REGISTRATION,)),
        (DECISION, (INFORMATION,)),
        (EXPERTISE, (DECISION,)),
    )


def _claim(*steps: tuple[str, tuple[str, ...]]) -> Process:
    return Process(
        "claim",
        0.0,
        activities=tuple(
            Activity(service, service, QUALITY[service][0], after=frozenset(after))
            for service, after in steps
        ),
    )


def duration(process: Process) -> float:
    """Return how long ``process`` takes where nothing waits."""
    return forecast(process, 0.0).finish_s


def longest_wait_s(rate: float, during_s: float, response_s: float, capacity: int) -> tuple[int, float]:
    """Send ``rate`` evenly spaced requests a second to a proxy; return its longest queue and its longest wait."""
    proxy = Proxy("s", capacity, response_s, FifoPolicy())
    arrivals = [(number / rate, f"{number:04}") for number in range(round(rate * during_s))]
    answers: list[tuple[float, str]] = []
    longest, waited = 0, 0.0
    arrived: dict[str, float] = {key: at for at, key in arrivals}
    while arrivals or answers:
        now, key = min(arrivals[:1] + sorted(answers)[:1])
        if (now, key) in answers:
            answers.remove((now, key))
            proxy.answered(key)
        else:
            arrivals.pop(0)
            proxy.enqueue(Waiting(key, key, "a", now))
        for decision in proxy.dispatch(now):
            answers.append((now + response_s, decision.selected))
            waited = max(waited, now - arrived[decision.selected])
        longest = max(longest, len(proxy.waiting))
    return longest, waited
