"""``milepost bench ldp``: what requests cost a server."""

from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

from agent.cli import bench_options as options
from agent.cli.console import echo
from agent.cli.parameters import Option
from agent.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent.bench.ldp.servers import Server

_WINDOWS_S = {"full": 2.0, "medium": 0.5, "small": 0.05}
_LOOKS = {"full": 200, "medium": 50, "small": 2}
"""How often the members are looked at."""


def ldp(
    size: Annotated[
        Literal["full", "medium", "small"],
        Option("--size", help="How long each kind of request is sent: 2, 0.5 or 0.05 seconds."),
    ] = "full",
    only: Annotated[
        list[str] | None,
        Option("--only", metavar="NAME", help="Only this server; may be repeated."),
    ] = None,
    runs: options.Runs = 5,
    date: options.Date = "",
) -> int:
    """Measure the processor time that requests cost the server, beside other servers.

    The servers are memory and disk, both ours, memory-uvloop and disk-uvloop, the same on a quicker event loop, by-hand,
    which is a hundred lines on aiohttp and SQLite with a commit for each write, and community-solid-server if it is
    installed. Each is a process of its own, and they take turns. What is told is the microseconds of processor time of
    one request, and how many were answered in a second by the clock, the client having part of the machine; then what
    it takes to learn of changes to a thousand resources. Exit code 1 if a server answers otherwise than it should.
    """
    from pathlib import Path

    from agent import __version__
    from agent.bench.ldp.operations import OPERATIONS
    from agent.bench.ldp.runs import compared, entered, watched
    from agent.bench.ldp.servers import find_servers
    from agent.bench.ldp.table import heading, line, watch_heading, watch_line
    from agent.bench.table import machine

    servers = _narrowed(find_servers(__version__), only or [])
    echo(machine(date))
    echo(f"{_WINDOWS_S[size]:g} s of each request, medians of {runs}; 8 connections unless said otherwise")
    for server in servers:
        if server.missing:
            echo(f"{server.name} {server.missing}")
    there = [server for server in servers if not server.missing]
    with TemporaryDirectory(prefix="milepost-bench-") as name, ExitStack() as stack:
        entrants = entered(stack, there, Path(name))
        echo(f"\n{heading(there)}")
        is_sound = compared(
            entrants,
            OPERATIONS,
            runs,
            _WINDOWS_S[size],
            lambda operation, samples: echo(line(operation.name, there, samples)),
        )
        echo(f"\n{watch_heading(there)}")
        watched(entrants, _LOOKS[size], lambda way, looks: echo(watch_line(way.name, looks)))
    return 0 if is_sound else 1


def _narrowed(servers: "Sequence[Server]", only: "Sequence[str]") -> "list[Server]":
    """Return the servers that ``only`` names, all if it names none."""
    names = [server.name for server in servers]
    for name in only:
        if name not in names:
            hint = did_you_mean(name, names) or f"There are {', '.join(names)}."
            raise UsageError("USE001", f"{name} is no server", hint=hint)
    return [server for server in servers if not only or server.name in only]
