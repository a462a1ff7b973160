"""Errands at one origin: so many at a time, in order, whatever becomes of each."""

import asyncio

import pytest

from agent.transport.errands import Errand, Lane


class Visit(Errand):
    """An errand that is noted when it begins, and ends when it is told to."""

    __slots__ = ("begun", "ended", "may_end", "name")

    def __init__(self, name: str, begun: list[str], *, at_once: bool = False) -> None:
        super().__init__()
        self.name = name
        self.begun = begun
        self.may_end = asyncio.Event()
        self.ended = asyncio.Event()
        if at_once:
            self.may_end.set()

    async def run(self) -> None:
        self.begun.append(self.name)
        try:
            await self.may_end.wait()
        finally:
            self.ended.set()


class Broken(Errand):
    __slots__ = ()

    async def run(self) -> None:
        raise ZeroDivisionError


def visits(count: int, begun: list[str]) -> list[Visit]:
    return [Visit(str(number), begun) for number in range(count)]


async def settled() -> None:
    """Let everything that can go on without waiting go on."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_so_many_are_done_together_and_the_next_begins_when_one_has_ended() -> None:
    begun: list[str] = []
    lane, all_of_them = Lane(2), visits(4, begun)
    for visit in all_of_them:
        lane.add(visit)
    assert begun == []
    await settled()
    assert begun == ["0", "1"]

    all_of_them[1].may_end.set()
    await settled()
    assert begun == ["0", "1", "2"]

    for visit in all_of_them:
        visit.may_end.set()
    await settled()
    assert begun == ["0", "1", "2", "3"]


async def test_what_comes_while_a_task_is_ending_is_done_too() -> None:
    begun: list[str] = []
    lane = Lane(1)
    first = Visit("first", begun, at_once=True)
    lane.add(first)
    await first.ended.wait()
    second = Visit("second", begun, at_once=True)
    lane.add(second)
    await asyncio.wait_for(second.ended.wait(), 5)


async def test_one_that_is_left_goes_on_and_makes_room() -> None:
    begun: list[str] = []
    lane, (slow, quick, last) = Lane(1), visits(3, begun)
    for visit in (slow, quick, last):
        lane.add(visit)
    await settled()
    task = lane.leave(slow)
    await settled()
    assert (begun, slow.ended.is_set(), task.done()) == (["0", "1"], False, False)

    slow.may_end.set()
    await task
    await settled()
    assert begun == ["0", "1"]
    quick.may_end.set()
    await settled()
    assert begun == ["0", "1", "2"]
    await lane.clear()


async def test_one_that_has_not_begun_cannot_be_left() -> None:
    with pytest.raises(ValueError, match="has not begun"):
        Lane(1).leave(Visit("0", []))


async def test_one_that_is_withdrawn_makes_room_for_the_next() -> None:
    begun: list[str] = []
    lane, (first, second, third) = Lane(1), visits(3, begun)
    for visit in (first, second, third):
        lane.add(visit)
    await settled()
    await lane.withdraw(second)
    await lane.withdraw(first)
    assert first.ended.is_set()
    await settled()
    assert begun == ["0", "2"]
    await lane.clear()


async def test_nothing_is_left_after_clearing_but_what_was_left_before() -> None:
    begun: list[str] = []
    lane, (left, first, second) = Lane(2), visits(3, begun)
    lane.add(left)
    await settled()
    task = lane.leave(left)
    for visit in (first, second):
        lane.add(visit)
    await settled()
    lane.add(Visit("waiting", begun))

    await lane.clear()

    await settled()
    assert (begun, first.ended.is_set(), second.ended.is_set()) == (["0", "1", "2"], True, True)
    assert not task.done()
    left.may_end.set()
    await task


async def test_a_lane_that_was_cleared_before_its_first_breath_works_again() -> None:
    begun: list[str] = []
    lane = Lane(1)
    lane.add(Visit("never", begun))
    await lane.clear()
    again = Visit("again", begun, at_once=True)
    lane.add(again)
    await asyncio.wait_for(again.ended.wait(), 5)
    assert begun == ["again"]


async def test_a_fault_in_one_errand_does_not_hold_up_the_others() -> None:
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context["exception"]))
    lane, healthy = Lane(1), Visit("healthy", [], at_once=True)
    lane.add(Broken())
    lane.add(healthy)
    await asyncio.wait_for(healthy.ended.wait(), 5)
