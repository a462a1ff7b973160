"""Two ways to run the same: with a memory that is kept from step to step, and with every step begun from nothing.

    with played("kept") as kept:
        ...  # whatever drives machines: a fake world, a loop, a scenario over real sockets
    kept.steps

Whoever makes a machine in between gets one of that mode, and what its step came to is written down: the line of the
trace with bodies, what is reported beyond it, and the memory.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import pytest

from agent.runtime.machine import Machine, Phase
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.trace import Line, normalise
from tests.support.step_lines import digest, line_of

Mode: TypeAlias = Literal["kept", "recomputed"]
MODES: tuple[Mode, ...] = ("kept", "recomputed")
Watch: TypeAlias = Callable[[Phase], None]


@dataclass(slots=True)
class Played:
    """What the steps of a run came to."""

    mode: Mode
    steps: list[Line] = field(default_factory=list)
    _lasting: dict[int, tuple[Reasoning, list[Machine]]] = field(default_factory=dict)

    def reasoning_of(self, plan: StepPlan, machine: Machine) -> Reasoning:
        """Return the reasoning for the next step of ``plan``: the one of its last step, if that is over."""
        known = self._lasting.get(id(plan))
        if known is None or known[0].plan is not plan or any(one.report is None for one in known[1]):
            known = Reasoning(plan, recompute=self.mode == "recomputed"), []
            self._lasting[id(plan)] = known
        known[1][:] = [machine]
        return known[0]

    def note(self, machine: Machine) -> None:
        """Write down what a step that is over came to."""
        assert machine.report is not None
        line = line_of(len(self.steps) + 1, machine.report)
        self.steps.append(line | {"memory": digest(machine.memory)})

    def reasons(self) -> set[str]:
        """Return why memories are not kept, when the run is over."""
        reasons = {reasoning.begin().reason for reasoning, _ in self._lasting.values()}
        return {reason for reason in reasons if reason is not None}

    @property
    def trace(self) -> list[Line]:
        """Return the steps in the form in which two runs that did the same are the same."""
        return normalise(self.steps)


@contextmanager
def played(mode: Mode) -> Iterator[Played]:
    """Let every machine that is made meanwhile be one of ``mode``, and write down what its step comes to."""
    found = Played(mode)
    make = Machine.__init__

    def made(machine: Machine, plan: StepPlan, instant: str, fresh_id: str, *told: Watch | None) -> None:
        on_phase = told[0] if told else None
        mine = found.reasoning_of(plan, machine)

        def entered(phase: Phase) -> None:
            if on_phase is not None:
                on_phase(phase)
            if phase == "over":
                found.note(machine)

        machine.report = None
        make(machine, plan, instant, fresh_id, entered, mine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machine, "__init__", made)
        yield found
