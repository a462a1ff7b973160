"""Delays after failures."""

import pytest

from agent.fetch.pace import POLITE, UNPACED


def test_the_delay_doubles_from_one_second_to_sixty() -> None:
    assert [POLITE.delay_s(failures) for failures in (1, 2, 3, 4, 5, 6, 7, 8, 10_000)] == [
        1, 2, 4, 8, 16, 32, 60, 60, 60,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "delay"),
    [("20", 20), ("3600", 60), ("0", 1), ("Fri, 31 Dec 1999 23:59:59 GMT", 1), ("-5", 1), ("9" * 50, 1)],
)
def test_a_server_may_ask_for_more_patience(field: str, delay: float) -> None:
    assert POLITE.delay_s(1, field) == delay


def test_without_a_pace_nothing_is_delayed() -> None:
    assert UNPACED.delay_s(50, "20") == 0
