"""What a step is made from, apart from its instant: the program, the facts, the limits, the policies."""

from msgspec import Struct, field

from agent.decide.updates import OnConflict
from agent.n3.builtins import Numeric
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.runtime.workflows import Workflows
from agent.vocab import AG, GSM

CAUTIOUS = frozenset(
    {
        *(AG + name for name in ("isIncomplete", "latches", "isHeld", "isCancelled", "isDone")),
        *(GSM + name for name in ("hasAchievedMilestone", "hasDescendantStage")),
    }
)
"""What the lifecycle rules test the absence of: an instance of which anything is not known does not act anyway."""


class Limits(Struct, frozen=True):
    """How much of the Web one step may read; beyond it the step ends before it writes anything."""

    documents: int = 100_000
    bytes: int = 512 * 1024 * 1024


class StepPlan(Struct, frozen=True):
    """Everything that all steps of a run have in common.

    ``given`` are triples added to the facts of the program (``-i``, scope). ``cautious`` names predicates whose
    negation errs towards not acting, so that request rules may test their absence although a document failed.
    ``keep_bodies`` keeps bodies of answers and requests in the report, ``keep_grounds`` why requests are sent.
    """

    program: Program
    given: tuple[Triple, ...] = ()
    workflows: Workflows | None = None
    on_conflict: OnConflict = "pick"
    dry_run: bool = False
    limits: Limits = field(default_factory=Limits)
    budget: Budget = field(default_factory=Budget)
    numeric: Numeric = "strict"
    cautious: frozenset[str] = CAUTIOUS
    keep_bodies: bool = False
    keep_grounds: bool = False
