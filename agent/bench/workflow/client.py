"""The agent on W(n), a process of its own: ``python -m agent.bench.workflow.client BASE IDLE CHANGES SEED``.

It runs the container until every instance has ended and the steps after that are through: IDLE steps in which nothing
happens, then CHANGES steps with one change by others before each. It prints a line for each step.
"""

import asyncio
import sys
from time import perf_counter, process_time
from typing import IO

from agent.bench.workflow.changes import Others
from agent.bench.workflow.ledger import Ledger
from agent.bench.workflow.records import Action, Kind, StepRecord, digests, write_line, write_step
from agent.bench.workflow.workload import RULES, STATUS
from agent.gsm.workflows import GsmWorkflows
from agent.n3.load import read_program
from agent.reason.fixpoint import Reasoner
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.resources import read_bundled
from agent.runtime import read_memo, reading
from agent.runtime.loop import StepTimes
from agent.runtime.machine import Machine
from agent.runtime.read_memo import ReadMemo
from agent.runtime.report import StepReport
from agent.runtime.running import RunOrder, run_agent
from agent.runtime.writing import Writing
from agent.settings import Settings

MOST_STEPS = 100
PATIENT = Settings(step_deadline_s=60, request_timeout_s=60)
"""A busy machine shall not change what is done, only how long it takes."""


def main(base: str, idle: int, changes: int, seed: int, out: IO[str] = sys.stdout) -> None:
    """Run W(n) on the server ``base`` and write what it took to ``out``."""
    ledger = Ledger()
    _count_parts(ledger)
    program = read_program(read_bundled(RULES), source=RULES, base=f"https://w3id.org/milepost/{RULES}")
    order = RunOrder(
        uris=(base + STATUS,),
        program=program,
        interval_s=0,
        steps=MOST_STEPS,
        until_quiet=idle + changes,
        keep_bodies=True,
    )
    observer = _Observer(base, (idle, changes), Others(seed), ledger, out)
    write_line(out, {"start_s": process_time()})
    observer.begin()
    result = asyncio.run(run_agent(order, PATIENT, on_step=observer.on_step, stop=asyncio.Event()))
    ended = sum(one.status == "ended" for one in result.last.instances) if result.last else 0
    write_line(out, {"end": result.end, "ended": ended})


class _Observer:
    """Notes each step, and lets others change something when the time has come; all of this is aside."""

    def __init__(
        self, base: str, extent: tuple[int, int], others: Others, ledger: Ledger, out: IO[str]
    ) -> None:
        self._base = base
        self._idle, self._changes = extent
        self._others = others
        self._ledger = ledger
        self._out = out
        self._quiet = 0
        self._since = perf_counter()

    def begin(self) -> None:
        """Count from now on."""
        self._ledger.taken()
        self._since = perf_counter()

    def on_step(self, number: int, report: StepReport, _: StepTimes) -> None:
        """Note step ``number``."""
        spent, wall_s = self._ledger.taken(), perf_counter() - self._since
        self._ledger.enter("aside")
        self._quiet += report.quiet == "quiet"
        kind: Kind = "work" if not self._quiet else "idle" if self._quiet <= self._idle else "change"
        actions = [
            Action(
                next(iter(one.instances), ""), one.method, one.uri, one.body if one.body is not None else b""
            )
            for one in report.requests
        ]
        record = StepRecord(
            number,
            kind,
            len(report.gets),
            len(actions),
            report.facts,
            wall_s,
            spent,
            digests(actions, self._base),
        )
        write_step(self._out, record)
        if self._idle <= self._quiet < self._idle + self._changes:
            self._others.change_one(
                [get.uri for get in report.gets if get.uri.startswith(self._base + STATUS + "run-")]
            )
        self._ledger.leave()
        self._ledger.go_on_with("read")
        self.begin()


def _count_parts(ledger: Ledger) -> None:
    """Have the parts of a step counted, each for its activity; what is left is retrieving and sending."""
    for name in ("_decide", "_end"):
        ledger.count("decide", Machine, name)
    ledger.count_class("reason", Reasoner)
    ledger.count_class("reason", RunReasoner)
    ledger.count_class("reason", GsmWorkflows)
    ledger.count_class("act", Writing)
    ledger.count_class("parse", ReadMemo)
    for module in (reading, read_memo):
        if hasattr(module, "read_answer"):
            ledger.count("parse", module, "read_answer")
    ledger.count("parse", GsmWorkflows, "admit")
    ledger.before("act", Writing, "start")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
