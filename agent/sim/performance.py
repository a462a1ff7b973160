"""Performances of a scenario from the first line to the last: by script to its end, or open to whoever joins in."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from agent.resources import read_bundled
from agent.sim.play import PATIENCE_S, Breakdown, Pace, Play
from agent.sim.scenario import Scenario, check
from agent.sim.world import World, open_world

OPEN_INTERVAL_S = 1.0
OPEN_PATIENCE_S = 2.0

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Staging:
    """What may be different in a performance: another model text, and devices that break down."""

    model: str | None = None
    breakdowns: tuple[Breakdown, ...] = ()
    patience_s: float = PATIENCE_S


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a scripted performance went; ``differences`` are lines, none if all was as expected."""

    effects: int
    differences: tuple[str, ...] = ()
    is_complete: bool = True


async def perform(scenario: Scenario, say: Say, stop: asyncio.Event, staging: Staging = Staging()) -> Verdict:
    """Play ``scenario`` by its script to its end, as fast as it goes, and compare what happened with the expected.

    ``stop`` ends it early; then nothing is compared.
    """
    async with open_world(scenario, _model(scenario, staging)) as world:
        play = Play(
            world,
            scenario,
            Pace(steps=scenario.steps, patience_s=staging.patience_s),
            say,
            stop,
            staging.breakdowns,
        )
        ending = await play.run()
        if ending.end == "interrupted":
            return Verdict(len(play.effects), is_complete=False)
        return Verdict(len(play.effects), tuple(check(scenario.expected, play.effects)))


async def improvise(scenario: Scenario, say: Say, stop: asyncio.Event) -> None:
    """Open the world of ``scenario`` to everybody with an HTTP client, and play without a script until ``stop``."""
    unscripted = replace(scenario, script=())
    async with open_world(unscripted, _model(scenario, Staging())) as world:
        for line in _programme(world, scenario):
            say(line)
        await Play(world, unscripted, Pace(OPEN_INTERVAL_S, patience_s=OPEN_PATIENCE_S), say, stop).run()


def _model(scenario: Scenario, staging: Staging) -> str:
    return read_bundled(scenario.model) if staging.model is None else staging.model


def _programme(world: World, scenario: Scenario) -> list[str]:
    """Return what a visitor has to know: where everything is, how to join in, how to end it."""
    devices = f"{world.base}devices/"
    names = ", ".join(device.name for device in world.pages.devices)
    return [
        f"{scenario.name}: {scenario.title}",
        "",
        f"  server     {world.base}",
        f"  container  {world.container}",
        f"  instance   {world.instance}",
        f"  devices    {devices}  ({names})",
        "",
        "Join in from another terminal:",
        *(
            f"  curl -X PUT -H 'Content-Type: text/plain' -d {change.state.lexical} {devices}{change.device}"
            f"   # {change.story}"
            for change in scenario.script
        ),
        "",
        f"The agent looks every {OPEN_INTERVAL_S:g} s. Ctrl-C stops everything and forgets it.",
        "",
    ]
