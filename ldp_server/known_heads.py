"""Writes whose head came before: what follows from the head alone is known, and only the body is read.

Everything that is looked at before the body is a function of the head and of the settings, as with whole requests
(``repeats``). What the state decides is decided in the commit each time, and what is refused goes the careful way
again from its beginning, because nothing was done.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from aiohttp import web
from msgspec import Struct, field

from ldp_server.caching import ByteCache
from ldp_server.faults import Problem
from ldp_server.heads import Key, cut
from ldp_server.recurring import LONGEST, Seen, Senders, has_neighbours, may_recur
from ldp_server.storage.port import Committed, Outcome, Store, Write
from ldp_server.tokens import Keyring
from ldp_server.validators import Precondition, read_tags
from ldp_server.wording import Told, Wording

_METHODS = (b"PUT ", b"POST ", b"PATCH ")
_MOST_BYTES = 1024 * 1024
_BESIDE = 1000
"""About how many bytes are held for a head besides its own."""

MakeWrite = Callable[[str, bytes, Precondition], Write | None]
"""Makes the write at a path with another body: None if that takes long, Problem if it is refused."""


class Again(NamedTuple):
    """How a write at ``path`` under ``precondition`` is done with other bodies, and under others.

    ``told`` says what is answered: the same for all that are changed at the path, and for all that are created, but for
    number and path.
    """

    write: MakeWrite
    told: Callable[[Committed], Told]
    path: str
    precondition: Precondition


AGAIN = web.ResponseKey("again", Again)
"""Stands in the answer to a write that can be carried out in the same way, whatever its body, when its head comes again."""


class KnownHead(Struct, frozen=True):
    """What a head asks for; ``size`` is that of the body in bytes, ``token`` that of who asked.

    A ``path`` that ends in ``/`` and has a ``longest`` name is the container of whatever name the target ends in. Where a
    tag may be another one, ``longest_tag`` is the length of the longest that was there.
    ``wordings`` are the answers to what is changed (False) and what is created (True).
    """

    write: MakeWrite
    told: Callable[[Committed], Told]
    size: int
    token: str | None
    path: str
    precondition: Precondition
    longest: int = 0
    longest_tag: int = 0
    wordings: dict[bool, Wording] = field(default_factory=dict)

    def begun(self, name: bytes, tag: bytes, body: bytes) -> Write | None:
        """Return the write of a body at the name, if the state has the tag (if it is not empty), or None or Problem."""
        asked = self.precondition
        if tag:
            asked = Precondition(read_tags(tag.decode()), asked.none_match)
        return self.write(self.path + name.decode(), body, asked)

    def answer(self, done: Committed) -> bytes:
        """Return the bytes of the answer to a write that is done."""
        if done.describes:
            return Wording(done, self.told(done)).of(done)
        wording = self.wordings.get(done.created)
        if wording is None:
            wording = self.wordings[done.created] = Wording(done, self.told(done))
        return wording.of(done)


class KnownHeads:
    """The heads of the last writes, in about a megabyte.

    What a head says of a document holds for all plain names in its container that are not longer, so the name is no
    part of what is known, unless other routes may answer for some of them. Nor is the tag that it asks to match.
    """

    def __init__(self, store: Store, tokens: Keyring | None) -> None:
        self._store = store
        self._senders = Senders(tokens)
        self._held: ByteCache[Key, KnownHead] = ByteCache(_MOST_BYTES)
        self._seen = Seen()

    def begin(self, asked: bytes, tell: Callable[[KnownHead, Sequence[Outcome]], None]) -> bool:
        """Carry out the request ``asked`` if its head is known and its sender may still write; tell whether it is.

        Then ``tell`` is called, at once or later, with what is known and the one outcome of the write.
        """
        head = _head_of(asked)
        key, name, tag = cut(head)
        known = self._held.get(key)
        if known is None:
            known, name, tag = self._held.get((head,)), b"", b""
            if known is None:
                return False
        body = asked[len(head) :]
        if len(body) != known.size or len(name) > known.longest or len(tag) > known.longest_tag:
            return False
        if not self._senders.are_let_in(known.token):
            return False
        try:
            write = known.begun(name, tag, body)
        except Problem:
            return False
        if write is None:
            return False
        self._store.submit((write,), partial(tell, known))
        return True

    def comes_again(self, asked: bytes) -> bool:
        """Tell whether the head of a write came before, lately."""
        head = _head_of(asked)
        return head != b"" and self._seen.has(cut(head)[0])

    def keep(self, asked: bytes, request: web.BaseRequest, answer: web.Response) -> None:
        """Remember the head of a write that was done, if others with this head can be done alike; ``asked`` is the whole request."""
        again, head = answer.get(AGAIN), _head_of(asked)
        if again is None or not head or not may_recur(request, answer):
            return
        key, name, tag = cut(head)
        path, longest, longest_tag = again.path, 0, 0
        if name and has_neighbours(request):
            before = self._held.get(key)
            path = path[: -len(name)]
            longest = max(len(name), before.longest if before else 0)
            longest_tag = max(len(tag), before.longest_tag if before else 0)
        else:
            key = (head,)
        token, size = self._senders.token(request), len(asked) - len(head)
        known = KnownHead(
            again.write, again.told, size, token, path, again.precondition, longest, longest_tag
        )
        self._held.keep(key, known, 2 * len(head) + _BESIDE)


def _head_of(asked: bytes) -> bytes:
    """Return the head of a write with a body, if it is one that can be kept, else nothing."""
    if not asked.startswith(_METHODS):
        return b""
    end = asked.find(b"\r\n\r\n", 0, LONGEST)
    return asked[: end + 4] if end > 0 else b""
