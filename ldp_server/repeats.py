"""Answers for those who ask again: the same bytes about the same state get the same answer, made once.

Whatever was looked at for the first answer is a function of the request, of the settings and of the state of one
document or container. So the whole request as it came is the key, and every commit that concerns the state
drops the answer. What changes besides is the date, and whether a token is still good.
"""

from collections.abc import Sequence
from typing import NamedTuple

from aiohttp import web
from aiohttp.helpers import rfc822_formatted_time
from msgspec import Struct, field

from ldp_server.caching import ByteCache
from ldp_server.paths import ancestors, containers_above
from ldp_server.recurring import LONGEST, Seen, Senders, may_recur
from ldp_server.storage.changes import Change, ChangeLog
from ldp_server.tokens import Keyring

_MOST_OF_ONE = 32
"""Answers that are kept for one path; of more the oldest leave."""
_BESIDE = 2000
"""About how many bytes an answer takes besides its body, the request and its links."""


class Basis(NamedTuple):
    """What an answer tells of: the state of ``path`` as it was after the commit ``sequence`` or a later one."""

    path: str
    sequence: int


BASIS = web.ResponseKey("basis", Basis)
"""Stands in an answer that follows from the request, the settings and its basis alone."""


Head = tuple[bytes, bytes]
"""The head of an answer before and after its date."""


class _Answer(Struct):
    """An answer that was sent; ``token`` is that of who asked. The head of an answer of aiohttp's is worded when it is wanted again."""

    head: web.Response | Head
    body: bytes
    token: str | None


class _Answers(Struct):
    """The answers about one path, by request, and about how many bytes they take."""

    by_request: dict[bytes, _Answer] = field(default_factory=dict)
    size: int = 0

    def add(self, asked: bytes, answer: _Answer, room: int) -> None:
        """Take in an answer; the oldest leave while they are too many, or take more than ``room``."""
        if asked in self.by_request:
            self._remove(asked)
        self.by_request[asked] = answer
        self.size += _size(asked, answer)
        while len(self.by_request) > _MOST_OF_ONE or (self.size > room and len(self.by_request) > 1):
            self._remove(next(iter(self.by_request)))

    def _remove(self, asked: bytes) -> None:
        self.size -= _size(asked, self.by_request.pop(asked))


class Repeats:
    """The last answers of a server, by the requests they answer, in about ``max_bytes``.

    It hears of commits by the log, before these are acknowledged.
    """

    def __init__(self, log: ChangeLog, tokens: Keyring | None, max_bytes: int) -> None:
        self._log = log
        self._senders = Senders(tokens)
        self._max_bytes = max_bytes
        self._held: ByteCache[str, _Answers] = ByteCache(max_bytes)
        self._room = max_bytes // 8  # as much as a ByteCache takes under one key
        self._seen = Seen()
        self._leave_log = log.listen(self._forget)

    async def close(self, _app: web.Application) -> None:
        """Hear of no more commits, when the application ends."""
        self._leave_log()

    def answer(self, asked: bytes) -> bytes | None:
        """Return the answer to the request ``asked`` if it is known, and nothing else can be the answer now."""
        answers = self._held.get(_path_in(asked))
        if answers is None:
            return None
        known = answers.by_request.get(asked)
        if known is None or not self._senders.are_let_in(known.token):
            return None
        # To ask for a tuple is quick, to ask for an answer of aiohttp's is not: that is an abstract class.
        if not isinstance(known.head, tuple):
            known.head = worded(known.head)
        before, after = known.head
        return b"".join((before, rfc822_formatted_time().encode(), after, known.body))

    def comes_again(self, asked: bytes) -> bool:
        """Tell whether ``asked`` is a GET that came before, lately."""
        return len(asked) <= LONGEST and asked.startswith(b"GET ") and self._seen.has(asked)

    def keep(self, asked: bytes, request: web.BaseRequest, answer: web.Response) -> None:
        """Remember an answer that was sent, unless it can be another one next time; ``asked`` is the whole request."""
        basis = answer.get(BASIS)
        if basis is None or basis.path != _path_of(asked) or basis.sequence != self._log.sequence:
            return
        if not may_recur(request, answer):
            return
        body = answer.body or b""
        if not isinstance(body, bytes):
            return
        self._add(asked, basis.path, _Answer(answer, body, self._senders.token(request)))

    def learn(self, asked: bytes, path: str, token: str | None, head: Head, body: bytes) -> None:
        """Remember an answer that follows from the present state of ``path``, and from what ``asked`` and ``token`` say."""
        self._add(asked, path, _Answer(head, body, token))

    def _add(self, asked: bytes, path: str, answer: _Answer) -> None:
        answers = self._held.get(path) or _Answers()
        answers.add(asked, answer, self._room - len(path))
        self._held.keep(path, answers, len(path) + answers.size)

    def _forget(self, changes: Sequence[Change] | None) -> None:
        if changes is None:
            self._held = ByteCache(self._max_bytes)
            return
        if len(changes) == 1:
            # A store in memory tells of each commit alone; sets would cost more than they save then.
            path = changes[0].path
            self._held.drop(path, *ancestors(path))
            return
        changed = {change.path for change in changes}
        self._held.drop(*changed | containers_above(changed))


def _path_of(asked: bytes) -> str:
    """Return the target of a GET, if it is a path that can be kept, else the empty text."""
    return "" if len(asked) > LONGEST or not asked.startswith(b"GET ") else _path_in(asked)


def _path_in(asked: bytes) -> str:
    """Return what would be the target if ``asked`` is a GET."""
    return asked[4 : asked.find(b" ", 4)].decode("latin-1")


def worded(answer: web.Response) -> Head:
    """Return the head of an answer that was sent."""
    lines = [f"HTTP/1.1 {answer.status} {answer.reason}\r\n"]
    dated = 0
    for name, value in answer.headers.items():
        if name == "Date":
            lines.append("Date: ")
            dated = len(lines)
            lines.append("\r\n")
        else:
            lines.append(f"{name}: {value}\r\n")
    return "".join(lines[:dated]).encode(), "".join([*lines[dated:], "\r\n"]).encode()


def _size(asked: bytes, answer: _Answer) -> int:
    return 4 * len(asked) + len(answer.body) + _BESIDE
