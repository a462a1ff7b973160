"""The fire alarm with wrong guards and broken devices: what differs is told, the rest goes on."""

import asyncio
import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from agent.resources import read_bundled
from agent.sim.faults import TEXT_FOR_A_NUMBER, Fault, HalfDocument, Hang, ServerError
from agent.sim.fire_alarm import FIRE_ALARM
from agent.sim.performance import Scripted, Staging
from agent.sim.play import Breakdown
from agent.sim.scenario import Effect
from agent.sim.show import Verdict

PATIENCE_S = 2.0
"""With a device that never answers; all others may take as long as a busy machine takes."""
BROKEN = "http://127.0.0.1:PORT/devices/"


def up_to(step: int, *instead: Effect) -> list[Effect]:
    return [effect for effect in FIRE_ALARM.expected if effect.step <= step] + list(instead)


async def play(
    steps: int, expected: Sequence[Effect], *breakdowns: Breakdown, model: str | None = None
) -> tuple[Verdict, list[str]]:
    lines: list[str] = []
    scenario = replace(FIRE_ALARM, steps=steps, expected=tuple(expected))
    hangs = any(isinstance(breakdown.fault, Hang) for breakdown in breakdowns)
    staging = Staging(model, breakdowns, PATIENCE_S) if hangs else Staging(model, breakdowns)
    verdict = await Scripted(scenario, staging).perform(lines.append, asyncio.Event())
    return verdict, [re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", line) for line in lines]


@pytest.mark.parametrize(
    ("conjunct", "differences"),
    [
        (
            "?thisArtifactInstance ag:hasUnachievedMilestone <#m1> .",
            (
                "came, was not expected:  step  5  m1 invalidated",
                "came, was not expected:  step  5  siren on is sent",
                "came, was not expected:  step  5  start-alarm opens",
            ),
        ),
        (
            "?thisArtifactInstance ag:hasUnachievedMilestone <#m2b> .",
            (
                "came, was not expected:  step  7  siren on is sent",
                "came, was not expected:  step  7  start-alarm opens",
            ),
        ),
    ],
)
async def test_a_guard_without_one_of_its_parts_opens_its_stage_again(
    conjunct: str, differences: tuple[str, ...]
) -> None:
    model = read_bundled(FIRE_ALARM.model).replace(conjunct, "", 1)
    first = int(re.findall(r"step +(\d+)", differences[0])[0])
    verdict, _ = await play(first, up_to(first), model=model)
    assert verdict.differences == differences


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Hang(), "no answer within 2 s"),
        (ServerError(500), "the server answered 500"),
        (HalfDocument(), "the answer broke off"),
    ],
)
async def test_a_broken_siren_is_named_and_does_not_keep_the_doors_from_closing(
    fault: Fault, reason: str
) -> None:
    verdict, lines = await play(6, up_to(6), Breakdown(5, "siren", fault), Breakdown(6, "siren", None))
    assert verdict.differences == ()
    assert [line for line in lines if "!" in line] == [
        f'step  5  ! {BROKEN}siren failed: {reason}; so "siren on" cannot be known',
        f"step  6  ! {BROKEN}siren answers again",
    ]


async def test_a_task_that_is_refused_is_named_and_its_stage_waits() -> None:
    expected = [effect for effect in up_to(3) if effect.kind != "is sent"]
    verdict, lines = await play(
        5, expected, Breakdown(3, "siren", ServerError(503)), Breakdown(4, "siren", None)
    )
    assert verdict.differences == ()
    assert f"step  3  ! PUT {BROKEN}siren refused: status 503" in lines


async def test_a_task_without_an_answer_holds_its_step_no_longer_than_its_patience() -> None:
    expected = [effect for effect in up_to(3) if effect.kind != "is sent"]
    verdict, lines = await play(3, expected, Breakdown(3, "siren", Hang()))
    assert verdict.differences == ()
    assert [line for line in lines if line.startswith(f"step  3  ! PUT {BROKEN}siren unknown: ")]


async def test_text_for_a_number_starts_no_alarm_until_the_sensor_is_repaired() -> None:
    expected = [
        Effect(1, "is set up", "fire-alarm"),
        Effect(5, "opens", "start-alarm"),
        Effect(5, "is sent", "siren on"),
    ]
    verdict, lines = await play(
        5, expected, Breakdown(3, "smoke", TEXT_FOR_A_NUMBER), Breakdown(5, "smoke", None)
    )
    assert verdict.differences == ()
    assert 'step  3  (smoke says "abc")' in lines
