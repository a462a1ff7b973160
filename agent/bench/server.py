"""A server in a process of its own, for benchmarks that need one."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from agent.bench.engines import START
from agent.errors import WorldError


class Served(Struct, frozen=True):
    """A server that runs: its base URL, without a slash at its end, and the number of its process."""

    base: str
    process: int


@contextmanager
def running(*options: str, loop: str = "asyncio") -> Iterator[Served]:
    """Run ``milepost serve`` on a free port with ``options`` while the context is open, or raise WorldError.

    It runs on the event loop of this name, whatever is installed, so that figures can be compared.
    """
    command = ["-c", START, "serve", "--port", "0", "--no-schedulers", "--loop", loop]
    with started(*command, *options) as served:
        yield served


@contextmanager
def started(*arguments: str) -> Iterator[Served]:
    """Run Python with ``arguments`` while the context is open, or raise WorldError; its first line tells the base URL."""
    command = [sys.executable, "-P", "-u", *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")  # noqa: S603  programs of our own
    try:
        yield Served(_base(server), server.pid)
    finally:
        server.kill()
        server.communicate()


def _base(server: "subprocess.Popen[str]") -> str:
    said = server.stdout.readline() if server.stdout else ""
    address = next((word.rstrip(",/") for word in said.split() if word.startswith("http")), "")
    if not address:
        raise WorldError("NET001", "the server of the benchmark did not start")
    return address
