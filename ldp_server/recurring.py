"""What answers by heart rest on, for reads and for writes: which requests come again, which may, and from whom."""

from collections.abc import Hashable

from aiohttp import HttpVersion11, web

from ldp_server.screen import token_of
from ldp_server.tokens import Keyring

LONGEST = 2048
"""What is longer, in bytes, is not kept: who asks again and again sends few header fields."""
_MOST_SEEN = 1 << 15


class Seen:
    """Texts that came lately, a number each."""

    def __init__(self) -> None:
        self._marks: set[int] = set()

    def has(self, text: Hashable) -> bool:
        """Tell whether ``text`` came before, lately, and note it; what comes once is not worth keeping."""
        mark = hash(text)
        if mark in self._marks:
            return True
        if len(self._marks) == _MOST_SEEN:
            self._marks.clear()
        self._marks.add(mark)
        return False


class Senders:
    """Those who may ask again: everybody without ``tokens``, else who still has the token that came before."""

    def __init__(self, tokens: Keyring | None) -> None:
        self._tokens = tokens

    def token(self, request: web.BaseRequest) -> str | None:
        """Return the token of who asks, None if nobody needs one."""
        return None if self._tokens is None else token_of(request)

    def are_let_in(self, token: str | None) -> bool:
        """Tell whether those with this ``token`` may still ask."""
        return self._tokens is None or (token is not None and self._tokens.holder(token) is not None)


def has_neighbours(request: web.BaseRequest) -> bool:
    """Tell whether documents beside the one asked for are answered for in the same way: others add no routes."""
    return isinstance(request, web.Request) and len(request.app.router.routes()) == 1


def may_recur(request: web.BaseRequest, answer: web.Response) -> bool:
    """Tell whether the connection goes on after ``answer`` as before, so that the same bytes mean the same again.

    What a client sent and is told again may be no text; an answer with more than ASCII in its head is aiohttp's to word.
    """
    if request.version != HttpVersion11 or not answer.keep_alive or "Expect" in request.headers:
        return False
    return all(value.isascii() for value in answer.headers.values())
