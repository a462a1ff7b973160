"""Whatever a run knows and asks for has a proof that an independent checker accepts; what it does not know has none."""

from collections.abc import Iterable, Iterator
from random import Random

import pytest
from msgspec import field
from msgspec.structs import replace

from agent.errors import BudgetError, ProgramError
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.reason.proof import Step as ProofStep
from agent.reason.proof import needed
from tests.support.depth import depth
from tests.support.engines import Driver, MakeReasoner
from tests.support.proofs import Ground, run_faults
from tests.support.random_worlds import Course, Step, draw_course

PARTS = 4


class _Noting(Course, frozen=True):
    """A course that remembers what was concluded last."""

    concluded: list[Triple] = field(default_factory=list)

    def conclude(self, facts: Facts) -> Iterable[Triple]:
        """Conclude, and remember it."""
        self.concluded[:] = super().conclude(facts)
        return self.concluded


def finished(seed: int, make: MakeReasoner) -> Iterator[tuple[Course, Step, RunReasoner, list[Triple]]]:
    """Yield each step of the course of ``seed`` that comes to an end, with the reasoner as it is then."""
    drawn = draw_course(seed)
    course = _Noting(drawn.program, drawn.steps, drawn.protected, drawn.concludes)
    made: list[RunReasoner] = []

    def kept(program: Program, *, budget: Budget, protected: frozenset[str]) -> RunReasoner:
        made.append(make(program, budget=budget, protected=protected))  # type: ignore[arg-type]  # both make one
        return made[-1]

    try:
        driver = Driver(course, kept, Random(seed))
    except (BudgetError, ProgramError):
        return
    for step in course.steps:
        course.concluded.clear()
        if not isinstance(driver.run(step), str):
            yield course, step, made[-1], course.concluded


def recomputing(program: Program, *, budget: Budget, protected: frozenset[str]) -> RunReasoner:
    """Return a reasoner that begins every step with an empty memory."""
    return RunReasoner(program, budget=budget, protected=protected, recompute=True)


def ground_of(course: Course, step: Step, reasoner: RunReasoner, concluded: list[Triple]) -> Ground:
    """Return what proofs of the finished ``step`` may rest on."""
    wanted = reasoner.wanted()
    return Ground(
        course.program,
        course.protected,
        step.facts,
        lambda uri: step.document(uri) if uri in wanted else (),
        concluded,
        step.context,
        list(reasoner.facts),
        tells_why_read=reasoner.is_maintained,
    )


def check(seed: int, make: MakeReasoner) -> int:
    """Fail unless everything that the course of ``seed`` knows and asks for is proved; return how many proofs there were."""
    count = 0
    for course, step, reasoner, concluded in finished(seed, make):
        proofs = reasoner.proofs()
        memory = list(reasoner.facts)
        numbers = [proofs.prove(triple) for triple in memory]
        assert [proofs.steps[number].triple for number in numbers if number is not None] == memory
        asks = [proofs.ground(rule, binding) for rule, binding in reasoner.request_bindings()]
        assert None not in asks, f"seed {seed}: a request has no proof"
        steps: list[ProofStep] = [*proofs.steps, *(ask for ask in asks if ask is not None)]
        found = run_faults(steps, ground_of(course, step, reasoner, concluded))
        assert found == [], f"seed {seed}: {found}"
        count += len(steps)
    return count


@pytest.mark.parametrize("part", range(PARTS))
def test_everything_that_a_run_knows_and_asks_for_is_proved(part: int) -> None:
    count = depth(48, 4_000) // PARTS
    assert sum(check(seed, RunReasoner) for seed in range(part * count, (part + 1) * count)) > 10 * count


def test_a_run_that_recomputes_is_proved_as_well() -> None:
    assert sum(check(seed, recomputing) for seed in range(depth(10, 1_000))) > 100


def test_a_request_is_proved_whose_values_are_no_terms_of_the_memory() -> None:
    assert check(400, RunReasoner) > 10


def test_a_proof_stands_alone_and_what_is_not_known_has_none() -> None:
    for seed in range(depth(10, 400)):
        for course, step, reasoner, concluded in finished(seed, RunReasoner):
            ground, memory = ground_of(course, step, reasoner, concluded), list(reasoner.facts)
            chance = Random(seed)
            for triple in chance.sample(memory, min(3, len(memory))):
                proof = reasoner.why(triple)
                assert proof[-1].triple == triple
                assert proof == needed(proof, [len(proof) - 1])
                assert run_faults(proof, ground) == []
            for _ in range(5):
                absent = Triple(*(chance.choice(memory)[place] for place in range(3)))
                assert absent in reasoner.facts or reasoner.why(absent) == ()


def test_the_checker_refuses_proofs_with_a_premise_or_a_document_less() -> None:
    refused = 0
    for seed in range(5):
        for course, step, reasoner, concluded in finished(seed, RunReasoner):
            ground = ground_of(course, step, reasoner, concluded)
            for triple in reasoner.facts:
                *steps, last = reasoner.why(triple)
                if last.premises:
                    poorer = replace(last, premises=last.premises[1:])
                    assert run_faults([*steps, poorer], ground) != []
                    refused += 1
    assert refused > 40
