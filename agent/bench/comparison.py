"""Every engine on every workload, in turns, and whether they agree on what follows."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import median

from msgspec import Struct

from agent.bench.engines import Engine
from agent.bench.measure import Measurement, measure
from agent.bench.workloads import Workload

Measure = Callable[[Engine, Workload], tuple[Measurement, int]]
"""Runs an engine once on a workload; gives the cost and how many statements the engine derived."""


class Row(Struct, frozen=True):
    """What an engine did with a workload: the medians of ``runs`` runs, or the reason why there are none."""

    engine: Engine
    runs: int = 0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    derived: int = 0
    reason: str = ""
    failed: bool = False


class Outcome(Struct, frozen=True):
    """What all engines did with a workload of ``facts`` facts, one row each."""

    workload: Workload
    facts: int
    rows: tuple[Row, ...]

    @property
    def counts(self) -> dict[int, list[str]]:
        """Return the numbers of derived statements, each with the engines that found so many."""
        found: dict[int, list[str]] = {}
        for row in self.rows:
            if row.runs:
                found.setdefault(row.derived, []).append(row.engine.name)
        return found

    @property
    def sound(self) -> bool:
        """Whether all counts agree and no engine failed; running out of time is no failure."""
        return len(self.counts) <= 1 and not any(row.failed for row in self.rows)


def write_files(workload: Workload, folder: Path, seed: int) -> int:
    """Write the rules, queries and facts of ``workload`` into ``folder``; return how many facts there are."""
    (folder / f"{workload.name}.n3").write_text(workload.program(), encoding="utf-8")
    (folder / f"{workload.name}.json").write_text(json.dumps(workload.queries()), encoding="utf-8")
    facts = dict.fromkeys(workload.facts(Random(seed)))  # noqa: S311  seeded chance is not cryptography
    with (folder / f"{workload.name}.nt").open("w", encoding="utf-8") as stream:
        stream.writelines(f"{' '.join(fact)} .\n" for fact in facts)
    return len(facts)


def compare(
    workload: Workload, facts: int, engines: Sequence[Engine], runs: int, run_once: Measure
) -> Outcome:
    """Return what ``engines`` did with ``workload``, each measured ``runs`` times, taking turns.

    An engine that failed or ran out of time is not tried again.
    """
    measured: dict[str, list[tuple[Measurement, int]]] = {engine.name: [] for engine in engines}
    able = [engine for engine in engines if not _why_not(engine, workload)]
    for _ in range(runs):
        for engine in able:
            tried = measured[engine.name]
            if not tried or _ended_well(tried[-1][0]):
                tried.append(run_once(engine, workload))
    return Outcome(
        workload, facts, tuple(_row(engine, workload, measured[engine.name]) for engine in engines)
    )


def in_folder(folder: Path, limit_s: int) -> Measure:
    """Return the measure that runs engines on the files in ``folder``."""

    def run_once(engine: Engine, workload: Workload) -> tuple[Measurement, int]:
        output = folder / f"{workload.name}.{engine.key}.out"
        taken = measure(engine.command(workload.name), folder=folder, output=output, limit_s=limit_s)
        count = count_statements(output)
        output.unlink()
        output.with_suffix(".err").unlink()
        return taken, count

    return run_once


def count_statements(output: Path) -> int:
    """Return how many different statements ``output`` holds, one a line, as N-Triples or simple Notation3."""
    with output.open(encoding="utf-8", errors="replace") as lines:
        return len(set(filter(_is_statement, map(str.strip, lines))))


def _is_statement(line: str) -> bool:
    return line.endswith(".") and not line.startswith(("@", "#", "PREFIX", "BASE"))


def _why_not(engine: Engine, workload: Workload) -> str:
    return engine.missing or engine.cannot.get(workload.name, "")


def _ended_well(taken: Measurement) -> bool:
    return not taken.over_limit and not taken.failure


def _row(engine: Engine, workload: Workload, tried: Iterable[tuple[Measurement, int]]) -> Row:
    if reason := _why_not(engine, workload):
        return Row(engine, reason=f"skipped: {reason}")
    costs = [taken for taken, _ in tried]
    last = costs[-1]
    if last.over_limit:
        return Row(engine, reason="over the limit of processor time")
    if last.failure:
        return Row(engine, reason=f"failed: {last.failure}", failed=True)
    counts = {count for _, count in tried}
    if len(counts) > 1:
        return Row(engine, reason=f"failed: derived {_listed(counts)} in different runs", failed=True)
    return Row(
        engine,
        len(costs),
        median(taken.cpu_s for taken in costs),
        int(median(taken.peak_bytes for taken in costs)),
        counts.pop(),
    )


def _listed(counts: Iterable[int]) -> str:
    return " and ".join(str(count) for count in sorted(counts))
