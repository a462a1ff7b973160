"""A command run once in a process of its own, and what that cost."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

_METER = Path(__file__).with_name("meter.py")
_MOST_OF_AN_ERROR = 2000


class Measurement(Struct, frozen=True):
    """What one run cost: seconds of processor time and peak memory of all its processes.

    ``failure`` is empty when the command ended well, else its last words; ``over_limit`` tells that it was stopped.
    """

    cpu_s: float
    peak_bytes: int
    over_limit: bool
    failure: str


def measure(command: list[str], *, folder: Path, output: Path, limit_s: int) -> Measurement:
    """Run ``command`` in ``folder`` with its output written to ``output``; it may take ``limit_s`` of processor time."""
    errors = output.with_suffix(".err")
    meter = [sys.executable, "-I", "-S", str(_METER), str(limit_s), str(output), str(errors), *command]
    process = subprocess.Popen(  # noqa: S603  the commands are those of the engines
        meter,
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        told, complaint = process.communicate()
    finally:
        with suppress(ProcessLookupError):  # the usual case: nothing was left running
            os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        return Measurement(0.0, 0, over_limit=False, failure=_last_line(complaint))
    used = json.loads(told)
    failure = "" if used["code"] == 0 else f"exit code {used['code']}: {_words(errors)}"
    return Measurement(used["cpu_s"], used["peak_bytes"], used["over_limit"], failure)


def _environment() -> dict[str, str]:
    """Return the environment of users: in theirs Python keeps what it has compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _words(errors: Path) -> str:
    with errors.open("rb") as stream:
        stream.seek(max(errors.stat().st_size - _MOST_OF_AN_ERROR, 0))
        return _last_line(stream.read().decode("utf-8", "replace"))


def _last_line(text: str) -> str:
    """Return the last line that begins at the margin: details and advice stand further right."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if not line[0].isspace()), "it gave no reason")
