"""Whatever the reasoner derives has a proof, and an independent checker accepts every step of it."""

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from agent.errors import BudgetError, ProgramError
from agent.n3.builtins import Context
from agent.reason.budget import Budget
from agent.reason.proof import Prover, RankedFacts
from agent.runtime.derive import Derivation, derive
from tests.support.depth import depth
from tests.support.programs import World, draw_world
from tests.support.proofs import faults

INSTANT = "2026-01-01T00:00:00.000Z"


def derived(world: World) -> Derivation | None:
    """Return what the rules of ``world`` derive, or nothing if they do not come to an end."""
    facts = [triple for document in world.outcomes.values() for triple in document or ()]
    try:
        return derive(world.program, facts, instant=INSTANT, budget=Budget(facts=120), memory=RankedFacts())
    except (BudgetError, ProgramError):
        return None


@settings(max_examples=depth(100, 5_000))
@given(st.integers(0, 2**48))
def test_everything_derived_is_proved_and_every_step_holds(seed: int) -> None:
    world = draw_world(seed)
    derivation = derived(world)
    assume(derivation is not None)
    assert derivation is not None
    assert isinstance(derivation.memory, RankedFacts)
    given_facts = set(derivation.given)
    prover = Prover(
        world.program.derivations,
        derivation.memory,
        Context(INSTANT),
        lambda triple: "data" if triple in given_facts else "",
    )
    numbers = [prover.prove(triple) for triple in derivation.derived]
    event(f"derived: {min(len(numbers), 30) // 10 * 10} or more")

    assert [prover.steps[number].triple for number in numbers if number is not None] == list(
        derivation.derived
    )
    assert (
        faults(prover.steps, world.program, {"data": given_facts}, derivation.memory, Context(INSTANT)) == []
    )
