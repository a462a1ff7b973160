"""``milepost demo``: a server, simulated devices, a workflow and the agent in one process on a free port."""

from typing import Annotated

from agent.cli.console import echo
from agent.cli.parameters import Option
from agent.errors import MAX_LINES, UsageError, did_you_mean
from agent.sim.scenarios import SCENARIOS

DEFAULT_SCENARIO = "fire-alarm"


def demo(
    scenario: Annotated[
        str,
        Option("--scenario", metavar="NAME", help=f"What is to happen: {', '.join(sorted(SCENARIOS))}."),
    ] = DEFAULT_SCENARIO,
    headless: Annotated[
        bool, Option("--headless", help="Follow the script to its end and compare what came of it.")
    ] = False,
) -> int:
    """Run a workflow on simulated devices, which can be read and changed with any HTTP client meanwhile."""
    import asyncio

    return asyncio.run(_demo(scenario, headless=headless))


async def _demo(name: str, *, headless: bool) -> int:
    from agent.cli.signals import stoppable

    load = SCENARIOS.get(name)
    if load is None:
        known = ", ".join(sorted(SCENARIOS))
        hint = f"{did_you_mean(name, SCENARIOS)} Known: {known}.".lstrip()
        raise UsageError("USE001", f'there is no scenario "{name}"', hint=hint)
    show = load()
    with stoppable() as stop:
        if not headless:
            await show.improvise(echo, stop.asked)
            return stop.exit_code
        verdict = await show.perform(echo, stop.asked)
        if not verdict.is_complete:
            return stop.exit_code
        if verdict.differences:
            echo("\n".join(_shortened(verdict.differences)), err=True)
            return 1
        echo(verdict.summary)
        return 0


def _shortened(differences: tuple[str, ...]) -> list[str]:
    lines = [
        f"The run differs from the scenario in {len(differences)} places:",
        *(f"  {line}" for line in differences),
    ]
    if len(lines) <= MAX_LINES:
        return lines
    return [*lines[: MAX_LINES - 1], f"  ... {len(lines) - MAX_LINES + 1} more"]
