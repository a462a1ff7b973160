"""``milepost demo``: the fire alarm from the first smoke to the quiet after the re-opened door."""

import asyncio
import re
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

import pytest
from aiohttp import ClientSession
from msgspec.structs import replace

from agent.cli.boundary import run_command
from agent.sim.fire_alarm import FIRE_ALARM
from agent.sim.performance import Scripted
from agent.sim.scenario import Effect
from agent.sim.scenarios import SCENARIOS
from tests.support.command_line import command, environment

GOLDEN = Path(__file__).with_name("fire-alarm.txt")
CHECKOUT = Path(__file__).resolve().parents[2]


async def start_demo(*options: str) -> Process:
    return await asyncio.create_subprocess_exec(
        *command("demo", *options), stdin=DEVNULL, stdout=PIPE, stderr=PIPE, cwd=CHECKOUT, env=environment()
    )


def portless(text: str) -> str:
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)


async def test_the_story_is_told_twice_in_the_same_words_and_ends_well() -> None:
    golden = GOLDEN.read_text(encoding="utf-8")
    demos = [await start_demo("--headless"), await start_demo("--headless")]
    told = [await demo.communicate() for demo in demos]
    assert [
        (demo.returncode, portless(out.decode()), err) for demo, (out, err) in zip(demos, told, strict=True)
    ] == [
        (0, golden, b""),
        (0, golden, b""),
    ]


async def test_an_unknown_scenario_is_a_usage_error_that_lists_the_known_ones() -> None:
    demo = await start_demo("--scenario", "fire-alrm")
    out, err = await demo.communicate()
    assert (demo.returncode, out, "did you mean fire-alarm? Known: " in err.decode()) == (
        2,
        b"",
        True,
    )


async def test_a_visitor_can_join_in_and_leave_with_ctrl_c() -> None:
    demo = await start_demo()
    assert demo.stdout is not None
    curl = ""
    opened = False
    async for line in demo.stdout:
        text = line.decode()
        if "devices/smoke" in text:
            curl = text
        if text.startswith("step  1 "):
            await follow(curl)
        if 'stage "Start fire alarm" opens, PUT siren on' in text:
            opened = True
            demo.send_signal(signal.SIGINT)
    _, err = await demo.communicate()
    assert (opened, demo.returncode, err) == (True, 130, b"")


async def follow(curl: str) -> None:
    """Do what the printed curl command does."""
    command = re.search(r"curl -X PUT -H 'Content-Type: text/plain' -d (?P<state>\S+) (?P<uri>\S+)", curl)
    assert command is not None, curl
    async with (
        ClientSession() as session,
        session.put(
            command["uri"], data=command["state"].encode(), headers={"Content-Type": "text/plain"}
        ) as answer,
    ):
        assert answer.status == 204


def test_a_run_that_differs_says_how_on_twelve_lines_and_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = (*FIRE_ALARM.expected[1:], Effect(1, "opens", "close-doors"))
    cut_short = replace(FIRE_ALARM, steps=1, expected=expected)
    monkeypatch.setitem(SCENARIOS, "cut-short", lambda: Scripted(cut_short))
    code = run_command(["demo", "--headless", "--scenario", "cut-short"])
    lines = capsys.readouterr().err.splitlines()
    assert (code, lines[:4], len(lines), lines[-1]) == (
        1,
        [
            "The run differs from the scenario in 23 places:",
            "  came, was not expected:  step  1  fire-alarm is set up",
            "  expected, did not come:  step  1  close-doors opens",
            "  expected, did not come:  step  3  siren on is sent",
        ],
        12,
        "  ... 13 more",
    )
