"""The server of W(n): ours, in memory, in a process of its own, with the documents of the workload in it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from agent.bench.engines import START
from agent.bench.workflow.changes import exchange
from agent.bench.workflow.workload import TASKS, Workload
from agent.errors import WorldError


@contextmanager
def served(workload: Workload) -> Iterator[str]:
    """Serve ``workload`` while the context is open, and give the server's base URL, without a slash at its end."""
    command = [sys.executable, "-P", "-c", START, "serve", "--memory", "--port", "0", "--no-schedulers"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")  # noqa: S603  our own program
    try:
        base = _base(server)
        exchange("PUT", base + TASKS + ".note", b"")
        for path, turtle in workload.documents():
            exchange("PUT", base + path, turtle.encode())
        yield base
    finally:
        server.kill()
        server.communicate()


def _base(server: "subprocess.Popen[str]") -> str:
    said = server.stdout.readline() if server.stdout else ""
    address = next((word.rstrip(",/") for word in said.split() if word.startswith("http")), "")
    if not address:
        raise WorldError("NET001", "the server of the benchmark did not start")
    return address
