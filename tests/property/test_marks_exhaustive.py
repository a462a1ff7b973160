"""Whatever people ask of an instance, and whenever: the lifecycle's invariants hold, and what is asked for happens.

A mark that arrives between two writes of a step changes its document, so that a later write of the step to this very
document is refused; for all others it is as if it came after the step. So it is enough to look at every snapshot
that keeps the invariants, with every mark, in steps whose writes succeed or of which one gets lost: if each of them
ends in such a snapshot again, no order of events leads out.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product

import pytest

from tests.support.depth import depth
from tests.support.gsm import (
    DOCUMENTS,
    MILESTONES,
    STAGE_OF,
    STAGES,
    Case,
    Change,
    Mark,
    Result,
    Snapshot,
    relevant,
    run_cases,
    unchanged,
    violations,
)

BATCH = 60
PAUSED, PARKED, CANCELLED = ("isPaused", "R"), ("isParked", "R"), ("isCancelled", "R")
MARKS: tuple[Mark, ...] = (
    PAUSED,
    PARKED,
    CANCELLED,
    *(("isRetried", stage) for stage in STAGES[1:]),
    *(("isDone", milestone) for milestone in MILESTONES),
)
OPEN: Snapshot = (1, 1, 1, 1, 0, 0, 0, 0, 0)


def sound_snapshots() -> Iterator[Snapshot]:
    """Yield the 55 snapshots in which no invariant is broken."""
    for opened in range(len(STAGES) + 1):
        states = tuple(int(position < opened) for position in range(len(STAGES)))
        possible = [(0,) if states[STAGES.index(STAGE_OF[name])] else (0, 1) for name in MILESTONES]
        yield from ((*states, *values) for values in product(*possible))


def valuations(snapshot: Snapshot) -> Iterator[frozenset[str]]:
    """Yield no sentry, each alone, and all of them."""
    names = relevant(snapshot)
    yield frozenset()
    yield from (frozenset({name}) for name in names)
    yield frozenset(names)


def every_case() -> list[Case]:
    """Return every sound snapshot with every mark, and with two of them, under some valuations."""
    marked = [frozenset(some) for size in (1, 2) for some in combinations(MARKS, size)]
    return [
        Case(snapshot, true, marks=marks)
        for snapshot in sound_snapshots()
        for marks in marked
        for true in valuations(snapshot)
    ]


def run_all(cases: Iterable[Case], change: Change = unchanged) -> Iterator[tuple[Case, Result]]:
    todo = list(cases)
    for start in range(0, len(todo), BATCH):
        batch = todo[start : start + BATCH]
        yield from zip(batch, run_cases(batch, change), strict=True)


def with_a_loss(ran: Sequence[tuple[Case, Result]], chance: random.Random) -> Iterator[Case]:
    """Yield each case that wrote once more, with one of its writes lost."""
    for case, result in ran:
        if result.sent:
            yield Case(case.snapshot, case.true, frozenset({chance.choice(result.sent)}), marks=case.marks)


def faults(count: int, change: Change = unchanged) -> list[str]:
    """Return what is wrong with a sample of ``count`` steps, and with those that write when a write gets lost."""
    chance = random.Random(11)
    ran = list(run_all(chance.sample(every_case(), count), change))
    ran += run_all(list(with_a_loss(ran, chance)), change)
    return [fault for case, result in ran for fault in _Step(case, result).faults()]


class _Step:
    """One case and what became of it."""

    def __init__(self, case: Case, result: Result) -> None:
        self.case = case
        self.result = result
        self.now = dict(zip(DOCUMENTS, case.snapshot, strict=True))
        self.then = dict(zip(DOCUMENTS, result.snapshot, strict=True))
        self.is_cancelled = CANCELLED in case.marks
        self.is_held = not self.is_cancelled and not case.marks.isdisjoint({PAUSED, PARKED})

    def faults(self) -> Iterator[str]:
        found = [*self._always()]
        if not self.case.lost:
            found += self._without_loss()
        yield from (f"{fault}: {self.case} became {self.result}" for fault in found)

    def _always(self) -> Iterator[str]:
        yield from (f"{invariant} broken" for invariant in violations(self.result.snapshot))
        if self.is_held and (self.result.sent or self.result.tasks):
            yield "acted while held"
        if not self.result.tasks <= self.result.activated:
            yield "a task without an activation of its own"
        opened = {stage for stage in STAGES if self.then[stage] > self.now[stage]}
        if any(self._stage_of(document) in opened for _, document in self.result.marks):
            yield "a stage opened with a mark that was meant for an earlier activation"
        achieved = {name for name in MILESTONES if self.then[name] and not self.now[name]}
        if self.is_cancelled and (opened or achieved or self.result.tasks):
            yield "went on although cancelled"

    def _without_loss(self) -> Iterator[str]:
        if self.result.tasks != self.result.activated:
            yield "an activation without its task"
        if self.is_cancelled and any(self.then[stage] for stage in STAGES):
            yield "open although cancelled"
        if self.is_held or self.is_cancelled:
            return
        for mark, document in self.case.marks:
            stage = self._stage_of(document)
            if (
                mark == "isRetried"
                and self.now[stage]
                and self.then[stage]
                and stage not in self.result.tasks
            ):
                yield f"{stage} not retried"
            kept = (mark, document) in self.result.marks
            if mark == "isDone" and self.now[stage] and (self.then[stage] or not self.then[document] or kept):
                yield f"{document} not done"

    def _stage_of(self, document: str) -> str:
        return STAGE_OF.get(document, document)


def test_no_mark_in_whatever_step_breaks_the_lifecycle_and_each_is_carried_out() -> None:
    assert faults(depth(480, 12_000))[:3] == []


@cache
def tasks_of_a_retry(stage: str, change: Change = unchanged) -> dict[str, int]:
    """Return how often the task of ``stage`` goes out when people ask for it once: by the write that is lost first."""
    counts = {}
    for lost in ("", stage):
        case = Case(OPEN, lost=frozenset({lost} - {""}), marks=frozenset({("isRetried", stage)}))
        count = 0
        for _ in range(5):
            [result] = run_cases([case], change)
            count += stage in result.tasks
            case = Case(result.snapshot, marks=result.marks)
        counts[lost] = count
    return counts


@pytest.mark.parametrize("stage", STAGES[1:])
def test_a_retried_stage_sends_its_task_exactly_once_more(stage: str) -> None:
    assert tasks_of_a_retry(stage) == {"": 1, stage: 1}


def test_a_mark_that_came_too_late_for_its_stage_is_taken_away() -> None:
    closed: Snapshot = (1, 1, 0, 0, 0, 0, 0, 0, 0)
    for mark in (("isRetried", "C"), ("isDone", "mC")):
        [result] = run_cases([Case(closed, marks=frozenset({mark}))])
        assert (result.snapshot, result.marks, result.tasks) == (closed, frozenset(), frozenset())


def opened_while_its_late_mark_stays(change: Change = unchanged) -> bool:
    """Tell whether a stage opens in a step in which the write that takes a late mark from it gets lost."""
    closed: Snapshot = (1, 1, 0, 0, 0, 0, 0, 0, 0)
    case = Case(closed, frozenset({"gC"}), lost=frozenset({"mC"}), marks=frozenset({("isDone", "mC")}))
    [result] = run_cases([case], change)
    return result.snapshot != closed


def test_a_stage_does_not_open_while_a_late_mark_stays() -> None:
    assert not opened_while_its_late_mark_stays()


def repaired_while_paused(change: Change = unchanged) -> bool:
    """Tell whether an instance that is damaged and paused is written to."""
    orphaned = Case((0, 1, 0, 0, 1, 0, 0, 0, 0), marks=frozenset({PAUSED}))
    left_open = Case((1, 1, 0, 0, 0, 1, 0, 0, 0), marks=frozenset({PARKED}))
    reset_lost = Case((1, 1, 0, 0, 0, 2, 0, 0, 0), marks=frozenset({PAUSED}))
    return any(result.sent for result in run_cases([orphaned, left_open, reset_lost], change))


def test_nothing_is_repaired_while_an_instance_is_paused_or_parked() -> None:
    assert not repaired_while_paused()


def test_an_instance_that_ended_keeps_none_but_the_marks_of_its_root() -> None:
    ended: Snapshot = (0, 0, 0, 0, 1, 0, 0, 0, 0)
    marks = frozenset({CANCELLED, ("isRetried", "P"), ("isDone", "mG")})
    [result] = run_cases([Case(ended, marks=marks)])
    assert (result.snapshot, result.marks) == (ended, frozenset({CANCELLED}))


# ---- rules that lack something: they are found ----------------------------------------------------------------------


def edited(old: str, new: str, file: str = "gsm/marks") -> Change:
    """Return a change that replaces ``old``, which has to be there, in one file of rules."""

    def change(name: str, text: str) -> str:
        if name != file:
            return text
        assert old in text, f"{file} no longer says {old}"
        return text.replace(old, new)

    return change


OPENING_WHILE_HELD = edited(
    " ?instance ag:proceeds true }", " ?instance ag:isRunning true }", "gsm/lifecycle"
)
REPAIRING_WHILE_HELD = edited("ag:isKnown true ; ag:mayAct true", "ag:isKnown true", "gsm/repair")
ROOT_ALONE_CANCELLED = edited("=> { ?instance ag:isLeftOpen true } .", "=> { ?instance ag:isIdle true } .")
MARK_LEFT_ON_RETRY = edited(" ; ag:isRetried false }", " }")
OPENING_BESIDE_A_LATE_MARK = edited("{ ?element ag:mayActivate true ;", "{ ?element ag:isIdle true ;")
ACHIEVED_BESIDE_THE_MARK = edited(
    "gsm:isAchieved true ; ag:activation ?number ; ag:isDone false", "ag:isDone false"
)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (OPENING_WHILE_HELD, "acted while held"),
        (ROOT_ALONE_CANCELLED, "open although cancelled"),
        (ACHIEVED_BESIDE_THE_MARK, "not done"),
    ],
)
def test_rules_that_carry_out_marks_wrongly_are_found(change: Change, found: str) -> None:
    assert [fault for fault in faults(150, change) if found in fault]


def test_a_retry_that_leaves_its_mark_is_found() -> None:
    assert tasks_of_a_retry("C", MARK_LEFT_ON_RETRY)[""] > 1


def test_rules_that_repair_or_open_too_early_are_found() -> None:
    assert repaired_while_paused(REPAIRING_WHILE_HELD)
    assert opened_while_its_late_mark_stays(OPENING_BESIDE_A_LATE_MARK)
