"""All servers under all operations, in turns, so that what else the machine does meets them alike."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from msgspec import Struct

from agent.bench.ldp.load import Sample, sampled
from agent.bench.ldp.operations import Operation, Site
from agent.bench.ldp.servers import Server
from agent.bench.ldp.site import prepared
from agent.bench.ldp.watching import WAYS, Look, Way, looked

_APART = 4_000_000
"""How far the numbers of two samples are from each other; a multiple of the turns that an operation may take."""


class Entrant(Struct, frozen=True):
    """A server that runs, its process, and what was put up there."""

    server: Server
    process: int
    site: Site


def entered(stack: ExitStack, servers: Sequence[Server], folder: Path) -> list[Entrant]:
    """Start ``servers`` until ``stack`` is closed, and put up what the operations need."""
    entrants = []
    for server in servers:
        own = folder / server.name
        own.mkdir(exist_ok=True)
        served = stack.enter_context(server.start(own))
        entrants.append(Entrant(server, served.process, asyncio.run(prepared(served.base))))
    return entrants


def compared(
    entrants: Sequence[Entrant],
    operations: Sequence[Operation],
    runs: int,
    window_s: float,
    tell: Callable[[Operation, dict[str, Sample]], None],
) -> bool:
    """Measure each operation ``runs`` times, ``tell`` the medians by server that has it; return whether none failed."""
    firsts = count(0, _APART)
    is_sound = True
    for operation in operations:
        able = [entrant for entrant in entrants if entrant.server.patches or not operation.is_patch]
        tried: dict[str, list[Sample]] = {entrant.server.name: [] for entrant in able}
        for first in (next(firsts) for _ in range(runs)):
            for entrant in able:
                sample = asyncio.run(
                    sampled(entrant.site, entrant.process, operation, count(first), window_s)
                )
                tried[entrant.server.name].append(sample)
        middle = {name: typical(samples) for name, samples in tried.items()}
        is_sound = is_sound and not any(sample.failure for sample in middle.values())
        tell(operation, middle)
    return is_sound


def typical(samples: Sequence[Sample]) -> Sample:
    """Return the sample with the median cost of a request, or the first that failed."""
    for sample in samples:
        if sample.failure:
            return sample
    return sorted(samples, key=lambda sample: sample.cpu_us)[len(samples) // 2]


def watched(entrants: Sequence[Entrant], looks: int, tell: Callable[[Way, list[Look | None]], None]) -> None:
    """Look at a thousand members ``looks`` times by each way and ``tell`` what a look takes each server that has it.

    Ways that take many requests are gone fewer times. Raises WorldError for an answer that should not be.
    """
    for way in WAYS:
        often = looks if way.only_ours else max(looks // 20, 1)
        tell(
            way,
            [
                asyncio.run(looked(entrant.site, entrant.process, way, often))
                if entrant.server.is_ours or not way.only_ours
                else None
                for entrant in entrants
            ],
        )
