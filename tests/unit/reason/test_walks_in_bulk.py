"""Walks take a round for each step, and few facts are new in each: in bulk they give what the simple engine gives."""

from random import Random

import pytest

from agent.errors import BudgetError
from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.reason.incremental.evaluation import Evaluation
from tests.support.engines import known_to

HERE = "http://example.org/"
WALK = "{ ?c :next ?d . ?x :at ?c } => { ?x :at ?d } . "
AWAY = "{ ?x :at ?c . ?c :door ?e } => { ?x :near ?e } . "
BACK = "{ ?x :near ?e . ?e :leads ?c } => { ?x :at ?c } . "
INSTANT = "2026-01-01T00:00:00Z"


def found(text: str, budget: Budget, *, in_bulk: bool) -> object:
    """Return what is known in the end, or the code of the limit that is passed."""
    program = read_program(f"@prefix : <{HERE}> . {text}", source="walk.n3", base=HERE)
    context = Context(INSTANT)
    try:
        if not in_bulk:
            reasoner = Reasoner(program, context, budget)
            reasoner.finish()
            return known_to(reasoner.facts)
        evaluation = Evaluation(program, Facts(), context, budget)
        evaluation.run(dict.fromkeys(evaluation.facts.table.intern_all(program.facts)))
        return known_to(evaluation.facts)
    except BudgetError as error:
        return error.code


def walks(chance: Random, steps: int) -> str:
    """Return ways with shortcuts, walkers on them, and a door that may lead back or to another walk."""
    ways = [f":c{n} :next :c{n + 1}, :c{chance.randrange(steps)} ." for n in range(steps)]
    walkers = [f":x{n} :at :c{chance.randrange(5)} ." for n in range(chance.choice([1, 1, 12]))]
    doors = f":c{steps // 2} :door :e . :e :leads :z0 . :z0 :next :z1 . :z1 :next :z2 ."
    return "\n".join([*ways, *walkers, doors])


@pytest.mark.parametrize("rules", [WALK, WALK + AWAY, WALK + AWAY + BACK])
@pytest.mark.parametrize("seed", range(6))
def test_walks_in_bulk_reach_what_they_reach_in_the_simple_engine(rules: str, seed: int) -> None:
    text = rules + walks(Random(seed), 30)
    assert found(text, Budget(), in_bulk=True) == found(text, Budget(), in_bulk=False)


@pytest.mark.parametrize("limit", ["rounds", "facts"])
def test_a_walk_in_bulk_passes_a_limit_where_the_simple_engine_does(limit: str) -> None:
    text = WALK + ":x :at :c0 . " + " ".join(f":c{n} :next :c{n + 1} ." for n in range(20))

    def passes(most: int, *, in_bulk: bool) -> bool:
        budget = Budget(rounds=most) if limit == "rounds" else Budget(facts=most)
        return found(text, budget, in_bulk=in_bulk) == "ASM020"

    both = [(passes(most, in_bulk=True), passes(most, in_bulk=False)) for most in range(15, 50)]
    assert all(one == other for one, other in both)
    assert (True, True) in both
    assert (False, False) in both
