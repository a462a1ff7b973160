"""``milepost start``: a new instance of a model in a container."""

from typing import TYPE_CHECKING, Annotated

from agent.cli.console import echo
from agent.cli.parameters import Argument, Option
from agent.errors import UsageError

if TYPE_CHECKING:
    from agent.runtime.starting import StartOrder
    from agent.settings import Settings

Model = Annotated[str, Argument(metavar="MODEL", help="A root stage, or a document with one.")]
In = Annotated[
    str,
    Option(
        "--in",
        metavar="CONTAINER",
        help="Where the instance and its elements go [default: the nearest container above the model that takes it].",
    ),
]
Name = Annotated[
    str,
    Option("--name", metavar="NAME", help="Name of the new document [default: the server chooses]."),
]
Label = Annotated[str, Option("--label", metavar="TEXT", help="What people call the instance.")]
Inputs = Annotated[
    list[str] | None,
    Option(
        "-i",
        "--input",
        metavar="RDF...",
        help="More facts; <#it> in them is the instance. Files, globs or URLs.",
    ),
]


def start(model: Model, container: In = "", name: Name = "", label: Label = "", inputs: Inputs = None) -> int:
    """Put a new instance of a model into a container and print its URI.

    Nothing runs yet: milepost run URI executes it, or a run on its container does. No document is ever overwritten.
    """
    import asyncio

    from agent.clock import WallClock, lexical
    from agent.runtime.retrieval import retriever
    from agent.runtime.starting import StartOrder, read_root, read_start_facts
    from agent.settings import read_settings

    if name and (not set(name).isdisjoint("/?#") or name in (".", "..")):
        raise UsageError("USE001", f'--name "{name}" is no single segment of a path')
    settings = read_settings()
    retrieve = retriever(settings)
    facts = read_start_facts(inputs or [], retrieve)
    root = read_root(model, retrieve)
    instant = lexical(WallClock().now())
    order = StartOrder(root, instant, container, name, label, facts)
    echo(asyncio.run(_create(order, settings)))
    return 0


async def _create(order: "StartOrder", settings: "Settings") -> str:
    from agent.runtime.starting import start as create
    from agent.transport.client import Client

    async with Client(settings) as client:
        client.policy.name(order.root, order.container)
        return await create(client, order)
