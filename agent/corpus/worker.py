"""A process that loads files one after the other, with bounds on time and memory, and is replaced when it passes them."""

import gc
import multiprocessing
import resource
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self, TypeAlias

from agent.corpus.verdict import Kind, Load, Verdict, load

_CONTEXT = multiprocessing.get_context("spawn")

_STARTED_WITHIN_S = 120
"""Starting is not counted for the first file."""

_Running: TypeAlias = tuple[Connection, multiprocessing.process.BaseProcess]


class Worker:
    """Loads files in a process of its own: each may take ``limit_s`` seconds, and the process ``memory_mb`` megabytes.

    ``load`` has to be a function of a module. Use it as a context manager.
    """

    def __init__(self, limit_s: float, memory_mb: int, load: Load = load) -> None:
        self._limit_s = limit_s
        self._memory_mb = memory_mb
        self._load = load
        self._running: _Running | None = None

    def __enter__(self) -> Self:
        """Return the worker itself; the process starts with the first file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self._end()

    def __call__(self, path: str, name: str) -> Verdict:
        """Load the file ``path``, called ``name`` in messages, and return what became of it."""
        pipe, _ = self._running = self._running or _start(self._memory_mb, self._load)
        verdict = self._answer(pipe, path, name)
        if verdict.kind in (Kind.TIME, Kind.MEMORY, Kind.FAULT):
            self._end()
        return verdict

    def _answer(self, pipe: Connection, path: str, name: str) -> Verdict:
        try:
            pipe.send((path, name))
            if not pipe.poll(self._limit_s):
                return Verdict(Kind.TIME, name, message=f"longer than {self._limit_s:g} s")
            answer = pipe.recv()
        except (EOFError, OSError):
            return Verdict(Kind.FAULT, name, "BUG001", "the process died")
        return answer if isinstance(answer, Verdict) else Verdict(Kind.FAULT, name, "BUG001", "no answer")

    def _end(self) -> None:
        if self._running:
            pipe, process = self._running
            process.kill()
            process.join()
            pipe.close()
            self._running = None


def _start(memory_mb: int, load: Load) -> _Running:
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(theirs, memory_mb, load), daemon=True)
    process.start()
    theirs.close()
    if ours.poll(_STARTED_WITHIN_S):
        with suppress(EOFError):  # then the first file finds out that the process died
            ours.recv()
    return ours, process


def _serve(pipe: Connection, memory_mb: int, load: Load) -> None:
    """Answer each file that comes through ``pipe`` until it is closed."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 1_000_000, resource.RLIM_INFINITY))
    gc.disable()  # while a big text is read it would look at the same terms again and again
    with suppress(EOFError, KeyboardInterrupt):
        pipe.send("ready")
        while True:
            pipe.send(load(*pipe.recv()))
            gc.collect()
