"""The lifecycle's invariants in every state that a small model can reach, by the real rules and the real machine.

GSM-1: no stage is active with a milestone of its own achieved. GSM-2: none is active below an inactive ancestor.

What a step does to an instance depends on its snapshot and its true sentries alone. So every pair of both is run
once, many pairs as instances of one step; the states that follow are explored until there are no new ones.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, combinations, product

import pytest

from tests.support.depth import DEEP, depth
from tests.support.gsm import (
    DOCUMENTS,
    MILESTONES,
    STAGE_OF,
    STAGES,
    START,
    Case,
    Change,
    Result,
    Snapshot,
    relevant,
    run_cases,
    unchanged,
    violations,
)

BATCH = 60
Valuations = Callable[[Snapshot], Iterable[frozenset[str]]]


def subsets(names: Iterable[str], largest: int) -> Iterator[frozenset[str]]:
    names = tuple(names)
    sizes = range(min(largest, len(names)) + 1)
    return map(frozenset, chain.from_iterable(combinations(names, size) for size in sizes))


def every_valuation(snapshot: Snapshot) -> Iterable[frozenset[str]]:
    return subsets(relevant(snapshot), len(DOCUMENTS))


def some_valuations(snapshot: Snapshot) -> Iterable[frozenset[str]]:
    """Return each sentry alone and each pair of achieving ones: enough to reach every state."""
    names = relevant(snapshot)
    achieving = [name for name in names if name.startswith("+")]
    return (*subsets(names, 1), *map(frozenset, combinations(achieving, 2)))


def run_all(cases: Iterable[Case], change: Change) -> Iterator[tuple[Case, Result]]:
    todo = list(cases)
    for start in range(0, len(todo), BATCH):
        batch = todo[start : start + BATCH]
        yield from zip(batch, run_cases(batch, change), strict=True)


def losses(case: Case, result: Result, most: int) -> Iterator[Case]:
    """Yield the case once for every set of its writes that may get lost."""
    for lost in subsets(dict.fromkeys(result.sent), most):
        if lost:
            yield Case(case.snapshot, case.true, lost)


def explore(
    valuations: Valuations,
    *,
    lost_writes: int = 0,
    change: Change = unchanged,
) -> set[Snapshot]:
    """Return all snapshots that follow from START, with at most ``lost_writes`` writes of a step lost."""
    seen = {START}
    front = [START]
    while front:
        cases = [Case(snapshot, true) for snapshot in front for true in valuations(snapshot)]
        results = list(run_all(cases, change))
        if lost_writes:
            results += run_all(
                chain.from_iterable(losses(case, result, lost_writes) for case, result in results), change
            )
        front = sorted({result.snapshot for _, result in results} - seen)
        seen.update(front)
    return seen


def broken(snapshot: Snapshot) -> bool:
    return bool(violations(snapshot))


def edited(file: str, old: str, new: str) -> Change:
    """Return a change that replaces ``old``, which has to be there, in one file of rules."""

    def change(name: str, text: str) -> str:
        if name != file:
            return text
        assert old in text, f"{file} no longer says {old}"
        return text.replace(old, new)

    return change


def without_precedence(name: str, text: str) -> str:
    """Leave ties between units to the names of the documents."""
    return re.sub(r"ag:precedence [0-9]+", "ag:precedence 0", text)


def without_annotations(name: str, text: str) -> str:
    """Make every request stand for itself: no units, no precedence."""
    return re.sub(r" ag:unit \?\w+ ;", "", without_precedence(name, text))


WITHOUT_FREEZE = edited(
    "gsm/completeness",
    "{ ?instance ag:isSetUp true . [] log:notIncludes { ?instance ag:isIncomplete true } } =>",
    "{ ?instance ag:isSetUp true } =>",
)
REPAIR_ONLY_RUNNING = edited("gsm/repair", "ag:isKnown", "ag:isRunning")


@cache
def reachable(lost_writes: int) -> frozenset[Snapshot]:
    return frozenset(explore(every_valuation if DEEP else some_valuations, lost_writes=lost_writes))


def test_39_states_are_reachable_and_none_breaks_an_invariant() -> None:
    assert [state for state in reachable(0) if broken(state)] == []
    assert len(reachable(0)) == 39


def test_55_states_are_reachable_when_writes_get_lost_and_none_breaks_an_invariant() -> None:
    assert [state for state in reachable(1) if broken(state)] == []
    assert len(reachable(1)) == 55


def test_without_units_and_precedence_an_invariant_breaks() -> None:
    """Both stages are active, one is to close and the one inside it to open: every order of names comes up."""
    outer_closes = Case((1, 1, 0, 0, 0, 0, 0, 0, 0), frozenset({"+mP1", "gC"}))
    results = run_cases([outer_closes] * 30, without_annotations)
    assert {name for result in results for name in violations(result.snapshot)} >= {"GSM-2"}


def test_deactivation_wins_over_activation() -> None:
    outer_closes = Case((1, 1, 0, 0, 0, 0, 0, 0, 0), frozenset({"+mP1", "gC"}))
    assert {result.snapshot for result in run_cases([outer_closes] * 30)} == {(1, 0, 0, 0, 0, 1, 0, 0, 0)}
    without = {result.snapshot for result in run_cases([outer_closes] * 30, without_precedence)}
    assert without > {(1, 0, 0, 0, 0, 1, 0, 0, 0)}


def with_unread_document(states: Iterable[Snapshot]) -> Iterator[Case]:
    for snapshot in states:
        for document in DOCUMENTS:
            yield Case(snapshot, frozenset(relevant(snapshot)), unread=frozenset({document}))


def test_an_instance_with_an_unreadable_document_sends_nothing() -> None:
    sample = sorted(reachable(0))[:: depth(4, 1)]
    wrong = [
        (case, result.sent)
        for case, result in run_all(with_unread_document(sample), unchanged)
        if result.sent
    ]
    assert wrong == []


def test_without_the_freeze_an_unreadable_document_breaks_an_invariant() -> None:
    active = [(1, 1, 0, 0, 0, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 1, 0, 0, 0)]
    results = list(run_all(with_unread_document(active), WITHOUT_FREEZE))
    assert any(broken(result.snapshot) for _, result in results)


def every_damage() -> list[Snapshot]:
    """Return every snapshot there could be, whatever was lost: 2,592 are reachable by losing any write."""
    values = [(0, 1)] * len(STAGES) + [(0, 1, 2)] * len(MILESTONES)
    found = []
    for snapshot in product(*values):
        value = dict(zip(DOCUMENTS, snapshot, strict=True))
        if all(value[milestone] < 2 or value[stage] for milestone, stage in STAGE_OF.items()):
            found.append(snapshot)
    return found


def repaired(damaged: Iterable[Snapshot], change: Change = unchanged) -> dict[Snapshot, Snapshot]:
    """Return what each snapshot has become when no sentry is true and no rule writes any more."""
    final: dict[Snapshot, Snapshot] = {}
    now = {snapshot: snapshot for snapshot in damaged}
    for _ in range(8):
        step = {case.snapshot: result for case, result in run_all(map(Case, set(now.values())), change)}
        final |= {start: state for start, state in now.items() if not step[state].sent}
        now = {start: step[state].snapshot for start, state in now.items() if step[state].sent}
        if not now:
            return final
    pytest.fail(f"still writing after 8 steps: {sorted(now)[:3]}")


def test_repairs_bring_every_damaged_state_back_to_the_invariants() -> None:
    damaged = every_damage()
    sample = damaged if DEEP else random.Random(7).sample(damaged, 150)
    left = {start: end for start, end in repaired(sample).items() if broken(end)}
    assert left == {}


def test_repairs_do_not_close_a_stage_that_was_opened_again() -> None:
    reopened = (1, 1, 1, 0, 0, 2, 2, 2, 0)
    assert repaired([reopened]) == {reopened: (1, 1, 1, 0, 0, 0, 0, 0, 0)}


def test_repairs_close_a_stage_whose_milestone_was_achieved_in_this_activation() -> None:
    completed = (1, 1, 1, 1, 0, 1, 0, 0, 0)
    assert repaired([completed]) == {completed: (1, 0, 0, 0, 0, 1, 0, 0, 0)}


def test_repairs_that_stop_with_the_root_leave_damage() -> None:
    orphan = (0, 1, 0, 0, 1, 0, 0, 0, 0)
    assert repaired([orphan]) == {orphan: (0, 0, 0, 0, 1, 0, 0, 0, 0)}
    assert repaired([orphan], REPAIR_ONLY_RUNNING) == {orphan: orphan}
