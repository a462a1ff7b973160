"""Texts that are alike but for digits of their literals: what one of them comes to is known by heart for the others.

Who reports a value every second sends the same text each time, but for some digits. A text is cut at its digits; what
stands between them, and the digits that were always the same, tell which texts are alike.

Digits that may be others are found by reading one such text again with a mark for each: digits by chance, which no
input contains. If all a mark comes to is a part of the values of literals, the reader was inside a string or a number
there. Digits end neither, and what kind of number it is does not depend on how many there are, so other digits come
out in the same places. A mark that comes to anything else, or to nothing, is a text about which nothing is known.
"""

import re
import secrets
from collections.abc import Callable, Collection, Hashable, Sequence
from operator import itemgetter
from typing import Generic, TypeVar

from msgspec import Struct

from ldp_server.caching import ByteCache
from ldp_server.paths import MAX_PATH
from ldp_server.recurring import LONGEST, Seen
from ldp_server.settings import Settings

Made = TypeVar("Made")
Kind = str
_DIGITS = re.compile(rb"([0-9][0-9]*)")
"""Worded so that the search skips what is no digit quickly."""
_NAME = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*")
_NO_PLACE = ("http://www.w3.org/", "https://www.w3.org/")
"""Where a name could be that of a datatype, or another one that means something to a reader."""
_MOST_BYTES = 4 * 1024 * 1024
_MOST_TIMES = 8
"""How many times longer than a text, and ``_BESIDE``, that may be which is made of it and held."""
_MOST_LESSONS = 8
"""How often it is looked anew which digits of a text may be others; who changes them one by one gets no more."""
_BESIDE = 1000
GAP = b"\xff"
"""Stands for a name that is not known yet in what is made; no text has this octet, because all are UTF-8."""


class Template:
    """A text with places: for digits, known by their number, and for the name of the document."""

    def __init__(self, text: bytes, numbers: Sequence[int]) -> None:
        """Take a text with ``%b`` for each place."""
        self._text = text
        self._chosen = itemgetter(*numbers) if numbers else None

    @property
    def is_constant(self) -> bool:
        """Tell whether there are no places."""
        return self._chosen is None

    def filled(self, values: Sequence[bytes]) -> bytes:
        """Return the text with ``values`` in the places of their numbers."""
        return self._text % (() if self._chosen is None else self._chosen(values))


