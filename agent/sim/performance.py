"""Performances of a scenario from the first line to the last: by script to its end, or open to whoever joins in."""

import asyncio

from msgspec import Struct
from msgspec.structs import replace

from agent.resources import read_bundled
from agent.sim.play import PATIENCE_S, Breakdown, Pace, Play
from agent.sim.scenario import Scenario, check
from agent.sim.show import Say, Verdict
from agent.sim.world import World, open_world

OPEN_INTERVAL_S = 1.0
OPEN_PATIENCE_S = 2.0


class Staging(Struct, frozen=True):
    """What may be different in a performance: another model text, and devices that break down."""

    model: str | None = None
    breakdowns: tuple[Breakdown, ...] = ()
    patience_s: float = PATIENCE_S


class Scripted(Struct, frozen=True):
    """The show of a scenario with a script, step by step."""

    scenario: Scenario
    staging: Staging = Staging()

    async def perform(self, say: Say, stop: asyncio.Event) -> Verdict:
        """Play by the script to its end; see ``Show``."""
        scenario, staging = self.scenario, self.staging
        say(f"{scenario.name}: {scenario.title}")
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
            summary = f"{len(play.effects)} effects in {scenario.steps} steps, all as expected"
            if ending.end == "interrupted":
                return Verdict(summary, is_complete=False)
            return Verdict(summary, tuple(check(scenario.expected, play.effects)))

    async def improvise(self, say: Say, stop: asyncio.Event) -> None:
        """Play without a script; the visitors do what it says, or something else."""
        unscripted = replace(self.scenario, script=())
        async with open_world(unscripted, _model(self.scenario, self.staging)) as world:
            for line in _programme(world, self.scenario):
                say(line)
            pace = Pace(OPEN_INTERVAL_S, patience_s=OPEN_PATIENCE_S)
            ending = await Play(world, unscripted, pace, say, stop).run()
            if ending.end != "interrupted":
                say("The workflow has ended.")


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
