"""``milepost bench``: what Milepost costs, beside others."""

import sys
from typing import TYPE_CHECKING

from agent.cli import bench_options as options
from agent.cli.bench_ldp import ldp
from agent.cli.bench_memory import memory
from agent.cli.bench_workflow import kept_folder, workflow
from agent.cli.console import echo
from agent.cli.parameters import Group
from agent.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agent.bench.comparison import Outcome


def reason(
    size: options.Size = "full",
    only: options.Only = None,
    limit_s: options.Limit = 60,
    runs: options.Runs = 3,
    seed: options.Seed = 1,
    peers: options.Peers = "",
    csv: options.Csv = "",
    keep: options.Keep = "",
    date: options.Date = "",
) -> int:
    """Time milepost reason beside EYE, pyling-n3, rdflib and owlrl on the same generated work.

    The workloads are rdfs, taxonomy, join and chain; the engines milepost, eye, pyling-n3, rdflib and owlrl. Each run
    is a process of its own, measured from start to exit. Engines that are not installed are skipped. Exit code 1 if
    an engine fails, or if they do not derive the same number of triples.
    """
    from agent import __version__
    from agent.bench.comparison import compare, in_folder, write_files
    from agent.bench.engines import find_engines
    from agent.bench.table import block, heading
    from agent.bench.workloads import workloads
    from agent.cli.output import check_writable

    check_writable(csv)
    works, names = _narrowed(only or [])
    engines = [engine for engine in find_engines(__version__, peers or sys.executable) if engine.key in names]
    echo(heading(size=size, seed=seed, runs=runs, limit_s=limit_s, date=date))
    outcomes = []
    with kept_folder(keep) as folder:
        for workload in (each for each in workloads(size) if each.name in works):
            facts = write_files(workload, folder, seed)
            outcomes.append(compare(workload, facts, engines, runs, in_folder(folder, limit_s)))
            echo(f"\n{block(outcomes[-1])}")
    if csv:
        _save_csv(outcomes, csv)
    return 0 if all(outcome.sound for outcome in outcomes) else 1


def _narrowed(only: "Sequence[str]") -> "tuple[Sequence[str], Sequence[str]]":
    """Return the workloads and the engines that ``only`` names, all of a kind if it names none of them."""
    from agent.bench.engines import ENGINES
    from agent.bench.workloads import WORKLOADS

    for name in only:
        if name not in (*WORKLOADS, *ENGINES):
            raise UsageError(
                "USE001",
                f"{name} is neither a workload nor an engine",
                hint=did_you_mean(name, (*WORKLOADS, *ENGINES))
                or f"There are {', '.join(WORKLOADS)}; {', '.join(ENGINES)}.",
            )
    works, engines = ([name for name in known if name in only] or known for known in (WORKLOADS, ENGINES))
    return works, engines


def _save_csv(outcomes: "Iterable[Outcome]", name: str) -> None:
    from io import StringIO

    from agent.bench.table import write_csv
    from agent.cli.output import save_bytes

    text = StringIO()
    write_csv(outcomes, text)
    save_bytes(text.getvalue().encode(), name)


bench = Group("Measure Milepost beside others.", ldp, memory, workflow, reason)
