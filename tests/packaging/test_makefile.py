"""The Makefile says what it lacks, and the continuous integration runs what the documents say."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.installation import CHECKOUT

TOOLS = ("make", "sh", "touch", "rm")


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """Return a folder to serve as PATH: the small tools, and a python3 that is too old."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (folder / tool).symlink_to(found)
    old = folder / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    return folder


def _make(target: str, *, cwd: Path, path: Path) -> subprocess.CompletedProcess[str]:
    for name in ("Makefile", "pyproject.toml", "hatch_build.py"):
        shutil.copy(CHECKOUT / name, cwd)
    return subprocess.run(
        [str(path / "make"), target],
        cwd=cwd,
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "PYTHON"))},
            "PATH": str(path),
        },
    )


@pytest.mark.parametrize("target", ["demo", "test", "deep", "check", "conformance", "bench"])
def test_without_a_new_enough_python_every_target_says_so(
    target: str, bare_path: Path, tmp_path: Path
) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()

    done = _make(target, cwd=checkout, path=bare_path)

    assert done.returncode == 2
    assert done.stderr.startswith("Milepost needs Python 3.11 or later")
    assert not (checkout / ".venv").exists()


def test_the_continuous_integration_runs_check_and_test() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")

    assert [line for line in script.splitlines() if line.startswith("make")] == ["make check", "make test"]
    assert os.access(CHECKOUT / ".ci" / "run", os.X_OK)
