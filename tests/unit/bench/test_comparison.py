"""Engines are measured in turns, and a benchmark whose engines disagree is not sound."""

import sys
from io import StringIO
from pathlib import Path

import pytest

from agent.bench.comparison import Outcome, Row, compare, count_statements
from agent.bench.engines import Engine
from agent.bench.measure import Measurement
from agent.bench.table import block, machine, write_csv
from agent.bench.workloads import Workload

WORK = Workload("chain", "a chain", (), lambda _: iter(()))
OURS, THEIRS = (Engine(name, "1", lambda _: []) for name in ("milepost", "eye"))


class Script:
    """A measure that takes what each engine costs and finds from a list, and notes who ran."""

    def __init__(self, **runs: list[tuple[Measurement, int]]) -> None:
        self.runs = runs
        self.order: list[str] = []

    def __call__(self, engine: Engine, _workload: Workload) -> tuple[Measurement, int]:
        self.order.append(engine.name)
        return self.runs[engine.name].pop(0)


def cost(cpu_s: float, peak: int = 1_000_000) -> Measurement:
    return Measurement(cpu_s, peak, over_limit=False, failure="")


def test_engines_take_turns_and_medians_count() -> None:
    script = Script(
        milepost=[(cost(1, 5), 7), (cost(9, 6), 7), (cost(2, 7), 7)],
        eye=[(cost(4), 7), (cost(5), 7), (cost(6), 7)],
    )

    outcome = compare(WORK, 12, [OURS, THEIRS], 3, script)

    assert script.order == ["milepost", "eye"] * 3
    assert outcome.rows == (Row(OURS, 3, 2, 6, 7), Row(THEIRS, 3, 5, 1_000_000, 7))
    assert outcome.sound


def test_different_counts_are_told_and_not_sound() -> None:
    outcome = compare(WORK, 12, [OURS, THEIRS], 1, Script(milepost=[(cost(1), 7)], eye=[(cost(1), 8)]))

    assert not outcome.sound
    assert block(outcome).splitlines()[-1] == "  THEY DISAGREE: 7 by milepost, 8 by eye"


def test_an_engine_that_finds_something_else_in_another_run_failed() -> None:
    outcome = compare(WORK, 12, [OURS], 2, Script(milepost=[(cost(1), 7), (cost(1), 8)]))

    assert outcome.rows == (Row(OURS, reason="failed: derived 7 and 8 in different runs", failed=True),)
    assert not outcome.sound


@pytest.mark.parametrize(
    ("taken", "row", "sound"),
    [
        (
            Measurement(60, 1, over_limit=True, failure="exit code -24"),
            Row(THEIRS, reason="over the limit of processor time"),
            True,
        ),
        (
            Measurement(1, 1, over_limit=False, failure="exit code 2: no such file"),
            Row(THEIRS, reason="failed: exit code 2: no such file", failed=True),
            False,
        ),
    ],
)
def test_an_engine_without_a_result_is_not_tried_again(taken: Measurement, row: Row, sound: bool) -> None:
    script = Script(milepost=[(cost(1), 7)] * 3, eye=[(taken, 0)])

    outcome = compare(WORK, 12, [OURS, THEIRS], 3, script)

    assert script.order == ["milepost", "eye", "milepost", "milepost"]
    assert outcome.rows[1] == row
    assert outcome.sound is sound


def test_an_engine_that_is_not_there_or_not_able_is_skipped_with_the_reason() -> None:
    absent = Engine("eye", "", lambda _: [], missing="install it")
    unable = Engine("owlrl", "7", lambda _: [], cannot={"chain": "it takes no rules"})
    script = Script(milepost=[(cost(1), 7)])

    outcome = compare(WORK, 12, [OURS, absent, unable], 1, script)

    assert script.order == ["milepost"]
    assert [row.reason for row in outcome.rows] == ["", "skipped: install it", "skipped: it takes no rules"]
    assert outcome.sound


def test_statements_are_counted_once_and_directives_not_at_all(tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.write_text(
        "@prefix : <http://example.org/> .\nPREFIX x: <http://example.org/x>\n\n# done.\n:a :b :c.\n  :a :b :c.\n:a :b 5 .\n",
        encoding="utf-8",
    )

    assert count_statements(output) == 2


OUTCOME = Outcome(
    WORK,
    1200,
    (
        Row(OURS, 3, 1.5, 50_000_000, 7000),
        Row(THEIRS, 3, 6, 100_000_000, 7000),
        Row(OURS, reason="over the limit of processor time"),
    ),
)


def test_the_table_measures_others_by_the_first() -> None:
    assert block(OUTCOME) == (
        "chain: a chain, 1,200 facts\n"
        "  engine                        CPU s   times  peak MB    derived\n"
        "  milepost 1                     1.50     1.0       50      7,000\n"
        "  eye 1                          6.00     4.0      100      7,000\n"
        "  milepost 1                 over the limit of processor time"
    )


def test_the_table_is_also_a_file_of_values() -> None:
    text = StringIO()

    write_csv([OUTCOME], text)

    assert text.getvalue().splitlines() == [
        "workload,facts,engine,version,runs,cpu_s,peak_mb,derived,remark",
        "chain,1200,milepost,1,3,1.500,50.0,7000,",
        "chain,1200,eye,1,3,6.000,100.0,7000,",
        "chain,1200,milepost,1,0,,,,over the limit of processor time",
    ]


def test_two_builds_of_one_version_of_python_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    builds = (
        "3.11.7 (main, May  9 2026, 07:35:25) [GCC 12.2.0]",
        "3.11.7 (main, Apr 28 2025, 14:11:48) \n[Clang 17.0.6]",
    )
    lines = []
    for build in builds:
        monkeypatch.setattr(sys, "version", build)
        lines.append(machine("today").partition(", Python ")[2])

    assert lines == [
        "3.11.7 (main, May 9 2026, 07:35:25) [GCC 12.2.0], today",
        "3.11.7 (main, Apr 28 2025, 14:11:48) [Clang 17.0.6], today",
    ]
