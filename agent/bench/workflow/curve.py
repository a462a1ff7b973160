"""The curve of the paper's evaluation (section 6.4): the time until the last of n workflows has ended, over n."""

import csv
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TextIO

from agent.bench.workflow.runs import Run
from agent.errors import UsageError

NUMBERS = (*range(1, 10), 30, 100, 300, 1000)
"""How many workflows: the paper's 1 to 9, and on."""

PAPER_TIMES = {1: 1.0, 9: 2.0}
"""Times the time of n = 1, by n, as far as the text tells ("already between 1 and 9 instances, the runtime doubled")."""

COLUMNS = ("n", "wall_s", "times_n1", "cpu_s", "cpu_times_n1", "paper_times_n1")
NOTE = """\
The paper gives its times in a figure, not in the text; the text says that between 1 and 9 workflows the time doubled. It ran
Linked Data-Fu 0.9.13pr1 and the server LDBBC 0.0.5 with a warm-up of 10 s, on another machine, with other rules and a
workflow whose details are not public. Only the shape can be compared: how the time grows with n, not how long it is."""


def lines(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the table of ``runs`` of Milepost, the first with the smallest n."""
    yield f"{'n':>6} {'by the clock, s':>16} {'times n = 1':>12} {'CPU s':>8} {'times n = 1':>12} {'paper, times n = 1':>20}"
    for n, wall_s, wall_times, cpu_s, cpu_times, paper in _rows(runs):
        yield f"{n:>6} {wall_s:>16} {wall_times:>12} {cpu_s:>8} {cpu_times:>12} {paper:>20}"


def write_csv(runs: Sequence[Run], stream: TextIO) -> None:
    """Write a row for each run to ``stream``, below a row with the names of ``COLUMNS``."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(runs))


def check_plotting() -> None:
    """Raise UsageError USE013 if no library for plots is installed."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "USE013",
            "plots need matplotlib, which is not installed",
            hint="pip install 'milepost[experiments]', or leave --plot out: --csv writes the numbers.",
        )


def plot(runs: Sequence[Run], name: str) -> None:
    """Draw the curve into the file ``name``, in the form of its ending; UsageError USE004 if that is impossible."""
    from matplotlib.figure import Figure  # noqa: PLC0415  an extra, which need not be installed

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    numbers = [run.workload.runs for run in runs]
    axes.plot(numbers, [run.wall_s for run in runs], marker="o", label="by the clock")
    axes.plot(numbers, [run.work_s for run in runs], marker="s", label="processor time of the agent")
    axes.set(xscale="log", yscale="log", xlabel="workflows at once", ylabel="s until the last one ended")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    try:
        figure.savefig(name)
    except (OSError, ValueError) as error:
        raise UsageError("USE004", f"{name} cannot be written: {error}") from None


def _rows(runs: Sequence[Run]) -> Iterator[tuple[str, ...]]:
    base = next((run for run in runs if run.workload.runs == 1 and run.work_s), None)
    for run in runs:
        n = run.workload.runs
        wall_times = f"{run.wall_s / base.wall_s:.1f}" if base else ""
        cpu_times = f"{run.work_s / base.work_s:.1f}" if base else ""
        paper = f"{PAPER_TIMES[n]:.1f}" if n in PAPER_TIMES else ""
        yield str(n), f"{run.wall_s:.2f}", wall_times, f"{run.work_s:.2f}", cpu_times, paper
