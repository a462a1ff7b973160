"""Scenarios: what the environment does at which step, and what has to happen.

A scenario is data. ``check`` compares what happened with what was expected and tells the difference in words.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal as OneOf
from typing import TypeAlias

from msgspec import Struct, field

from agent.rdf.terms import Literal
from agent.sim.devices import Devices

Kind: TypeAlias = OneOf["is set up", "opens", "closes", "achieved", "invalidated", "is sent"]


class Change(Struct, frozen=True):
    """Before ``step``, the environment puts ``device`` into ``state``; ``story`` is what people see."""

    step: int
    device: str
    state: Literal
    story: str


class Effect(Struct, frozen=True):
    """Something that a step did: ``element`` is the local name of a stage or milestone, or a device and its state."""

    step: int
    kind: Kind
    element: str

    def __str__(self) -> str:
        """Return the effect as a line of a comparison."""
        return f"step {self.step:2}  {self.element} {self.kind}"


class Scenario(Struct, frozen=True):
    """One story. ``model`` is the bundled file, ``root`` the local name of its outermost stage.

    ``programs`` are bundled files with rules that are given to the agent beside the workflow; ``documents`` are
    bundled files that the world serves, by path.

    The story is over after ``steps`` steps; ``expected`` is everything that has to happen in them, and nothing else
    may happen.
    """

    name: str
    title: str
    model: str
    root: str
    place: Callable[[], Devices]
    script: tuple[Change, ...]
    expected: tuple[Effect, ...]
    steps: int
    programs: tuple[str, ...] = ()
    documents: Mapping[str, str] = field(default_factory=dict)

    def changes(self, step: int) -> list[Change]:
        """Return what the environment does before ``step``."""
        return [change for change in self.script if change.step == step]


def check(expected: Sequence[Effect], happened: Sequence[Effect]) -> list[str]:
    """Return the differences, in the order of the steps, as lines; none if all is as expected."""
    wanted, came = Counter(expected), Counter(happened)
    missing = [(effect.step, f"expected, did not come:  {effect}") for effect in (wanted - came).elements()]
    surplus = [(effect.step, f"came, was not expected:  {effect}") for effect in (came - wanted).elements()]
    return [line for _, line in sorted(missing + surplus)]
