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
from collections.abc import Callable, Hashable, Sequence
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


class Template:
    """A text with places: for digits, known by their number, and for the name of the document."""

    def __init__(self, text: bytes, numbers: Sequence[int]) -> None:
        """Take a text with ``%b`` for each place."""
        self._text = text
        self._numbers = tuple(numbers)

    @property
    def is_constant(self) -> bool:
        """Tell whether there are no places."""
        return not self._numbers

    def filled(self, values: Sequence[bytes]) -> bytes:
        """Return the text with ``values`` in the places of their numbers."""
        return self._text % tuple([values[number] for number in self._numbers])


class Marks:
    """What stands in the places of a text while it is read: for digits, and as ``name`` for that of the document.

    ``numbers`` are those of the digits, ``last`` that of the name; what is made may be ``most`` bytes long.
    """

    def __init__(self, numbers: Sequence[int], last: int, most: int) -> None:
        self.name = "gap-" + secrets.token_hex(16)
        self._digits = {number: f"7{secrets.randbelow(10**20):020}".encode() for number in numbers}
        self._numbers = {mark: number for number, mark in self._digits.items()} | {self.name.encode(): last}
        self._most = most
        self._any = re.compile(b"(" + b"|".join(self._numbers) + b")")

    def put_into(self, pieces: Sequence[bytes]) -> bytes:
        """Return a text that was cut at its digits, with the marks in their places."""
        marked = list(pieces)
        for number, mark in self._digits.items():
            marked[2 * number + 1] = mark
        return b"".join(marked)

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
        return made if met >= set(self._digits) else None

    def _are_in_literals(self, line: bytes) -> bool:
        begin, end = line.find(b'"'), line.rfind(b'"')
        inside = line[begin:end] if begin >= 0 else b""
        return all(line.count(mark) == inside.count(mark) for mark in self._digits.values())


class _Known(Struct, Generic[Made]):
    """What is known of texts that are alike: the ``digits`` of one, and the numbers of those that are the same in all.

    ``fill`` makes what a text comes to of its digits and the name of the document; there is none as long as it was not
    looked for, and after it could not be found.
    """

    digits: list[bytes]
    closed: Sequence[int]
    lessons: int = 0
    fill: Callable[[Sequence[bytes]], Made | None] | None = None

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
        self._seen = Seen()
        self._longest = LONGEST if _are_roomy(settings) else -1

    def read(self, text: bytes, kind: Kind, uri: str) -> Made | None:
        """Return what ``text`` comes to in the document at ``uri``, or None if it has to be read."""
        folder, _, name = uri.rpartition("/")
        if len(text) > self._longest or not _NAME.fullmatch(name) or uri.startswith(_NO_PLACE):
            return None
        pieces = _DIGITS.split(text)
        digits = pieces[1::2]
        key = (kind, folder, *pieces[::2])
        if key not in self._held:
            if self._seen.has(key):
                self._held.keep(
                    key, _Known(digits, range(len(digits))), _MOST_TIMES * len(text) + 2 * _BESIDE
                )
            return None
        known = self._held[key]
        if (known.fill is None or not known.fits(digits)) and not self._lesson(known, pieces, kind, folder):
            return None
        digits.append(name.encode())
        return None if known.fill is None else known.fill(digits)

    def _lesson(self, known: _Known[Made], pieces: Sequence[bytes], kind: Kind, folder: str) -> bool:
        """Find out what all texts come to that are like the one in ``pieces``; tell whether that could be found."""
        if known.lessons == _MOST_LESSONS:
            return False
        digits = pieces[1::2]
        known.closed = [number for number in known.closed if digits[number] == known.digits[number]]
        closed = set(known.closed)
        open_ones = [number for number in range(len(digits)) if number not in closed]
        marks = Marks(open_ones, len(digits), _MOST_TIMES * sum(map(len, pieces)) + _BESIDE)
        known.fill = self._learn(marks.put_into(pieces), kind, f"{folder}/{marks.name}", marks)
        known.lessons = _MOST_LESSONS if known.fill is None else known.lessons + 1
        return known.fill is not None


def _are_roomy(settings: Settings) -> bool:
    """Tell whether no short text can meet a limit: each byte of one makes less than twice ``LONGEST`` bytes."""
    return (
        settings.max_iri >= 2 * LONGEST + MAX_PATH
        and settings.max_literal >= LONGEST
        and settings.max_stored >= LONGEST * LONGEST * 2
    )
