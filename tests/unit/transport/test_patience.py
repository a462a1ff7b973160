"""Patience and time-outs: what takes too long is given up, once, and nothing else is."""

import asyncio
from collections.abc import Callable

import pytest

from agent.transport.patience import Patience
from agent.transport.timeouts import Timeouts

SHORT_S = 0.02
LONG_S = 600.0
SLICES = 8


class Timers:
    """The timers that were set, which go off when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.delays: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._set: list[asyncio.TimerHandle] = []
        monkeypatch.setattr(self._loop, "call_later", self._call_later)

    def go_off(self, times: int) -> None:
        """Let the timer that is set go off, and the one that is set then, and so on."""
        for _ in range(times):
            handle = self._set.pop()
            assert not handle.cancelled()
            handle._run()

    @property
    def count(self) -> int:
        """How many timers are set."""
        return sum(not handle.cancelled() for handle in self._set)

    def _call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        self.delays.append(delay)
        self._set.append(asyncio.TimerHandle(0.0, callback, (), self._loop))
        return self._set[-1]


@pytest.fixture
async def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    return Timers(monkeypatch)


async def test_what_does_not_end_is_given_up_in_order_and_once(timers: Timers) -> None:
    given_up: list[str] = []
    patience = Patience(4.0, given_up.append)
    for name in ("a", "b", "c"):
        patience.begin(name)
    assert patience.end("b")
    # A slice that was running when the others began does not count.
    timers.go_off(SLICES)
    assert given_up == ["a"]
    timers.go_off(1)
    assert (given_up, timers.count) == (["a", "c"], 0)
    assert not patience.end("a")
    assert set(timers.delays) == {0.5}


async def test_what_begins_later_has_as_much_time(timers: Timers) -> None:
    given_up: list[str] = []
    patience = Patience(4.0, given_up.append)
    patience.begin("early")
    timers.go_off(5)
    patience.begin("late")
    timers.go_off(3)
    assert given_up == ["early"]
    timers.go_off(SLICES - 3)
    assert given_up == ["early"]
    timers.go_off(1)
    assert given_up == ["early", "late"]


async def test_no_timer_runs_when_nothing_is_waited_for(timers: Timers) -> None:
    given_up: list[str] = []
    patience = Patience(4.0, given_up.append)
    patience.begin("a")
    patience.end("a")
    timers.go_off(1)
    assert timers.count == 0

    patience.begin("b")
    timers.go_off(SLICES - 1)
    assert given_up == []
    timers.go_off(1)
    assert (given_up, timers.count) == (["b"], 0)


async def test_what_is_given_up_may_begin_again(timers: Timers) -> None:
    given_up: list[str] = []

    def again(name: str) -> None:
        given_up.append(name)
        if len(given_up) == 1:
            patience.begin(name)

    patience = Patience(4.0, again)
    patience.begin("a")
    timers.go_off(SLICES)
    timers.go_off(SLICES)
    assert (given_up, timers.count) == (["a", "a"], 0)


async def test_nothing_is_given_up_after_closing(timers: Timers) -> None:
    patience = Patience(4.0, pytest.fail)
    patience.begin("a")
    patience.close()
    assert timers.count == 0
    assert not patience.end("a")


async def test_a_block_that_takes_too_long_ends_with_a_time_out() -> None:
    timeouts = Timeouts(SHORT_S)
    with pytest.raises(TimeoutError), timeouts.one():
        await asyncio.Event().wait()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    with timeouts.one():
        await asyncio.sleep(0)


@pytest.mark.parametrize("is_closed", [False, True])
async def test_a_cancelled_block_is_cancelled(is_closed: bool) -> None:
    timeouts = Timeouts(LONG_S)
    inside = asyncio.Event()

    async def wait() -> None:
        with timeouts.one():
            inside.set()
            await asyncio.Event().wait()

    waiting = asyncio.ensure_future(wait())
    await inside.wait()
    if is_closed:
        timeouts.close()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_who_cancels_a_block_that_is_over_time_has_the_last_word() -> None:
    timeouts = Timeouts(SHORT_S)
    over = asyncio.Event()

    async def wait() -> None:
        with timeouts.one():
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                over.set()
                await asyncio.Event().wait()

    waiting = asyncio.ensure_future(wait())
    await over.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_time_out_needs_a_task() -> None:
    loop = asyncio.get_running_loop()
    told: asyncio.Future[str] = loop.create_future()

    def enter() -> None:
        try:
            Timeouts(LONG_S).one()
        except RuntimeError as error:
            told.set_result(str(error))

    loop.call_soon(enter)
    assert await told == "a time-out needs a task to end"
