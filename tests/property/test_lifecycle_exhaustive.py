"""The lifecycle's invariants in every state that a small model can reach, by the real rules and the real machine.

GSM-1: no stage is active with a milestone of its own achieved. GSM-2: none is active below an inactive ancestor.
Deactivation wins: a stage that completes, or is inside one that does, does not end the step active or send its task.

What a step does to an instance depends on its snapshot and its true sentries alone. So every pair of both is run
once, many pairs as instances of one step; the states that follow are explored until there are no new ones. Three
explorations look for faults: steps whose writes succeed or get lost, steps with an unreadable document, and repair.
Each of them finds none in the rules as they are, and some in rules that lack what it is there for.
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
    """Return each sentry alone, each pair of achieving ones, and each guard with an achieving sentry further out:
    enough to reach every state and to meet every clash."""
    names = relevant(snapshot)
    achieving = [name for name in names if name.startswith("+")]
    meetings = [
        frozenset({guard, name})
        for guard in names
        for name in achieving
        if guard.startswith("g") and STAGE_OF[name[1:]] in around(guard[1:])
    ]
    return (*subsets(names, 1), *map(frozenset, combinations(achieving, 2)), *meetings)


def around(stage: str) -> tuple[str, ...]:
    """Return the stages that ``stage`` is inside of."""
    return STAGES[: STAGES.index(stage)]


def run_all(cases: Iterable[Case], change: Change) -> Iterator[tuple[Case, Result]]:
    todo = list(cases)
    for start in range(0, len(todo), BATCH):
        batch = todo[start : start + BATCH]
        yield from zip(batch, run_cases(batch, change), strict=True)


def with_losses(ran: Iterable[tuple[Case, Result]]) -> Iterator[Case]:
    """Yield every case once for each of its writes that may get lost.

    Cases that come from one snapshot to the same by the same writes lose the same: a sample tries one of them.
    """
    alike = {(case.snapshot, case.true if DEEP else result): (case, result) for case, result in ran}
    for case, result in alike.values():
        for lost in dict.fromkeys(result.sent):
            yield Case(case.snapshot, case.true, frozenset({lost}))


def with_unread_document(snapshots: Iterable[Snapshot]) -> Iterator[Case]:
    """Yield cases in which everything, or everything but the end, wants to happen and one document cannot be read."""
    for snapshot in snapshots:
        everything = frozenset(relevant(snapshot))
        for document, true in product(DOCUMENTS, dict.fromkeys((everything, everything - {"+mR"}))):
            yield Case(snapshot, true, unread=frozenset({document}))


def faults_of(case: Case, result: Result) -> Iterator[str]:
    """Yield what is wrong with a step."""
    for invariant in violations(result.snapshot):
        yield f"{invariant} broken: {case} became {result}"
    if case.unread and result.sent:
        yield f"acted without its whole status: {case} sent {result.sent}"
    if case.lost or case.unread:
        return
    now = dict(zip(DOCUMENTS, case.snapshot, strict=True))
    then = dict(zip(DOCUMENTS, result.snapshot, strict=True))
    completing = {stage for name, stage in STAGE_OF.items() if now[stage] and f"+{name}" in case.true}
    for stage in STAGES:
        if completing.intersection((*around(stage), stage)) and (then[stage] or stage in result.tasks):
            yield f"deactivation of {stage} lost: {case} became {result}"


class Exploration:
    """All snapshots that follow from START, and the faults on the way; rules are changed by ``change``.

    ``losing``: one write of a step may get lost.
    ``to_the_first``: end with the snapshots among whose steps there is a fault.
    """

    def __init__(
        self,
        valuations: Valuations,
        change: Change = unchanged,
        *,
        losing: bool = False,
        to_the_first: bool = False,
    ) -> None:
        self.states = {START}
        self.faults: list[str] = []
        front = [START]
        while front and not (to_the_first and self.faults):
            ran = list(run_all((Case(s, true) for s in front for true in valuations(s)), change))
            if losing:
                ran += run_all(with_losses(ran), change)
            self.faults += chain.from_iterable(faults_of(case, result) for case, result in ran)
            front = sorted({result.snapshot for _, result in ran} - self.states)
            self.states.update(front)


@cache
def explored(*, losing: bool) -> Exploration:
    return Exploration(every_valuation if DEEP else some_valuations, losing=losing)


def faults_when_unread(change: Change = unchanged) -> list[str]:
    """Return the faults of steps from reachable snapshots in which one document cannot be read."""
    states = sorted(explored(losing=DEEP).states)[:: depth(2, 1)]
    ran = run_all(with_unread_document(states), change)
    return [fault for case, result in ran for fault in faults_of(case, result)]


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


def left_damaged(change: Change = unchanged) -> dict[Snapshot, Snapshot]:
    """Return the damaged snapshots that repair does not bring back to the invariants, and what became of them."""
    damaged = every_damage()
    sample = damaged if DEEP else random.Random(7).sample(damaged, 150)
    return {start: end for start, end in repaired(sample, change).items() if violations(end)}


# ---- the rules as they are ------------------------------------------------------------------------------------------


def test_39_states_are_reachable_and_no_step_has_a_fault() -> None:
    assert explored(losing=False).faults == []
    assert len(explored(losing=False).states) == 39


def test_55_states_are_reachable_when_writes_get_lost_and_no_step_has_a_fault() -> None:
    assert explored(losing=True).faults == []
    assert len(explored(losing=True).states) == 55


def test_an_instance_with_an_unreadable_document_sends_nothing() -> None:
    assert faults_when_unread() == []


def test_repairs_bring_every_damaged_state_back_to_the_invariants() -> None:
    assert left_damaged() == {}


def test_repairs_do_not_close_a_stage_that_was_opened_again() -> None:
    reopened = (1, 1, 1, 0, 0, 2, 2, 2, 0)
    assert repaired([reopened]) == {reopened: (1, 1, 1, 0, 0, 0, 0, 0, 0)}


def test_repairs_close_a_stage_whose_milestone_was_achieved_in_this_activation() -> None:
    completed = (1, 1, 1, 1, 0, 1, 0, 0, 0)
    assert repaired([completed]) == {completed: (1, 0, 0, 0, 0, 1, 0, 0, 0)}


def test_repairs_go_on_when_the_root_is_inactive() -> None:
    orphan = (0, 1, 0, 0, 1, 0, 0, 0, 0)
    assert repaired([orphan]) == {orphan: (0, 0, 0, 0, 1, 0, 0, 0, 0)}


def test_the_task_of_a_stage_is_sent_when_it_opens_and_only_then() -> None:
    opening = Case((1, 1, 0, 0, 0, 0, 0, 0, 0), frozenset({"gC"}))
    still = Case((1, 1, 1, 0, 0, 0, 0, 0, 0), frozenset({"gC"}))
    assert [result.tasks for result in run_cases([opening, still])] == [{"C"}, set()]


# ---- rules that lack something: the explorations find it ------------------------------------------------------------


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
    return re.sub(r" ag:precedence [0-9]+ ;", "", text)


def without_units(name: str, text: str) -> str:
    """Make every request stand for itself."""
    return re.sub(r" ag:unit \?\w+ ;", "", text)


WITHOUT_FREEZE = edited(
    "gsm/completeness",
    "{ ?instance ag:isSetUp true . [] log:notIncludes { ?instance ag:isIncomplete true } } =>",
    "{ ?instance ag:isSetUp true } =>",
)
REPAIR_ONLY_RUNNING = edited("gsm/repair", "ag:isKnown", "ag:isRunning")
DESCENDANTS_ONLY_IF_ACTIVE = edited(
    "gsm/lifecycle",
    "?nested gsm:isInstanceOf ?below ; gsm:inArtifactInstance ?instance ;",
    "?nested gsm:isInstanceOf ?below ; gsm:inArtifactInstance ?instance ; gsm:hasState gsm:active ;",
)


@pytest.mark.parametrize("change", [without_precedence, DESCENDANTS_ONLY_IF_ACTIVE])
def test_steps_find_rules_in_which_activation_may_win(change: Change) -> None:
    faults = Exploration(some_valuations, change, to_the_first=True).faults
    assert any(fault.startswith("deactivation of") for fault in faults)


def test_steps_with_lost_writes_find_rules_without_units() -> None:
    faults = Exploration(some_valuations, without_units, losing=True, to_the_first=True).faults
    assert any(fault.startswith(("GSM-1", "GSM-2")) for fault in faults)


def test_steps_with_an_unreadable_document_find_rules_without_the_freeze() -> None:
    assert {fault[:5] for fault in faults_when_unread(WITHOUT_FREEZE)} == {"acted", "GSM-1", "GSM-2"}


def test_repair_finds_rules_that_stop_with_the_root() -> None:
    assert left_damaged(REPAIR_ONLY_RUNNING) != {}
