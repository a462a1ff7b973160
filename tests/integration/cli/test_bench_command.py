"""``milepost bench reason``: the same work for several reasoners, each in a process of its own."""

import csv
from pathlib import Path

import pytest

from tests.support.command_line import Done, milepost

SMALL = ("bench", "reason", "--size", "small", "--runs", "1")


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder the whole PATH, so that an ``eye`` there is the only one."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def _eye(folder: Path, says: str) -> None:
    program = folder / "eye"
    program.write_text(
        f"#!/bin/sh\n[ $1 = --version ] && echo 'EYE v9.9.9 (today)' && exit\n{says}\n", encoding="utf-8"
    )
    program.chmod(0o755)


def _only(capsys: pytest.CaptureFixture[str], *names: str, more: tuple[str, ...] = ()) -> Done:
    return milepost(capsys, *SMALL, *(word for name in names for word in ("--only", name)), *more)


def test_engines_that_take_the_rules_derive_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"

    done = _only(
        capsys, "rdfs", "milepost", "rdflib", "owlrl", more=("--csv", str(table), "--date", "a Monday")
    )

    assert (done.code, done.err) == (0, "")
    assert "a Monday" in done.out.splitlines()[0]
    with table.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["engine"] for row in rows] == ["milepost", "rdflib", "owlrl"]
    assert len({row["derived"] for row in rows}) == 1
    assert all(float(row["cpu_s"]) > 0 and float(row["peak_mb"]) > 0 for row in rows)


def test_an_engine_that_derives_something_else_makes_the_benchmark_fail(
    programs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _eye(programs, "echo ':a :b :c.'")

    done = _only(capsys, "chain", "milepost", "eye")

    assert done.code == 1
    assert "eye v9.9.9" in done.out
    assert done.out.splitlines()[-1] == "  THEY DISAGREE: 1 by eye, 66 by milepost"


def test_an_engine_that_is_not_installed_is_skipped_and_how_to_install_it_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = _only(capsys, "chain", "eye")

    assert done.code == 0
    assert "skipped: apt-get install eye on Debian" in done.out


def test_the_workloads_can_be_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept"

    done = _only(capsys, "chain", "eye", more=("--keep", str(kept)))

    assert done.code == 0
    assert sorted(path.name for path in kept.iterdir()) == ["chain.json", "chain.n3", "chain.nt"]


def test_a_name_that_is_neither_a_workload_nor_an_engine_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = _only(capsys, "chian")

    assert (done.code, done.out) == (2, "")
    assert done.err == "error USE001  chian is neither a workload nor an engine\n  did you mean chain?\n"


def test_the_memory_benchmark_tells_what_small_data_cost(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "bench", "memory", "--size", "small", "--runs", "1", "--date", "a Monday")

    assert (done.code, done.err) == (0, "")
    first, *_ = done.out.splitlines()
    assert "a Monday" in first
    assert "memory: 1,217 triples of universities, 499 terms" in done.out
    names = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")]
    assert names == ["load", "memory", "insert", "delete", "collection", "closure", "step", "step"]
