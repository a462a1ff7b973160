"""The curve over n: how it stands beside the paper, and what is told where no plot can be drawn."""

import io
import sys

import pytest

from agent.bench.measure import Measurement
from agent.bench.workflow.curve import check_plotting, lines, write_csv
from agent.bench.workflow.engines import Runner
from agent.bench.workflow.ledger import ACTIVITIES
from agent.bench.workflow.records import StepRecord
from agent.bench.workflow.runs import Run
from agent.bench.workflow.workload import Workload
from agent.errors import UsageError


def _run(n: int, wall_s: float, cpu_s: float) -> Run:
    split = {**dict.fromkeys(ACTIVITIES, 0.0), "reason": cpu_s}
    step = StepRecord(1, "work", 21, 18, 500, wall_s, split, {"it": n})
    taken = Measurement(cpu_s, 1, over_limit=False, failure="")
    return Run(Runner("milepost", "milepost", lambda *_: []), Workload(n), taken, 0.0, n, (step,))


RUNS = [_run(1, 2.0, 0.5), _run(9, 5.0, 1.5), _run(30, 20.0, 8.0)]


def test_each_n_stands_beside_n_1_and_what_the_paper_says() -> None:
    head, *rows = lines(RUNS)

    assert head.endswith("paper, times n = 1")
    assert [row.split() for row in rows] == [
        ["1", "2.00", "1.0", "0.50", "1.0", "1.0"],
        ["9", "5.00", "2.5", "1.50", "3.0", "2.0"],
        ["30", "20.00", "10.0", "8.00", "16.0"],
    ]


def test_the_file_has_the_same_numbers() -> None:
    stream = io.StringIO()
    write_csv(RUNS[:2], stream)

    assert stream.getvalue() == (
        "n,wall_s,times_n1,cpu_s,cpu_times_n1,paper_times_n1\n1,2.00,1.0,0.50,1.0,1.0\n9,5.00,2.5,1.50,3.0,2.0\n"
    )


def test_a_plot_without_its_library_is_told_before_anything_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(UsageError) as told:
        check_plotting()

    assert told.value.code == "USE013"
    assert "milepost[experiments]" in (told.value.hint or "")
