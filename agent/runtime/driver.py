"""Carries out what the machine asks for: the only place that waits inside a step.

Instructions run concurrently; their events go back to the machine one at a time, in order of arrival. Every
instruction gets exactly one event, whatever happens to it. A stop request ends the read phase at once, with nothing
written; a write phase that began is finished.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from agent.act.perform import Performer
from agent.errors import BugError
from agent.fetch.polling import Sources
from agent.messages import Event, Get, Instruction, NoAnswer, NotWritten, Send
from agent.runtime.report import StepReport


class StepMachine(Protocol):
    """What the driver needs of ``runtime.machine.Machine``."""

    report: StepReport | None

    def start(self) -> list[Instruction]:
        """Begin and return what to do first."""
        ...

    def handle(self, event: Event) -> list[Instruction]:
        """Take an event and return what to do now."""
        ...

    def stop(self) -> None:
        """End the step if nothing has been sent yet."""
        ...


@dataclass(slots=True)
class World:
    """What a step reads from and writes to; ``stop`` is set when the run is asked to end."""

    sources: Sources
    performer: Performer
    stop: asyncio.Event = field(default_factory=asyncio.Event)


async def run_step(machine: StepMachine, world: World) -> StepReport:
    """Run one step to its end and return its report."""
    step = _Step(machine, world)
    world.sources.begin_step()
    stopping = asyncio.ensure_future(step.stop_when_asked())
    try:
        return await step.run()
    finally:
        stopping.cancel()
        await step.abandon(stopping)


class _Step:
    """The instructions of one step that are being carried out, and the events that came of them."""

    def __init__(self, machine: StepMachine, world: World) -> None:
        self._machine = machine
        self._world = world
        self._arrived: asyncio.Queue[Event | None] = asyncio.Queue()
        self._running: set[asyncio.Task[None]] = set()

    async def run(self) -> StepReport:
        """Feed the machine until it is over."""
        self._launch(self._machine.start())
        while self._machine.report is None:
            if not self._running and self._arrived.empty():
                raise BugError("BUG001", "the step waits for something that nobody does")
            event = await self._arrived.get()
            if event is not None:
                self._launch(self._machine.handle(event))
        return self._machine.report

    async def stop_when_asked(self) -> None:
        """Tell the machine of the stop request, when it comes."""
        await self._world.stop.wait()
        self._machine.stop()
        self._arrived.put_nowait(None)

    async def abandon(self, *others: "asyncio.Task[None]") -> None:
        """Give up what still runs, and wait until it has ended."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, *others, return_exceptions=True)

    def _launch(self, instructions: Iterable[Instruction]) -> None:
        for instruction in instructions:
            task = asyncio.ensure_future(self._carry_out(instruction))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _carry_out(self, instruction: Instruction) -> None:
        try:
            event: Event
            if isinstance(instruction, Get):
                event = await self._world.sources.get(instruction)
            else:
                event = await self._world.performer.send(instruction)
                self._world.sources.wrote(instruction.uri)
        except Exception as error:  # noqa: BLE001  # a step that waits for a lost event would never end
            event = _lost(instruction, error)
        self._arrived.put_nowait(event)


def _lost(instruction: Get | Send, error: Exception) -> Event:
    reason = f"a fault in Milepost: {type(error).__name__}: {error}"
    if isinstance(instruction, Get):
        return NoAnswer(instruction.uri, reason)
    return NotWritten(instruction.id, reason)
