"""The memory benchmark: what the measured process tells, and what people read."""

from collections.abc import Sized
from pathlib import Path

from msgspec.structs import replace

from agent.bench.measure import Measurement
from agent.bench.memory.records import Held
from agent.bench.memory.runs import Run, run_once, typical, write_files
from agent.bench.memory.table import table
from agent.n3.load import read_program
from agent.rdf.documents import parse_document
from agent.runtime.derive import derive

HELD = Held(2000, 800, 2.0, 1.5, 600_000, 0.0003, 0.0101, 0.042, 0.00001, 7000, 12.5, 0.002, 0.0301)


def closure(data: Path) -> Sized:
    """Return what follows from the files of ``data``, without any retrieval, by the engine that computes anew."""
    program = read_program(
        data.with_suffix(".n3").read_text(encoding="utf-8"), source="rules", base="http://t.example/"
    )
    said = parse_document(data.read_bytes(), "application/n-triples", "http://t.example/", strict=True)
    return derive(program, said.statements, instant="2026-01-01T00:00:00Z").triples


def test_a_run_loads_every_triple_once_and_leaves_it_there(tmp_path: Path) -> None:
    data = write_files(tmp_path, "small", 1)
    lines = data.read_text(encoding="utf-8").splitlines()
    with data.open("a", encoding="utf-8") as stream:
        stream.write(lines[0] + "\n")
    run = run_once(data, 1, 60)
    assert (run.taken.failure, run.taken.over_limit) == ("", False)
    assert run.held is not None
    assert run.held.triples == len(set(lines))
    parts = {part for line in lines for part in line.removesuffix(" .").split(" ", 2)}
    assert run.held.terms == len(parts)
    assert run.held.known == len(closure(data))
    costs = (run.held.read_s, run.held.index_s, run.held.insert_s, run.held.delete_s, run.held.closure_s)
    assert min(*costs, run.held.step_insert_s, run.held.step_delete_s) > 0


def test_a_run_that_cannot_read_its_data_says_why(tmp_path: Path) -> None:
    data = write_files(tmp_path, "small", 1)
    data.write_text("<http://t.example/a> <http://t.example/p> no term .\n", encoding="utf-8")
    run = run_once(data, 1, 60)
    assert run.held is None
    assert "N-Triples" in run.failure


def test_a_run_over_its_limit_says_so_whatever_its_last_words_were() -> None:
    stopped = Measurement(60.0, 1, over_limit=True, failure="exit code -24: it gave no reason")
    assert Run(stopped, None).failure == "over the limit of processor time"


def test_the_same_seed_writes_the_same_data_and_another_one_does_not(tmp_path: Path) -> None:
    one, same, other = (write_files(tmp_path, "small", seed).read_bytes() for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_medians_of_runs_are_told() -> None:
    others = (replace(HELD, read_s=9.0, resident_bytes=700_000), replace(HELD, read_s=1.0))
    assert typical((HELD, *others)) == HELD


def test_the_table_names_every_figure_with_its_unit() -> None:
    assert table(HELD, 45_000_000).splitlines() == [
        "memory: 2,000 triples of universities, 800 terms",
        "  load             3.50 s  reading 2.00, indexing 1.50",
        "  memory        300 bytes  a triple; peak 45 MB",
        "  insert 100      0.30 ms  median",
        "  delete 100     10.10 ms  median",
        "  collection      42.0 ms  0.0 once the memory is frozen",
        "  closure         12.50 s  7,000 triples by the rules of rdfs",
        "  step +100       2.00 ms  median, with all that follows",
        "  step -100      30.10 ms  median",
    ]
