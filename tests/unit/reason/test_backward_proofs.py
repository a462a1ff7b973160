"""Proofs of answers that backward rules find in circles rest on facts all the same."""

import pytest

from agent.reason.proof import RankedFacts
from agent.runtime.derive import derive
from agent.runtime.explaining import explain
from tests.support.n3 import program as read
from tests.support.proofs import faults

INSTANT = "2026-01-01T00:00:00.000Z"
EDGES = "ex:a ex:e ex:b . ex:b ex:e ex:c . ex:c ex:e ex:a . ex:c ex:e ex:d . "


@pytest.mark.parametrize(
    "rules",
    [
        "{ ?x ex:r ?z } <= { ?x ex:r ?y . ?y ex:r ?z } . { ?x ex:r ?y } <= { ?x ex:e ?y } . ",
        "{ ?x ex:r ?z } <= { ?y ex:r ?z . ?x ex:s ?y } . { ?x ex:s ?y } <= { ?x ex:r ?y } . { ?x ex:r ?y } <= { ?x ex:e ?y } . ",
    ],
)
def test_what_goes_round_in_a_circle_is_proved_from_facts(rules: str) -> None:
    program = read(EDGES + rules + "{ ?x ex:r ?y . ?y ex:e ?x } => { ?x ex:loops ?y } .")
    derivation = derive(program, instant=INSTANT, memory=RankedFacts())

    steps = explain(program, derivation, derivation.derived, [("facts", program.facts)])

    assert len(derivation.derived) == 3
    assert sum(step.is_answer for step in steps) >= 3
    assert faults(steps, program, {"facts": program.facts}, derivation.memory, derivation.context) == []
