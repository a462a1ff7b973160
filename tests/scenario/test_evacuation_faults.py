"""The evacuation with broken devices: what cannot be known holds up what depends on it, and nothing else."""

import asyncio
import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from agent.rdf.terms import XSD_DECIMAL, Literal
from agent.sim.evacuation import EVACUATION
from agent.sim.faults import TEXT_FOR_A_NUMBER, HalfDocument, Hang, ServerError
from agent.sim.performance import Scripted, Staging
from agent.sim.play import Breakdown
from agent.sim.scenario import Change, Effect
from agent.sim.show import Verdict

PATIENCE_S = 2.0
"""With a device that never answers; all others may take as long as a busy machine takes."""
DEVICES = "http://127.0.0.1:PORT/devices/"
HEAT, BUTTON, *LEAVING = EVACUATION.script


def up_to(step: int) -> list[Effect]:
    return [effect for effect in EVACUATION.expected if effect.step <= step]


def later(steps: int, since: int, until: int) -> list[Effect]:
    """Return what is expected in the steps from ``since`` to ``until``, ``steps`` steps later."""
    return [
        replace(effect, step=effect.step + steps)
        for effect in EVACUATION.expected
        if since <= effect.step <= until
    ]


async def play(
    steps: int,
    expected: Sequence[Effect],
    *breakdowns: Breakdown,
    script: Sequence[Change] = EVACUATION.script,
) -> tuple[Verdict, list[str]]:
    lines: list[str] = []
    scenario = replace(EVACUATION, steps=steps, expected=tuple(expected), script=tuple(script))
    hangs = any(isinstance(breakdown.fault, Hang) for breakdown in breakdowns)
    staging = Staging(None, breakdowns, PATIENCE_S) if hangs else Staging(None, breakdowns)
    verdict = await Scripted(scenario, staging).perform(lines.append, asyncio.Event())
    told = [re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", line) for line in lines]
    return verdict, [line for line in told if "!" in line]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [(ServerError(503), "the server answered 503"), (HalfDocument(), "the answer broke off")],
)
async def test_nobody_is_known_to_be_out_while_the_people_counter_cannot_be_read(
    fault: ServerError | HalfDocument, reason: str
) -> None:
    verdict, troubles = await play(
        15,
        [*up_to(11), *later(2, 12, 13)],
        Breakdown(12, "people-counter", fault),
        Breakdown(14, "people-counter", None),
    )
    assert verdict.differences == ()
    assert troubles == [
        f'step 12  ! {DEVICES}people-counter failed: {reason}; so "nobody inside" cannot be known',
        f"step 14  ! {DEVICES}people-counter answers again",
    ]


async def test_a_counter_that_says_a_word_counts_nobody_out() -> None:
    verdict, troubles = await play(13, up_to(11), Breakdown(12, "people-counter", TEXT_FOR_A_NUMBER))
    assert (verdict.differences, troubles) == ((), [])


async def test_a_thermometer_that_says_a_word_raises_no_alarm_until_it_is_repaired() -> None:
    verdict, troubles = await play(
        6,
        [*up_to(1), *later(2, 3, 4)],
        Breakdown(3, "kitchen-thermometer", TEXT_FOR_A_NUMBER),
        Breakdown(5, "kitchen-thermometer", None),
        script=[HEAT],
    )
    assert (verdict.differences, troubles) == ((), [])


async def test_one_hot_room_is_enough_whatever_the_other_thermometers_do() -> None:
    office = replace(HEAT, device="office-thermometer", state=Literal("57", XSD_DECIMAL))
    verdict, troubles = await play(
        4,
        up_to(4),
        Breakdown(3, "kitchen-thermometer", ServerError(500)),
        Breakdown(3, "store-room-thermometer", TEXT_FOR_A_NUMBER),
        script=[office],
    )
    assert verdict.differences == ()
    assert troubles == [f"step  3  ! {DEVICES}kitchen-thermometer failed: the server answered 500"]


@pytest.mark.parametrize("degrees", ["56.9", "-61.5"])
async def test_a_room_below_the_limit_is_not_too_hot(degrees: str) -> None:
    warm = replace(HEAT, state=Literal(degrees, XSD_DECIMAL))
    verdict, troubles = await play(4, up_to(1), script=[warm])
    assert (verdict.differences, troubles) == ((), [])


async def test_a_button_that_never_answers_does_not_keep_the_heat_from_raising_the_alarm() -> None:
    verdict, troubles = await play(
        4, up_to(4), Breakdown(3, "alarm-button", Hang()), Breakdown(4, "alarm-button", None), script=[HEAT]
    )
    pressed = "alarm button pressed"
    assert verdict.differences == ()
    assert troubles == [
        f'step  3  ! {DEVICES}alarm-button failed: no answer within 2 s; so "{pressed}" cannot be known',
        f"step  4  ! {DEVICES}alarm-button answers again",
    ]


async def test_one_exit_that_refuses_to_unlock_keeps_the_people_from_being_waited_for() -> None:
    expected = [effect for effect in up_to(8) if effect.element != "south-exit unlocked"]
    verdict, troubles = await play(
        11,
        expected,
        Breakdown(8, "south-exit", ServerError(503)),
        Breakdown(9, "south-exit", None),
        script=[HEAT],
    )
    assert verdict.differences == ()
    assert f"step  8  ! PUT {DEVICES}south-exit refused: status 503" in troubles
