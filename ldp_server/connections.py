"""One connection of the server: its limits, and answers to requests that came before."""

import asyncio
import logging
import socket
import struct
from collections import Counter
from collections.abc import Sequence

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from ldp_server.answers import HARDENED, problem_answer
from ldp_server.by_heart import ByHeart
from ldp_server.faults import Problem
from ldp_server.framing import bytes_to_come
from ldp_server.known_heads import KnownHead, KnownHeads
from ldp_server.settings import Settings
from ldp_server.storage.port import Outcome, Refusal

LOG = logging.getLogger(__name__)
_OWN_ADDRESSES = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1", ""})
_NO_LINGER = struct.pack("ii", 1, 0)


class Connection(web.RequestHandler):
    """One connection: closed when too many are open, its first header does not come, or nobody reads its answers.

    ``open_from`` counts the open connections by address. This machine's own may have all of them, because every
    program on it and a proxy in front of the server share that address.

    aiohttp itself limits the wait between requests and the size of headers, but not the time a client may
    take to send its first header or to read an answer.

    A request that ``by_heart`` knows the answer to is answered as it comes, and a write whose head it knows is carried out,
    if nothing else is under way and no part of another request stands before it; aiohttp does not see it. All
    other requests are its own.
    """

    __slots__ = (
        "_address",
        "_asked",
        "_by_heart",
        "_header_timer",
        "_late",
        "_left",
        "_open_from",
        "_settings",
        "_siblings",
        "_stall_timer",
        "_writing",
        "_written",
    )

    def __init__(
        self, server: web.Server, settings: Settings, open_from: Counter[str], by_heart: ByHeart | None
    ) -> None:
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
        self._asked = b""
        is_logged = self.access_logger is not None and self.access_logger.enabled
        self._by_heart = None if is_logged else by_heart
        self._writing = b""
        self._written: asyncio.Future[None] | None = None
        self._late: list[bytes] = []
        self._left: int | None = 0
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

    def data_received(self, data: bytes) -> None:
        """Answer a request whose answer is known, or hand the bytes on."""
        if self._writing:
            self._wait_with(data)
            return
        if self._by_heart is None or not data:
            super().data_received(data)
            return
        repeats, reads, heads = self._by_heart
        is_next = self._left == 0 and self._is_idle()
        if is_next and data.startswith(b"GET "):
            try:
                known = repeats.answer(data) or reads.answer(data)
            except Exception:
                # The careful way tells why.
                LOG.exception("an answer by heart failed: %r", data.partition(b"\r\n")[0][:200])
                known = None
            if known is not None:
                self._repeat(known)
                return
        elif is_next and self._begin(heads, data):
            return
        super().data_received(data)
        if self._left is not None:
            self._left = self._left_after(data)
            is_whole = is_next and self._left == 0
            comes_again = is_whole and (
                repeats.comes_again(data) or reads.comes_again(data) or heads.comes_again(data)
            )
            self._asked = data if comes_again else b""

    def _wait_with(self, data: bytes) -> None:
        """Keep what comes before a write is answered, and read no more until then."""
        self._late.append(data)
        if self.transport is not None:
            self.transport.pause_reading()

    def _begin(self, heads: KnownHeads, asked: bytes) -> bool:
        """Begin a write whose head is known, if ``asked`` is one; nothing else is begun before it is answered."""
        self._writing = asked
        try:
            if not heads.begin(asked, self._finish):
                self._writing = b""
                return False
        except Exception:
            # It may be done, so it is not tried again, and nobody is told that it is.
            LOG.exception("a write failed: %r", asked.partition(b"\r\n")[0][:200])
            self._writing = b""
            self.force_close()
        self._asked = b""
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
        return True

    def _finish(self, known: KnownHead, outcomes: Sequence[Outcome]) -> None:
        """Answer the write that was begun; if it cannot be done, the careful way tells why."""
        [outcome] = outcomes
        asked, self._writing = self._writing, b""
        if self._written is not None and not self._written.done():
            self._written.set_result(None)
        if self.transport is None:
            return
        if isinstance(outcome, Refusal):
            super().data_received(asked)
        else:
            try:
                self._repeat(known.answer(outcome))
            except Exception:
                LOG.exception("a write that is done could not be answered: %s", outcome.path)
                self.force_close()
        if self._late:
            late, self._late = b"".join(self._late), []
            self.transport.resume_reading()
            self.data_received(late)

    def _repeat(self, known: bytes) -> None:
        """Send an answer, and count it as aiohttp does."""
        self._request_count += 1
        self._siblings.requests_count += 1
        self._next_keepalive_close_time = self._loop.time() + self.keepalive_timeout
        if self.transport is not None:
            self.transport.write(known)

    def _process_keepalive(self) -> None:
        """Close a connection on which nothing came for long, but not while a write is under way."""
        if self._writing:
            self._next_keepalive_close_time = self._loop.time() + self.keepalive_timeout
        super()._process_keepalive()

    def _is_idle(self) -> bool:
        """Tell whether all requests that came are answered and read, and the connection is not about to be closed."""
        return self._waiter is not None and not self._waiter.done() and not self.writing_paused

    def _left_after(self, data: bytes) -> int | None:
        """Return how many bytes of the last request are still to come after ``data``, None if nobody knows any more."""
        if not self._left:
            return bytes_to_come(data)
        return self._left - len(data) if len(data) <= self._left else None

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send an answer, and remember it for those who ask again."""
        asked, self._asked = self._asked, b""
        answer, is_reset = await super().finish_response(request, resp, start_time)
        if asked and self._by_heart is not None and isinstance(answer, web.Response) and not is_reset:
            _keep(self._by_heart, asked, request, answer)
        return answer, is_reset

    async def shutdown(self, timeout: float | None = 15.0) -> None:  # noqa: ASYNC109 -- as aiohttp calls it
        """Let a write that is under way be answered, for ``timeout`` seconds, and close the connection."""
        if self._writing:
            self._written = self._loop.create_future()
            await asyncio.wait({self._written}, timeout=timeout)
        await super().shutdown(timeout)

    def pause_writing(self) -> None:
        """Start the clock for the client to take some of what waits for it."""
        super().pause_writing()
        if self.transport is not None:
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


def _keep(by_heart: ByHeart, asked: bytes, request: web.BaseRequest, answer: web.Response) -> None:
    """Learn from an answer that was sent; if that fails, the answer was good all the same."""
    try:
        for known in by_heart:
            known.keep(asked, request, answer)
    except Exception:
        LOG.exception("an answer could not be kept: %r", asked.partition(b"\r\n")[0][:200])
