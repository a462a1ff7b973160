"""A source text and the places in it: offsets become lines and columns only when somebody asks."""

import re
from bisect import bisect_right

from msgspec.structs import replace

from agent.errors import Place

_LINE_END = re.compile(r"\r\n|\n|\r")


class SourceText:
    """``text`` as it stands in ``source`` (a file name or a URI); a byte order mark at its start is no part of it."""

    __slots__ = ("_starts", "source", "text")

    def __init__(self, text: str, source: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.source = source
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def place(self, start: int, end: int) -> Place:
        """Return the place of the characters from ``start`` to ``end``, cut at the end of its first line."""
        index = bisect_right(self._starts, start) - 1
        line_start = self._starts[index]
        if index + 1 < len(self._starts):
            end = min(end, self._starts[index + 1])
        return Place(self.source, index + 1, start - line_start + 1, end - line_start + 1)

    def line(self, number: int) -> str:
        """Return the text of line ``number`` (from 1), without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def line_of(self, offset: int) -> int:
        """Return the number of the line that holds ``offset``."""
        return bisect_right(self._starts, offset)

    def is_line_start(self, offset: int) -> bool:
        """Say whether a line begins at ``offset``."""
        return self._starts[bisect_right(self._starts, offset) - 1] == offset

    def end_of(self, place: Place) -> int:
        """Return the offset behind ``place``, a place of this text."""
        return self._starts[place.line - 1] + place.end_column - 1

    def shown(self, place: Place) -> Place:
        """Return ``place`` with the text of its line, as an error wants it."""
        return replace(place, text=self.line(place.line))
