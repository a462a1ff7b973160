"""What is kept up to date from step to step is what reasoning from the beginning gives, whatever changes in between."""

from collections import Counter
from functools import partial
from random import Random

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.n3.program import Program
from agent.reason.budget import Budget
from agent.reason.incremental.effort import Most
from agent.reason.incremental.run_reasoner import RunReasoner
from tests.support.courses_seen import constructs, happenings
from tests.support.depth import depth
from tests.support.differences import difference, explained, reduced
from tests.support.engines import MakeReasoner, naively, recomputed
from tests.support.random_worlds import Course, draw_course
from tests.support.recomputing_reasoner import FORGETFUL, RecomputingReasoner

seeds = st.integers(0, 2**48)
PARTS = 4


def check(seed: int, make: MakeReasoner) -> None:
    """Fail with the smallest course that shows a difference, if the course of ``seed`` shows one."""
    course = draw_course(seed)
    if difference(course, make, seed) is None:
        return
    course = reduced(course, lambda smaller: difference(smaller, make, seed) is not None)
    found = difference(course, make, seed)
    assert found is not None
    pytest.fail(f"seed {seed}\n{explained(course, found)}", pytrace=False)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_reasoner_equals_the_simple_engine_on_every_step(part: int) -> None:
    count = depth(1_000, 10_000) // PARTS
    for seed in range(part * count, (part + 1) * count):
        check(seed, RunReasoner)


@pytest.mark.parametrize("seed", [7140, 9724])
def test_a_document_answered_before_it_is_wanted_counts_when_every_step_is_recomputed(seed: int) -> None:
    """The step falls back to the other engine between an answer and the rule that asks for it."""
    check(seed, RunReasoner)


@pytest.mark.parametrize("most", ["nothing", "one", "any"])
def test_a_reasoner_that_begins_anew_when_it_takes_back_too_much_equals_the_simple_engine(most: str) -> None:
    for seed in range(depth(25, 3_000)):
        chance = Random(seed)
        allowed: Most = {
            "nothing": lambda _: 0,
            "one": lambda _: 1,
            "any": lambda _: chance.randrange(12),  # noqa: B023  called before the next seed
        }[most]
        check(seed, partial(RunReasoner, most=allowed))


@settings(max_examples=depth(15, 1_000))
@given(seeds)
def test_a_reasoner_that_recomputes_equals_the_simple_engine(seed: int) -> None:
    check(seed, RecomputingReasoner)
    check(seed, recomputing)


def recomputing(program: Program, *, budget: Budget, protected: frozenset[str]) -> RunReasoner:
    """Return a reasoner that begins every step with an empty memory."""
    return RunReasoner(program, budget=budget, protected=protected, recompute=True)


def test_most_random_courses_are_maintained_to_their_end() -> None:
    made: list[RunReasoner] = []

    def kept(program: Program, *, budget: Budget, protected: frozenset[str]) -> RunReasoner:
        made.append(RunReasoner(program, budget=budget, protected=protected))
        return made[-1]

    for seed in range(40):
        difference(draw_course(seed), kept, seed)
    assert sum(reasoner.reason is None for reasoner in made) > 0.5 * len(made)


@settings(max_examples=depth(30, 3_000))
@given(seeds)
@example(12904634)  # what is concluded is more than the step may hold
@example(1916)  # a rule for a GET collects what is known
def test_the_simple_engine_equals_the_oracle_on_steps_of_a_course(seed: int) -> None:
    course = draw_course(seed)
    # The oracle knows no inconsistencies.
    course = replace(course, program=replace(course.program, inconsistencies=()))
    step = Random(seed).choice(course.steps)
    found, naive = recomputed(course, step), naively(course, step)
    event(found if isinstance(found, str) else "answers")
    if isinstance(found, str) or isinstance(naive, str):
        # The oracle finds out only when an instance gets that far, and lets a GET hang on what is absent.
        assert found == naive or found in {"ASM001", "ASM023", "ASM024"}
    else:
        assert found.naive == naive


@pytest.mark.parametrize("make", FORGETFUL, ids=lambda make: make.__name__)
def test_no_reasoner_gets_away_with_forgetting(make: MakeReasoner) -> None:
    assert any(difference(draw_course(seed), make, seed) is not None for seed in range(400))


def seen(course: Course) -> set[str]:
    """Return what a course has in it and what happens in it."""
    found = [recomputed(course, step) for step in course.steps]
    return {*constructs(course.program), *happenings(course, found)}


LEAST = {
    "negation in a request rule": 0.52,
    "fields of a request": 0.51,
    "negated group that shares 1 variables": 0.51,
    "loses facts": 0.50,
    "negation in a derivation rule": 0.49,
    "derives": 0.45,
    "type in a body": 0.44,
    "fields of a GET rule": 0.42,
    "negated group that shares 2 variables": 0.42,
    "variable predicate in a body": 0.41,
    "variable repeated in a pattern": 0.41,
    "builtin of log": 0.41,
    "builtin of string": 0.41,
    "retrieves": 0.39,
    "nested negation": 0.38,
    "inconsistency": 0.38,
    "builtin of math": 0.38,
    "negated group that shares 0 variables": 0.32,
    "retrieves with fields": 0.31,
    "requests": 0.30,
    "existential head": 0.27,
    "inclusion": 0.26,
    "builtin on a list of variables": 0.23,
    "negated group that shares 3 variables": 0.20,
    "cell of a list in a body": 0.20,
    "variable predicate in a head": 0.19,
    "loses a request": 0.19,
    "stays the same": 0.18,
    "retracts a document": 0.18,
    "retrieves another document": 0.17,
    "rules/core": 0.15,
    "contradicts": 0.12,
    "is cut": 0.12,
    "has a number in two forms": 0.25,
    "loses one form of a number": 0.15,
    "builtin of time": 0.07,
    "refused: ASM021": 0.05,
    "class hierarchy": 0.05,
    "refused: ASM020": 0.05,
    "list in a head": 0.04,
    "collection": 0.02,
    "comes right after an error": 0.015,
    "formula in a head": 0.02,
    "backward rules": 0.02,
}


"""The least share of courses with each thing in them."""


def test_random_courses_have_everything_in_them() -> None:
    count = 120
    found = Counter(name for seed in range(count) for name in seen(draw_course(seed)))
    shares = {name: found[name] / count for name in LEAST}
    assert {name: share for name, share in shares.items() if share < LEAST[name]} == {}
