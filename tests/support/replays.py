"""Every step that is taken while somebody looks is taken again in the other mode, from what the world answered.

A run that keeps its memory from step to step has a twin that begins every step with nothing, and the other way round.
When a step is over its twin gets the very answers that the step got, to what it asks for and sends by itself; nobody
is asked twice. What the two come to is compared and noted in a folder, a line for each step, so that processes that
end in whatever way leave what they found.

``tests.support.milepost_with_twins`` is the command line with this.
"""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pyoxigraph as ox
from msgspec.structs import replace

from agent.messages import Answer, Event, Get, Instruction, NoAnswer, NotWritten, Send, Written
from agent.runtime.machine import Machine, Phase
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.trace import Line, normalise
from tests.support.depth import DEEP
from tests.support.step_lines import digest, line_of

REPLAYED = ("acceptance", "operations", "schedulers", "scenario", "docs")
"""The folders with tests of which the steps are taken again."""
REPLAYED_ITSELF = "test_traces_of_both_modes.py"
"""The test that takes all steps twice without this."""

FIRST, EACH = 5, 4
"""But for ``make deep``, so many steps of a run are taken again in the beginning, and each fourth later."""

Difference: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class Heard:
    """What a step asked and what it was answered."""

    sends: dict[int, Send] = field(default_factory=dict)
    answers: dict[str, list[Answer | NoAnswer]] = field(default_factory=lambda: defaultdict(list))
    writes: list[tuple[Send, Written | NotWritten]] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """Note an answer."""
        if isinstance(event, Answer | NoAnswer):
            self.answers[event.uri].append(event)
        elif event.id in self.sends:
            self.writes.append((self.sends[event.id], event))

    def answer(self, instruction: Instruction) -> Event | None:
        """Return what the step was answered to the same; nothing if it never asked."""
        if isinstance(instruction, Get):
            return self._answer_to_get(instruction.uri)
        for position, (send, event) in enumerate(self.writes):
            if _is_alike(send, instruction):
                del self.writes[position]
                return replace(event, id=instruction.id)
        return None

    def _answer_to_get(self, uri: str) -> Answer | NoAnswer | None:
        known = self.answers.get(uri)
        if known:
            return known[-1] if len(known) == 1 else known.pop(0)
        # What another document led to has been read with it.
        for others in self.answers.values():
            for other in others:
                if isinstance(other, Answer) and other.final_uri == uri:
                    return replace(other, uri=uri)
        return None


def _is_alike(one: Send, other: Send) -> bool:
    """Tell whether two requests are the same but for the labels of blank nodes."""
    if (one.method, one.uri, one.headers) != (other.method, other.uri, other.headers):
        return False
    return one.body == other.body or _graph(one) == _graph(other)


def _graph(send: Send) -> ox.Dataset | bytes | None:
    """Return what a body says, with blank nodes named after what is said of them; another body as it is."""
    media_type = ox.RdfFormat.from_media_type(dict(send.headers).get("Content-Type", ""))
    if media_type is None or send.body is None:
        return send.body
    graph = ox.Dataset(ox.parse(send.body, format=media_type, base_iri=send.uri))
    graph.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return graph


@dataclass(slots=True)
class Twin:
    """The run in the other mode: its reasoning, and the plan that it goes by."""

    plan: StepPlan
    reasoning: Reasoning
    of: object
    steps: int = 0


