"""Runs of W(n): a server and an agent for each, how far the agent got, and whether it did what it should."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct

from agent.bench.measure import Measurement, measure
from agent.bench.workflow.engines import Runner
from agent.bench.workflow.records import StepRecord, read_lines, summed
from agent.bench.workflow.server import served
from agent.bench.workflow.workload import WRITES, Workload


class Extent(Struct, frozen=True):
    """How many steps follow the end: ``idle`` in which nothing happens, ``changes`` after a change by others."""

    idle: int = 5
    changes: int = 3
    limit_s: int = 300


class Run(Struct, frozen=True):
    """One run of ``runner`` on ``workload``: what it told, and what its process took from start to exit."""

    runner: Runner
    workload: Workload
    taken: Measurement
    start_s: float
    ended: int
    steps: tuple[StepRecord, ...]

    @property
    def work(self) -> list[StepRecord]:
        """Return the steps until the last instance had ended."""
        return [step for step in self.steps if step.kind == "work"]

    @property
    def is_whole(self) -> bool:
        """Whether it came to its end."""
        return not self.taken.failure and not self.taken.over_limit

    @property
    def work_s(self) -> float:
        """The processor time of the agent until the last instance had ended; if it was stopped, until then."""
        if self.taken.over_limit:
            return max(self.taken.cpu_s - self.start_s, 0.0)
        return sum(step.total_s for step in self.work)

    @property
    def wall_s(self) -> float:
        """The time by the clock until the last instance had ended."""
        return sum(step.wall_s for step in self.work)

    @property
    def split(self) -> dict[str, float]:
        """Return the seconds of processor time until the end by activity."""
        return summed(self.work)

    def step_ms(self, kind: str, *activities: str) -> float | None:
        """Return the median of the milliseconds that steps of ``kind`` took, for some activities or in all."""
        times = [
            1000 * (sum(step.cpu_s[name] for name in activities) if activities else step.total_s)
            for step in self.steps
            if step.kind == kind
        ]
        return median(times) if times else None

    @property
    def reasoning_ms(self) -> float | None:
        """The mean of the milliseconds of reasoning in a step before the end."""
        return 1000 * self.split["reason"] / len(self.work) if self.work else None

    def faults(self) -> Iterator[str]:
        """Yield what is not as it should be."""
        runs = self.workload.runs
        if self.runner.missing:
            return
        if self.taken.failure and not self.taken.over_limit:
            yield self.taken.failure
            return
        for step, writes in zip(self.work, WRITES, strict=False):
            if step.requests != runs * writes:
                yield f"step {step.step} made {step.requests} requests, not {runs * writes}"
            if list(step.actions.values()) != [runs]:
                yield f"in step {step.step} not all instances did the same"
        if self.is_whole and len(self.work) != len(WRITES):
            yield f"it took {len(self.work)} steps, not {len(WRITES)}"
        if self.is_whole and self.ended != runs:
            yield f"{self.ended} of {runs} instances ended"

    def actions(self) -> list[str]:
        """Return what an instance did in each step, as digests."""
        return [next(iter(step.actions), "") for step in self.work]


def run_once(runner: Runner, workload: Workload, extent: Extent, folder: Path) -> Run:
    """Run ``workload`` on a fresh server; the lines of its steps stay in ``folder``."""
    output = folder / f"{runner.name}-{workload.runs}.jsonl"
    with served(workload) as base:
        command = runner.command(base, str(extent.idle), str(extent.changes), str(workload.seed))
        taken = measure(command, folder=folder, output=output, limit_s=extent.limit_s)
    about, steps = read_lines(output.read_text(encoding="utf-8"))
    start_s, ended = about.get("start_s", 0.0), about.get("ended", 0)
    return Run(
        runner,
        workload,
        taken,
        start_s if isinstance(start_s, float) else 0.0,
        ended if isinstance(ended, int) else 0,
        tuple(steps),
    )


def absent(runner: Runner, workload: Workload) -> Run:
    """Return the run of a runner that is not there."""
    return Run(runner, workload, Measurement(0.0, 0, over_limit=False, failure=""), 0.0, 0, ())


def middle(runs: Sequence[Run]) -> Run:
    """Return the run with the median time, or the last one if that did not come to its end."""
    if not runs[-1].is_whole:
        return runs[-1]
    return sorted(runs, key=lambda run: run.work_s)[(len(runs) - 1) // 2]


def disagreements(runs: Iterable[Run]) -> Iterator[str]:
    """Yield where a run did something else than the first one, as far as both got."""
    first: Run | None = None
    for run in runs:
        if first is None:
            first = run
            continue
        for number, (one, other) in enumerate(zip(first.actions(), run.actions(), strict=False), 1):
            if one != other:
                name, of = run.runner.name, first.runner.name
                yield f"{name} at n = {run.workload.runs} and {of} at n = {first.workload.runs} differ in step {number}"
                break
