"""What holds for the queue and the slots of a service, whatever comes and goes."""

from hypothesis import given
from hypothesis import strategies as st

from agent.schedulers.penalty import ConstantPenalty, StagedPenalty
from agent.schedulers.policy import FifoPolicy, Policy, SlaPenaltyPolicy
from agent.schedulers.process import Activity, Process
from agent.schedulers.proxy import Proxy, Waiting

KEYS = tuple("abcdefgh")
policies: st.SearchStrategy[Policy] = st.one_of(
    st.just(FifoPolicy()),
    st.builds(SlaPenaltyPolicy, st.floats(1, 4), st.floats(0, 2), st.booleans()),
)
events = st.lists(
    st.tuples(
        st.sampled_from(("come", "answer", "adapt", "switch", "back")), st.sampled_from(KEYS), st.floats(0, 1)
    ),
    max_size=40,
)


def _processes(proxy: Proxy, now: float) -> list[Process]:
    """Return a process for every key: waiting ones as pending, running ones as running, the others predicted."""
    waiting = {request.key: request.arrived_s for request in proxy.waiting}
    running = {request.key for request in proxy.running}
    found = []
    for number, key in enumerate(KEYS):
        state = "pending" if key in waiting else "running" if key in running else "new"
        since = waiting.get(key, now if key in running else None)
        activity = Activity("a", "s", 0.5, state, since)  # type: ignore[arg-type]  # one of the states
        penalty = StagedPenalty(number, 10) if number % 2 else ConstantPenalty(number, 20)
        found.append(Process(key, 0.0, penalty, (activity,)))
    return found


@given(st.integers(1, 3), policies, policies, events)
def test_slots_are_never_overfull_nothing_gets_lost_and_nothing_waits_before_a_free_slot(
    capacity: int, policy: Policy, other: Policy, happenings: list[tuple[str, str, float]]
) -> None:
    proxy = Proxy("s", capacity, 0.5, policy)
    now = 0.0
    inside: set[str] = set()
    for what, key, passes in happenings:
        now += passes
        if what == "come":
            proxy.enqueue(Waiting(key, key, "a", now))
            inside.add(key)
        elif what == "answer" and key in {request.key for request in proxy.running}:
            proxy.answered(key)
            inside.discard(key)
        elif what == "back":
            proxy.put_back(key)
        elif what == "adapt":
            proxy.adapt(_processes(proxy, now), now)
        elif what == "switch":
            proxy.set_policy(other)
        places, arrived = proxy.ranking(), {request.key: request.arrived_s for request in proxy.waiting}
        ranking = [place.key for place in places]
        selected = [decision.selected for decision in proxy.dispatch(now)]

        waiting = {request.key for request in proxy.waiting}
        running = {request.key for request in proxy.running}
        assert list(places) == sorted(places, key=lambda place: (-place.score, arrived[place.key], place.key))
        assert [place.rank for place in places] == list(range(1, len(arrived) + 1))
        assert selected == ranking[: len(selected)]
        assert len(running) <= capacity
        assert waiting | running == inside
        assert not waiting & running
        ends = proxy.hold_ends_s(now)
        assert not waiting or not proxy.free or (ends is not None and ends > now)


@given(st.permutations(KEYS), st.floats(0, 5))
def test_the_order_in_which_requests_are_told_of_does_not_matter(order: list[str], now: float) -> None:
    def ranked(keys: list[str]) -> list[tuple[str, int, float]]:
        proxy = Proxy("s", 1, 0.5, SlaPenaltyPolicy())
        for key in keys:
            proxy.enqueue(Waiting(key, key, "a", 1.0))
        proxy.adapt(_processes(proxy, now) if keys == list(KEYS) else _processes(proxy, now)[::-1], now)
        return [(place.key, place.rank, place.score) for place in proxy.ranking()]

    assert ranked(order) == ranked(list(KEYS))
