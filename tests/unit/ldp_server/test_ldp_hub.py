"""Subscriptions give out what concerns their topics, whole commits in order, or say that something is lost."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server.feeds.hub import Hub, Subscription
from ldp_server.storage.changes import Change, ChangeKind, ChangeLog
from tests.support.depth import depth

PATHS = st.sampled_from(["/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/ab", "/d/e"])
TOPICS = st.frozensets(PATHS, min_size=1, max_size=3)
COMMITS = st.lists(st.lists(PATHS, min_size=1, max_size=3, unique=True), min_size=1, max_size=3)
TAKERS = st.integers(0, 2)


def concerns(topics: frozenset[str], path: str) -> bool:
    return any(path == topic or (topic.endswith("/") and path.startswith(topic)) for topic in topics)


async def play(topics: list[frozenset[str]], acts: list[list[list[str]] | int], max_bytes: int) -> None:
    log = ChangeLog(10, max_bytes=max_bytes)
    hub = Hub(log)
    subscriptions = [hub.subscribe(each) for each in topics]
    expected: list[list[Change]] = [[] for _ in topics]
    for act in [*acts, *range(len(topics))]:
        if isinstance(act, list):
            commits = [
                Change(number, path, ChangeKind.CHANGED)
                for number, paths in enumerate(act, log.sequence + 1)
                for path in paths
            ]
            log.note(commits)
            for place, each in enumerate(topics):
                expected[place] += [change for change in commits if concerns(each, change.path)]
            continue
        place = act % len(topics)
        taken = subscriptions[place].take()
        if taken is None:
            assert expected[place][0].number <= log.horizon
        else:
            assert list(taken) == expected[place]
        assert subscriptions[place].position == log.sequence
        expected[place].clear()


@settings(max_examples=depth(100, 3000))
@given(
    st.lists(TOPICS, min_size=1, max_size=3),
    st.lists(st.one_of(COMMITS, TAKERS), max_size=20),
    st.sampled_from([600, 10_000]),
)
def test_each_subscription_gets_its_changes_or_is_told_of_a_gap(
    topics: list[frozenset[str]], acts: list[list[list[str]] | int], max_bytes: int
) -> None:
    asyncio.run(play(topics, acts, max_bytes))


async def woken(subscription: Subscription) -> bool:
    try:
        async with asyncio.timeout(0):
            await subscription.wait()
    except TimeoutError:
        return False
    return True


async def test_only_who_is_concerned_wakes_and_long_backlogs_come_in_pieces() -> None:
    log = ChangeLog(0)
    hub = Hub(log)
    one, other = hub.subscribe(frozenset({"/a/"})), hub.subscribe(frozenset({"/b/"}))
    assert (one.take(), other.take()) == ([], [])
    for number in range(1, 201):
        log.note([Change(number, f"/a/{name}", ChangeKind.CREATED) for name in "xyz"])
    assert (await woken(one), await woken(other)) == (True, False)
    first = one.take()
    assert first is not None
    assert [change.number for change in first] == sorted(3 * list(range(1, len(first) // 3 + 1)))
    assert one.position == first[-1].number < 200
    assert await woken(one)
    rest = [change for _ in range(5) for change in one.take() or ()]
    assert len(first) + len(rest) == 600
    assert not await woken(one)
    hub.leave(one)
    log.note([Change(201, "/a/x", ChangeKind.CHANGED), Change(201, "/b/x", ChangeKind.CHANGED)])
    assert (await woken(one), await woken(other)) == (False, True)
    hub.close()
    assert other.is_over
    log.note([Change(202, "/b/x", ChangeKind.CHANGED)])


def test_a_log_keeps_whole_commits_and_most_of_its_room() -> None:
    log = ChangeLog(0, max_bytes=10_000)
    for number in range(1, 500):
        log.note([Change(number, f"/{name}", ChangeKind.CHANGED) for name in "xy"])
        held = log.after(0)
        assert [change.number for change in held] == sorted(2 * list(range(log.horizon + 1, number + 1)))
        assert sum(len(change.path) + 150 for change in held) <= 10_000
        assert log.horizon == 0 or len(held) >= 40


async def test_a_long_log_that_concerns_nobody_is_looked_through_in_pieces() -> None:
    log = ChangeLog(0)
    for number in range(1, 601):
        log.note([Change(number, f"/other/{name}", ChangeKind.CHANGED) for name in "xy"])
    subscription = Hub(log).subscribe(frozenset({"/a/"}), after=0)

    positions = []
    while await woken(subscription):
        assert subscription.take() == []
        positions.append(subscription.position)

    assert positions[-1] == 600
    assert len(positions) > 3
    assert positions == sorted(set(positions))


@given(COMMITS, COMMITS, st.integers(150, 1500))
def test_a_log_forgets_the_same_whether_commits_come_alone_or_together(
    first: list[list[str]], later: list[list[str]], max_bytes: int
) -> None:
    alone, together = ChangeLog(0, max_bytes=max_bytes), ChangeLog(0, max_bytes=max_bytes)
    number = 0
    for commits in (first, later):
        batch = []
        for paths in commits:
            number += 1
            commit = [Change(number, path, ChangeKind.CHANGED) for path in paths]
            alone.note(commit)
            batch += commit
        together.note(batch)
        assert [*together.after(0)] == [*alone.after(0)]
        assert (together.horizon, together.sequence) == (alone.horizon, alone.sequence)
