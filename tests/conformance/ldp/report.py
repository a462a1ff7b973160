"""What a run tells: a table for each profile and level, every failure, and the figures of the reference page."""

import re
from collections import Counter
from pathlib import Path

from tests.conformance.ldp.expected import Key, Row, Rows
from tests.conformance.ldp.judging import CHECKS

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "conformance.md"
_BETWEEN = re.compile(r"(?<=<!-- figures of LDP -->\n).*?(?=<!-- end of figures of LDP -->)", re.DOTALL)
_LEVELS = ("MUST", "SHOULD", "MAY")
_WORDS = ("pass", "fail", "on purpose", "skip")
_BY_NUMBER = {check.number: check for check in CHECKS}


def failures(rows: Rows) -> list[str]:
    """Return a line for each failure: the check, its clause, what it sends, expects and got."""
    return [_failure(key, row) for key, row in rows.items() if row.word == "fail"]


def _failure(key: Key, row: Row) -> str:
    check = _BY_NUMBER[key.number]
    asked = f"{check.level} of LDP {check.clause}; {check.request}: {check.expects}"
    return f"FAIL {' '.join(key)} ({asked}): {row.reason}"


def counted(rows: Rows) -> dict[tuple[str, str], Counter[str]]:
    """Return how many checks ended how, by profile and level.

    A check that ran on several kinds of resources counts once: as failed if it failed on one of them, as passed if
    it passed on one and did not fail on another.
    """
    words: dict[tuple[str, str], set[str]] = {}
    for key, row in rows.items():
        words.setdefault((key.profile, key.number), set()).add(row.word)
    counts: dict[tuple[str, str], Counter[str]] = {}
    for (profile, number), found in words.items():
        word = next(word for word in ("fail", "on purpose", "pass", "skip") if word in found)
        for level in (_BY_NUMBER[number].level, "all"):
            counts.setdefault((profile, level), Counter())[word] += 1
    return counts


def table(rows: Rows) -> str:
    """Return the figures as Markdown, which is also readable on a terminal."""
    counts = counted(rows)
    lines = [
        "| profile     | level  | passed | failed | left on purpose | skipped | of |",
        "|-------------|--------|--------|--------|-----------------|---------|----|",
    ]
    for profile in sorted({profile for profile, _ in counts}):
        for level in (*_LEVELS, "all"):
            if found := counts.get((profile, level)):
                cells = [f"{found[word]}" for word in _WORDS]
                lines.append(
                    f"| {profile:<11} | {level:<6} | {cells[0]:<6} | {cells[1]:<6} | {cells[2]:<15} |"
                    f" {cells[3]:<7} | {found.total():<2} |"
                )
    return "\n".join([*lines, ""])


def with_figures(page: str, rows: Rows) -> str:
    """Return the text ``page`` with the figures that ``rows`` give."""
    return _BETWEEN.sub(lambda _: table(rows), page)
