"""The figures of the reference page on conformance: written from the committed verdicts, so that they are never stale."""

import re
from collections import Counter
from pathlib import Path

from tests.conformance.n3.expected import Rows
from tests.conformance.n3.judging import OWN

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "conformance.md"
_BETWEEN = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)


def figures(rows: Rows) -> str:
    """Return the table of passed tests for each manifest and numeric mode, as Markdown."""
    every: Counter[tuple[str, str]] = Counter()
    passed: Counter[tuple[str, str]] = Counter()
    own: Counter[tuple[str, str]] = Counter()
    for key, row in rows.items():
        part = (key.test.partition("#")[0], key.numeric)
        every[part] += 1
        passed[part] += row.verdict == "pass"
        own[part] += row.reason.startswith(OWN)
    lines = ["| manifest | numeric | passed | of | judged by us alone |", "|---|---|---|---|---|"]
    for part in sorted(every):
        manifest, numeric = part
        lines.append(f"| `{manifest}` | {numeric} | {passed[part]} | {every[part]} | {own[part] or ''} |")
    parser = [part for part in every if part[1] == "-"]
    done, wanted = (sum(counts[part] for part in parser) for counts in (passed, every))
    return "\n".join([*lines, "", f"The parser passes {done:,} of {wanted:,} tests.", ""])


def with_figures(page: str, rows: Rows) -> str:
    """Return the text ``page`` with the figures that ``rows`` give."""
    return _BETWEEN.sub(lambda _: figures(rows), page)
