"""The committed verdicts: what a run is compared with, so that a regression shows."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tests.conformance.n3.judging import Verdict
from tests.conformance.n3.workers import Task

EXPECTED = Path(__file__).parent / "expected.tsv"
_HEADER = "test\tnumeric\tverdict\treason"


class Key(NamedTuple):
    """What a verdict is about: a test, and the numeric mode or ``-`` where numbers play no part."""

    test: str
    numeric: str


class Row(NamedTuple):
    """A committed verdict: ``pass`` or ``fail``, and the reason in few words."""

    verdict: str
    reason: str


Rows: TypeAlias = Mapping[Key, Row]


def rows_of(judged: Iterable[tuple[Task, Verdict]]) -> dict[Key, Row]:
    """Return the rows that ``judged`` is worth."""
    return {
        key_of(task): Row("pass" if verdict.passed else "fail", verdict.reason) for task, verdict in judged
    }


def key_of(task: Task) -> Key:
    """Return what the verdict on ``task`` is filed under."""
    return Key(task.case.name, task.numeric if task.case.kind == "reasoning" else "-")


def read_rows(path: Path) -> dict[Key, Row]:
    """Return the rows of the file ``path``; none if it is not there."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    cells = [line.split("\t") for line in lines]
    return {Key(test, numeric): Row(verdict, reason) for test, numeric, verdict, reason in cells}


def write_rows(path: Path, rows: Rows) -> None:
    """Write ``rows`` to the file ``path``, sorted by test."""
    lines = ["\t".join((*key, *rows[key])) for key in sorted(rows)]
    path.write_text("\n".join([_HEADER, *lines, ""]), encoding="utf-8")


def differences(found: Rows, expected: Rows) -> list[str]:
    """Return one line for each verdict that is not the expected one, and each test that only one side knows."""
    lines = []
    for key in sorted(found.keys() | expected.keys()):
        name = key.test if key.numeric == "-" else f"{key.test} ({key.numeric})"
        got, wanted = found.get(key), expected.get(key)
        if got is None and wanted is not None:
            lines.append(f"not run     {name}: expected {wanted.verdict}")
        elif wanted is None and got is not None:
            lines.append(f"unknown     {name}: {got.verdict}, and no verdict is committed")
        elif got is not None and wanted is not None and got.verdict != wanted.verdict:
            word = "regression" if got.verdict == "fail" else "improvement"
            lines.append(
                f"{word:<11} {name}: expected {wanted.verdict}, got {got.verdict} {got.reason}".rstrip()
            )
    return lines
