"""``milepost serve``: the Linked Data Platform server in a process of its own."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import UsageError, WorldError

DEFAULT_FOLDER = "milepost-data"
LOOPBACK = "127.0.0.1"


class Profile(StrEnum):
    """The profiles of the server, by name; they are in ``ldp_server.settings``, which is loaded when it is needed."""

    RELAXED = "relaxed"
    CONFORMANCE = "conformance"


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
    profile: Annotated[
        Profile,
        typer.Option(
            "--profile",
            help="relaxed: agents may write without conditions and use names again; "
            "conformance: all that the Linked Data Platform recommends.",
        ),
    ] = Profile.RELAXED,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin",
            metavar="ORIGIN",
            help="Let pages of this site read and write through a browser, such as https://app.example.",
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
    origins = frozenset(map(_origin, allow_origin or ()))
    return asyncio.run(_serve(folder, host, port, base_url, profile, origins, schedulers=schedulers))


def _origin(text: str) -> str:
    """Return an origin as browsers write it, or raise USE001; an asterisk stands for all sites."""
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if text != "*" and (not parts.netloc or parts.path.strip("/") or parts.query or parts.fragment):
        raise UsageError("USE001", f"--allow-origin {text}: an origin is of the form https://host:port")
    return text.rstrip("/").lower()


async def _serve(
    folder: Path | None,
    host: str | None,
    port: int,
    base_url: str | None,
    profile: Profile,
    origins: frozenset[str],
    *,
    schedulers: bool | None,
) -> int:
    from dataclasses import replace

    import ldp_server
    from agent.cli.signals import stoppable
    from agent.serve.app import create_app
    from ldp_server.reading import is_loopback
    from ldp_server.settings import PROFILES

    settings = replace(PROFILES[profile], cors_origins=origins)
    if schedulers is None:
        schedulers = is_loopback(host or LOOPBACK)
    try:
        store = ldp_server.open_sqlite_store(folder) if folder else ldp_server.MemoryStore()
        try:
            async with ldp_server.listen(
                lambda base: (
                    create_app(store, base_url=base, settings=settings)
                    if schedulers
                    else ldp_server.create_app(store, base_url=base, settings=settings)
                ),
                host=host or LOOPBACK,
                port=port,
                base_url=base_url,
                settings=settings,
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
