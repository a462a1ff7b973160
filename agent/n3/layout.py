"""Layout of nested text: what fits on a line stands on one, what does not takes a line for each part.

All of it is iterative, because the depth of nesting comes from input.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

WIDTH = 100
_STEP = 2
_DEEPEST = 40
_ON_ONE_LINE = -1

Piece: TypeAlias = "str | Block"
Line: TypeAlias = Sequence[Piece]


class Block(Struct, frozen=True, eq=False):
    """Lines between two brackets; ``width`` is that of all of it on one line."""

    opening: str
    lines: tuple[Line, ...]
    closing: str
    width: int


def block(opening: str, lines: Sequence[Line], closing: str) -> Block:
    """Return the block of ``lines``."""
    inside = sum(width_of(line) for line in lines) + len(lines) + 1
    return Block(opening, tuple(lines), closing, len(opening) + inside + len(closing))


def width_of(line: Line) -> int:
    """Return how many columns ``line`` takes if it is not broken."""
    return sum(len(piece) if isinstance(piece, str) else piece.width for piece in line)


def lay_out(line: Line, margin: int = 0) -> str:
    """Return the text of ``line``, without a line break at its end.

    It begins in the first column; the lines of blocks that do not fit stand right of ``margin``.
    """
    written: list[str] = []
    column = 0
    pending: list[tuple[Piece, int]] = [(piece, margin) for piece in reversed(line)]
    while pending:
        piece, margin = pending.pop()
        if isinstance(piece, str):
            written.append(piece)
            column = len(piece) - piece.rindex("\n") - 1 if "\n" in piece else column + len(piece)
        elif margin == _ON_ONE_LINE or column + piece.width <= WIDTH:
            pending += reversed([(part, _ON_ONE_LINE) for part in _parts(piece, " ", " ")])
        else:
            inner = min(margin + _STEP, _DEEPEST)
            parts = _parts(piece, "\n" + " " * inner, "\n" + " " * margin)
            pending += reversed([(part, inner) for part in parts])
    return "".join(written)


def _parts(piece: Block, between: str, last: str) -> Iterator[Piece]:
    yield piece.opening
    for line in piece.lines:
        yield between
        yield from line
    yield last
    yield piece.closing
