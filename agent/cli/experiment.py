"""``milepost experiment``: the papers' experiments, run again."""

from io import StringIO
from typing import TYPE_CHECKING

from agent.cli import workflow_options as options
from agent.cli.bench_workflow import kept_folder
from agent.cli.console import echo
from agent.cli.parameters import Group

if TYPE_CHECKING:
    from agent.bench.workflow.runs import Run


def gsm(
    most: options.Most = 1000,
    runs: options.Repeats = 1,
    seed: options.Seed = 1,
    csv: options.Csv = "",
    plot: options.Plot = "",
    keep: options.Keep = "",
    date: options.Date = "",
) -> int:
    """Run n workflows of eight stages at once, for n = 1 to 9, 30, 100, 300 and 1000, until the last one has ended.

    The table stands beside what the paper's text says about the same curve. Exit code 1 if a run does not do what it
    should.
    """
    from agent.bench.table import machine
    from agent.bench.workflow.curve import NOTE, NUMBERS, check_plotting, lines, write_csv
    from agent.bench.workflow.curve import plot as draw
    from agent.bench.workflow.engines import find_runners
    from agent.bench.workflow.runs import Extent, disagreements, middle, run_once
    from agent.bench.workflow.workload import Workload
    from agent.cli.output import check_writable, save_bytes

    check_writable(csv, plot)
    if plot:
        check_plotting()
    (milepost,) = find_runners([])
    echo(machine(date))
    echo(f"delivery parallel, aiohttp, our server in memory; medians of {runs}\n")
    done: list[Run] = []
    with kept_folder(keep) as folder:
        for n in (number for number in NUMBERS if number <= most):
            extent = Extent(idle=1, changes=0, limit_s=3600)
            done.append(middle([run_once(milepost, Workload(n, seed), extent, folder) for _ in range(runs)]))
            echo("\n".join(list(lines(done))[-1 if done[1:] else 0 :]))
    echo(f"\n{NOTE}")
    faults = [f"n = {run.workload.runs}: {fault}" for run in done for fault in run.faults()]
    faults += disagreements(done)
    for fault in faults:
        echo(f"WRONG: {fault}")
    if csv:
        text = StringIO()
        write_csv(done, text)
        save_bytes(text.getvalue().encode(), csv)
    if plot:
        draw(done, plot)
    return 1 if faults else 0


experiment = Group("Run the papers' experiments again.", gsm)
