"""What stays from step to step of a run: the memory, what documents said, and how the instances are."""

from dataclasses import dataclass, field

from agent.reason.incremental.run_reasoner import RunReasoner
from agent.runtime.plan import StepPlan
from agent.runtime.read_memo import ReadMemo
from agent.runtime.survey import Survey


@dataclass(slots=True)
class Reasoning:
    """The reasoning of a run of ``plan``; with ``recompute`` every step begins with an empty memory."""

    plan: StepPlan
    recompute: bool = False
    documents: ReadMemo = field(init=False)
    survey: Survey = field(default_factory=Survey, init=False)
    _reasoner: RunReasoner | None = None

    def __post_init__(self) -> None:
        self.documents = ReadMemo(keep_bodies=self.plan.keep_bodies)

    def begin(self) -> RunReasoner:
        """Return the reasoner, for the next step. Raises ``ProgramError`` for rules that cannot be run."""
        self.documents.begin_step()
        if self._reasoner is None:
            plan = self.plan
            self._reasoner = RunReasoner(
                plan.program,
                budget=plan.budget,
                protected=frozenset() if plan.workflows is None else plan.workflows.protected,
                recompute=self.recompute,
            )
        return self._reasoner
