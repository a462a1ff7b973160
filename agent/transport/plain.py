"""Requests over plain http by connections that are kept: the short way, for what agents ask thousands of times.

The protocol and the parser are those of aiohttp, with all their bounds; what is spared is what its session makes anew
for each request (ADR 0128). Whatever is unusual stays with the session: https, other methods, fields that frame the
message, hosts with several addresses.
"""

import asyncio
import ipaddress
import re
from collections import deque
from collections.abc import Mapping

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

from agent.messages import FRAMING_FIELDS
from agent.transport.bodies import read_body, short_body
from agent.transport.policy import CheckedResolver, RefusedHostError

METHODS = frozenset({"DELETE", "GET", "PATCH", "POST", "PUT"})
"""What goes the short way. An answer to HEAD or CONNECT is framed in another way."""
_REPEATABLE = frozenset({"DELETE", "GET", "PUT"})
"""Methods that may be sent again if a kept connection turns out to be closed (RFC 9110, section 9.2.2)."""
_KEPT_S = 15.0
_RESOLVED_S = 10.0
"""How long an idle connection, and the addresses of a host, are of use: as long as aiohttp has it."""
_BUFFERED = 262_144
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class UnreachableError(Exception):
    """No connection could be opened, so nothing was sent; the text is for people."""


class PlainAnswer(Struct, frozen=True):
    """The head of an answer, and the body that is arriving."""

    status: int
    headers: Mapping[str, str]
    content: aiohttp.StreamReader
    connection: ResponseHandler

    def close(self) -> None:
        """Receive no more of it."""
        self.connection.close()


