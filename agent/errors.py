"""Every error a user can meet: one tree, one table of codes, one way to print.

    MilepostError
    ├── UsageError      the command line or the call is wrong        exit code 2
    ├── ProgramError    the author's rules, model or data are wrong  exit code 1
    ├── WorldError      something outside could not be reached       exit code 3
    ├── ClashError      two updates of one step disagree             exit code 4
    ├── BudgetError     a limit was reached, the state is whole      exit code 5
    └── BugError        our own fault                                exit code 70

The class says whose fault it is, the code names the fault, the text says where it is and what to do.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterable

from msgspec import Struct

__all__ = [
    "MAX_LINES",
    "BudgetError",
    "BugError",
    "ClashError",
    "Finding",
    "MilepostError",
    "Place",
    "ProgramError",
    "UsageError",
    "WorldError",
    "all_faults",
    "closest",
    "describe",
    "describe_finding",
    "did_you_mean",
    "printable",
]

MAX_LINES = 12
_UNPRINTABLE = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]"
"""A pattern that re compiles when it is met: most commands print no message."""


class Place(Struct, frozen=True):
    """Where something stands in a source text; lines and columns count from 1, ``end_column`` is exclusive."""

    source: str
    line: int = 0
    column: int = 0
    end_column: int = 0
    text: str = ""

    def __str__(self) -> str:
        """Return ``source:line:column``, without the parts that are unknown."""
        if not self.line:
            return self.source
        return f"{self.source}:{self.line}:{self.column}"


class MilepostError(Exception):
    """The root of the tree; raise one of the leaves.

    ``code`` is a key of ``agent.codes.CODES``; ``place`` tells where; ``hint`` tells what to do about this very case.
    """

    exit_code = 70

    def __init__(self, code: str, message: str, *, place: Place | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        """Return the error as a user reads it (see ``describe``)."""
        return describe(self)


class UsageError(MilepostError):
    """The command line or the call is wrong."""

    exit_code = 2


class ProgramError(MilepostError):
    """The author's rules, model or data are wrong; ``others`` are the faults found after it in the same text."""

    exit_code = 1
    others: "tuple[ProgramError, ...]" = ()


class WorldError(MilepostError):
    """Something outside could not be reached, or refused."""

    exit_code = 3


class ClashError(MilepostError):
    """Two updates of one step disagree, and the user asked to stop then."""

    exit_code = 4


class BudgetError(MilepostError):
    """A limit was reached; what was known before is whole."""

    exit_code = 5


class BugError(MilepostError):
    """Our own fault."""

    exit_code = 70


class Finding(Struct, frozen=True):
    """Something ``severity`` ("error", "warning" or "note") that was found in an author's text."""

    severity: str
    code: str
    message: str
    place: Place
    hint: str = ""

    def __str__(self) -> str:
        """Return the finding as a user reads it."""
        return _render(str(self.place), self.severity, self.code, self.message, self.place, self.hint)


def all_faults(error: MilepostError) -> tuple[MilepostError, ...]:
    """Return ``error`` and the faults that were found after it in the same text."""
    return (error, *error.others) if isinstance(error, ProgramError) else (error,)


def describe(error: MilepostError) -> str:
    """Return ``error`` as a user reads it: at most ``MAX_LINES`` lines, the place first, the remedy last."""
    where = str(error.place) if error.place else ""
    return _render(where, "error", error.code, error.message, error.place, error.hint)


def describe_finding(finding: Finding, width: int = 0) -> str:
    """Return ``finding`` as a line of a report, its place padded to ``width``, and the source line with the advice.

    A warning or note without advice is that one line alone.
    """
    place = finding.place
    message = printable(finding.message)
    lines = f"{str(place).ljust(width)}  {finding.severity} {finding.code}  {message}".splitlines()
    if place.text and (finding.hint or finding.severity == "error"):
        lines += _excerpt(place)
        lines[-1] += f"  {' '.join(finding.hint.split())}" if finding.hint else ""
    elif finding.hint:
        lines.append(f"  {finding.hint}")
    return printable("\n".join(lines[:MAX_LINES]))


def printable(text: str) -> str:
    """Return ``text`` for a terminal: control characters but line breaks, and lone surrogates, become U+FFFD.

    What comes from outside may hold any character, and a terminal would obey it.
    """
    return re.sub(_UNPRINTABLE, "\N{REPLACEMENT CHARACTER}", text)


def counted(count: int, noun: str) -> str:
    """Return ``count`` things in words, such as ``1 rule`` or ``2 rules``; ``noun`` takes an s for more than one."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _render(where: str, severity: str, code: str, message: str, place: Place | None, hint: str) -> str:
    head = f"{where}  " if where else ""
    lines = printable(f"{head}{severity} {code}  {message}").splitlines()
    if place and place.text:
        lines += _excerpt(place)
    if hint:
        lines += [f"  {line}" for line in hint.splitlines()]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], f"  ... {len(lines) - MAX_LINES + 1} more lines"]
    return printable("\n".join(lines))


def _excerpt(place: Place) -> list[str]:
    """Return the source line, cut around the place when it is long, and a caret below it."""
    width = 96
    start = 0 if place.column <= width - 16 else place.column - width // 2
    text = printable(place.text[start : start + width].replace("\t", " "))
    gutter = f"{place.line:5d} | "
    first = max(place.column - 1 - start, 0)
    caret_at = _columns(text[:first])
    length = max(1, _columns(text[first : first + place.end_column - place.column]))
    return [gutter + text, " " * (len(gutter) - 2) + "| " + " " * caret_at + "^" * length]


def _columns(text: str) -> int:
    """Return how many columns of a terminal ``text`` takes (Unicode Standard Annex 11)."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(character) in {"Mn", "Me", "Cf"}
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the member of ``known`` that ``name`` was probably meant to be, or nothing; case does not count."""
    folded = {candidate.casefold(): candidate for candidate in sorted(known, reverse=True)}
    matches = difflib.get_close_matches(name.casefold(), sorted(folded), n=1, cutoff=0.7)
    return folded[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean X?`` for a name that ``known`` nearly holds, else the empty text."""
    match = closest(name, known)
    return f"did you mean {match}?" if match else ""
