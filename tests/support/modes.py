"""Two ways to run the same: with a memory that is kept from step to step, and with every step begun from nothing.

    with played("kept") as kept:
        ...  # whatever drives machines: a fake world, a loop, a scenario over real sockets
    kept.steps

Whoever makes a machine in between gets one of that mode, and what its step came to is written down: the line of the
trace with bodies, what is reported beyond it, and the memory.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, TypeAlias

import pytest

from agent.rdf.serialise import term_text
from agent.runtime.machine import Machine, Phase
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import StepReport
from agent.runtime.trace import normalise, trace_line

Mode: TypeAlias = Literal["kept", "recomputed"]
MODES: tuple[Mode, ...] = ("kept", "recomputed")
Line: TypeAlias = dict[str, Any]
Watch: TypeAlias = Callable[[Phase], None]

_MINTED = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
)


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
        self.steps.append(_line(len(self.steps) + 1, machine.report, machine))

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


def _line(number: int, report: StepReport, machine: Machine) -> Line:
    """Return what a step came to: the line of its trace and more."""
    line = trace_line(number, report, {}, bodies=True)
    for request in line["requests"]:
        # Under this key validators are numbered.
        request["headers"] = [
            {"etag": value} if name == "If-Match" else [name, value] for name, value in request["headers"]
        ]
    line |= {
        "sentries": sorted(map(repr, report.sentries)),
        "instances": sorted(map(repr, report.instances)),
        # A text that is no number is told in each step, or when it is met for the first time.
        "findings": sorted(str(one) for one in report.findings if one.code != "N3035"),
        "pending": list(report.pending),
        "counts": [report.left_out, report.not_admitted],
        "end": [report.quiet, report.quiet_reason, report.interrupted],
        "memory": _digest(machine),
    }
    return line


def _digest(machine: Machine) -> str:
    """Return a hash of what is known in the end, what is minted left out."""
    lines = [" ".join(map(term_text, triple)) for triple in machine.memory]
    text = "\n".join(sorted(_MINTED.sub("*", line) for line in lines))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
