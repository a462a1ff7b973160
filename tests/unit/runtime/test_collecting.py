"""The collector of garbage during a run leaves what stays alone, and is as before afterwards."""

import gc
from collections.abc import Iterator

import pytest

from agent.runtime.collecting import sparing_memory


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    gc.enable()
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_a_big_memory_is_set_aside_once_until_it_has_doubled() -> None:
    counts: list[int] = []
    kept: list[list[int]] = []
    with sparing_memory() as after_step:
        for facts in (9_999, 10_000, 19_999, 20_000):
            after_step(facts)
            counts.append(gc.get_freeze_count())
            kept += [[facts] for _ in range(1000)]

    assert counts[0] == 0
    assert counts[1] > 1000
    assert abs(counts[2] - counts[1]) < 100
    assert counts[3] > counts[2] + 1000


def test_garbage_that_was_set_aside_is_found_when_memory_has_doubled() -> None:
    gone = []

    class Cycle:
        def __del__(self) -> None:
            gone.append(True)

    cycle = Cycle()
    cycle.__dict__["self"] = cycle
    with sparing_memory() as after_step:
        after_step(10_000)
        del cycle
        gc.collect()
        before = list(gone)
        after_step(20_000)

    assert (before, gone) == ([], [True])


def test_afterwards_all_is_as_before_also_when_the_run_fails() -> None:
    before = gc.get_threshold()
    meanwhile = []

    def run() -> None:
        with sparing_memory() as after_step:
            after_step(50_000)
            meanwhile.append((gc.get_threshold() > before, gc.get_freeze_count() > 0))
            raise KeyError

    with pytest.raises(KeyError):
        run()
    assert meanwhile == [(True, True)]
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


@pytest.mark.parametrize("owner", ["frozen", "disabled"])
def test_a_collector_that_somebody_else_has_set_is_left_alone(owner: str) -> None:
    gc.freeze() if owner == "frozen" else gc.disable()
    before = (gc.get_threshold(), gc.get_freeze_count())
    with sparing_memory() as after_step:
        after_step(50_000)
        assert (gc.get_threshold(), gc.get_freeze_count()) == before
    assert gc.isenabled() == (owner == "frozen")
    gc.enable()
