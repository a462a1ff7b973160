"""Reads whose head came before, about another document or under another tag: what follows from the head alone is known.

Which syntax a document is shown in, and every header field but tag and length, is the same for all documents of a
container that nothing else answers for. So the head without name and tag is the key, and the rest is read from the state.
Whatever is not at hand, or is no document, goes the careful way.
"""

from collections.abc import Callable
from typing import NamedTuple

from aiohttp import web
from aiohttp.helpers import rfc822_formatted_time
from msgspec import Struct, field

from ldp_server.caching import ByteCache
from ldp_server.heads import Cut, Key, cut
from ldp_server.recurring import LONGEST, Seen, Senders, has_neighbours, may_recur
from ldp_server.repeats import Repeats, worded
from ldp_server.storage.port import Record, Store
from ldp_server.tokens import Keyring

_MOST_BYTES = 1024 * 1024
_BESIDE = 1500
"""About how many bytes are held for a head besides its own and those of its answers."""
_OK, _NOT_MODIFIED = 200, 304
_PLACES = {b"ETag": b"ETag: %b", b"Content-Length": b"Content-Length: %d"}
_EXPECTED = {_OK: [b"ETag", b"Content-Length"], _NOT_MODIFIED: [b"ETag"]}
"""The fields that differ between answers, in the order in which they are sent."""


class Shown(NamedTuple):
    """How documents are shown to all who ask as somebody did: ``tag`` is that of a version.

    ``body`` is what a state looks like, None if working that out would take long.
    """

    tag: Callable[[int], str]
    body: Callable[[Record], bytes | None]


SHOWN = web.ResponseKey("shown", Shown)
"""Stands in an answer about a document that is given in the same way about every document in its container."""


class _Form(NamedTuple):
    """An answer before its date and after it, with places for what is expected of its status."""

    before: bytes
    after: bytes


class _KnownRead(Struct, frozen=True):
    """What a head asks for in ``container``, of names and under tags that are not longer; ``forms`` are answers by status."""

    container: str
    shown: Shown
    token: str | None
    longest: int = 0
    longest_tag: int = 0
    forms: dict[int, _Form] = field(default_factory=dict)

    def size(self) -> int:
        """Return about how many bytes the forms take."""
        return sum(len(part) for form in self.forms.values() for part in form)


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
            return None  # a description has a dot in its name, so it has no plain one
        current = known.shown.tag(record.version).encode()
        is_held = tag == current
        form = known.forms.get(_NOT_MODIFIED if is_held else _OK)
        body = b"" if is_held else known.shown.body(record)
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
        """Return the head of a read cut; that of the last request is kept, because it is asked about up to three times."""
        if asked is not self._last[0]:
            self._last = asked, cut(_head_of(asked))
        return self._last[1]

    def keep(self, asked: bytes, request: web.BaseRequest, answer: web.Response) -> None:
        """Remember the head of a read that was answered, if others with this head can be answered alike."""
        shown = answer.get(SHOWN)
        if shown is None or not has_neighbours(request) or not may_recur(request, answer):
            return
        key, name, tag = self._cut(asked)
        form = _form(answer)
        if not name or form is None or request.headers.getall("If-None-Match", []) != _fields_with(tag):
            return
        container = key[0].removeprefix(b"GET ").decode()
        token = self._senders.token(request)
        before = self._held.get(key) or _KnownRead(container, shown, token)
        known = _KnownRead(
            container,
            shown,
            token,
            max(len(name), before.longest),
            max(len(tag), before.longest_tag),
            before.forms | {answer.status: form},
        )
        self._held.keep(key, known, 2 * len(asked) + known.size() + _BESIDE)


def _head_of(asked: bytes) -> bytes:
    """Return a GET without a body, if it is one that can be kept, else nothing."""
    is_one = len(asked) <= LONGEST and asked.startswith(b"GET ") and asked.find(b"\r\n\r\n") == len(asked) - 4
    return asked if is_one else b""


def _fields_with(tag: bytes) -> list[str]:
    """Return what the fields If-None-Match of a request say if the tag that was cut out, maybe none, is all there is in them."""
    return [tag.decode()] if tag else []


def _form(answer: web.Response) -> _Form | None:
    """Return the form of an answer that was sent, None for one of another kind."""
    before, after = worded(answer)
    lines, places = [], []
    for line in before.split(b"\r\n"):
        name = line.partition(b": ")[0]
        lines.append(_PLACES.get(name) or line.replace(b"%", b"%%"))
        places += [name] if name in _PLACES else []
    return _Form(b"\r\n".join(lines), after) if places == _EXPECTED.get(answer.status) else None
