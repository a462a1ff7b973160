"""Carries out what the machine asks for: the only place that waits inside a step.

Instructions run concurrently; their events go back to the machine one at a time, in order of arrival. Every
instruction gets exactly one event, whatever happens to it. A stop request ends the read phase at once, with nothing
written; a write phase that began is finished.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct, field

from agent.act.perform import Performer
from agent.errors import BugError
from agent.fetch.polling import Sources
from agent.messages import Event, Get, Instruction, NoAnswer, NotWritten, Send, Written
from agent.runtime.report import StepReport
from agent.transport.errands import fault_of


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


class World(Struct):
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
        await asyncio.gather(stopping, return_exceptions=True)
        await step.abandon()


class _Step:
    """The instructions of one step that are being carried out, and the events that came of them."""

    def __init__(self, machine: StepMachine, world: World) -> None:
        self._machine = machine
        self._world = world
        self._arrived: deque[Event] = deque()
        self._open = 0
        self._something = asyncio.Event()

    async def run(self) -> StepReport:
        """Feed the machine until it is over."""
        self._launch(self._machine.start())
        while self._machine.report is None:
            if self._arrived:
                self._launch(self._machine.handle(self._arrived.popleft()))
            elif self._open:
                self._something.clear()
                await self._something.wait()
            else:
                raise BugError("BUG001", "the step waits for something that nobody does")
        return self._machine.report

    async def stop_when_asked(self) -> None:
        """Tell the machine of the stop request, when it comes."""
        await self._world.stop.wait()
        self._machine.stop()
        self._something.set()

    async def abandon(self) -> None:
        """Give up what still runs, and wait until it has ended."""
        await self._world.sources.abandon()
        await self._world.performer.abandon()

    def _launch(self, instructions: Iterable[Instruction]) -> None:
        for instruction in instructions:
            self._open += 1
            try:
                if isinstance(instruction, Get):
                    self._world.sources.ask(instruction, self._take)
                else:
                    self._perform(instruction)
            except Exception as error:  # noqa: BLE001  a step that waits for a lost event would never end
                self._take(_lost(instruction, error))

    def _perform(self, send: Send) -> None:
        def take(event: Written | NotWritten) -> None:
            self._world.sources.wrote(send.uri)
            self._take(event)

        self._world.performer.perform(send, take)

    def _take(self, event: Event) -> None:
        self._open -= 1
        self._arrived.append(event)
        self._something.set()


def _lost(instruction: Get | Send, error: Exception) -> Event:
    if isinstance(instruction, Get):
        return NoAnswer(instruction.uri, fault_of(error))
    return NotWritten(instruction.id, fault_of(error))
