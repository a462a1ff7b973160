"""Every moment of processor time belongs to one activity, the innermost."""

from collections.abc import Iterator

from agent.bench.workflow.ledger import Ledger


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float) -> None:
        self.now += seconds


class Thinker:
    """Something whose work is counted."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        clock.work(1)

    def think(self) -> str:
        self.clock.work(2)
        return self._privately()

    def pieces(self) -> Iterator[int]:
        for number in range(3):
            self.clock.work(10)
            yield number

    def _privately(self) -> str:
        self.clock.work(4)
        return "thought"


def _spent(ledger: Ledger) -> dict[str, float]:
    return {activity: seconds for activity, seconds in ledger.taken().items() if seconds}


def test_time_belongs_to_the_innermost_activity_and_the_rest_to_what_goes_on() -> None:
    clock = Clock()
    ledger = Ledger(clock)

    clock.work(1)
    with ledger.during("decide"):
        clock.work(2)
        with ledger.during("reason"):
            clock.work(4)
        clock.work(8)
    ledger.go_on_with("act")
    clock.work(16)

    assert _spent(ledger) == {"read": 1, "decide": 10, "reason": 4, "act": 16}
    assert _spent(ledger) == {}


def test_what_is_aside_is_not_counted() -> None:
    clock = Clock()
    ledger = Ledger(clock)
    ledger.enter("aside")
    clock.work(100)
    ledger.leave()
    clock.work(1)

    assert _spent(ledger) == {"read": 1}


def test_a_class_is_counted_with_its_constructor_and_its_generators_piece_by_piece() -> None:
    class Counted(Thinker):
        def __init__(self, clock: Clock) -> None:
            super().__init__(clock)

        def think(self) -> str:
            return super().think()

        def pieces(self) -> Iterator[int]:
            yield from super().pieces()

    clock = Clock()
    ledger = Ledger(clock)
    ledger.count_class("reason", Counted)

    thinker = Counted(clock)
    assert thinker.think() == "thought"
    for number in thinker.pieces():
        assert number in range(3)
        clock.work(100)

    assert _spent(ledger) == {"reason": 1 + 6 + 30, "read": 300}


def test_an_activity_ends_when_what_it_called_fails() -> None:
    clock = Clock()
    ledger = Ledger(clock)

    def fail() -> None:
        clock.work(1)
        raise ValueError

    try:
        ledger.counted("decide", fail)()
    except ValueError:
        clock.work(2)

    assert _spent(ledger) == {"decide": 1, "read": 2}
