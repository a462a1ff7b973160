"""The figures of the paper's Listing 2 and its experiments that can be worked out by hand, K-H1 to K-H10."""

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.schedulers import proxy as proxies
from agent.schedulers.penalty import ConstantPenalty, Penalty, StagedPenalty
from agent.schedulers.policy import FifoPolicy, SlaPenaltyPolicy
from agent.schedulers.prediction import forecast
from agent.schedulers.priority import prioritise
from agent.schedulers.process import Activity, Process, State
from agent.schedulers.proxy import Proxy, Waiting
from tests.support.claims import (
    DECISION,
    EXPERTISE,
    QUALITY,
    comprehensive_claim,
    duration,
    liability_claim,
    longest_wait_s,
)

STAGED = StagedPenalty(3.0, 10.0)


def test_k_h1_penalties_begin_one_stage_after_the_threshold_or_at_it() -> None:
    assert [STAGED.of(t) for t in (3.0, 3.85, 3.999, 4.0, 5.7)] == [0.0, 0.0, 0.0, 10.0, 20.0]
    assert [ConstantPenalty(8.0, 20.0).of(t) for t in (7.99, 8.0, 80.0)] == [0.0, 20.0, 20.0]


def _nearly_late() -> Process:
    """Return the first instance of Listing 2: 3.1 s old, the information request is answered in 0.05 s."""
    return Process(
        "c1",
        started_s=0.0,
        penalty=STAGED,
        activities=(
            Activity("information", "inf", 0.1, "running", since_s=3.05),
            Activity("decision", DECISION, 0.2, after=frozenset({"information"})),
            Activity("expertise", EXPERTISE, 0.5, after=frozenset({"decision"})),
        ),
    )


def _young() -> Process:
    """Return the second instance of Listing 2: 0.3 s old, its decision is waited for since 0.01 s."""
    return Process(
        "c2",
        started_s=2.8,
        penalty=STAGED,
        activities=(
            Activity("decision", DECISION, 0.2, "pending", since_s=3.09),
            Activity("expertise", EXPERTISE, 0.5, after=frozenset({"decision"})),
        ),
    )


def test_k_h2_a_predicted_request_that_would_miss_its_stage_costs_ten() -> None:
    [only] = prioritise([_nearly_late()], DECISION, 0.2, 3.1)
    assert (only.default_finish_s, only.delayed_finish_s) == pytest.approx((3.85, 4.05))
    assert (only.default_penalty, only.delayed_penalty, only.difference) == (0.0, 10.0, 10.0)
    assert only.request_s == pytest.approx(0.05)
    assert only.is_predicted


def test_k_h3_a_predicted_request_with_a_loss_goes_before_one_that_waits_without() -> None:
    first, second = prioritise([_young(), _nearly_late()], DECISION, 0.2, 3.1)
    assert (second.default_finish_s, second.delayed_finish_s) == pytest.approx((1.0, 1.2))
    assert [(r.instance, r.difference) for r in (first, second)] == [("c1", 10.0), ("c2", 0.0)]
    assert [r.request_s for r in (first, second)] == pytest.approx([0.05, -0.01])


def test_k_h4_durations_in_an_empty_system_are_the_longest_way() -> None:
    assert duration(comprehensive_claim()) == pytest.approx(0.96)
    assert duration(comprehensive_claim(expertise=False)) == pytest.approx(0.46)
    assert duration(liability_claim()) == pytest.approx(0.81)


def test_k_h5_the_expertise_service_is_saturated_first() -> None:
    rates = {service: capacity / response_s for service, (response_s, capacity) in QUALITY.items()}
    assert rates[EXPERTISE] / 0.7 == pytest.approx(14.29, abs=0.01)
    assert rates[DECISION] == pytest.approx(25.0)
    assert rates["analysis"] == pytest.approx(33.3, abs=0.1)
    assert rates["information"] == pytest.approx(100.0)


@pytest.mark.parametrize(("rate", "backlog", "wait_s"), [(26, 41, 4.1), (19, 16.5, 1.65)])
def test_k_h6_five_seconds_of_overload_leave_a_backlog_that_takes_as_long_to_serve(
    rate: float, backlog: float, wait_s: float
) -> None:
    """A queue of evenly spaced requests, 70 % of ``rate`` a second, in front of the real proxy."""
    response_s, capacity = QUALITY[EXPERTISE]
    longest, waited = longest_wait_s(rate * 0.7, 5.0, response_s, capacity)
    assert longest == pytest.approx(backlog, abs=capacity)
    assert waited == pytest.approx(wait_s, abs=response_s)
    late = waited + duration(comprehensive_claim())
    assert STAGED.of(late) in ({10.0, 20.0} if rate == 26 else {0.0})


