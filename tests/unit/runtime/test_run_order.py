"""When a run ends if nothing is said: URIs are polled, a program takes one step, a dry run too."""

import pytest

from agent.runtime.loop import LoopSettings
from agent.runtime.running import RunOrder

NONE: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("order", "settings"),
    [
        (RunOrder(uris=("u",)), LoopSettings(1.0, None, None, NONE)),
        (RunOrder(uris=("u",), interval_s=0.2, steps=3), LoopSettings(0.2, 3, None, NONE)),
        (RunOrder(uris=("u",), dry_run=True), LoopSettings(1.0, 1, None, NONE)),
        (RunOrder(uris=("u",), dry_run=True, steps=2), LoopSettings(1.0, 2, None, NONE)),
        (RunOrder(), LoopSettings(0.0, 1, None, NONE)),
        (RunOrder(interval_s=5), LoopSettings(5, None, None, NONE)),
        (RunOrder(interval_s=0), LoopSettings(0, None, None, NONE)),
        (RunOrder(steps=4), LoopSettings(0.0, 4, None, NONE)),
        (RunOrder(until_quiet=2), LoopSettings(0.0, None, 2, NONE)),
        (RunOrder(dry_run=True, interval_s=1), LoopSettings(1, 1, None, NONE)),
    ],
)
def test_the_loop_follows_what_was_said_and_what_was_not(order: RunOrder, settings: LoopSettings) -> None:
    assert order.loop_settings(NONE) == settings
