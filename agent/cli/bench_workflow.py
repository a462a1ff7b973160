"""``milepost bench workflow``: what an agent spends on n workflows at once."""

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agent.cli import workflow_options as options
from agent.cli.console import echo
from agent.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent.bench.workflow.engines import Runner
    from agent.bench.workflow.runs import Extent, Run
    from agent.bench.workflow.workload import Workload

MOST = 100_000


def workflow(
    n: options.Instances = "9",
    baseline: options.Baselines = None,
    idle: options.Idle = 5,
    changes: options.Changes = 3,
    runs: options.Repeats = 1,
    seed: options.Seed = 1,
    limit_s: options.Limit = 300,
    csv: options.Csv = "",
    keep: options.Keep = "",
    date: options.Date = "",
) -> int:
    """Measure the processor time that an agent takes for n workflows of eight stages at once, and for steps after.

    Server and agent are processes of their own; what counts is the agent's processor time after its start, split into
    reading, parsing, reasoning, deciding and acting. Exit code 1 if an agent fails, or does not do what it should.
    """
    from agent.bench.table import machine
    from agent.bench.workflow.engines import find_runners
    from agent.bench.workflow.runs import Extent, disagreements
    from agent.bench.workflow.table import heading, ratios, row
    from agent.bench.workflow.workload import Workload
    from agent.cli.output import check_writable

    check_writable(csv)
    numbers = read_numbers(n)
    runners = find_runners(_known(baseline or []))
    extent = Extent(idle, changes, limit_s)
    echo(machine(date))
    echo(f"W(n), delivery parallel, aiohttp, our server in memory; seed {seed}, medians of {runs}")
    echo(f"\n{heading()}")
    done: list[Run] = []
    with kept_folder(keep) as folder:
        for number in numbers:
            for run in _in_turns(runners, Workload(number, seed), extent, runs, folder):
                done.append(run)
                echo(row(run))
    for ratio in ratios(done):
        echo(ratio)
    faults = [
        f"{run.runner.name} at n = {run.workload.runs}: {fault}" for run in done for fault in run.faults()
    ]
    faults += disagreements(run for run in done if run.steps)
    for fault in faults:
        echo(f"WRONG: {fault}")
    if csv:
        _save(done, csv)
    return 1 if faults else 0


def read_numbers(text: str) -> list[int]:
    """Return the numbers in ``text``, which commas part; UsageError USE001."""
    numbers = [int(part) for part in text.split(",") if part.strip().isdecimal()]
    if len(numbers) != text.count(",") + 1 or not all(0 < number <= MOST for number in numbers):
        raise UsageError("USE001", f"-n {text} is no list of numbers above 0", hint="For example: -n 1,9,100")
    return numbers


@contextmanager
def kept_folder(keep: str) -> "Iterator[Path]":
    """Give a folder for what is written on the way: ``keep``, or one that goes away afterwards."""
    if not keep:
        with TemporaryDirectory(prefix="milepost-bench-") as name:
            yield Path(name)
        return
    folder = Path(keep)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError("USE004", f"{keep} cannot be written: {error.strerror}") from None
    yield folder.resolve()


def _known(names: list[str]) -> list[str]:
    from agent.bench.workflow.engines import BASELINES

    for name in names:
        if name not in BASELINES:
            hint = did_you_mean(name, BASELINES) or f"There are {' and '.join(BASELINES)}."
            raise UsageError("USE001", f"{name} is no baseline", hint=hint)
    return names


def _in_turns(
    runners: "Sequence[Runner]", workload: "Workload", extent: "Extent", runs: int, folder: Path
) -> "Iterator[Run]":
    """Yield the median run of each runner; they take turns, and one that did not come to its end is not run again."""
    from agent.bench.workflow.runs import absent, middle, run_once

    tried: dict[str, list[Run]] = {runner.name: [] for runner in runners}
    for _ in range(runs):
        for runner in runners:
            own = tried[runner.name]
            if not runner.missing and (not own or own[-1].is_whole):
                own.append(run_once(runner, workload, extent, folder))
    for runner in runners:
        own = tried[runner.name]
        yield middle(own) if own else absent(runner, workload)


def _save(runs: "Sequence[Run]", name: str) -> None:
    from io import StringIO

    from agent.bench.workflow.table import write_csv
    from agent.cli.output import save_bytes

    text = StringIO()
    write_csv(runs, text)
    save_bytes(text.getvalue().encode(), name)
