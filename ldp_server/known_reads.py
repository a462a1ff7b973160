"""Reads whose head came before, about another document or under another tag: what follows from the head alone is known.

Which syntax a document is shown in, and every header field but tag and length, is the same for all documents of a
container that nothing else answers for. So the head without name and tag is the key, and the rest is read from the state.
Whatever is not at hand, or is no document, goes the careful way.
"""

import logging
from collections.abc import Callable
from typing import NamedTuple

from aiohttp import web
from aiohttp.helpers import rfc822_formatted_time
from msgspec import Struct, field

from ldp_server.caching import ByteCache
from ldp_server.heads import Cut, Key, cut
from ldp_server.recurring import LONGEST, Seen, Senders, may_recur
from ldp_server.repeats import Repeats, worded
from ldp_server.storage.port import Record, Store
from ldp_server.tokens import Keyring

LOG = logging.getLogger(__name__)
_MOST_BYTES = 1024 * 1024
_BESIDE = 2000
"""About how many bytes are held for a head besides its own."""
_OK, _NOT_MODIFIED = 200, 304


class Shown(NamedTuple):
    """How documents are shown to all who ask as somebody did: ``tag`` is that of a version.

    ``body`` is what a state looks like, None if working that out would take long.
    """

    tag: Callable[[int], str]
    body: Callable[[Record], bytes | None]


SHOWN = web.ResponseKey("shown", Shown)
"""Stands in an answer about a document that is given in the same way about every document in its container."""


class _Form(NamedTuple):
    """An answer before its date and after it, with places for tag and length; an answer that is not modified has no length."""

    before: bytes
    after: bytes


class _KnownRead(Struct, frozen=True):
    """What a head asks for in ``container``, of names and under tags that are not longer; ``forms`` are answers by status."""

    container: str
    shown: Shown
    token: str | None
    longest: int
    longest_tag: int
    forms: dict[int, _Form] = field(default_factory=dict)


class KnownReads:
    """The heads of the last reads of documents, in about a megabyte; what comes again whole is known to ``repeats`` then."""

    def __init__(self, store: Store, tokens: Keyring | None, repeats: Repeats) -> None:
        self._store = store
        self._repeats = repeats
        self._senders = Senders(tokens)
        self._held: ByteCache[Key, _KnownRead] = ByteCache(_MOST_BYTES)
        self._seen = Seen()
        self._last = b"", cut(b"")

    def answer(self, asked: bytes) -> bytes | None:
        """Return the answer to the request ``asked`` if its head is known and what it asks for is at hand."""
        key, name, tag = self._cut(asked)
        known = self._held.get(key) if name else None
        if known is None or len(name) > known.longest or len(tag) > known.longest_tag:
            return None
        if not self._senders.are_let_in(known.token):
            return None
        path = known.container + name.decode()
        record = self._store.at_hand(path)
        if record is None or record.binary is not None:
            return None
        current = known.shown.tag(record.version).encode()
        is_held = tag == current
        form = known.forms.get(_NOT_MODIFIED if is_held else _OK)
        try:
            body = b"" if is_held else known.shown.body(record)
        except Exception:
            LOG.debug("the careful way tells what is wrong with %s", path, exc_info=True)
            return None
        if form is None or body is None:
            return None
        before = form.before % (current if is_held else (current, len(body)))
        if self._repeats.comes_again(asked):
            self._repeats.learn(asked, path, known.token, (before, form.after), body)
        return b"".join((before, rfc822_formatted_time().encode(), form.after, body))

    def comes_again(self, asked: bytes) -> bool:
        """Tell whether the head of a read came before, lately, maybe about another document."""
        key, name, _ = self._cut(asked)
        return name != b"" and self._seen.has(key)

    def _cut(self, asked: bytes) -> Cut:
        """Return the head of a read cut; what is not known is asked about once more, if it came before."""
        if asked is not self._last[0]:
            self._last = asked, cut(_head_of(asked))
        return self._last[1]

    def keep(self, asked: bytes, request: web.BaseRequest, answer: web.Response) -> None:
        """Remember the head of a read that was answered, if others with this head can be answered alike."""
        shown = answer.get(SHOWN)
        if shown is None or not _is_alone(request) or not may_recur(request, answer):
            return
        key, name, tag = self._cut(asked)
        form = _form(answer)
        if not name or form is None or request.headers.getall("If-None-Match", []) != _told(tag):
            return
        before = self._held.get(key)
        known = _KnownRead(
            key[0].removeprefix(b"GET ").decode(),
            shown,
            self._senders.token(request),
            max(len(name), before.longest if before else 0),
            max(len(tag), before.longest_tag if before else 0),
            (before.forms if before else {}) | {answer.status: form},
        )
        self._held.keep(key, known, 2 * len(asked) + _BESIDE)


def _head_of(asked: bytes) -> bytes:
    """Return a GET without a body, if it is one that can be kept, else nothing."""
    is_one = len(asked) <= LONGEST and asked.startswith(b"GET ") and asked.find(b"\r\n\r\n") == len(asked) - 4
    return asked if is_one else b""


def _is_alone(request: web.BaseRequest) -> bool:
    """Tell whether no routes of others answer for some paths."""
    return isinstance(request, web.Request) and len(request.app.router.routes()) == 1


def _told(tag: bytes) -> list[str]:
    """Return the fields If-None-Match of a request whose only such tag, if it has any, was cut out."""
    return [tag.decode()] if tag else []


def _form(answer: web.Response) -> _Form | None:
    """Return the form of an answer that was sent, None for one of another kind."""
    before, after = worded(answer)
    places = [b"ETag: %b" % answer.headers["ETag"].encode()]
    if answer.status == _OK:
        places.append(b"Content-Length: %b" % answer.headers["Content-Length"].encode())
    text = before.replace(b"%", b"%%")
    ends = [text.find(b"\r\n%b\r\n" % place) + 2 for place in places]
    if ends != sorted(ends) or 1 in ends:
        return None
    for place, kind in zip(places, (b"ETag: %b", b"Content-Length: %d"), strict=False):
        text = text.replace(b"\r\n%b\r\n" % place, b"\r\n%b\r\n" % kind, 1)
    return _Form(text, after)
