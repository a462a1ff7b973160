"""URIs on the wire: percent-encoding of IRIs, origins, and connecting elsewhere (``--map``)."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from msgspec import Struct

from agent.errors import UsageError
from agent.settings import origin_of

_SAFE = "%/:?#[]@!$&'()*+,;=-._~"


class UnusableURIError(Exception):
    """A URI that no request can be sent to; the text says why."""


class Target(Struct, frozen=True):
    """Where a request goes: ``wire_uri`` is connected to, ``host`` is sent as Host, ``uri`` is what it is about.

    ``hostname`` is the name in ``uri``, without port.
    """

    uri: str
    origin: str
    wire_uri: str
    host: str
    hostname: str
    is_mapped: bool


class HostMap:
    """Which origins are connected to in place of which others."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._elsewhere = dict(pairs)
        self.target_hosts = frozenset(urlsplit(origin).hostname or "" for origin in self._elsewhere.values())

    def target(self, uri: str) -> Target:
        """Return where a request for ``uri`` (http or https, any fragment ignored) goes; UnusableURIError."""
        parts = _parts(uri)
        elsewhere = self._elsewhere.get(parts.origin)
        wire_origin = elsewhere or f"{parts.scheme}://{parts.host}"
        return Target(
            uri, parts.origin, wire_origin + parts.local, parts.host, parts.hostname, elsewhere is not None
        )


class _Parts(NamedTuple):
    scheme: str
    origin: str
    host: str
    hostname: str
    local: str


@lru_cache(maxsize=32_768)
def _parts(uri: str) -> _Parts:
    """Return the parts of ``uri``; the same URIs come in every step."""
    try:
        parts = urlsplit(uri)
        origin = origin_of(uri)
        if parts.username is not None or parts.password is not None:
            raise UnusableURIError("a URI with a user name is not requested")
        host = origin.partition("://")[2].encode("ascii" if origin.isascii() else "idna").decode("ascii")
        path, query = (percent_encoded(part) for part in (parts.path or "/", parts.query))
    except (ValueError, UnicodeError) as error:
        raise UnusableURIError(f"no request can be sent there: {error}") from None
    local = f"{path}?{query}" if query else path
    return _Parts(parts.scheme, origin, host, (parts.hostname or "").lower(), local)


def percent_encoded(text: str) -> str:
    """Return ``text`` with UTF-8 percent escapes for what no URI may hold; escapes that are there already stay."""
    return quote(text, safe=_SAFE)


def read_mapping(text: str) -> tuple[str, str]:
    """Return the two origins of ``FROM=TO``; UsageError USE011 if it is not written so."""
    source, _, goal = text.partition("=")
    try:
        if all(urlsplit(each).path in ("", "/") for each in (source, goal)):
            return origin_of(source), origin_of(goal)
    except ValueError:
        pass
    raise UsageError(
        "USE011",
        f"--map {text} does not say which origin is reached where",
        hint="write --map http://sensor.example:8080=http://127.0.0.1:9001 (origins only, no path)",
    )
