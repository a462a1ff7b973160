"""``milepost serve``: the Linked Data Platform server in a process of its own."""

from pathlib import Path
from typing import Annotated

import typer

from agent.errors import UsageError, WorldError

DEFAULT_FOLDER = "milepost-data"
LOOPBACK = "127.0.0.1"


def serve(
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DIR", help=f"Keep data in DIR [default: {DEFAULT_FOLDER}]."),
    ] = None,
    memory: Annotated[bool, typer.Option("--memory", help="Keep data in memory and forget them.")] = False,
    host: Annotated[
        str | None, typer.Option("--host", metavar="H", help=f"Listen on this address [default: {LOOPBACK}].")
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="Listen on this port; 0 takes a free one."
        ),
    ] = 7070,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="U", help="The URL that clients know the server by.")
    ] = None,
    schedulers: Annotated[
        bool | None,
        typer.Option(
            "--schedulers/--no-schedulers",
            help="Offer queues of requests at /schedulers/ [default: only to this machine itself].",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Run the Linked Data Platform server until it is stopped.

    It asks nobody who they are. Naming a host other than this machine's own opens it to whoever can reach it; so there
    are no schedulers then, which send requests to whatever the server reaches, unless you ask for them.
    """
    import asyncio

    if memory and data:
        raise UsageError("USE001", "--data and --memory exclude each other")
    folder = None if memory else Path(data or DEFAULT_FOLDER)
    return asyncio.run(_serve(folder, host, port, base_url, schedulers=schedulers))


async def _serve(
    folder: Path | None, host: str | None, port: int, base_url: str | None, *, schedulers: bool | None
) -> int:
    import ldp_server
    from agent.cli.signals import stoppable
    from agent.serve.app import create_app
    from ldp_server.reading import is_loopback

    if schedulers is None:
        schedulers = is_loopback(host or LOOPBACK)
    try:
        store = ldp_server.open_sqlite_store(folder) if folder else ldp_server.MemoryStore()
        try:
            async with ldp_server.listen(
                lambda base: (
                    create_app(store, base_url=base)
                    if schedulers
                    else ldp_server.create_app(store, base_url=base)
                ),
                host=host or LOOPBACK,
                port=port,
                base_url=base_url,
                allow_network=host is not None,
            ) as server:
                with stoppable() as stop:
                    kept = f"kept in {folder}" if folder else "kept in memory"
                    typer.echo(f"serving {server.base_url}, {kept}; Ctrl-C stops")
                    await stop.asked.wait()
                    return stop.exit_code
        finally:
            await store.close()
    except ldp_server.ServerError as error:
        raise WorldError(error.code, error.message) from None
