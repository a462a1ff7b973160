"""``milepost bench workflow``: agents, servers and baselines in processes of their own, and whether they agree."""

import csv
from pathlib import Path

import pytest

from agent.bench.workflow.engines import find_runners
from tests.support.command_line import milepost
from tests.support.depth import depth


def test_milepost_and_both_baselines_do_the_same_as_far_as_they_get(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The baselines come to their ends only when there is time for that: the naive one takes a second for a step."""
    table = tmp_path / "table.csv"
    numbers, limit_s = depth(1, 2), depth(6, 300)
    options = ("-n", ",".join(map(str, range(1, numbers + 1))), "--idle", "2", "--changes", "1")

    done = milepost(
        capsys,
        *("bench", "workflow", *options, "--baseline", "naive", "--baseline", "sparql"),
        *("--limit-s", str(limit_s), "--csv", str(table)),
    )

    assert (done.code, done.err) == (0, ""), done.out
    with table.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["n"], row["engine"]) for row in rows[:3]] == [
        ("1", "milepost"),
        ("1", "naive"),
        ("1", "sparql"),
    ]
    assert len(rows) == 3 * numbers
    whole = [row for row in rows if not row["remark"]]
    assert len(whole) >= depth(1, len(rows))
    for row in whole:
        assert (row["steps"], row["requests"]) == ("16", str(63 * int(row["n"])))
        parts = [float(row[f"{part}_s"]) for part in ("read", "parse", "reason", "decide", "act")]
        assert all(parts)
        read, _, reason, decide, act = parts
        assert decide < reason  # what is counted for nothing else falls to "decide" or "read"
        assert read < 30 * act
        assert sum(parts) == pytest.approx(float(row["cpu_s"]), abs=0.001)
        assert 0 < float(row["idle_reasoning_ms"]) < float(row["idle_step_ms"])
        assert 0 < float(row["change_reasoning_ms"]) < float(row["change_step_ms"])
    assert all(int(row["steps"]) >= 1 for row in rows)
    assert f"n = {numbers}: SPARQL rules takes " in done.out


def test_baselines_that_an_installation_has_not_are_told(tmp_path: Path) -> None:
    milepost, sparql = find_runners(["sparql"], tmp_path)

    assert (milepost.missing, sparql.missing) == (
        "",
        "the baselines are among the tests of a checkout: run it there",
    )


@pytest.mark.parametrize("numbers", ["0", "9,", "many", "1,,2"])
def test_a_number_that_is_none_is_told(numbers: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "bench", "workflow", "-n", numbers)

    assert (done.code, done.out) == (2, "")
    assert f"USE001  -n {numbers} is no list of numbers above 0" in done.err


def test_a_baseline_that_nobody_knows_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "bench", "workflow", "--baseline", "naiv")

    assert done.code == 2
    assert "naiv is no baseline" in done.err
    assert "did you mean naive?" in done.err
