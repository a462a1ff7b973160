"""Runs of W(n) as people read them, and as a file of comma-separated values."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from agent.bench.workflow.ledger import ACTIVITIES
from agent.bench.workflow.runs import Run
from agent.bench.workflow.workload import WRITES

COLUMNS = (
    "n",
    "engine",
    "steps",
    "requests",
    "cpu_s",
    *(f"{activity}_s" for activity in ACTIVITIES),
    "start_s",
    "wall_s",
    "reasoning_step_ms",
    "idle_step_ms",
    "idle_reasoning_ms",
    "change_step_ms",
    "change_reasoning_ms",
    "facts",
    "peak_mb",
    "remark",
)
HEAD = (
    f"{'n':>5} {'engine':<13}{'steps':>5} {'requests':>8} {'CPU s':>8}  "
    + " ".join(f"{activity:>7}" for activity in ACTIVITIES)
    + f"  {'reason':>8} {'idle (reason)':>17} {'change (reason)':>17} {'facts':>8} {'MB':>5}"
)
_UNITS = f"{'':>42}  {'s of CPU until the last one ended':^39}  {'ms/step':>8} {'ms':>17} {'ms':>17}"
_MEGA = 1_000_000


def heading() -> str:
    """Return the two lines above the rows."""
    return f"{_UNITS}\n{HEAD}"


def row(run: Run) -> str:
    """Return the line of a run."""
    start = f"{run.workload.runs:>5} {run.runner.title:<13}"
    if not run.steps:
        return f"{start} {_remark(run)}"
    times = " ".join(f"{run.split[activity]:>7.2f}" for activity in ACTIVITIES)
    idle = _pair(run.step_ms("idle"), run.step_ms("idle", "reason"))
    change = _pair(run.step_ms("change"), run.step_ms("change", "reason"))
    line = (
        f"{start}{len(run.work):>5} {_requests(run):>8,} {run.work_s:>8.2f}  {times}  {_ms(run.reasoning_ms):>8} "
        f"{idle:>17} {change:>17} {_facts(run):>8,} {run.taken.peak_bytes / _MEGA:>5.0f}"
    )
    return f"{line}  {_remark(run)}".rstrip()


def ratios(runs: Sequence[Run]) -> Iterator[str]:
    """Yield how Milepost grows from each n to the next that is asked about, and what the baselines take beside it."""
    own = {run.workload.runs: run for run in runs if run.runner.name == "milepost" and run.is_whole}
    for more, less in ((9, 1), (100, 10), (1000, 100)):
        if more in own and less in own:
            yield _growth(own[more], own[less])
    for run in runs:
        beside = own.get(run.workload.runs)
        if run.runner.name != "milepost" and beside is not None and beside.work_s and run.steps:
            times = run.work_s / beside.work_s
            bound = "" if run.is_whole else "more than "
            yield f"n = {run.workload.runs}: {run.runner.title} takes {bound}{times:.1f} times the processor time of milepost"


def write_csv(runs: Iterable[Run], stream: TextIO) -> None:
    """Write one row for each run to ``stream``, below a row with the names of ``COLUMNS``."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for run in runs:
        split = run.split
        writer.writerow(
            (
                run.workload.runs,
                run.runner.name,
                len(run.work),
                _requests(run),
                f"{run.work_s:.4f}",
                *(f"{split[activity]:.4f}" for activity in ACTIVITIES),
                f"{run.start_s:.3f}",
                f"{run.wall_s:.3f}",
                _ms(run.reasoning_ms),
                _ms(run.step_ms("idle")),
                _ms(run.step_ms("idle", "reason")),
                _ms(run.step_ms("change")),
                _ms(run.step_ms("change", "reason")),
                _facts(run),
                f"{run.taken.peak_bytes / _MEGA:.1f}",
                _remark(run),
            )
        )


def _growth(more: Run, less: Run) -> str:
    cpu = f"{more.work_s / less.work_s:.1f}" if less.work_s else "?"
    reasoning, before = more.reasoning_ms, less.reasoning_ms
    steps = f"{reasoning / before:.1f}" if reasoning and before else "?"
    return (
        f"milepost, n = {more.workload.runs} to n = {less.workload.runs}: {cpu} times the processor time, "
        f"{steps} times the reasoning in a step"
    )


def _remark(run: Run) -> str:
    if run.runner.missing:
        return f"skipped: {run.runner.missing}"
    if run.taken.over_limit:
        return f"stopped in step {len(run.work) + 1} of {len(WRITES)}: over the limit of processor time"
    return f"failed: {run.taken.failure}" if run.taken.failure else ""


def _requests(run: Run) -> int:
    return sum(step.requests for step in run.work)


def _facts(run: Run) -> int:
    return max((step.facts for step in run.steps), default=0)


def _ms(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _pair(whole: float | None, part: float | None) -> str:
    return "" if whole is None else f"{_ms(whole)} ({_ms(part)})"