class Outline:
    """What is the same in all texts that are alike: the ``pieces`` around the runs of digits that may be others."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        """Take the pieces; each but the first and the last, which may be empty, begins and ends with no digit."""
        self._first, *between = pieces
        self._between = between[:-1]
        self._last = between[-1] if between else None

    def values(self, text: bytes) -> list[bytes] | None:
        """Return the digits in the places of a text, or None if it is not like the others."""
        if self._last is None:
            return [] if text == self._first else None
        if not text.startswith(self._first) or not text.endswith(self._last):
            return None
        found = []
        begin = len(self._first)
        for piece in self._between:
            end = text.find(piece, begin)
            if end < 0:
                return None
            found.append(text[begin:end])
            begin = end + len(piece)
        found.append(text[begin : len(text) - len(self._last)])
        return found if all(map(bytes.isdigit, found)) else None


class Marks:
    """What stands in the places of a text while it is read: for digits, and as ``name`` for that of the document.

    There are ``runs`` of digits, then the name; what is made may be ``most`` bytes long.
    """

    def __init__(self, runs: int, most: int) -> None:
        self.name = "gap-" + secrets.token_hex(16)
        self._digits = [f"7{secrets.randbelow(10**20):020}".encode() for _ in range(runs)]
        self._numbers = {mark: number for number, mark in enumerate((*self._digits, self.name.encode()))}
        self._most = most
        self._any = re.compile(b"(" + b"|".join(self._numbers) + b")")

    def put_between(self, pieces: Sequence[bytes]) -> bytes:
        """Return a text that was cut at its runs of digits, with the marks in their places."""
        [first, *others] = pieces
        return first + b"".join(map(bytes.__add__, self._digits, others))

    def templates(self, texts: Sequence[bytes]) -> list[Template] | None:
        """Return what came of a marked text as templates, or None if digits could come to anything but the same digits.

        In each line of ``texts`` there is one literal at most, at its end, and no other quotation marks.
        """
        if sum(map(len, texts)) > self._most:
            return None
        met: set[int] = set()
        made = []
        for text in texts:
            pieces = self._any.split(text)
            numbers = [self._numbers[mark] for mark in pieces[1::2]]
            if not all(map(self._are_in_literals, text.split(b"\n"))):
                return None
            met.update(numbers)
            made.append(Template(b"%b".join(piece.replace(b"%", b"%%") for piece in pieces[::2]), numbers))
        return made if met.issuperset(range(len(self._digits))) else None

    def beginnings(self, text: bytes) -> list[bytes]:
        """Return how the lines of a marked text go on after their first word, up to a mark."""
        lines = text.removesuffix(b"\n").split(b"\n")
        return [self._any.split(line.partition(b" ")[2], 1)[0] for line in lines]

    def _are_in_literals(self, line: bytes) -> bool:
        begin, end = line.find(b'"'), line.rfind(b'"')
        inside = line[begin:end] if begin >= 0 else b""
        return all(line.count(mark) == inside.count(mark) for mark in self._digits)


class _Lesson(Struct, Generic[Made], frozen=True):
    """What was learnt: ``fill`` makes what a text comes to of the digits in its places and the name of the document."""

    outline: Outline
    fill: Callable[[Sequence[bytes]], Made | None]

    def made(self, text: bytes, name: bytes) -> Made | None:
        """Return what ``text`` comes to, or None if it is not like the others or has to be read."""
        values = self.outline.values(text)
        if values is None:
            return None
        values.append(name)
        return self.fill(values)


class _Known(Struct, Generic[Made]):
    """What is known of texts that are alike: the ``digits`` of one, and the numbers of those that are the same in all.

    There is no ``lesson`` as long as none was sought, and after none could be found.
    """

    digits: list[bytes]
    closed: Sequence[int]
    lessons: int = 0
    lesson: _Lesson[Made] | None = None

    def fits(self, digits: Sequence[bytes]) -> bool:
        """Tell whether a text with these digits is like the one that was learnt from."""
        return [digits[number] for number in self.closed] == [self.digits[number] for number in self.closed]


class Alike(Generic[Made]):
    """What the last texts that came again, but for digits, came to, in about four megabytes.

    ``learn`` reads a marked text of a kind for the document at a URI. It returns what makes of the values in the places what
    would have been made of the text with them (or None, for a text that has to be read), or None if nobody can tell, and
    does not raise. Texts of more than ``LONGEST`` bytes are not looked at, nor any where a limit could be met.
    """

    def __init__(
        self,
        learn: Callable[[bytes, Kind, str, Marks], Callable[[Sequence[bytes]], Made | None] | None],
        settings: Settings,
    ) -> None:
        self._learn = learn
        self._held: ByteCache[Hashable, _Known[Made]] = ByteCache(_MOST_BYTES)
        self._latest: ByteCache[tuple[Kind, str], _Lesson[Made]] = ByteCache(_MOST_BYTES)
        self._seen = Seen()
        self._longest = LONGEST if _are_roomy(settings) else -1

    def read(self, text: bytes, kind: Kind, uri: str) -> Made | None:
        """Return what ``text`` comes to in the document at ``uri``, or None if it has to be read."""
        folder, _, name = uri.rpartition("/")
        return self._read(text, kind, folder, name.encode()) if _NAME.fullmatch(name) else None

    def read_unnamed(self, text: bytes, kind: Kind, folder: str) -> Made | None:
        """Return as ``read`` does what ``text`` comes to in a document in ``folder``, with ``GAP`` for its name."""
        return self._read(text, kind, folder, GAP)

    def _read(self, text: bytes, kind: Kind, folder: str, name: bytes) -> Made | None:
        if len(text) > self._longest:
            return None
        latest = self._latest.get((kind, folder))
        if latest is not None and (made := latest.made(text, name)) is not None:
            return made
        lesson = self._lesson(text, kind, folder)
        if lesson is None:
            return None
        self._latest.keep((kind, folder), lesson, _held_for(text))
        return lesson.made(text, name)

    def _lesson(self, text: bytes, kind: Kind, folder: str) -> _Lesson[Made] | None:
        """Return what is known, or can be learnt, of texts like this one."""
        pieces = _DIGITS.split(text)
        digits = pieces[1::2]
        key = (kind, folder, *pieces[::2])
        known = self._held.get(key)
        if known is None:
            if self._seen.has(key) and not f"{folder}/".startswith(_NO_PLACE):
                self._held.keep(key, _Known(digits, range(len(digits))), _held_for(text))
            return None
        if (known.lesson is None or not known.fits(digits)) and known.lessons < _MOST_LESSONS:
            self._learn_from(known, pieces, kind, folder)
        return known.lesson

    def _learn_from(self, known: _Known[Made], pieces: Sequence[bytes], kind: Kind, folder: str) -> None:
        """Find out what all texts come to that are like the one in ``pieces``, if that can be found."""
        digits = pieces[1::2]
        known.closed = [number for number in known.closed if digits[number] == known.digits[number]]
        constants = around(pieces, set(known.closed))
        marks = Marks(len(constants) - 1, _MOST_TIMES * sum(map(len, pieces)) + _BESIDE)
        fill = self._learn(marks.put_between(constants), kind, f"{folder}/{marks.name}", marks)
        known.lesson = None if fill is None else _Lesson(Outline(constants), fill)
        known.lessons = _MOST_LESSONS if fill is None else known.lessons + 1


def around(pieces: Sequence[bytes], closed: Collection[int]) -> list[bytes]:
    """Return what stands around the open runs of digits of a text that was cut at its digits."""
    found = [pieces[0]]
    for number, (digits, piece) in enumerate(zip(pieces[1::2], pieces[2::2], strict=True)):
        if number in closed:
            found[-1] += digits + piece
        else:
            found.append(piece)
    return found


def _held_for(text: bytes) -> int:
    return _MOST_TIMES * len(text) + 2 * _BESIDE


def _are_roomy(settings: Settings) -> bool:
    """Tell whether no short text can meet a limit: each byte of one makes less than twice ``LONGEST`` bytes."""
    return (
        settings.max_iri >= 2 * LONGEST + MAX_PATH
        and settings.max_literal >= LONGEST
        and settings.max_stored >= LONGEST * LONGEST * 2
    )
