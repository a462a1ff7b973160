"""Step plans from the text of a program, for tests of the step."""

from typing import TypedDict, Unpack

from agent.decide.updates import OnConflict
from agent.n3.load import read_program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.runtime.plan import Limits, StepPlan
from agent.runtime.workflows import Workflows
from agent.vocab import KNOWN_PREFIXES, THIS_BASE

W = "http://w/"
_PREFIXES = {
    **KNOWN_PREFIXES,
    "": W + "vocab#",
    "w": W,
    "m": KNOWN_PREFIXES["httpm"],
    "this": THIS_BASE + "#",
}
PREFIXES = "".join(f"@prefix {name}: <{base}> . " for name, base in _PREFIXES.items())


class PlanOptions(TypedDict, total=False):
    """What a plan may have besides its program."""

    given: tuple[Triple, ...]
    workflows: Workflows | None
    on_conflict: OnConflict
    dry_run: bool
    limits: Limits
    budget: Budget
    keep_bodies: bool
    keep_grounds: bool


def plan(program: str, **options: Unpack[PlanOptions]) -> StepPlan:
    """Return the plan of a program; prefixes are declared on its first line, so rule names count from line 1."""
    return StepPlan(read_program(PREFIXES + program, source="rules.n3", base=W + "rules.n3"), **options)


def get(uri: str) -> str:
    """Return a bare request that retrieves ``uri``."""
    return f"{{ [] http:mthd m:GET ; http:requestURI <{uri}> . }} .\n"
