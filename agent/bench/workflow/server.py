"""The server of W(n): ours, in memory, in a process of its own, with the documents of the workload in it."""

from collections.abc import Iterator
from contextlib import contextmanager

from agent.bench.server import running
from agent.bench.workflow.changes import exchange
from agent.bench.workflow.workload import TASKS, Workload


@contextmanager
def served(workload: Workload) -> Iterator[str]:
    """Serve ``workload`` while the context is open, and give the server's base URL, without a slash at its end."""
    with running("--memory") as server:
        exchange("PUT", server.base + TASKS + ".note", b"")
        for path, turtle in workload.documents():
            exchange("PUT", server.base + path, turtle.encode())
        yield server.base
