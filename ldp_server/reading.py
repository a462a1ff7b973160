"""Reading what a client sends: the target, the header, the host and the body, each within its limits."""

import asyncio
from ipaddress import ip_address
from itertools import chain

from aiohttp import web

from ldp_server.faults import Problem
from ldp_server.paths import authority_of
from ldp_server.settings import Settings

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def allowed_authorities(base: str) -> frozenset[str]:
    """Return the Host values that mean the server at ``base``: its own, and on loopback its other names.

    A server that answers to any name can be reached by a page of a foreign site whose name was made to
    point at the loopback address.
    """
    scheme, _, authority = base.partition("://")
    host, port = split_authority(authority)
    hosts = _LOOPBACK if is_loopback(host) else (host,)
    default = "443" if scheme == "https" else "80"
    with_port = {f"{name}:{port or default}" for name in (*hosts, host)}
    without = {name for name in (*hosts, host) if (port or default) == default}
    return frozenset(with_port | without)


def split_authority(authority: str) -> tuple[str, str]:
    """Return host and port (perhaps empty) of an authority; an IPv6 host keeps its brackets."""
    host, _, port = authority.rpartition(":")
    return (host, port) if host and not port.endswith("]") else (authority, "")


def is_loopback(host: str) -> bool:
    """Tell whether a host can only be reached from this machine."""
    name = host.strip("[]").lower()
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def check_header(request: web.BaseRequest, most: int) -> None:
    """Raise LDP022 for header fields of more than ``most`` bytes together: fields of one name are read as one."""
    if sum(map(len, chain.from_iterable(request.raw_headers))) > most:
        raise Problem(
            "LDP022",
            f"The header fields of the request have more than {most} bytes together. Send fewer, or shorter ones.",
        )


def check_host(request: web.BaseRequest, authorities: frozenset[str]) -> None:
    """Raise LDP004 for a request without a single Host, LDP018 for one that is meant for another host."""
    hosts = request.headers.getall("Host", [])
    if len(hosts) != 1:
        raise Problem("LDP004", "A request has exactly one Host header.", ends_connection=True)
    for authority in (hosts[0], authority_of(request.raw_path)):
        if authority is not None and authority.strip().lower() not in authorities:
            raise Problem("LDP018", "The Host of the request is not this server. Use its base URL.")


def refuse_part(request: web.BaseRequest) -> None:
    """Raise LDP004 for a body that is a part of something (RFC 9110, section 14.4)."""
    if "Content-Range" in request.headers:
        raise Problem("LDP004", "A body with a Content-Range is not read here; send the whole.")


class Pieces:
    """A body on its way: its pieces in order, with limits on its size in bytes and on the time it takes."""

    def __init__(self, request: web.BaseRequest, settings: Settings, most: int) -> None:
        """Raise LDP006 for a body that says it is larger than ``most``."""
        self.size = 0
        self._content = request.content
        self._most = most
        self._idle_s = settings.body_idle_timeout_s
        self._deadline = asyncio.get_running_loop().time() + settings.body_timeout_s
        self._check(request.content_length or 0)

    async def next(self) -> bytes:
        """Return the next piece, empty at the end; raises LDP006 (too large), LDP019 (too slow), LDP004 (broken off)."""
        try:
            piece = await (self._content.read() if self._content.is_eof() else self._wait())
        except TimeoutError:
            raise Problem("LDP019", "The body did not arrive in time.", ends_connection=True) from None
        except (web.RequestPayloadError, ConnectionError):
            detail = "The body is broken off or badly framed."
            raise Problem("LDP004", detail, ends_connection=True) from None
        self.size += len(piece)
        self._check(self.size)
        return piece

    async def _wait(self) -> bytes:
        async with asyncio.timeout_at(self._deadline), asyncio.timeout(self._idle_s):
            return await self._content.readany()

    def _check(self, size: int) -> None:
        if size > self._most:
            raise Problem("LDP006", f"The body is larger than {self._most} bytes.", ends_connection=True)


async def read_body(request: web.BaseRequest, settings: Settings) -> bytes:
    """Return the whole body, or raise LDP006 (too large), LDP019 (too slow) or LDP004 (broken off)."""
    pieces = Pieces(request, settings, settings.max_body)
    body = await pieces.next()
    if request.content.at_eof():
        return body
    rest = bytearray(body)
    while piece := await pieces.next():
        rest += piece
    return bytes(rest)
