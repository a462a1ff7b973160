"""The process that is measured: ``python -m agent.bench.memory.holder DATA RULES SEED`` prints a record as JSON.

Unlike other programs that are measured this one looks at itself, since nobody outside can tell reading from
indexing, or time a change that takes less than a millisecond.
"""

import gc
import json
import resource
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time
from typing import Any, TypeVar

from msgspec.structs import asdict, replace

from agent.bench.memory.records import CHANGED, ROUNDS, STEPS, Held
from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.rdf.documents import Document, parse_document
from agent.rdf.statements import Row
from agent.rdf.terms import IRI, Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.incremental.run_reasoner import RunReasoner

Made = TypeVar("Made")
_DOCUMENT = "http://example.org/bench"
_INSTANT = "2026-01-01T00:00:00.000Z"
_AMPLE = Budget(facts=20_000_000, terms=20_000_000, bindings=10**9)


def main(data: str, rules: str, seed: str) -> None:
    """Print what loading the file ``data``, and changing what is loaded, costs, first without the file ``rules``."""
    chance = Random(seed)  # noqa: S311  seeded chance is not cryptography
    told = _plain(Path(data), chance)
    gc.unfreeze()
    told |= _with_rules(Path(data), Path(rules), chance)
    sys.stdout.write(json.dumps(asdict(Held(**told))) + "\n")


def _plain(path: Path, chance: Random) -> dict[str, Any]:
    gc.disable()
    before = _resident_bytes()
    facts = Facts()
    read_s, index_s, picked = _load(facts, path, chance)
    resident = _resident_bytes() - before
    gc.enable()
    collection_s, _ = _timed(gc.collect)
    gc.freeze()
    frozen_s, _ = _timed(gc.collect)
    insert_s, delete_s = _changes(facts, picked)
    return {
        "triples": len(facts),
        "terms": len(facts.table.terms),
        "read_s": read_s,
        "index_s": index_s,
        "resident_bytes": resident,
        "insert_s": insert_s,
        "delete_s": delete_s,
        "collection_s": collection_s,
        "frozen_collection_s": frozen_s,
    }


def _with_rules(path: Path, rules: Path, chance: Random) -> dict[str, Any]:
    """Reason about all that the file says as a run does, then let a document say more, and no more, in turns."""
    data = _read(path).triples
    program = read_program(rules.read_text(encoding="utf-8"), source=rules.name, base=_DOCUMENT)
    reasoner = RunReasoner(replace(program, facts=(*program.facts, *data)), budget=_AMPLE)
    gc.disable()
    closure_s, _ = _timed(partial(_step, reasoner, ()))
    gc.enable()
    gc.freeze()
    known = len(reasoner.facts)
    inserts, deletes = [], []
    for number in range(STEPS):
        like = [data[chance.randrange(len(data))] for _ in range(CHANGED)]
        news = [
            Triple(IRI(f"{_DOCUMENT}#new{number}-{at // 4}"), each.predicate, each.object)
            for at, each in enumerate(like)
        ]
        inserts.append(_timed(partial(_step, reasoner, news))[0])
        deletes.append(_timed(partial(_step, reasoner, ()))[0])
    return {
        "known": known,
        "closure_s": closure_s,
        "step_insert_s": median(inserts),
        "step_delete_s": median(deletes),
    }


def _step(reasoner: RunReasoner, said: Sequence[Triple]) -> None:
    """Do the reasoning of a step in which every document says ``said``."""
    reasoner.begin((), Context(_INSTANT))
    answered: set[str] = set()
    while asked := reasoner.wanted().keys() - answered:
        answered |= asked
        reasoner.answer(dict.fromkeys(asked, said))
    reasoner.finish()


def _load(facts: Facts, path: Path, chance: Random) -> tuple[float, float, list[list[Row]]]:
    """Fill ``facts`` and return how long reading and indexing took, with the triples that are to be changed."""
    read_s, document = _timed(lambda: _read(path))
    index_s, rows = _timed(lambda: _index(facts, document))
    return read_s, index_s, _picked(rows, chance)


def _picked(rows: Sequence[Row], chance: Random) -> list[list[Row]]:
    """Return some of ``rows`` for each round; all of them are not held at once."""
    few = min(CHANGED, len(rows))
    picked = [chance.sample(range(len(rows)), few) for _ in range(ROUNDS)]
    wanted = set(chain.from_iterable(picked))
    found = {at: row for at, row in enumerate(rows) if at in wanted}
    return [[found[at] for at in places] for places in picked]


def _read(path: Path) -> Document:
    return parse_document(path.read_bytes(), "application/n-triples", _DOCUMENT, strict=True)


def _index(facts: Facts, document: Document) -> Sequence[Row]:
    rows = facts.table.intern_all(document.statements)
    facts.insert_new(rows)
    return rows


def _changes(facts: Facts, picked: list[list[Row]]) -> tuple[float, float]:
    """Return the medians of the times that putting the ``picked`` triples in, and taking them out, takes."""
    inserts, deletes = [], []
    for rows in picked:
        deletes.append(_timed(partial(_each, facts.remove, rows))[0])
        inserts.append(_timed(partial(_each, facts.insert, rows))[0])
    return median(inserts), median(deletes)


def _each(change: Callable[[int, int, int], bool], rows: list[Row]) -> None:
    for row in rows:
        if not change(*row):
            raise ValueError(f"the memory does not change by {row}")


def _timed(work: Callable[[], Made]) -> tuple[float, Made]:
    # The clock of the process counts in ticks of milliseconds as soon as its time is limited; that of a thread does not.
    start = thread_time()
    made = work()
    return thread_time() - start, made


def _resident_bytes() -> int:
    """Return how much memory the process has now; where the system does not tell, the most that it ever had."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return used if sys.platform == "darwin" else used * 1024
    return int(pages) * resource.getpagesize()


if __name__ == "__main__":
    main(*sys.argv[1:])
