"""A baseline on W(n): ``python -m tests.benchmarks.baselines naive|sparql BASE IDLE CHANGES SEED``."""

import asyncio
import sys
from time import process_time

from agent.bench.workflow.changes import Others
from agent.bench.workflow.ledger import Ledger
from agent.bench.workflow.records import write_line
from tests.benchmarks.baselines.naive import Naive
from tests.benchmarks.baselines.sparql import Sparql
from tests.benchmarks.baselines.step import Baseline, Interpreter


def main(name: str, base: str, idle: int, changes: int, seed: int) -> None:
    """Run W(n) on the server ``base`` with the baseline ``name``."""
    interpreter: Interpreter = Naive() if name == "naive" else Sparql()
    baseline = Baseline(interpreter, base, Ledger(), sys.stdout)
    write_line(sys.stdout, {"start_s": process_time()})
    asyncio.run(baseline.run(idle, changes, Others(seed)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
