"""Reading what a client sends: the target, the host and the body, each within its limits."""

import asyncio

from aiohttp import StreamReader, web

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
    return host.strip("[]").lower() in {"localhost", "::1"} or host.startswith("127.")


def check_host(request: web.BaseRequest, authorities: frozenset[str]) -> None:
    """Raise LDP004 for a request without a single Host, LDP018 for one that is meant for another host."""
    hosts = request.headers.getall("Host", [])
    if len(hosts) != 1:
        raise Problem("LDP004", "A request has exactly one Host header.", ends_connection=True)
    for authority in (hosts[0], authority_of(request.raw_path)):
        if authority is not None and authority.strip().lower() not in authorities:
            raise Problem("LDP018", "The Host of the request is not this server. Use its base URL.")


async def read_body(request: web.BaseRequest, settings: Settings) -> bytes:
    """Return the whole body, or raise LDP006 (too large), LDP019 (too slow) or LDP004 (broken off)."""
    if (request.content_length or 0) > settings.max_body:
        raise _too_large(settings)
    has_come = request.content.is_eof()
    try:
        body = await (request.content.read() if has_come else _wait_for(request.content, settings))
    except TimeoutError:
        raise Problem("LDP019", "The body did not arrive in time.", ends_connection=True) from None
    except (web.RequestPayloadError, ConnectionError):
        raise Problem("LDP004", "The body is broken off or badly framed.", ends_connection=True) from None
    if len(body) > settings.max_body:
        raise _too_large(settings)
    return body


async def _wait_for(content: StreamReader, settings: Settings) -> bytes:
    """Return a body that is under way, no more of it than shows that it is too large, or raise TimeoutError."""
    body = bytearray()
    async with asyncio.timeout(settings.body_timeout_s):
        while not content.at_eof() and len(body) <= settings.max_body:
            async with asyncio.timeout(settings.body_idle_timeout_s):
                body += await content.readany()
    return bytes(body)


def _too_large(settings: Settings) -> Problem:
    return Problem("LDP006", f"The body is larger than {settings.max_body} bytes.", ends_connection=True)
