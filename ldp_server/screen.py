"""What holds for every request before anything else: the size of its header, the Host, the token, the Origin.

It comes first so that the answer to a stranger is one and the same whatever is at a path, or was.
"""

import re

from aiohttp import HttpVersion11, web
from msgspec import Struct

from ldp_server.answers import ANY_METHOD
from ldp_server.cors import Origins
from ldp_server.faults import Problem
from ldp_server.reading import allowed_authorities, check_header, check_host
from ldp_server.tokens import Keyring

_BEARER = re.compile(r"bearer +([A-Za-z0-9\-._~+/]+=*) *", re.IGNORECASE)
_REALM = 'Bearer realm="Milepost"'


class Screen(Struct, frozen=True):
    """What a server at one base URL asks of requests; without ``tokens`` it asks nobody who they are.

    ``max_header`` is in bytes.
    """

    authorities: frozenset[str]
    origins: Origins
    tokens: Keyring | None
    max_header: int

    def check(self, request: web.BaseRequest) -> web.Response | None:
        """Raise LDP022, LDP004, LDP018, LDP080 or LDP043 for a request that may not go on.

        Return the answer to a preflight if clients need a token: browsers send none with it, so it tells nothing.
        """
        check_header(request, self.max_header)
        check_host(request, self.authorities)
        if self.tokens is not None:
            if self.origins.is_preflight(request):
                granted = self.origins.answer_preflight(request, {"Allow": ANY_METHOD})
                return web.Response(status=204, headers=granted)
            check_token(request, self.tokens)
        self.origins.check(request)
        return None

    def knows(self, request: web.BaseRequest) -> bool:
        """Tell whether the token of a request that was let through is still good."""
        try:
            if self.tokens is not None:
                check_token(request, self.tokens)
        except Problem:
            return False
        return True

    async def let_continue(self, request: web.Request) -> None:
        """Tell a client that waits for it to send its body, if it may; other expectations are passed over (RFC 9110, 10.1.1)."""
        expected = request.headers.get("Expect", "").strip().lower()
        if expected != "100-continue" or request.version < HttpVersion11:
            return
        try:
            self.check(request)
        except Problem:
            return
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


def screen_for(base: str, origins: Origins, tokens: Keyring | None, max_header: int) -> Screen:
    """Return the screen of the server at ``base`` (no final slash)."""
    return Screen(allowed_authorities(base), origins, tokens, max_header)


def check_token(request: web.BaseRequest, tokens: Keyring) -> None:
    """Raise LDP080 for a request without the token of somebody known, which says no more than that."""
    token = token_of(request)
    if token is not None and tokens.holder(token) is not None:
        return
    challenge = _REALM if token is None else f'{_REALM}, error="invalid_token"'
    raise Problem(
        "LDP080",
        "Who uses this server has a token, in a header Authorization: Bearer TOKEN."
        " Its operator gives them out.",
        headers={"WWW-Authenticate": challenge},
    )


def token_of(request: web.BaseRequest) -> str | None:
    """Return the token that a request brings, or None if it brings none, or more than one."""
    given = request.headers.getall("Authorization", [])
    match = _BEARER.fullmatch(given[0]) if len(given) == 1 else None
    return match[1] if match else None
