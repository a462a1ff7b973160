"""What requests cost, as people read it."""

from collections.abc import Mapping, Sequence

from agent.bench.ldp.load import Sample
from agent.bench.ldp.servers import Server
from agent.bench.ldp.watching import Look

_NAMES = {
    "memory": "in memory",
    "disk": "on disk",
    "memory-uvloop": "in memory, uvloop",
    "disk-uvloop": "on disk, uvloop",
    "by-hand": "on disk, by hand",
}


def heading(servers: Sequence[Server]) -> str:
    """Return the lines above the rows: the servers, and what is told of each."""
    names = "".join(f"  {_name(server):^20}" for server in servers)
    units = "".join(f"  {'us':>9} {'a second':>10}" for _ in servers)
    return f"{'':28}{names.rstrip()}\n{'request':28}{units}"


def line(name: str, servers: Sequence[Server], samples: Mapping[str, Sample]) -> str:
    """Return the row of one operation, with what failed below it; a server that does not have it has no sample."""
    cells = "".join(f"  {_cell(samples.get(server.name))}" for server in servers)
    wrong = [f"  WRONG: {server}: {sample.failure}" for server, sample in samples.items() if sample.failure]
    return "\n".join((f"{name:28}{cells}".rstrip(), *wrong))


def watch_heading(servers: Sequence[Server]) -> str:
    """Return the lines above the rows about learning that nothing changed."""
    names = "".join(f"  {_name(server):^29}" for server in servers)
    units = "".join(f"  {'us':>9} {'bytes':>9} {'ms':>9}" for _ in servers)
    return f"{'':28}{names.rstrip()}\n{'watching 1,000 members':28}{units}"


def watch_line(name: str, looks: Sequence[Look | None]) -> str:
    """Return the row of one way to look; None where a server does not have it."""
    return f"{name:28}{''.join(f'  {_look(look)}' for look in looks)}".rstrip()


def _look(look: Look | None) -> str:
    if look is None:
        return f"{'':29}"
    return f"{1e6 * look.cpu_s:>9,.0f} {look.received:>9,} {1e3 * look.wall_s:>9,.1f}"


def _name(server: Server) -> str:
    return _NAMES.get(server.name, f"{server.name[:9]} {server.version}")


def _cell(sample: Sample | None) -> str:
    if sample is None:
        return f"{'':20}"
    return f"{sample.cpu_us:>9,.0f} {sample.per_second:>10,.0f}"
