"""Instants never go back, and their texts sort like they do."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent.clock import SteppingClock, WallClock, lexical, next_instant

START = datetime(2000, 1, 1, tzinfo=UTC)
INSTANTS = st.integers(0, 10**15).map(lambda elapsed: START + timedelta(microseconds=elapsed))


@given(st.lists(INSTANTS, min_size=1, max_size=20))
def test_instants_of_steps_grow_strictly_whatever_the_wall_clock_does(walls: list[datetime]) -> None:
    instants: list[datetime] = []
    for wall in walls:
        instants.append(next_instant(wall, instants[-1] if instants else None))

    assert all(earlier < later for earlier, later in pairwise(instants))
    assert [lexical(i) for i in instants] == sorted({lexical(i) for i in instants})


def test_an_instant_is_cut_to_milliseconds() -> None:
    wall = datetime(2026, 1, 2, 3, 4, 5, 678_999, tzinfo=UTC)

    assert lexical(next_instant(wall, None)) == "2026-01-02T03:04:05.678Z"


def test_a_stepping_clock_moves_by_its_step_at_each_reading() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    clock = SteppingClock(start, timedelta(seconds=2))

    assert [clock.now(), clock.now(), clock.now()] == [
        start,
        start + timedelta(seconds=2),
        start + timedelta(seconds=4),
    ]


def test_the_wall_clock_speaks_utc() -> None:
    assert WallClock().now().utcoffset() == timedelta(0)
