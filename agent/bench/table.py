"""A comparison as people read it, and as a file of comma-separated values."""

import csv
import os
import platform
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from agent.bench.comparison import Outcome, Row
from agent.errors import counted

COLUMNS = ("workload", "facts", "engine", "version", "runs", "cpu_s", "peak_mb", "derived", "remark")
_MEGA = 1_000_000


def heading(*, size: str, seed: int, runs: int, limit_s: int, date: str) -> str:
    """Return the lines that say where and how it is measured; ``date`` is as given, for people."""
    return "\n".join(
        (
            machine(date),
            f"load {os.getloadavg()[0]:.1f} at the start; size {size}, seed {seed}, limit {limit_s} s of processor time",
            f"CPU s and peak memory of the whole process, start to exit; medians of {runs}",
        )
    )


def machine(date: str) -> str:
    """Return the line that names the machine and the build of Python; ``date`` is as given, for people."""
    python = " ".join(sys.version.split())
    return f"{_machine()}, Python {python}{', ' if date else ''}{date}"


def block(outcome: Outcome) -> str:
    """Return the rows of one workload, the first engine being the measure of the others."""
    lines = [
        f"{outcome.workload.name}: {outcome.workload.title}, {outcome.facts:,} facts",
        f"  {'engine':<26} {'CPU s':>8} {'times':>7} {'peak MB':>8} {'derived':>10}",
    ]
    lines += [_line(row, outcome.rows[0]) for row in outcome.rows]
    counts = outcome.counts
    if len(counts) > 1:
        told = ", ".join(f"{count:,} by {' and '.join(names)}" for count, names in sorted(counts.items()))
        lines.append(f"  THEY DISAGREE: {told}")
    return "\n".join(lines)


def write_csv(outcomes: Iterable[Outcome], stream: TextIO) -> None:
    """Write one row for each engine and workload to ``stream``, below a row with the names of ``COLUMNS``."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for outcome in outcomes:
        for row in outcome.rows:
            measured = (
                (f"{row.cpu_s:.3f}", f"{row.peak_bytes / _MEGA:.1f}", row.derived)
                if row.runs
                else ("", "", "")
            )
            writer.writerow(
                (
                    outcome.workload.name,
                    outcome.facts,
                    row.engine.name,
                    row.engine.version,
                    row.runs,
                    *measured,
                    row.reason,
                )
            )


def _line(row: Row, first: Row) -> str:
    name = f"{row.engine.name} {row.engine.version}"[:26]
    if not row.runs:
        return f"  {name:<26} {row.reason}"
    times = f"{row.cpu_s / first.cpu_s:.1f}" if first.runs and first.cpu_s else ""
    return f"  {name:<26} {row.cpu_s:>8.2f} {times:>7} {row.peak_bytes / _MEGA:>8.0f} {row.derived:>10,}"


def _machine() -> str:
    cores = os.cpu_count() or 1
    return f"{_processor()}, {counted(cores, 'core')}, {platform.system()} {platform.machine()}"


def _processor() -> str:
    """Return the name of the processor where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "unknown processor")
