"""The processor time of another process, as Linux counts it."""

import os
from pathlib import Path

from agent.errors import WorldError

_USER, _SYSTEM = 11, 12
"""The places of both in the line after the name, which may contain anything."""


def used_s(process: int) -> float:
    """Return the seconds of processor time that ``process`` has used, or raise WorldError where nobody tells them.

    They come in ticks, usually of ten milliseconds.
    """
    try:
        line = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise WorldError(
            "NET001",
            f"the processor time of process {process} cannot be read: {error.strerror}",
            hint="This benchmark runs on Linux, while its servers do.",
        ) from None
    counted = line.rpartition(")")[2].split()
    return (int(counted[_USER]) + int(counted[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