def _reserved(*, reserve: bool, b_comes: bool) -> dict[str, float]:
    """Play K-H7 against the proxy of a decision service with one slot; return when each request is answered.

    X holds the slot until 0.22, a waits since 0.05 and can never be late, b will ask at 0.25 and owes 10 from a
    duration of 0.4 s on. An adaptation takes place at 0.2 and at 0.3.
    """
    proxy = Proxy(DECISION, 1, 0.2, SlaPenaltyPolicy(reserve_for_predicted=reserve))
    proxy.occupy(Waiting("X", "x", "decision", 0.02))
    proxy.enqueue(Waiting("a", "a", "decision", 0.05))
    b = Process(
        "b",
        started_s=0.15,
        penalty=ConstantPenalty(0.4, 10.0),
        activities=(
            Activity("information", "inf", 0.1, "running", since_s=0.15),
            Activity("decision", DECISION, 0.2, after=frozenset({"information"})),
        ),
    )
    a = Process("a", 0.05, activities=(Activity("decision", DECISION, 0.2, "pending", since_s=0.05),))
    ends = {"X": 0.22}
    moments = [0.2, 0.22, 0.25, 0.3, 0.42, 0.45, 0.5, 0.62]
    for now in moments:
        for key, end in ends.items():
            if end == now:
                proxy.answered(key)
        if now == 0.25 and b_comes:
            proxy.enqueue(Waiting("b", "b", "decision", 0.25))
        if now == 0.2:
            proxy.adapt([a, b], now)
        if now == 0.3:
            proxy.adapt([] if not b_comes else [a], now)
        for decision in proxy.dispatch(now):
            ends[decision.selected] = round(now + 0.2, 2)
    return ends


def test_k_h7_a_slot_is_kept_for_a_predicted_request_that_would_cost_more() -> None:
    kept = _reserved(reserve=True, b_comes=True)
    assert kept == {"X": 0.22, "b": 0.45, "a": 0.65}
    taken = _reserved(reserve=False, b_comes=True)
    assert taken == {"X": 0.22, "a": 0.42, "b": 0.62}
    penalty = ConstantPenalty(0.4, 10.0)
    assert [penalty.of(ends["b"] - 0.15) for ends in (kept, taken)] == [0.0, 10.0]


def test_k_h7_the_hold_ends_when_the_predicted_request_does_not_come() -> None:
    assert _reserved(reserve=True, b_comes=False) == {"X": 0.22, "a": 0.5}


@pytest.mark.parametrize(("in_s", "is_seen"), [(0.11, False), (0.1, True), (0.09, True)])
def test_k_h8_requests_are_predicted_half_a_response_time_ahead(in_s: float, is_seen: bool) -> None:
    process = Process(
        "i",
        0.0,
        activities=(
            Activity("before", "inf", in_s, "running", since_s=0.0),
            Activity("decision", DECISION, 0.2, after=frozenset({"before"})),
        ),
    )
    assert bool(prioritise([process], DECISION, 0.2, 0.0)) is is_seen


STATES: tuple[State, ...] = get_args(State)

_penalties = st.one_of(
    st.builds(StagedPenalty, st.floats(0, 20), st.floats(0, 100), st.floats(0.1, 5)),
    st.builds(ConstantPenalty, st.floats(0, 20), st.floats(0, 100)),
)


@st.composite
def _processes(draw: st.DrawFn) -> Process:
    count = draw(st.integers(1, 7))
    names = [f"a{number}" for number in range(count)]
    activities = []
    for number, name in enumerate(names):
        state = draw(st.sampled_from(STATES))
        since = draw(st.floats(0, 5)) if state in {"pending", "running"} else None
        after = draw(st.frozensets(st.sampled_from(names[:number]))) if number else frozenset()
        service = draw(st.sampled_from((DECISION, EXPERTISE, None)))
        activities.append(Activity(name, service, draw(st.floats(0, 3)), state, since, after))
    return Process(draw(st.sampled_from("pqrs")), draw(st.floats(0, 5)), draw(_penalties), tuple(activities))


@given(st.lists(_processes(), max_size=4), st.floats(0, 10), st.floats(1, 4))
def test_k_h9_a_delay_never_saves_anything(
    processes: list[Process], now_s: float, delay_factor: float
) -> None:
    ranked = prioritise(processes, DECISION, 0.2, now_s, delay_factor=delay_factor)
    assert all(r.difference >= 0 and r.delayed_finish_s >= r.default_finish_s for r in ranked)
    assert list(ranked) == sorted(ranked, key=lambda r: (-r.difference, r.request_s, r.instance, r.activity))
    shuffled = [replace(p, activities=tuple(reversed(p.activities))) for p in reversed(processes)]
    assert sorted(map(repr, prioritise(shuffled, DECISION, 0.2, now_s, delay_factor=delay_factor))) == sorted(
        map(repr, ranked)
    )


def test_k_h10_slack_of_a_parallel_branch_absorbs_a_delay() -> None:
    process = Process(
        "i",
        0.0,
        StagedPenalty(0.0, 10.0, 0.1),
        (
            Activity("other", "est", 0.7, "pending", since_s=0.0),
            Activity("decision", DECISION, 0.3, "pending", since_s=0.0),
        ),
    )
    [only] = prioritise([process], DECISION, 0.2, 0.0)
    assert (only.default_finish_s, only.delayed_finish_s, only.difference) == (0.7, 0.7, 0.0)


