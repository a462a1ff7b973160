"""Rules evaluated in bulk give what the simple engine gives, and their text is made of integers and fixed words."""

from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.errors import BudgetError, ProgramError
from agent.n3.builtins import Context
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.reason.incremental import maintenance
from agent.reason.incremental.evaluation import Evaluation
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.levels import NotMaintainedError
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.runtime.derivation import Derivation
from agent.runtime.derive import derive
from tests.support.depth import depth
from tests.support.differences import difference
from tests.support.engines import Row, known_to, rows_of
from tests.support.random_worlds import draw_course

seeds = st.integers(0, 2**48)
INSTANT = "2026-01-01T00:00:00Z"


class Drawn:
    """A random program without requests and the facts for it, all of which are given at once."""

    def __init__(self, seed: int) -> None:
        chance = Random(seed)
        course = draw_course(seed)
        step = chance.choice(course.steps)
        said = (triple for uri in sorted(step.said) for triple in step.document(uri))
        self.protected = course.protected
        self.program = replace(course.program, requests=(), facts=())
        self.facts = [*course.program.facts, *step.facts, *said]
        self.budget = Budget(
            facts=chance.choice([60, 150, 150]),
            rounds=chance.choice([7, 1_000]),
            terms=chance.choice([90, 1_000]),
        )


Found = tuple[frozenset[Triple], frozenset[Row], frozenset[Triple]] | str
"""What is known, what contradicts it, what was derived; or why there is nothing."""


def by_simple_engine(drawn: Drawn) -> Found:
    try:
        reasoner = Reasoner(drawn.program, Context(INSTANT), drawn.budget, protected=drawn.protected)
        reasoner.add(drawn.facts)
        reasoner.finish()
        known = known_to(reasoner.facts)
        return known, rows_of(reasoner.contradictions()), known - set(drawn.facts)
    except (BudgetError, ProgramError) as error:
        return error.code


def in_bulk(drawn: Drawn) -> Found:
    if why_not_incremental(drawn.program) is not None:
        return "not in bulk"
    try:
        evaluation = Evaluation(drawn.program, Facts(), Context(INSTANT), drawn.budget, drawn.protected)
        evaluation.run(dict.fromkeys(evaluation.facts.table.intern_all(drawn.facts)))
    except (BudgetError, ProgramError) as error:
        return error.code
    except NotMaintainedError:
        return "not in bulk"
    terms = evaluation.facts.table.terms
    derived = [Triple(terms[s], terms[p], terms[o]) for s, p, o in evaluation.derived]
    assert len(set(derived)) == len(derived), "something was derived twice"
    return known_to(evaluation.facts), rows_of(evaluation.contradictions()), frozenset(derived)


@settings(max_examples=depth(400, 20_000))
@given(seeds)
def test_rules_in_bulk_derive_what_the_simple_engine_derives(seed: int) -> None:
    drawn = Drawn(seed)
    expected, found = by_simple_engine(drawn), in_bulk(drawn)
    event(found if isinstance(found, str) else "answers")
    if found not in ("not in bulk", "ASM020"):
        assert found == expected


def told(drawn: Drawn, *, recompute: bool) -> object:
    """Return all that ``derive`` tells of so many facts that it compiles the rules, or the code of its error."""
    try:
        found = derive(
            drawn.program, *[drawn.facts] * 50, instant=INSTANT, budget=drawn.budget, recompute=recompute
        )
    except (BudgetError, ProgramError) as error:
        return error.code
    return parts_of(found)


def parts_of(found: Derivation) -> tuple[object, ...]:
    said = (found.triples, found.derived, found.news)
    assert all(len(set(each)) == len(each) for each in said), "something is told twice"
    # Which texts a builtin meets that are no numbers depends on the order of a join, so warnings about them do.
    errors = [str(finding) for finding in found.findings if finding.severity == "error"]
    return (*map(frozenset, said), found.strings, sorted(errors))


@settings(max_examples=depth(100, 5_000))
@given(seeds)
def test_whoever_derives_is_told_the_same_whether_rules_are_compiled_or_not(seed: int) -> None:
    drawn = Drawn(seed)
    assert told(drawn, recompute=False) == told(drawn, recompute=True)


@pytest.mark.parametrize("part", range(2))
def test_a_run_that_changes_in_bulk_equals_the_simple_engine(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "MANY", 2)
    monkeypatch.setattr(maintenance, "WORTH_BULK", 12)
    count = depth(80, 5_000)
    for seed in range(part * count, (part + 1) * count):
        assert difference(draw_course(seed), RunReasoner, seed) is None, f"seed {seed}"
