"""Carries out updates that need all of SPARQL in processes that can be ended (see ``worker``)."""

import asyncio
import json
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from ldp_server.faults import Problem
from ldp_server.patching import worker
from ldp_server.patching.edits import malformed_patch

_PROCESSES = 2
_PLACE = re.compile(r"error at ([0-9]+):([0-9]+)")
_LARGEST_ANSWER = 64 * 1024 * 1024
_PATIENCE = 10
"""How many times its processor time an update may take on a busy machine."""


class Outcome(Struct, frozen=True):
    """The lines of a document that an update deletes, and those it inserts."""

    deleted: Sequence[str]
    inserted: Sequence[str]


class Engine:
    """A few processes, started when they are needed; more requests wait for their turn."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turns = asyncio.Semaphore(_PROCESSES)
        self._idle: list[asyncio.subprocess.Process] = []

    async def carry_out(self, update: str, base: str, lines: Sequence[str]) -> Outcome:
        """Return what ``update`` does to the document at ``base``, or raise LDP070 or LDP073 (too long, too large)."""
        request = {"base": base, "update": update, "lines": lines, "seconds": self._seconds}
        message = await asyncio.to_thread(_packed, request)
        async with self._turns:
            answer = await self._ask(message)
        if answer is None:
            raise Problem("LDP073", "The update is too complex: it takes too long, or too much memory.")
        if "error" in answer:
            raise _malformed(str(answer["error"]))
        return Outcome(answer["deleted"], answer["inserted"])

    async def close(self) -> None:
        """End the processes that wait for work; those at work end with their requests."""
        while self._idle:
            await _end(self._idle.pop())

    async def _ask(self, request: bytes) -> dict[str, list[str]] | None:
        """Return the answer of a process, or None; one that ended because it was idle is not held against the update."""
        while self._idle:
            process = self._idle.pop()
            answer = await self._answer(process, request)
            if answer is not None or process.returncode != -signal.SIGALRM:
                return answer
        return await self._answer(await _start(), request)

    async def _answer(
        self, process: asyncio.subprocess.Process, request: bytes
    ) -> dict[str, list[str]] | None:
        answer = None
        try:
            async with asyncio.timeout(_PATIENCE * self._seconds):
                answer = await _exchange(process, request)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            return None
        finally:
            if answer is None:
                await _end(process)
            else:
                self._idle.append(process)
        return answer


def _malformed(error: str) -> Problem:
    """Return the problem with an update; the parser lists all that it would take, which helps nobody."""
    place = _PLACE.match(error)
    if place is None:
        return malformed_patch(f"{error[:200].rstrip('.')}.")
    return malformed_patch(f"this is no SPARQL from column {place[2]} on.", int(place[1]))


async def _exchange(process: asyncio.subprocess.Process, request: bytes) -> dict[str, list[str]] | None:
    if process.stdin is None or process.stdout is None:
        raise ConnectionError("the process has no pipes")
    process.stdin.write(request)
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(4), "big")
    if size > _LARGEST_ANSWER:
        return None
    answer: dict[str, list[str]] = await asyncio.to_thread(json.loads, await process.stdout.readexactly(size))
    return answer


def _packed(request: Mapping[str, object]) -> bytes:
    text = json.dumps(request).encode()
    return len(text).to_bytes(4, "big") + text


async def _start() -> asyncio.subprocess.Process:
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(
        sys.executable, "-P", worker.__file__, stdin=pipe, stdout=pipe, stderr=nothing
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
