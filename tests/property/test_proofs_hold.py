"""Whatever the reasoner derives has a proof, and an independent checker accepts every step of it."""

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.errors import BudgetError, ProgramError
from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.rdf.terms import Triple, Variable
from agent.reason.budget import Budget
from agent.reason.proof import Prover, RankedFacts
from agent.runtime.derivation import Derivation
from agent.runtime.derive import derive
from tests.support.depth import depth
from tests.support.programs import draw_world
from tests.support.proofs import faults

INSTANT = "2026-01-01T00:00:00.000Z"


def derived(program: Program, facts: list[Triple]) -> Derivation | None:
    """Return what ``program`` makes of ``facts``, or nothing if it does not come to an end."""
    try:
        return derive(program, facts, instant=INSTANT, budget=Budget(facts=120), memory=RankedFacts())
    except (BudgetError, ProgramError):
        return None


def half_backward(program: Program) -> Program:
    """Return ``program`` with every other of its rules backward, where the predicates of its head are names."""
    backward = [
        rule
        for rule in program.derivations[1::2]
        if not any(isinstance(pattern.triple.predicate, Variable) for pattern in rule.head)
    ]
    forward = tuple(rule for rule in program.derivations if rule not in backward)
    return replace(program, derivations=forward, backward=tuple(backward))


@settings(max_examples=depth(80, 1_500))
@given(st.integers(0, 2**48), st.booleans())
def test_everything_derived_is_proved_and_every_step_holds(seed: int, asks: bool) -> None:
    world = draw_world(seed)
    program = half_backward(world.program) if asks else world.program
    facts = [triple for document in world.outcomes.values() for triple in document or ()]
    derivation = derived(program, facts)
    assume(derivation is not None)
    assert derivation is not None
    assert isinstance(derivation.memory, RankedFacts)
    stated = set(derivation.given)
    prover = Prover(
        program, derivation.memory, Context(INSTANT), lambda triple: "data" if triple in stated else ""
    )
    numbers = [prover.prove(triple) for triple in derivation.derived]
    event(f"derived: {min(len(numbers), 30) // 10 * 10} or more")
    event(f"answers: {sum(step.is_answer for step in prover.steps) > 0}")

    assert [prover.steps[number].triple for number in numbers if number is not None] == list(
        derivation.derived
    )
    assert faults(prover.steps, program, {"data": stated}, derivation.memory, Context(INSTANT)) == []
