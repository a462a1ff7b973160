"""A run of W(n) is judged: by what it should do, by what others did, and how far it got."""

from msgspec.structs import replace

from agent.bench.measure import Measurement
from agent.bench.workflow.engines import Runner
from agent.bench.workflow.ledger import ACTIVITIES
from agent.bench.workflow.records import StepRecord
from agent.bench.workflow.runs import Run, absent, disagreements, middle
from agent.bench.workflow.table import COLUMNS, HEAD, ratios, row
from agent.bench.workflow.workload import WRITES, Workload

MILEPOST = Runner("milepost", "milepost", lambda *_: [])
NAIVE = Runner("naive", "naive rdflib", lambda *_: [])


def _run(runs: int, step_s: float = 0.5, runner: Runner = MILEPOST, *, length: int = len(WRITES)) -> Run:
    cpu_s = {**dict.fromkeys(ACTIVITIES, 0.0), "reason": step_s}
    steps = [
        StepRecord(
            number, "work", 3 + 18 * runs, runs * writes, 700, 2 * step_s, cpu_s, {f"digest {number}": runs}
        )
        for number, writes in enumerate(WRITES[:length], 1)
    ]
    whole = length == len(WRITES)
    steps += [
        StepRecord(17, "idle", 3 + 18 * runs, 0, 600, step_s, {**cpu_s, "read": 0.25}) for _ in range(whole)
    ]
    taken = Measurement(9.0 if whole else 301.0, 80_000_000, over_limit=not whole, failure="")
    return Run(runner, Workload(runs), taken, 1.0, runs if whole else 0, tuple(steps))


def test_a_run_that_does_what_it_should_has_no_faults() -> None:
    run = _run(9)

    assert list(run.faults()) == []
    assert (run.work_s, run.wall_s, run.reasoning_ms, run.step_ms("idle")) == (8.0, 16.0, 500.0, 750.0)
    assert run.step_ms("change") is None


def test_faults_are_told_one_by_one() -> None:
    run = _run(2)
    first = replace(run.steps[0], requests=35, actions={"one": 1, "other": 1})
    wrong = replace(run, steps=(first, *run.steps[1:15]), ended=1)

    assert list(wrong.faults()) == [
        "step 1 made 35 requests, not 36",
        "in step 1 not all instances did the same",
        "it took 15 steps, not 16",
        "1 of 2 instances ended",
    ]


def test_a_run_that_was_stopped_is_judged_by_what_it_did_until_then() -> None:
    stopped = _run(9, 30.0, NAIVE, length=7)

    assert list(stopped.faults()) == []
    assert stopped.work_s == 300.0
    assert row(stopped).endswith("stopped in step 8 of 16: over the limit of processor time")
    assert list(ratios([_run(9), stopped])) == [
        "n = 9: naive rdflib takes more than 37.5 times the processor time of milepost"
    ]


def test_growth_is_told_for_the_numbers_that_matter() -> None:
    assert list(ratios([_run(1, 0.25), _run(9, 0.5), _run(10, 0.5), _run(100, 6.0)])) == [
        "milepost, n = 9 to n = 1: 2.0 times the processor time, 2.0 times the reasoning in a step",
        "milepost, n = 100 to n = 10: 12.0 times the processor time, 12.0 times the reasoning in a step",
    ]


def test_two_that_act_differently_disagree_at_the_first_step_where_they_do() -> None:
    other = _run(9, runner=NAIVE)
    steps = [replace(step, actions={"another digest": 9}) for step in other.steps[4:16]]
    other = replace(other, steps=(*other.steps[:4], *steps))

    assert list(disagreements([_run(1), _run(9), other])) == [
        "naive at n = 9 and milepost at n = 1 differ in step 5"
    ]


def test_a_baseline_that_is_not_there_is_told_in_its_line() -> None:
    runner = replace(NAIVE, missing="the baselines are among the tests of a checkout: run it there")
    run = absent(runner, Workload(9))

    assert row(run).split(maxsplit=3)[3] == f"skipped: {runner.missing}"
    assert list(run.faults()) == []
    assert list(ratios([_run(9), run])) == []


def test_the_median_run_counts_unless_the_last_one_was_stopped() -> None:
    runs = [_run(1, 3.0), _run(1, 1.0), _run(1, 2.0)]
    stopped = _run(1, 2.0, length=3)

    assert middle(runs) is runs[2]
    assert middle([*runs, stopped]) is stopped


def test_the_rows_stand_below_the_heads_of_their_columns() -> None:
    line = row(_run(9))

    assert len(line) == len(HEAD)
    assert len(set(COLUMNS)) == len(COLUMNS)
