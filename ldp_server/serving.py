"""Running the server: sockets, limits of connections, a clean end."""

import asyncio
import contextlib
import logging
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from ldp_server.answers import HARDENED, problem_answer
from ldp_server.app import create_app
from ldp_server.faults import Problem, ServerError
from ldp_server.paths import read_base_url
from ldp_server.reading import is_loopback
from ldp_server.settings import Settings
from ldp_server.storage.port import Store
from ldp_server.tokens import Keyring

LOG = logging.getLogger(__name__)
_BACKLOG = 512
_OWN_ADDRESSES = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1", ""})
_NO_LINGER = struct.pack("ii", 1, 0)
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 -- compared, not listened on


@dataclass(frozen=True, slots=True)
class RunningServer:
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
    loop, open_from = asyncio.get_running_loop(), Counter[str]()
    return await loop.create_server(
        lambda: _Connection(server, settings, open_from), sock=bound, backlog=_BACKLOG
    )


class _Connection(web.RequestHandler):
    """One connection: closed when too many are open, its first header does not come, or nobody reads its answers.

    ``open_from`` counts the open connections by address. This machine's own may have all of them, because every
    program on it and a proxy in front of the server share that address.

    aiohttp itself limits the wait between requests and the size of headers, but not the time a client may
    take to send its first header or to read an answer.
    """

    __slots__ = ("_address", "_header_timer", "_open_from", "_settings", "_siblings", "_stall_timer")

    def __init__(self, server: web.Server, settings: Settings, open_from: Counter[str]) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=settings.keepalive_timeout_s,
            max_line_size=settings.max_header_line,
            max_field_size=settings.max_header_line,
            max_headers=settings.max_header_fields,
            auto_decompress=False,
        )
        self._settings = settings
        self._siblings = server
        self._open_from = open_from
        self._address = ""
        self._header_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock for the first header, or turn the client away."""
        super().connection_made(transport)
        self._address = str((transport.get_extra_info("peername") or ("",))[0])
        self._open_from[self._address] += 1
        if self._are_too_many():
            self.force_close()
            return
        loop = asyncio.get_running_loop()
        self._header_timer = loop.call_later(self._settings.header_timeout_s, self._give_up)

    def _are_too_many(self) -> bool:
        if len(self._siblings.connections) > self._settings.max_connections:
            return True
        held = self._open_from[self._address]
        return held > self._settings.max_connections_of_one and self._address not in _OWN_ADDRESSES

    def _give_up(self) -> None:
        if self._request_count == 0:
            self.force_close()

    def pause_writing(self) -> None:
        """Start the clock for the client to take some of what waits for it."""
        super().pause_writing()
        if isinstance(self.transport, asyncio.Transport):
            self._await_progress(self.transport, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Stop the clock: little waits."""
        self._stop(self._stall_timer)
        super().resume_writing()

    def _await_progress(self, transport: asyncio.Transport, waiting: int) -> None:
        def look() -> None:
            left = transport.get_write_buffer_size()
            if left < waiting:
                self._await_progress(transport, left)
                return
            # Without this the kernel would keep what it has taken until the client reads it.
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            transport.abort()

        loop = asyncio.get_running_loop()
        self._stall_timer = loop.call_later(self._settings.unread_timeout_s, look)

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop the clocks."""
        self._stop(self._header_timer)
        self._stop(self._stall_timer)
        self._open_from[self._address] -= 1
        if self._open_from[self._address] <= 0:
            del self._open_from[self._address]
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a request that is no HTTP, in the form of every other problem and without its bytes."""
        if request.writer.output_size > 0:
            raise ConnectionError("an answer is under way already")
        if status >= 500:
            LOG.error("a connection failed", exc_info=exc)
            problem = Problem("LDP020", "The server failed; the fault is in its log.")
        elif isinstance(exc, LineTooLong):
            limit = self._settings.max_header_line
            problem = Problem("LDP022", f"A line of the request header is longer than {limit} bytes.")
        else:
            fields = self._settings.max_header_fields
            detail = f"The request is not well-formed HTTP, or has more than {fields} header fields."
            problem = Problem("LDP004", detail)
        answer = problem_answer(problem, HARDENED)
        answer.force_close()
        return answer
