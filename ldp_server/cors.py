"""Pages of other sites in a browser: which may read and write here (the Fetch standard, HTTP-CORS protocol).

Browsers send an Origin with every request that a page of another site makes. Sites that are not named get no
permission to read answers, and cannot write: some requests leave a browser without asking for permission first.
"""

from dataclasses import dataclass, field

from aiohttp import web

from ldp_server.answers import READ, SAFE
from ldp_server.faults import Problem
from ldp_server.reading import allowed_authorities

_SENT = (
    "Accept, Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Link, Prefer, Range, Slug"
)
_SHOWN = (
    "Accept-Patch, Accept-Post, Accept-Put, Allow, Content-Range, ETag, Link, Location, Preference-Applied,"
    " Retry-After, Vary, WWW-Authenticate"
)
_MAX_AGE_S = 600


@dataclass(frozen=True, slots=True)
class Origins:
    """The origins whose pages may use the server at ``base``; its own always may, ``*`` stands for all others.

    No answer allows credentials that a browser adds by itself. Tokens that a page sends are not of that kind.
    """

    base: str
    named: frozenset[str] = frozenset()
    _own: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Note the names of the server itself."""
        scheme = self.base.partition("://")[0]
        own = frozenset(f"{scheme}://{authority}" for authority in allowed_authorities(self.base))
        object.__setattr__(self, "_own", own)

    def check(self, request: web.BaseRequest) -> None:
        """Raise LDP043 for a write by a page of a site that is not named."""
        origin = request.headers.get("Origin")
        if origin is None or request.method in SAFE or origin in self._own or self._is_named(origin):
            return
        raise Problem(
            "LDP043", "Pages of other sites cannot write here, unless the server names their origin."
        )

    def is_preflight(self, request: web.BaseRequest) -> bool:
        """Tell whether a browser asks on behalf of a named site what it may send."""
        is_asked = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        return is_asked and self._is_named(request.headers.get("Origin", ""))

    def answer_preflight(self, request: web.BaseRequest, headers: dict[str, str]) -> dict[str, str] | None:
        """Return the headers of the answer to a preflight, on top of those of the resource; None for any other request.

        The resource need not be there, because a PUT may be what makes it.
        """
        if not self.is_preflight(request):
            return None
        return headers | {
            "Access-Control-Allow-Methods": headers.get("Allow", READ),
            "Access-Control-Allow-Headers": _SENT,
            "Access-Control-Max-Age": str(_MAX_AGE_S),
        }

    def mark(self, request: web.Request, response: web.StreamResponse) -> None:
        """Let a page of a named site read an answer, and tell caches that answers differ by site."""
        if not self.named:
            return
        held = response.headers.get("Vary")
        response.headers["Vary"] = f"{held}, Origin" if held else "Origin"
        origin = request.headers.get("Origin", "")
        if self._is_named(origin):
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Expose-Headers"] = _SHOWN

    def _is_named(self, origin: str) -> bool:
        return origin in self.named or ("*" in self.named and origin not in {"", "null"})
