"""From the request target to the name of a resource, and back to its URI.

A resource is known by its path in one canonical spelling: percent-encoded octets of unreserved characters
are decoded, the other encodings are in upper case (RFC 3986, section 6.2.2). A path that ends in a slash
names a container, any other path a document. Paths are never mapped to file names.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from msgspec import Struct

from ldp_server.faults import Problem, ServerError

MAX_PATH = 2048
MAX_SEGMENT = 255
MAX_DEPTH = 64
RESERVED = "/.milepost"

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SEGMENT = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_ABSOLUTE = re.compile(r"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


class Target(Struct, frozen=True):
    """What a request is about: a canonical path, and the query without its question mark, if there is one."""

    path: str
    query: str | None = None


@lru_cache(maxsize=4096)
def read_target(raw: str) -> Target:
    """Return the target of a request, or raise LDP002.

    ``raw`` is the target as it stood in the request line, in origin form or absolute form (RFC 9112,
    section 3.2). Dot segments, empty segments, control octets and encoded slashes are refused rather than
    repaired, because a client and a cache on the way might repair them differently.
    """
    if absolute := _ABSOLUTE.fullmatch(raw):
        raw = absolute[2] if absolute[2].startswith("/") else "/" + absolute[2]
    if "#" in raw:
        raise _unusable("a request target has no fragment")
    path, mark, query = raw.partition("?")
    return Target(canonical_path(path), query if mark else None)


def authority_of(raw: str) -> str | None:
    """Return host and port of a request target in absolute form, None of one in another form."""
    absolute = None if raw.startswith("/") else _ABSOLUTE.fullmatch(raw)
    return absolute[1] if absolute else None


def canonical_path(path: str) -> str:
    """Return the canonical spelling of a path that begins with a slash, or raise LDP002."""
    if not path.startswith("/"):
        raise _unusable("it does not begin with a slash")
    if not fits(path):
        raise _unusable(f"it has more than {MAX_PATH} characters or {MAX_DEPTH} segments")
    segments = path[1:].split("/")
    inner = segments[:-1] if segments[-1] == "" else segments
    return "/".join(["", *map(_canonical_segment, inner), *([""] if inner is not segments else [])])


def fits(path: str) -> bool:
    """Tell whether a path is short and shallow enough to be asked for."""
    return len(path) <= MAX_PATH and path.count("/") <= MAX_DEPTH


def _canonical_segment(segment: str) -> str:
    if not segment:
        raise _unusable("it has an empty segment")
    if not _SEGMENT.fullmatch(segment):
        raise _unusable("it has a character or a percent sign that must be percent-encoded")
    canonical = _ESCAPE.sub(_canonical_escape, segment)
    if canonical in {".", ".."}:
        raise _unusable("it has a dot segment")
    if len(_ESCAPE.sub("x", canonical)) > MAX_SEGMENT:
        raise _unusable(f"it has a segment of more than {MAX_SEGMENT} octets")
    return canonical


def _canonical_escape(match: re.Match[str]) -> str:
    octet = int(match[0][1:], 16)
    if octet < 0x20 or octet == 0x7F:
        raise _unusable("it has an encoded control character")
    if octet in b"/\\":
        raise _unusable("it has an encoded slash or backslash")
    return chr(octet) if octet in _UNRESERVED else match[0].upper()


def _unusable(reason: str) -> Problem:
    return Problem("LDP002", f"The path of the request is not usable: {reason}.")


def is_container(path: str) -> bool:
    """Tell whether ``path`` names a container."""
    return path.endswith("/")


def parent(path: str) -> str:
    """Return the container that holds ``path``; the root has none (ValueError)."""
    if path == "/":
        raise ValueError("the root has no parent")
    return place(path)[0]


def place(path: str) -> tuple[str, str]:
    """Return the container that holds ``path``, and its name there; nothing holds the root, whose container is empty.

    Put together they are the path.
    """
    container, _, name = path.rpartition("/")
    if name:
        return container + "/", name
    start = path.rfind("/", 0, -1) + 1
    return path[:start], path[start:]


def ancestors(path: str) -> tuple[str, ...]:
    """Return the containers above ``path``, nearest first, the root last."""
    return () if path == "/" else _with_ancestors(place(path)[0])


def containers_above(paths: Iterable[str]) -> set[str]:
    """Return the containers above any of ``paths``."""
    holders = {place(path)[0] for path in paths}
    holders.discard("")
    return {container for holder in holders for container in _with_ancestors(holder)}


@lru_cache(maxsize=4096)
def _with_ancestors(container: str) -> tuple[str, ...]:
    return (container, *ancestors(container))


def slash_twin(path: str) -> str:
    """Return the same path with or without its final slash; only one of the two may exist."""
    return path[:-1] if is_container(path) else path + "/"


def is_reserved(path: str) -> bool:
    """Tell whether ``path`` belongs to the server's own pages."""
    return path == RESERVED or path.startswith(RESERVED + "/")


def read_base_url(text: str) -> str:
    """Return the base URL without its final slash, or raise LDP035; it names an http(s) origin and no path."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ServerError("LDP035", f"{text!r} is not a URL: {error}.") from None
    plain = parts.path in {"", "/"} and not parts.query and not parts.fragment and "@" not in parts.netloc
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0 or not plain:
        raise ServerError("LDP035", f"{text!r} is not of the form http://host:port/ (no path, no user).")
    if not re.fullmatch(r"[A-Za-z0-9.\-_:\[\]]+", parts.netloc):
        raise ServerError("LDP035", f"{text!r} has a host that is not plain ASCII.")
    return f"{parts.scheme}://{parts.netloc.lower()}"
