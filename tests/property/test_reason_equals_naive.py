"""The reasoner and its oracle agree on random programs, and nothing depends on the order of things."""

import random
from collections.abc import Iterable
from typing import TypeVar

from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.errors import BudgetError, ProgramError
from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.reason.naive import NaiveStep, naive_step
from tests.support.backward_programs import with_backward_rules
from tests.support.depth import depth
from tests.support.programs import World, draw_world, holds_for

T = TypeVar("T")
CONTEXT = Context("2026-01-01T00:00:00.000Z")
BUDGET = Budget(facts=120)
ROOMY = Budget(facts=10 * BUDGET.facts, questions=10_000)
"""For programs that the oracle finishes: a fact that answers several questions counts once for each of them."""


def conclude(facts: Facts) -> Iterable[Triple]:
    return holds_for(list(facts))


def run(program: Program, world: World, chance: random.Random, budget: Budget = BUDGET) -> NaiveStep:
    """Run a step on the reasoner, documents arriving in an order that ``chance`` decides, alone or together."""
    reasoner = Reasoner(program, CONTEXT, budget, protected=world.protected)
    read: set[str] = set()
    while waiting := sorted(reasoner.retrievals().keys() - read):
        arriving = chance.sample(waiting, chance.randint(1, len(waiting)))
        read.update(arriving)
        triples = [triple for uri in arriving for triple in world.document(uri) or ()]
        chance.shuffle(triples)
        reasoner.add(triples)
    reasoner.finish(conclude if world.concludes else None)
    bindings = {(rule.name, frozenset(binding.items())) for rule, binding in reasoner.request_bindings()}
    return NaiveStep(frozenset(reasoner.facts), frozenset(reasoner.retrievals()), frozenset(bindings))


def expected(world: World) -> NaiveStep | None:
    """Return what the oracle says, or nothing if the program has no finite answer within the budget."""
    try:
        return naive_step(
            world.program,
            world.document,
            CONTEXT,
            conclude if world.concludes else None,
            protected=world.protected,
            budget=BUDGET,
        )
    except BudgetError:
        return None


def shuffled(program: Program, chance: random.Random) -> Program:
    """Return ``program`` with facts, rules and the patterns of every body in another order."""

    def mixed(items: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(chance.sample(items, len(items)))

    return Program(
        mixed(program.facts),
        mixed(tuple(replace(rule, body=mixed(rule.body)) for rule in program.derivations)),
        mixed(tuple(replace(rule, body=mixed(rule.body)) for rule in program.requests)),
        backward=mixed(tuple(replace(rule, body=mixed(rule.body)) for rule in program.backward)),
    )


def outcome(
    program: Program, world: World, chance: random.Random, budget: Budget = BUDGET
) -> NaiveStep | None:
    try:
        return run(program, world, chance, budget)
    except BudgetError:
        return None


seeds = st.integers(0, 2**48)


@settings(max_examples=depth(90, 10_000))
@given(seeds)
@example(395663)  # one rule alone asks for more requests than the budget allows
def test_the_reasoner_equals_the_oracle_on_facts_documents_and_requests(seed: int) -> None:
    world = draw_world(seed)
    try:
        naive = expected(world)
    except ProgramError:
        assume(False)
    event("no finite answer" if naive is None else f"requests: {min(len(naive.bindings), 3)}")
    event("no finite answer" if naive is None else f"facts: {len(naive.facts) // 20 * 20} or more")
    try:
        found = outcome(world.program, world, random.Random(seed))
    except ProgramError as refusal:
        # The oracle finds out only when an instance gets that far.
        event(f"refused: {refusal.code}")
        assume(refusal.code not in {"ASM001", "ASM024"})
        raise
    assert found == naive


@settings(max_examples=depth(40, 5_000))
@given(seeds)
@example(24909)  # more answers to all questions together than facts
@example(39442256)  # asks whether a list is related, then a list with that list in it, and so on
def test_programs_with_backward_rules_equal_the_oracle_in_every_order(seed: int) -> None:
    chance = random.Random(seed)
    world = with_backward_rules(draw_world(seed), chance)
    try:
        naive = expected(world)
        if naive is None:
            event("no finite answer")
            assert outcome(world.program, world, chance) is None
            return
        event(f"facts: {len(naive.facts) // 20 * 20} or more")
        assert run(world.program, world, chance, ROOMY) == naive
        assert run(shuffled(world.program, chance), world, chance, ROOMY) == naive
    except ProgramError:
        assume(False)
    except BudgetError as refusal:
        # Who works from the question back may ask about ever larger terms where nothing larger follows (ADR 0112).
        event("asks without end")
        assume("questions to backward rules" not in refusal.message)
        raise


@settings(max_examples=depth(80, 5_000))
@given(seeds)
def test_no_order_of_rules_patterns_and_documents_changes_anything(seed: int) -> None:
    world, chance = draw_world(seed), random.Random(seed)
    try:
        first = outcome(world.program, world, chance)
    except ProgramError:
        assume(False)
    assert outcome(shuffled(world.program, chance), world, chance) == first
