"""What a command costs is measured over all its processes, and a command that does not end is ended."""

import sys
from pathlib import Path

import pytest

from agent.bench.measure import Measurement, measure

SPIN = "import time\nwhile time.process_time() < {seconds}: pass\n"


def _measure(code: str, folder: Path, limit_s: int = 20) -> Measurement:
    return measure([sys.executable, "-c", code], folder=folder, output=folder / "x.out", limit_s=limit_s)


def test_the_work_of_a_child_counts_and_the_output_is_kept(tmp_path: Path) -> None:
    child = SPIN.format(seconds=0.3)
    taken = _measure(
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}], check=True)\nprint('done')",
        tmp_path,
    )

    assert taken.failure == ""
    assert taken.cpu_s >= 0.3
    assert (tmp_path / "x.out").read_text(encoding="utf-8") == "done\n"


def test_the_memory_of_a_small_command_is_not_that_of_who_measures_it(tmp_path: Path) -> None:
    ballast = bytearray(400_000_000)

    taken = measure(["sh", "-c", "exit 0"], folder=tmp_path, output=tmp_path / "x.out", limit_s=20)

    assert len(ballast) == 400_000_000
    assert 0 < taken.peak_bytes < 100_000_000


def test_a_command_that_goes_on_is_stopped(tmp_path: Path) -> None:
    taken = _measure("while True: pass", tmp_path, limit_s=1)

    assert taken.over_limit
    assert taken.cpu_s >= 0.9


def test_a_command_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    taken = _measure("import sys\nprint('first', file=sys.stderr)\nsys.exit('no such file')", tmp_path)

    assert (taken.failure, taken.over_limit) == ("exit code 1: no such file", False)


def test_a_command_that_cannot_be_started_failed(tmp_path: Path) -> None:
    taken = measure([str(tmp_path / "absent")], folder=tmp_path, output=tmp_path / "x.out", limit_s=5)

    assert "No such file or directory" in taken.failure


def test_python_keeps_what_it_compiled_whoever_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    asked = [sys.executable, "-c", "import sys; sys.exit(sys.dont_write_bytecode)"]

    measured = measure(asked, folder=tmp_path, output=tmp_path / "out", limit_s=20)

    assert (measured.failure, measured.over_limit) == ("", False)
