"""Runs tests in processes that can be killed, so that one that does not end costs its time limit and no more."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic

from agent.n3.builtins import Numeric
from tests.conformance.n3.judging import Verdict, judge
from tests.conformance.n3.manifests import Case

TIME_LIMIT = 60.0
"""Seconds of processor time a test may take unless the caller says otherwise."""

_PATIENCE = 5
"""How many times as long a test may take by the clock: it may wait for others, but not for ever."""

_WORTH_A_PROCESS = 50
"""Tests that take longer to run than a process takes to start."""


@dataclass(frozen=True, slots=True)
class Task:
    """A test to be run in one numeric mode."""

    case: Case
    numeric: Numeric


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    number: int = -1
    deadline: float = 0.0


def run(tasks: Sequence[Task], *, limit: float = TIME_LIMIT, processes: int = 0) -> list[Verdict]:
    """Return the verdicts of ``tasks`` in their order; ``processes`` 0 means one for each processor."""
    wanted = min(processes or os.cpu_count() or 1, 1 + len(tasks) // _WORTH_A_PROCESS)
    verdicts = dict(_run(tasks, limit, wanted))
    return [verdicts[number] for number in range(len(tasks))]


def _run(tasks: Sequence[Task], limit: float, processes: int) -> Iterator[tuple[int, Verdict]]:
    waiting = deque(range(len(tasks)))
    idle = [_start(limit) for _ in range(processes)]
    busy: dict[Connection, _Worker] = {}
    try:
        while waiting or busy:
            while idle and waiting:
                worker = idle.pop()
                worker.number, worker.deadline = waiting.popleft(), monotonic() + limit * _PATIENCE
                worker.pipe.send(tasks[worker.number])
                busy[worker.pipe] = worker
            first = min(worker.deadline for worker in busy.values())
            ready = wait(list(busy), max(0.0, first - monotonic()))
            overdue = [worker.pipe for worker in busy.values() if worker.deadline <= monotonic()]
            for pipe in {*ready, *overdue}:
                worker = busy.pop(pipe)  # type: ignore[call-overload]  # wait() hands back what it was given
                verdict = _answer(worker, limit) if pipe in ready else _too_late(limit)
                yield worker.number, verdict
                idle.append(
                    worker if pipe in ready and worker.process.is_alive() else _restarted(worker, limit)
                )
    finally:
        for worker in (*idle, *busy.values()):
            _stop(worker)


def _answer(worker: _Worker, limit: float) -> Verdict:
    try:
        verdict = worker.pipe.recv()
    except EOFError:
        worker.process.join()
        if worker.process.exitcode == -signal.SIGPROF:
            return _too_late(limit)
        return Verdict(False, "crash: the process died", f"exit code {worker.process.exitcode}")
    assert isinstance(verdict, Verdict)
    return verdict


def _too_late(limit: float) -> Verdict:
    return Verdict(False, "time limit", f"no end after {limit:g} s")


def _start(limit: float) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, limit), daemon=True)
    process.start()
    theirs.close()
    ours.recv()
    return _Worker(process, ours)


def _restarted(worker: _Worker, limit: float) -> _Worker:
    _stop(worker)
    return _start(limit)


def _stop(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()


def _serve(pipe: Connection, limit: float) -> None:
    """Say that the process is up, then answer tasks until the other end is closed; runs in a process of its own.

    A task that uses up ``limit`` seconds of the processor ends the process, wherever it is.
    """
    pipe.send(None)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, limit)
        verdict = judge(task.case, task.numeric)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(verdict)
