"""``milepost pause``, ``resume``, ``cancel``, ``retry``, ``done``: what people ask of running workflows.

Each writes one statement into one document; the agent that executes the instance carries it out at its next step.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

from agent.cli.console import echo
from agent.cli.parameters import Argument
from agent.cli.run_options import Container

if TYPE_CHECKING:
    from agent.runtime.operations import Asked
    from agent.transport.client import Client

Instance = Annotated[str, Argument(metavar="INSTANCE", help="URI of a workflow instance.")]
Stage = Annotated[str, Argument(metavar="STAGE", help="A stage: its URI, the last part of it, or its label.")]
Milestone = Annotated[
    str, Argument(metavar="MILESTONE", help="A milestone: its URI, the last part of it, or its label.")
]


def pause(instance: Instance) -> int:
    """Let nothing be sent for an instance until it is resumed; what was sent already goes on."""
    from agent.runtime import operations

    return _ask(instance, "", lambda client: operations.pause(client, instance))


def resume(instance: Instance) -> int:
    """Let an instance go on that was paused, or parked by an agent because it went round in a circle."""
    from agent.runtime import operations

    return _ask(instance, "", lambda client: operations.resume(client, instance))


def cancel(instance: Instance) -> int:
    """End an instance: all its stages close, the innermost first, and no milestone is achieved."""
    from agent.runtime import operations

    return _ask(instance, "", lambda client: operations.cancel(client, instance))


def retry(instance: Instance, stage: Stage, container: Container = "") -> int:
    """Send the tasks of an active stage once more, as a further activation of it."""
    from agent.runtime import operations

    return _ask(instance, container, lambda client: operations.retry(client, instance, stage, container))


def done(instance: Instance, milestone: Milestone, container: Container = "") -> int:
    """Say that a milestone is reached: its active stage completes by it, whatever its sentries say."""
    from agent.runtime import operations

    return _ask(instance, container, lambda client: operations.done(client, instance, milestone, container))


def _ask(instance: str, container: str, ask: "Callable[[Client], Awaitable[Asked]]") -> int:
    import asyncio

    echo(asyncio.run(_asked(instance, container, ask)).said)
    return 0


async def _asked(instance: str, container: str, ask: "Callable[[Client], Awaitable[Asked]]") -> "Asked":
    from agent.settings import read_settings
    from agent.transport.client import Client

    async with Client(read_settings()) as client:
        client.policy.name(instance, container)
        return await ask(client)
