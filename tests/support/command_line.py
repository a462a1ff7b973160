"""The command line as users meet it: in this process where that is enough, in one of its own for signals."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.cli.boundary import run_command
from tests.support.documents import CHECKOUT


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def milepost(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """Run ``milepost ARGUMENTS`` in this process."""
    capsys.readouterr()
    code = run_command(arguments)
    printed = capsys.readouterr()
    return Done(code, printed.out, printed.err)


def start_milepost(*arguments: str, cwd: Path) -> "subprocess.Popen[str]":
    """Start ``milepost ARGUMENTS`` in a process of its own, with pipes for what it prints."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "agent", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
