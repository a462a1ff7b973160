"""What comes close together is one batch, and nothing waits for long."""

import asyncio

from ldp_server.storage.gathering import Gathering

NEVER_S = 3600.0


async def test_one_alone_is_handed_over_at_once_again_and_again() -> None:
    batches: list[list[int]] = []
    gathering = Gathering(batches.append, most=10, patience_s=NEVER_S)
    for number in range(3):
        gathering.add(number)
        assert batches == [[earlier] for earlier in range(number + 1)]
        gathering.done(1)


async def test_what_comes_before_a_batch_is_done_waits_and_is_one_batch_with_those_who_come_again() -> None:
    batches: list[list[str]] = []
    gathering = Gathering(batches.append, most=10, patience_s=NEVER_S)
    for item in ("a1", "b1", "c1"):
        gathering.add(item)
    assert batches == [["a1"]]
    gathering.done(1)
    assert batches == [["a1"]]
    gathering.add("a2")
    assert batches == [["a1"], ["b1", "c1", "a2"]]
    gathering.done(3)
    for item in ("c2", "b2", "a3"):
        gathering.add(item)
    assert batches[2:] == [["c2", "b2", "a3"]]


async def test_those_who_do_not_come_again_are_awaited_once_and_not_for_long() -> None:
    batches: list[list[str]] = []
    gathering = Gathering(batches.append, most=10, patience_s=0)
    for item in ("a1", "b1"):
        gathering.add(item)
    gathering.done(1)
    assert batches == [["a1"]]
    await asyncio.sleep(0.01)
    assert batches == [["a1"], ["b1"]]
    gathering.done(1)
    gathering.add("c1")
    assert batches == [["a1"], ["b1"], ["c1"]]


async def test_more_than_a_batch_is_awaited_by_nobody_and_all_that_waits_goes_together() -> None:
    batches: list[list[int]] = []
    gathering = Gathering(batches.append, most=3, patience_s=NEVER_S)
    for number in range(6):
        gathering.add(number)
    gathering.done(1)
    assert batches == [[0], [1, 2, 3, 4, 5]]
    gathering.done(5)
    for number in range(6, 9):
        gathering.add(number)
    assert batches[2:] == [[6, 7, 8]]


async def test_patience_with_a_batch_that_came_together_does_not_cut_the_next_one_short() -> None:
    batches: list[list[str]] = []
    gathering = Gathering(batches.append, most=10, patience_s=0)
    for item in ("a1", "b1"):
        gathering.add(item)
    gathering.done(1)
    gathering.add("a2")
    assert batches[1:] == [["b1", "a2"]]
    gathering.add("b2")
    await asyncio.sleep(0.01)
    assert batches[2:] == []


async def test_what_is_finished_early_is_handed_over_once() -> None:
    batches: list[list[str]] = []
    gathering = Gathering(batches.append, most=10, patience_s=0)
    gathering.finish()
    for item in ("first", "second"):
        gathering.add(item)
    gathering.finish()
    gathering.done(1)
    gathering.done(1)
    await asyncio.sleep(0.01)
    assert batches == [["first"], ["second"]]
