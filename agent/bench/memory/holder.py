"""The process that is measured: ``python -m agent.bench.memory.holder FILE SEED ROUNDS`` prints a record as JSON.

Unlike other programs that are measured this one looks at itself, since nobody outside can tell reading from
indexing, or time a change that takes less than a millisecond.
"""

import gc
import json
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time
from typing import TypeVar

from agent.bench.memory.records import CHANGED, Held
from agent.rdf.documents import Document, parse_document
from agent.rdf.statements import Row
from agent.reason.facts import Facts

Made = TypeVar("Made")
_DOCUMENT = "http://example.org/bench"


def main(name: str, seed: str, rounds: str) -> None:
    """Print what loading the file ``name``, and ``rounds`` changes, cost."""
    gc.disable()
    before = _resident_bytes()
    facts = Facts()
    read_s, index_s, picked = _load(facts, Path(name), Random(seed), int(rounds))  # noqa: S311  seeded chance is not cryptography
    resident = _resident_bytes() - before
    gc.enable()
    collection_s, _ = _timed(gc.collect)
    gc.freeze()
    frozen_s, _ = _timed(gc.collect)
    insert_s, delete_s = _changes(facts, picked)
    terms = len(facts.table.terms)
    held = Held(len(facts), terms, read_s, index_s, resident, insert_s, delete_s, collection_s, frozen_s)
    sys.stdout.write(json.dumps(asdict(held)) + "\n")


def _load(facts: Facts, path: Path, chance: Random, rounds: int) -> tuple[float, float, list[list[Row]]]:
    """Fill ``facts`` and return how long reading and indexing took, with the triples that are to be changed."""
    read_s, document = _timed(lambda: _read(path))
    index_s, rows = _timed(lambda: _index(facts, document))
    few = min(CHANGED, len(rows))
    # Copies: what is kept of the rows themselves would keep the memory of their neighbours from being given back.
    picked = [[(s, p, o) for s, p, o in chance.sample(rows, few)] for _ in range(rounds)]
    return read_s, index_s, picked


def _read(path: Path) -> Document:
    return parse_document(path.read_bytes(), "application/n-triples", _DOCUMENT, strict=True)


def _index(facts: Facts, document: Document) -> list[Row]:
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
