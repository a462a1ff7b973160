"""Resolution of IRI references against a base (RFC 3986, section 5.2, on code points)."""

import re
from functools import lru_cache
from typing import NamedTuple

_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class _Parts(NamedTuple):
    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        scheme = "" if self.scheme is None else f"{self.scheme}:"
        authority = "" if self.authority is None else f"//{self.authority}"
        query = "" if self.query is None else f"?{self.query}"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{scheme}{authority}{self.path}{query}{fragment}"


def is_absolute(reference: str) -> bool:
    """Say whether ``reference`` has a scheme of its own."""
    return _SCHEME.match(reference) is not None


def resolve(reference: str, base: str) -> str:
    """Return ``reference`` as an absolute IRI; one that has a scheme is left as it is (RFC 3986, 5.2.2).

    IRIs are compared as strings, so an absolute one is not normalised in any way.
    """
    if is_absolute(reference):
        return reference
    if not reference or reference[0] == "#":
        return base.partition("#")[0] + reference
    origin, wanted = _split(base), _split(reference)
    if wanted.authority is not None:
        path, query = _without_dots(wanted.path), wanted.query
        return str(_Parts(origin.scheme, wanted.authority, path, query, wanted.fragment))
    if not wanted.path:
        query = origin.query if wanted.query is None else wanted.query
        return str(_Parts(origin.scheme, origin.authority, origin.path, query, wanted.fragment))
    path = _without_dots(wanted.path if wanted.path[0] == "/" else _merged(origin, wanted.path))
    return str(_Parts(origin.scheme, origin.authority, path, wanted.query, wanted.fragment))


@lru_cache(maxsize=64)
def _split(iri: str) -> _Parts:
    match = _PARTS.fullmatch(iri)
    if match is None:
        return _Parts(None, None, iri, None, None)
    scheme, authority, path, query, fragment = match.groups()
    return _Parts(scheme, authority, path, query, fragment)


def _merged(origin: _Parts, path: str) -> str:
    if origin.authority is not None and not origin.path:
        return f"/{path}"
    return origin.path[: origin.path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """Remove ``.`` and ``..`` segments (RFC 3986, 5.2.4)."""
    if "." not in path:
        return path
    rooted = path.startswith("/")
    kept: list[str] = []
    segments = path[1:].split("/") if rooted else path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return ("/" if rooted else "") + "/".join(kept)