@dataclass(slots=True)
class Replays:
    """What is noted of the runs of this process; ``tell`` gets each comparison, an empty one for equal steps."""

    tell: Callable[[Difference], None]
    twins: dict[int, Twin] = field(default_factory=dict)
    heard: dict[int, tuple[Machine, Heard, Twin, str, str]] = field(default_factory=dict)

    def begin(
        self, machine: Machine, plan: StepPlan, minted: tuple[str, str], reasoning: Reasoning | None
    ) -> None:
        """Take note of a step; one of a memory that is never kept is twice the same but for ``make deep``."""
        recompute = reasoning is None or reasoning.recompute
        if recompute and not DEEP:
            return
        run: object = plan if reasoning is None else reasoning
        twin = self.twins.get(id(run))
        if twin is None:
            mine = replace(plan, workflows=deepcopy(plan.workflows))
            twin = self.twins[id(run)] = Twin(mine, Reasoning(mine, recompute=not recompute), run)
        twin.steps += 1
        # One that begins with nothing in each step may leave some out.
        if DEEP or twin.steps <= FIRST or twin.steps % EACH == 0:
            self.heard[id(machine)] = machine, Heard(), twin, *minted

    def hear(self, machine: Machine, instructions: Iterable[Instruction]) -> None:
        """Note what ``machine`` asks; if its step is over, take it again and compare."""
        known = self.heard.get(id(machine))
        if known is None:
            return
        _, heard, twin, instant, fresh_id = known
        heard.sends |= {one.id: one for one in instructions if isinstance(one, Send)}
        if machine.report is None:
            return
        del self.heard[id(machine)]
        if machine.report.interrupted:
            return
        self.tell(compare(machine, again(twin, instant, fresh_id, heard), twin.steps))

    def take(self, machine: Machine, event: Event) -> None:
        """Note an answer."""
        known = self.heard.get(id(machine))
        if known is not None:
            known[1].take(event)


def again(twin: Twin, instant: str, fresh_id: str, heard: Heard) -> Machine | Instruction:
    """Return the step as the twin takes it, or what it asks that the other has not asked."""
    machine = object.__new__(Machine)
    _INIT(machine, twin.plan, instant, fresh_id, None, twin.reasoning)
    pending = _START(machine)
    while machine.report is None:
        instruction = pending.pop(0)
        event = heard.answer(instruction)
        if event is None:
            return instruction
        pending += _HANDLE(machine, event)
    return machine


def compare(machine: Machine, other: Machine | Instruction, number: int) -> Difference:
    """Return in what two steps differ, as the trace and the report tell it."""
    if not isinstance(other, Machine):
        return {"step": number, "asks alone": repr(other)}
    lines = [_line(one, number) for one in (machine, other)]
    if lines[0] != lines[1]:
        # Blank nodes have other labels in each run. What was sent is the same but for those: see ``Heard``.
        lines = [normalise([line])[0] for line in lines]
    ours, theirs = lines
    found = {
        name: [ours.get(name), theirs.get(name)]
        for name in ours | theirs
        if ours.get(name) != theirs.get(name)
    }
    if not found and "failure" not in ours and set(machine.memory) != set(other.memory):
        ours, theirs = ({"memory": digest(one.memory)} for one in (machine, other))
        found = {} if ours == theirs else {"memory": [ours["memory"], theirs["memory"]]}
    return {"step": number, **found} if found else {}


def _line(machine: Machine, number: int) -> Line:
    assert machine.report is not None
    return line_of(number, machine.report)


_INIT, _START, _HANDLE, _STOP = Machine.__init__, Machine.start, Machine.handle, Machine.stop


def look(tell: Callable[[Difference], None], put: Callable[[object, str, object], None] = setattr) -> None:
    """Let every step be taken again in the other mode from now on; ``put`` replaces methods of ``Machine``."""
    replays = Replays(tell)

    def made(
        machine: Machine,
        plan: StepPlan,
        instant: str,
        fresh_id: str,
        on_phase: Callable[[Phase], None] | None = None,
        reasoning: Reasoning | None = None,
    ) -> None:
        _INIT(machine, plan, instant, fresh_id, on_phase, reasoning)
        replays.begin(machine, plan, (instant, fresh_id), reasoning)

    def started(machine: Machine) -> list[Instruction]:
        instructions = _START(machine)
        replays.hear(machine, instructions)
        return instructions

    def handled(machine: Machine, event: Event) -> list[Instruction]:
        replays.take(machine, event)
        instructions = _HANDLE(machine, event)
        replays.hear(machine, instructions)
        return instructions

    def stopped(machine: Machine) -> None:
        _STOP(machine)
        replays.hear(machine, ())

    for name, method in {"__init__": made, "start": started, "handle": handled, "stop": stopped}.items():
        put(Machine, name, method)


def note_in(folder: Path) -> Callable[[Difference], None]:
    """Return what notes a comparison in ``folder``, in a file of this process."""
    file = folder / f"{os.getpid()}.jsonl"

    def note(difference: Difference) -> None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(difference) + "\n")

    return note


def noted_in(folder: Path) -> list[Difference]:
    """Return all comparisons that are noted in ``folder``."""
    return [
        json.loads(line)
        for file in sorted(folder.iterdir())
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
