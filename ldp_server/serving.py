"""Running the server: its socket, a clean end."""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from msgspec import Struct

from ldp_server.app import by_heart_of, create_app
from ldp_server.connections import Connection
from ldp_server.faults import ServerError
from ldp_server.paths import read_base_url
from ldp_server.reading import is_loopback
from ldp_server.settings import Settings
from ldp_server.storage.port import Store
from ldp_server.tokens import Keyring

_BACKLOG = 512
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 -- compared, not listened on


class RunningServer(Struct, frozen=True):
    """A server that answers: the base URL every IRI begins with (with final slash), and where it listens."""

    base_url: str
    host: str
    port: int


@asynccontextmanager
async def serve(
    store: Store,
    *,
    host: str = "127.0.0.1",
    port: int = 7070,
    base_url: str | None = None,
    settings: Settings | None = None,
    tokens: Keyring | None = None,
    allow_network: bool = False,
) -> AsyncIterator[RunningServer]:
    """Serve ``store`` while the context is open; port 0 takes a free one, the result tells which.

    ``base_url`` is needed when clients use another address than host and port. A host that the network can reach
    needs ``tokens``, or ``allow_network``. The caller closes the store afterwards. Raises ServerError: LDP033 (``host`` is open to the network), LDP034 (address in use), and
    those of ``create_app``.
    """
    limits = settings or Settings()

    def build(base: str) -> web.Application:
        return create_app(store, base_url=base, settings=limits, tokens=tokens)

    async with listen(
        build,
        host=host,
        port=port,
        base_url=base_url,
        settings=limits,
        allow_network=allow_network or tokens is not None,
    ) as server:
        yield server


@asynccontextmanager
async def listen(
    build: Callable[[str], web.Application],
    *,
    host: str = "127.0.0.1",
    port: int = 7070,
    base_url: str | None = None,
    settings: Settings | None = None,
    allow_network: bool = False,
) -> AsyncIterator[RunningServer]:
    """Run the application that ``build`` makes for the real base URL; see ``serve``."""
    limits = settings or Settings()
    if base_url is None and host in _EVERYWHERE:
        raise ServerError("LDP035", f"Clients cannot use {host} as an address; say which base URL they use.")
    with contextlib.closing(_bind(host, port, allow_network=allow_network)) as bound:
        taken = bound.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        base = read_base_url(base_url or f"http://{shown}:{taken}/") + "/"
        runner = web.AppRunner(build(base), handle_signals=False, shutdown_timeout=limits.stop_timeout_s)
        await runner.setup()
        try:
            accepting = await _accept(runner, bound, limits)
            try:
                yield RunningServer(base, host, taken)
            finally:
                accepting.close()
        finally:
            await runner.cleanup()


def _bind(host: str, port: int, *, allow_network: bool) -> socket.socket:
    if not is_loopback(host) and not allow_network:
        raise ServerError(
            "LDP033",
            f"{host} can be reached from the network, and this server asks nobody who they are. "
            "Give its users tokens, listen on 127.0.0.1, or allow it explicitly behind a proxy that asks.",
        )
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except (OSError, OverflowError) as error:
        raise ServerError("LDP034", f"{host}, port {port}: {error}.") from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)
        bound.setblocking(False)
    except (OSError, OverflowError) as error:
        bound.close()
        raise ServerError(
            "LDP034", f"{host}, port {port}: {error}. Stop what uses it, or choose another port."
        ) from None
    return bound


async def _accept(runner: web.AppRunner, bound: socket.socket, settings: Settings) -> asyncio.Server:
    server = runner.server
    if server is None:
        raise RuntimeError("the runner is not set up")
    loop, open_from, by_heart = asyncio.get_running_loop(), Counter[str](), by_heart_of(runner.app)
    return await loop.create_server(
        lambda: Connection(server, settings, open_from, by_heart), sock=bound, backlog=_BACKLOG
    )
