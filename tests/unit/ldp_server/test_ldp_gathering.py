"""What comes close together is one batch, and nothing waits for long."""

import asyncio

from ldp_server.storage.gathering import Gathering


async def rounds(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_items_that_follow_each_other_closely_are_handed_over_together() -> None:
    batches: list[list[int]] = []
    gathering = Gathering(batches.append, most=10)
    for number in range(4):
        gathering.add(number)
        await rounds(1)
    assert batches == []
    await rounds(4)
    assert batches == [[0, 1, 2, 3]]


async def test_an_item_alone_is_handed_over_after_a_few_rounds_and_the_next_begins_anew() -> None:
    batches: list[list[str]] = []
    gathering = Gathering(batches.append, most=10)
    gathering.add("first")
    await rounds(4)
    gathering.add("second")
    assert batches == [["first"]]
    await rounds(4)
    assert batches == [["first"], ["second"]]


async def test_so_many_items_are_handed_over_at_once_and_those_after_them_wait() -> None:
    batches: list[list[int]] = []
    gathering = Gathering(batches.append, most=3)
    for number in range(5):
        gathering.add(number)
    assert batches == [[0, 1, 2]]
    await rounds(4)
    assert batches == [[0, 1, 2], [3, 4]]


async def test_items_that_never_end_are_handed_over_all_the_same() -> None:
    batches: list[list[int]] = []
    gathering = Gathering(batches.append, most=3)
    for number in range(7):
        gathering.add(number)
        await rounds(1)
    assert batches == [[0, 1, 2], [3, 4, 5]]


async def test_what_is_finished_early_is_handed_over_once() -> None:
    batches: list[list[str]] = []
    gathering = Gathering(batches.append, most=10)
    gathering.finish()
    gathering.add("only")
    gathering.finish()
    await rounds(4)
    assert batches == [["only"]]
