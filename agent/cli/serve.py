"""``milepost serve``: the Linked Data Platform server in a process of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agent.cli import serve_options as options
from agent.cli.console import echo
from agent.cli.serve_options import DEFAULT_FOLDER, LOOPBACK, Profile
from agent.errors import UsageError, WorldError

if TYPE_CHECKING:
    from aiohttp.web import Application

    from ldp_server import Keyring, Settings, Store


class _Place(Struct, frozen=True):
    """Where a server keeps its data (None: in memory), where it listens, and whether strangers may reach it."""

    folder: Path | None
    host: str
    port: int
    base_url: str | None
    is_open: bool


def serve(
    data: options.Data = None,
    memory: options.Memory = False,
    host: options.Host = None,
    port: options.Port = 7070,
    base_url: options.BaseUrl = None,
    schedulers: options.OffersSchedulers = None,
    profile: options.ProfileName = Profile.RELAXED,
    allow_origin: options.AllowOrigin = None,
    tokens: options.TokenFile = None,
    new_token: options.NewToken = None,
    insecure: options.Insecure = False,
    loop: options.EventLoop = None,
) -> int:
    """Run the Linked Data Platform server until it is stopped.

    On a host that other machines reach it needs --tokens, or --insecure behind a proxy that asks who they are; it offers
    no schedulers there, which send requests to whatever the server reaches, unless you ask for them.
    """
    import asyncio

    from agent.cli.event_loops import loop_factory

    if memory and data:
        raise UsageError("USE001", "--data and --memory exclude each other")
    if new_token is not None:
        return _make_token(tokens, new_token)
    origins = frozenset(map(_origin, allow_origin or ()))
    folder = None if memory else Path(data or DEFAULT_FOLDER)
    place = _Place(folder, host or LOOPBACK, port, base_url, insecure)
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        return runner.run(_serve(place, profile, origins, tokens, schedulers=schedulers))


def _make_token(file: str | None, name: str) -> int:
    from ldp_server import ServerError, add_token

    if file is None:
        raise UsageError("USE001", "--new-token needs --tokens, the file that keeps the hash")
    try:
        echo(add_token(Path(file), name))
    except ServerError as error:
        raise WorldError(error.code, error.message) from None
    return 0


def _origin(text: str) -> str:
    """Return an origin as browsers write it, or raise USE001; an asterisk stands for all sites."""
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if text != "*" and (not parts.netloc or parts.path.strip("/") or parts.query or parts.fragment):
        raise UsageError("USE001", f"--allow-origin {text}: an origin is of the form https://host:port")
    return text.rstrip("/").lower()


async def _serve(
    place: _Place,
    profile: Profile,
    origins: frozenset[str],
    token_file: str | None,
    *,
    schedulers: bool | None,
) -> int:
    import time

    from msgspec.structs import replace

    import ldp_server
    from agent.cli.signals import stoppable
    from ldp_server.reading import is_loopback
    from ldp_server.settings import PROFILES

    settings = replace(PROFILES[profile], cors_origins=origins)
    offers = is_loopback(place.host) if schedulers is None else schedulers
    try:
        tokens = None if token_file is None else ldp_server.TokenFile(Path(token_file), time.monotonic)
        folder = place.folder
        store = ldp_server.open_sqlite_store(folder) if folder else ldp_server.MemoryStore()
        try:
            async with ldp_server.listen(
                _builder(store, settings, tokens, schedulers=offers),
                host=place.host,
                port=place.port,
                base_url=place.base_url,
                settings=settings,
                allow_network=place.is_open or tokens is not None,
            ) as server:
                with stoppable() as stop:
                    kept = f"kept in {folder}" if folder else "kept in memory"
                    echo(f"serving {server.base_url}, {kept}; Ctrl-C stops")
                    await stop.asked.wait()
                    return stop.exit_code
        finally:
            await store.close()
    except ldp_server.ServerError as error:
        raise WorldError(error.code, error.message) from None


def _builder(
    store: "Store", settings: "Settings", tokens: "Keyring | None", *, schedulers: bool
) -> "Callable[[str], Application]":
    """Return what makes the application of a base URL, with schedulers or without."""
    import ldp_server
    from agent.serve.app import create_app

    def build(base: str) -> "Application":
        create = create_app if schedulers else ldp_server.create_app
        return create(store, base_url=base, settings=settings, tokens=tokens)

    return build
