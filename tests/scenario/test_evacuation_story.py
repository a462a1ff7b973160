"""The evacuation, told: by the demo from its first step to its last, joined by a visitor, raised by button alone."""

import asyncio
import re
from pathlib import Path

from aiohttp import ClientSession
from msgspec.structs import replace

from agent.rdf.terms import Literal
from agent.sim.evacuation import EVACUATION
from agent.sim.performance import Scripted
from agent.sim.scenario import Change
from tests.support.command_line import run_milepost, start_milepost

GOLDEN = Path(__file__).with_name("evacuation.txt")
HINT = re.compile(r"curl -X PUT -H 'Content-Type: text/plain' -d (?P<state>\S+) (?P<uri>\S+/(?P<device>\S+))")


async def test_the_story_is_told_from_the_first_step_to_the_last(tmp_path: Path) -> None:
    told = await run_milepost("demo", "--scenario", "evacuation", "--headless", cwd=tmp_path)
    assert (told.code, told.out, told.err) == (0, GOLDEN.read_text(encoding="utf-8"), "")


async def test_the_button_raises_the_alarm_as_well_as_the_heat() -> None:
    heat, _, *leaving = EVACUATION.script
    pressed = Change(heat.step, "alarm-button", Literal("pressed"), "somebody presses the alarm button")
    scenario = replace(EVACUATION, script=(pressed, *leaving))
    verdict = await Scripted(scenario).perform(lambda _line: None, asyncio.Event())
    assert (verdict.is_complete, verdict.differences) == (True, ())


async def test_without_the_rules_nothing_is_too_hot_and_the_button_still_works() -> None:
    late = tuple(
        replace(effect, step=effect.step + 2) for effect in EVACUATION.expected if 3 <= effect.step < 10
    )
    expected = (EVACUATION.expected[0], *late)
    scenario = replace(EVACUATION, programs=(), expected=expected, steps=11)
    verdict = await Scripted(scenario).perform(lambda _line: None, asyncio.Event())
    assert verdict.differences == ()


def test_a_visitor_can_heat_a_room_press_the_button_and_count_people_to_the_end(tmp_path: Path) -> None:
    demo = start_milepost("demo", "--scenario", "evacuation", cwd=tmp_path)
    try:
        assert demo.stdout is not None
        hints: dict[str, list[tuple[str, str]]] = {}
        told: list[str] = []
        for line in demo.stdout:
            told.append(line)
            if hint := HINT.search(line):
                hints.setdefault(hint["device"], []).append((hint["uri"], hint["state"]))
            if line.startswith("step  1 "):
                asyncio.run(_put(*hints["alarm-button"][0]))
            if 'stage "Wait until empty" opens' in line:
                asyncio.run(_put(*hints["people-counter"][-1]))
        _, err = demo.communicate(timeout=30)
    finally:
        demo.kill()
        demo.communicate()
    assert {device: [state for _, state in put] for device, put in hints.items()} == {
        "kitchen-thermometer": ["61.5"],
        "alarm-button": ["pressed"],
        "people-counter": ["5", "0"],
    }
    assert (demo.returncode, err, told[-1]) == (0, "", "The workflow has ended.\n")
    assert any('milestone "Evacuation is over" achieved' in line for line in told)


async def _put(uri: str, state: str) -> None:
    """Do what the printed curl command does."""
    async with (
        ClientSession() as session,
        session.put(uri, data=state.encode(), headers={"Content-Type": "text/plain"}) as answer,
    ):
        assert answer.status == 204
