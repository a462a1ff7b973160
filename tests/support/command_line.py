"""The command line as users meet it: in this process where that is enough, in one of its own for signals."""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.cli.boundary import run_command
from tests.support.documents import CHECKOUT
from tests.support.milepost_with_twins import FOLDER


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


def command(*arguments: str) -> list[str]:
    """Return the command that runs ``milepost ARGUMENTS`` of the checkout in a process of its own."""
    module = "tests.support.milepost_with_twins" if FOLDER in os.environ else "agent"
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """Return the environment for ``command``: the checkout first, output at once."""
    return {**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": "1"}


def start_milepost(*arguments: str, cwd: Path) -> "subprocess.Popen[str]":
    """Start ``milepost ARGUMENTS`` in a process of its own, with pipes for what it prints."""
    return subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


async def run_milepost(*arguments: str, cwd: Path, limit_s: float = 120) -> Done:
    """Run ``milepost ARGUMENTS`` in a process of its own while this one goes on serving."""
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        cwd=cwd,
        env=environment(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), limit_s)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Done(process.returncode or 0, out.decode(), err.decode())