class PlainHost:
    """The connections to one host and port; ``is_usual`` unless they must be left to aiohttp."""

    def __init__(self, host: str, port: int, resolver: CheckedResolver, connect_timeout_s: float) -> None:
        self.is_usual = True
        self._host = host
        self._port = port
        self._resolver = resolver
        self._connect_timeout_s = connect_timeout_s
        self._loop = asyncio.get_running_loop()
        self._idle: deque[tuple[ResponseHandler, float]] = deque()
        self._open: set[ResponseHandler] = set()
        self._sweeping: asyncio.TimerHandle | None = None
        self._addresses: list[tuple[str, int]] = []
        self._resolved_at = 0.0
        self._resolving = asyncio.Lock()

    async def exchange(
        self, method: str, message: bytes, max_bytes: int
    ) -> tuple[RawResponseMessage, bytes] | None:
        """Send ``message`` and return the answer and its body; None, with nothing sent, if aiohttp is to do it.

        UnreachableError; else what the protocol of aiohttp raises, and BodyError. It is sent again once, over a new
        connection, if ``method`` allows that and the connection was closed before the head of the answer was here.
        """
        connection = self._kept()
        if connection is None:  # never asked for its truth: it is a queue, and an empty one is false
            connection = await self._connect()
        if connection is None:
            return None
        try:
            head = await self._ask(connection, message)
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            if method not in _REPEATABLE:
                raise
            connection = await self._again(error)
            head = await self._ask(connection, message)
        return await self._received(connection, *head, max_bytes)

    async def close(self) -> None:
        """Close all connections, and wait until they are closed."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None
        closing = [connection.closed for connection in self._open]
        for connection in tuple(self._open):
            self._drop(connection)
        self._idle.clear()
        await asyncio.gather(*(one for one in closing if one is not None), return_exceptions=True)

    async def _ask(
        self, connection: ResponseHandler, message: bytes
    ) -> tuple[RawResponseMessage, aiohttp.StreamReader]:
        try:
            if connection.transport is None:
                raise aiohttp.ServerDisconnectedError  # noqa: TRY301  it is handled as if it came from reading
            connection.transport.write(message)
            head, content = await connection.read()
            while head.code < 200 and head.code != 101:  # interim answers, such as early hints
                head, content = await connection.read()
        except BaseException:
            self._drop(connection)
            raise
        return head, content

    async def _received(
        self,
        connection: ResponseHandler,
        head: RawResponseMessage,
        content: aiohttp.StreamReader,
        max_bytes: int,
    ) -> tuple[RawResponseMessage, bytes]:
        is_whole = False
        try:
            answer = PlainAnswer(head.code, head.headers, content, connection)
            body = short_body(answer, max_bytes)
            if body is None:
                body = await read_body(answer, max_bytes)
            is_whole = True
        finally:
            if is_whole and head.code != 101:
                self._keep(connection)
            else:
                self._drop(connection)
        return head, body

    async def _again(self, error: Exception) -> ResponseHandler:
        """Open a connection to send once more what may have arrived already; ``error`` if none opens."""
        try:
            connection = await self._connect()
        except UnreachableError:
            raise error from None
        if connection is None:
            raise error
        return connection

    def _kept(self) -> ResponseHandler | None:
        """Return an idle connection over which nothing has come that nobody asked for, or None."""
        earliest = self._loop.time() - _KEPT_S
        while self._idle:
            connection, since = self._idle.popleft()
            if since >= earliest and connection.is_connected() and not connection.should_close:
                return connection
            self._drop(connection)
        return None

    def _keep(self, connection: ResponseHandler) -> None:
        transport = connection.transport
        # What was answered before it was sent whole would go out in front of the next request.
        if transport is None or connection.should_close or transport.get_write_buffer_size():
            self._drop(connection)
            return
        self._idle.append((connection, self._loop.time()))
        if self._sweeping is None:
            self._sweeping = self._loop.call_later(_KEPT_S, self._sweep)

    def _sweep(self) -> None:
        """Close what has been idle for too long; used or not, so that a server need not."""
        self._sweeping = None
        earliest = self._loop.time() - _KEPT_S
        while self._idle and self._idle[0][1] <= earliest:
            self._drop(self._idle.popleft()[0])
        if self._idle:
            self._sweeping = self._loop.call_later(_KEPT_S, self._sweep)

    def _drop(self, connection: ResponseHandler) -> None:
        self._open.discard(connection)
        connection.close()

    async def _connect(self) -> ResponseHandler | None:
        """Open a connection to an address that was checked; None, for ever, if there are several to choose from."""
        async with self._resolving:
            if not self._addresses or self._loop.time() - self._resolved_at > _RESOLVED_S:
                self._addresses = await self._resolved()
                self._resolved_at = self._loop.time()
            addresses = self._addresses
        if len(addresses) > 1 and not all(ipaddress.ip_address(each).is_loopback for each, _ in addresses):
            self.is_usual = False  # which of them answers is best found out by trying several at a time
            return None
        try:
            async with asyncio.timeout(self._connect_timeout_s):
                return await self._first(addresses)
        except TimeoutError:
            raise UnreachableError(f"no connection within {self._connect_timeout_s:g} s") from None
        except ConnectionRefusedError:
            raise UnreachableError("connection refused") from None
        except OSError as error:
            raise UnreachableError(f"no connection: {error.strerror or error}") from None

    async def _first(self, addresses: list[tuple[str, int]]) -> ResponseHandler:
        """Open a connection to the first of ``addresses`` that takes it; OSError of the last one."""
        for address, family in addresses[:-1]:
            try:
                return await self._opened(address, family)
            except OSError:
                continue
        return await self._opened(*addresses[-1])

    async def _opened(self, address: str, family: int) -> ResponseHandler:
        _, connection = await self._loop.create_connection(
            lambda: ResponseHandler(self._loop), address, self._port, family=family
        )
        connection.set_response_params(read_until_eof=True, auto_decompress=False, read_bufsize=_BUFFERED)
        self._open.add(connection)
        return connection

    async def _resolved(self) -> list[tuple[str, int]]:
        try:
            found = await self._resolver.resolve(self._host, self._port)
        except RefusedHostError as refusal:
            raise UnreachableError(f"host refused by policy: {refusal}") from None
        except OSError:
            raise UnreachableError(f"unknown host {self._host}") from None
        return list(dict.fromkeys((each["host"], each["family"]) for each in found))


def words(url: URL, fields: CIMultiDict[str], own: Mapping[str, str]) -> bytes | None:
    """Return the header fields of a request for ``url`` as sent; None if they are left to aiohttp.

    ``own`` are fields of the client, which ``fields``, those of the request, replace.
    """
    usual = CIMultiDict({"Host": url.host_port_subcomponent or "", "Accept": "*/*", **own})
    for name in set(fields):
        usual.popall(name, None)
    lines = []
    for name, value in (*usual.items(), *fields.items()):
        line = f"{name}: {value}\r\n"
        if (name.lower() in FRAMING_FIELDS and name.lower() != "host") or _CONTROL.search(line[:-2]):
            return None
        lines.append(line)
    return "".join(lines).encode()
