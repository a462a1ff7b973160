"""``milepost bench memory``: what it costs to hold many triples."""

from agent.cli import bench_options as options
from agent.cli.bench_workflow import kept_folder
from agent.cli.console import echo


def memory(
    size: options.Size = "full",
    runs: options.Runs = 3,
    seed: options.Seed = 1,
    limit_s: options.Limit = 120,
    keep: options.Keep = "",
    date: options.Date = "",
) -> int:
    """Load generated triples, a million of them in full, into a memory and change a hundred at a time.

    Each run is a process of its own. What is told is the processor time of loading and of changes, by how many bytes
    the process grew for each triple, and how long the collector of cyclic garbage looks through it all; then what
    steps take in which the triples come and go, with what follows from them by rules. Exit code 1 if a run fails.
    """
    from agent.bench.memory.runs import run_once, typical, write_files
    from agent.bench.memory.table import table
    from agent.bench.table import machine

    echo(machine(date))
    echo(f"size {size}, seed {seed}, limit {limit_s} s of processor time; medians of {runs}")
    with kept_folder(keep) as folder:
        data = write_files(folder, size, seed)
        done = [run_once(data, seed, limit_s) for _ in range(runs)]
    for run in done:
        if run.failure:
            echo(f"WRONG: {run.failure}")
            return 1
    held = typical([run.held for run in done if run.held is not None])
    echo(f"\n{table(held, max(run.taken.peak_bytes for run in done))}")
    return 0
