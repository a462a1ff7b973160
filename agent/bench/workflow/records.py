"""What an agent tells about each step of W(n): a line of JSON, the same from every engine."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import IO, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import asdict

from agent.bench.workflow.ledger import ACTIVITIES

Kind: TypeAlias = Literal["work", "idle", "change"]

_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_RUN = re.compile(r"/status/run-\d+")
_ELEMENT = re.compile(r"(?<=\.)[0-9a-f]{16}\b")


class StepRecord(Struct, frozen=True):
    """One step: how many documents were read and requests sent, how many facts there were, seconds by activity.

    ``kind`` is "idle" when nothing happened at all, "change" when somebody else changed one document before it.
    ``wall_s`` is how long it took by the clock.
    ``actions`` are digests of what was sent for an instance, each with the number of instances: one if all did the same.
    """

    step: int
    kind: Kind
    gets: int
    requests: int
    facts: int
    wall_s: float
    cpu_s: Mapping[str, float]
    actions: Mapping[str, int] = field(default_factory=dict)

    @property
    def total_s(self) -> float:
        """The processor time of the step."""
        return sum(self.cpu_s.values())


class Action(Struct, frozen=True):
    """A request that was sent for the workflow instance ``instance``."""

    instance: str
    method: str
    uri: str
    body: bytes


def digests(actions: Iterable[Action], base: str) -> dict[str, int]:
    """Return what was done for each instance, made comparable and shortened, with the number of instances.

    ``base`` is the server's. Left out is what differs between two runs that do the same: the port, the numbers of
    runs, hashes and UUIDs in names, and the order of statements.
    """
    done: dict[str, list[str]] = {}
    for action in actions:
        lines = sorted(action.body.decode("utf-8", "replace").splitlines())
        text = "\n".join([f"{action.method} {action.uri}", *lines]).replace(base, "")
        for pattern, name in ((_RUN, "/status/run"), (_UUID, "uuid"), (_ELEMENT, "element")):
            text = pattern.sub(name, text)
        done.setdefault(action.instance, []).append(text)
    shortened = (sha256("\n\n".join(sorted(texts)).encode()).hexdigest()[:16] for texts in done.values())
    return dict(Counter(shortened))


def write_line(stream: IO[str], values: Mapping[str, object]) -> None:
    """Write a line and let it go at once: a process that is stopped has told all that it did."""
    stream.write(json.dumps(values) + "\n")
    stream.flush()


def write_step(stream: IO[str], record: StepRecord) -> None:
    """Write the line of a step."""
    write_line(stream, asdict(record))


def read_lines(text: str) -> tuple[dict[str, object], list[StepRecord]]:
    """Return what an agent said about its run, and its steps; an unfinished last line is left out."""
    about: dict[str, object] = {}
    steps = []
    for line in text.splitlines(keepends=True):
        if line.endswith("\n") and line.startswith("{"):
            values = json.loads(line)
            if "step" in values:
                steps.append(StepRecord(**values))
            else:
                about |= values
    return about, steps


def summed(steps: Iterable[StepRecord]) -> dict[str, float]:
    """Return the seconds of all ``steps`` by activity."""
    total: dict[str, float] = dict.fromkeys(ACTIVITIES, 0.0)
    for step in steps:
        for activity in ACTIVITIES:
            total[activity] += step.cpu_s.get(activity, 0.0)
    return total
