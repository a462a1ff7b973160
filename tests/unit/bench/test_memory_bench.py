"""The memory benchmark: what the measured process tells, and what people read."""

from dataclasses import replace
from pathlib import Path

from agent.bench.measure import Measurement
from agent.bench.memory.records import Held
from agent.bench.memory.runs import Run, run_once, typical, write_data
from agent.bench.memory.table import table

HELD = Held(2000, 800, 2.0, 1.5, 600_000, 0.0003, 0.0101, 0.042, 0.00001)


def test_a_run_loads_every_triple_once_and_leaves_it_there(tmp_path: Path) -> None:
    data = tmp_path / "memory.nt"
    write_data(data, "small", 1)
    lines = data.read_text(encoding="utf-8").splitlines()
    with data.open("a", encoding="utf-8") as stream:
        stream.write(lines[0] + "\n")
    run = run_once(data, 1, 60)
    assert (run.taken.failure, run.taken.over_limit) == ("", False)
    assert run.held is not None
    assert run.held.triples == len(set(lines))
    parts = {part for line in lines for part in line.removesuffix(" .").split(" ", 2)}
    assert run.held.terms == len(parts)
    assert min(run.held.read_s, run.held.index_s, run.held.insert_s, run.held.delete_s) > 0


def test_a_run_that_cannot_read_its_data_says_why(tmp_path: Path) -> None:
    data = tmp_path / "memory.nt"
    data.write_text("<http://t.example/a> <http://t.example/p> no term .\n", encoding="utf-8")
    run = run_once(data, 1, 60)
    assert run.held is None
    assert "N-Triples" in run.failure


def test_a_run_over_its_limit_says_so_whatever_its_last_words_were() -> None:
    stopped = Measurement(60.0, 1, over_limit=True, failure="exit code -24: it gave no reason")
    assert Run(stopped, None).failure == "over the limit of processor time"


def test_the_same_seed_writes_the_same_data_and_another_one_does_not(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_data(tmp_path / name, "small", seed)
    one, same, other = ((tmp_path / name).read_bytes() for name in "abc")
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
    ]
