"""The committed verdicts: what a run is compared with, so that a regression shows."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias, get_args

from tests.conformance.ldp.checks import Kind
from tests.conformance.ldp.judging import CHECKS, WORDS, Verdict, Word

EXPECTED = Path(__file__).parent / "expected.tsv"
_HEADER = "check\tkind\tprofile\tverdict\treason"
_PLACE = {check.number: place for place, check in enumerate(CHECKS)}
_KINDS = get_args(Kind)

ON_PURPOSE = {
    ("C7", "relaxed"): "a PUT without If-Match is taken; agents write what they alone own",
    ("K47", "relaxed"): "a slug may name a resource again after its DELETE",
    ("K51", "relaxed"): "a PUT may make a resource again after its DELETE",
    ("R20", "relaxed"): "a document says what its author wrote and nothing else",
}
"""What a profile does not do, of that which LDP recommends or leaves open, and why."""


class Key(NamedTuple):
    """What a verdict is about."""

    number: str
    kind: str
    profile: str


class Row(NamedTuple):
    """A verdict and its reason."""

    word: Word
    reason: str


Rows: TypeAlias = Mapping[Key, Row]


def rows_of(verdicts: Iterable[Verdict], profile: str) -> dict[Key, Row]:
    """Return the rows of a run; a failure that is meant is told as such."""
    rows = {}
    for verdict in verdicts:
        key = Key(verdict.check.number, verdict.kind, profile)
        purpose = ON_PURPOSE.get((verdict.check.number, profile))
        if verdict.word == "fail" and purpose and verdict.check.level != "MUST":
            rows[key] = Row("on purpose", purpose)
        else:
            rows[key] = Row(verdict.word, verdict.reason)
    return rows


def read_rows(path: Path) -> dict[Key, Row]:
    """Return the rows of the file ``path``; none if it is not there."""
    if not path.exists():
        return {}
    rows = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        number, kind, profile, word, reason = line.split("\t")
        rows[Key(number, kind, profile)] = Row(WORDS[WORDS.index(word)], reason)
    return rows


def write_rows(path: Path, rows: Rows) -> None:
    """Write ``rows`` to the file ``path`` in the order of the checks."""
    keys = sorted(rows, key=lambda key: (_PLACE[key.number], _KINDS.index(key.kind), key.profile))
    lines = ["\t".join((*key, *rows[key])) for key in keys]
    path.write_text("\n".join([_HEADER, *lines, ""]), encoding="utf-8")


def differences(found: Rows, expected: Rows) -> list[str]:
    """Return one line for each verdict that is not the expected one, and each that only one side knows."""
    lines = []
    for key in sorted(found.keys() | expected.keys()):
        got, wanted = found.get(key), expected.get(key)
        if got is None or wanted is None or got.word != wanted.word:
            before = wanted.word if wanted else "nothing"
            after = f"{got.word}: {got.reason}" if got else "not run"
            lines.append(f"{' '.join(key)}: expected {before}, got {after}")
    return lines