def test_an_order_that_runs_in_a_circle_is_cut() -> None:
    def chain(*after: Sequence[str]) -> Process:
        return Process(
            "i",
            0.0,
            activities=tuple(
                Activity(name, None, 1.0, after=frozenset(names))
                for name, names in zip("abc", after, strict=True)
            ),
        )

    assert forecast(chain((), "a", "b"), 0.0).finish_s == 3.0
    assert forecast(chain("c", "a", "b"), 0.0).finish_s == 3.0
    assert forecast(chain("a", "b", "c"), 0.0).finish_s == 1.0


def test_what_is_done_is_over_and_what_is_overdue_ends_now() -> None:
    done = Process(
        "i", 0.0, activities=(Activity("a", None, 9.0, "done"), Activity("b", None, 1.0, "running", 0.0))
    )
    assert forecast(done, 5.0).finish_s == 5.0


def _proxy(penalty: Penalty | None = None, capacity: int = 1) -> Proxy:
    policy = FifoPolicy() if penalty is None else SlaPenaltyPolicy()
    return Proxy(DECISION, capacity, 0.2, policy)


def test_requests_of_one_score_go_out_in_the_order_of_their_arrival() -> None:
    proxy = _proxy(capacity=3)
    for key, arrived in (("late", 3.0), ("early", 1.0), ("middle", 2.0), ("last", 4.0)):
        proxy.enqueue(Waiting(key, key, "decision", arrived))
    decisions = proxy.dispatch(5.0)
    assert [decision.selected for decision in decisions] == ["early", "middle", "late"]
    assert [(a.key, a.because) for a in decisions[0].alternatives] == [
        ("early", ""),
        ("middle", "LaterRequest"),
        ("late", "LaterRequest"),
        ("last", "LaterRequest"),
    ]
    assert proxy.dispatch(5.0) == ()
    proxy.answered("middle")
    assert [decision.selected for decision in proxy.dispatch(6.0)] == ["last"]


def test_the_request_whose_delay_costs_more_goes_first_and_the_decision_says_so() -> None:
    proxy = _proxy(STAGED)
    proxy.occupy(Waiting("before", "x", "decision", 0.0))
    proxy.enqueue(Waiting("old", "c2", "decision", 3.09))
    proxy.enqueue(Waiting("urgent", "c1", "decision", 3.1))
    urgent = _nearly_late()
    waits = replace(urgent.activities[1], state="pending", since_s=3.1, after=frozenset())
    urgent = replace(urgent, started_s=-0.05, activities=(waits, *urgent.activities[2:]))
    proxy.adapt([_young(), urgent], 3.1)
    assert [(place.key, place.rank, place.score) for place in proxy.ranking()] == [
        ("urgent", 1, 10.0),
        ("old", 2, 0.0),
    ]
    proxy.answered("before")
    [decision] = proxy.dispatch(3.15)
    chosen, other = decision.alternatives
    assert (decision.selected, chosen.because, other.because) == ("urgent", "", "LowerScore")
    assert chosen.ranked is not None
    assert chosen.ranked.delayed_penalty == 10.0
    proxy.set_policy(FifoPolicy())
    proxy.put_back("urgent")
    assert [d.selected for d in proxy.dispatch(3.2)] == ["old"]


def _state(proxy: Proxy) -> tuple[list[Waiting], list[Waiting], int]:
    return list(proxy.waiting), list(proxy.running), proxy.free


def test_a_request_that_waits_or_runs_is_not_taken_twice() -> None:
    proxy = _proxy(capacity=1)
    request = Waiting("k", "i", "decision", 1.0)
    proxy.enqueue(request)
    proxy.enqueue(replace(request, arrived_s=0.5))
    assert _state(proxy) == ([request], [], 1)
    proxy.dispatch(1.0)
    proxy.enqueue(request)
    assert _state(proxy) == ([], [request], 0)
    proxy.put_back("k")
    assert _state(proxy) == ([request], [], 1)
    proxy.withdraw("k")
    assert _state(proxy) == ([], [], 1)


def test_a_long_queue_is_not_ordered_anew_for_every_request_that_comes_or_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []

    def age(request: Waiting) -> tuple[float, str, str, str]:
        looked_at.append(request.key)
        return request.arrived_s, request.instance, request.activity, request.key

    proxy = Proxy("s", 1, 1.0, FifoPolicy())
    for number in range(1000):
        proxy.enqueue(Waiting(f"k{number}", "", "", float(number)))
    [first] = proxy.dispatch(0.0)
    monkeypatch.setattr(proxies, "_age", age)

    proxy.enqueue(Waiting("late", "", "", 1000.0))
    proxy.answered(first.selected)
    [second] = proxy.dispatch(1.0)

    assert (first.selected, second.selected) == ("k0", "k1")
    assert len(looked_at) < 50
