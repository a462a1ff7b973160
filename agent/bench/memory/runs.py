"""Runs of the memory benchmark: the file that is loaded, and the process that loads it."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median

from msgspec import Struct
from msgspec.structs import fields

from agent.bench.measure import Measurement, measure
from agent.bench.memory.records import Held
from agent.bench.workloads import HERE, universities, workloads

SIZES = {"full": 57, "medium": 6, "small": 0}
"""How many universities the data tell about: 57 make a million triples, 0 are one department."""

_CHECKOUT = Path(__file__).resolve().parents[3]
_START = (
    f"import sys; sys.path.insert(0, {str(_CHECKOUT)!r}); "
    "from agent.bench.memory.holder import main; main(*sys.argv[1:])"
)
_RETRIEVAL = f"""
@prefix http: <http://www.w3.org/2011/http#> .
@prefix methods: <http://www.w3.org/2011/http-methods#> .
<{HERE}news> <{HERE}isOf> <{HERE}interest> .
{{ ?news <{HERE}isOf> <{HERE}interest> }} => {{ [] http:mthd methods:GET ; http:requestURI ?news }} .
"""


class Run(Struct, frozen=True):
    """What a run told, or why it told nothing; ``taken`` is what the whole process cost."""

    taken: Measurement
    held: Held | None

    @property
    def failure(self) -> str:
        """Return why it told nothing, or the empty text."""
        return "over the limit of processor time" if self.taken.over_limit else self.taken.failure


def write_files(folder: Path, size: str, seed: int) -> Path:
    """Write the triples of ``size`` as N-Triples, and rules, into ``folder``; return the file of the triples."""
    data = folder / "memory.nt"
    with data.open("w", encoding="utf-8") as stream:
        facts = universities(SIZES[size], Random(seed))  # noqa: S311  seeded chance is not cryptography
        stream.writelines(f"{' '.join(fact)} .\n" for fact in facts)
    [rdfs] = [each for each in workloads("small") if each.name == "rdfs"]
    data.with_suffix(".n3").write_text(rdfs.program() + _RETRIEVAL, encoding="utf-8")
    return data


def run_once(data: Path, seed: int, limit_s: int) -> Run:
    """Load the file ``data`` in a process of its own, which may take ``limit_s`` seconds of processor time."""
    output = data.with_suffix(".out")
    command = [sys.executable, "-P", "-c", _START, str(data), str(data.with_suffix(".n3")), str(seed)]
    taken = measure(command, folder=data.parent, output=output, limit_s=limit_s)
    run = Run(taken, None)
    return run if run.failure else Run(taken, Held(**json.loads(output.read_text(encoding="utf-8"))))


def typical(every: Sequence[Held]) -> Held:
    """Return the medians of what several runs on the same data told."""
    counts = ("triples", "terms", "resident_bytes", "known")
    values = {each.name: median(getattr(held, each.name) for held in every) for each in fields(Held)}
    return Held(**{name: int(value) if name in counts else value for name, value in values.items()})
