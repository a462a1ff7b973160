"""What stays from step to step of a run: the memory, and what documents said."""

from dataclasses import dataclass, field

from agent.reason.incremental.session import Session
from agent.runtime.plan import StepPlan
from agent.runtime.read_memo import ReadMemo


@dataclass(slots=True)
class Reasoning:
    """The reasoning of a run of ``plan``; with ``recompute`` every step begins with an empty memory."""

    plan: StepPlan
    recompute: bool = False
    documents: ReadMemo = field(init=False)
    _session: Session | None = None

    def __post_init__(self) -> None:
        self.documents = ReadMemo(keep_bodies=self.plan.keep_bodies)

    def begin(self) -> Session:
        """Return the session, for the next step. Raises ``ProgramError`` for rules that cannot be run."""
        self.documents.begin_step()
        if self._session is None:
            plan = self.plan
            self._session = Session(
                plan.program,
                budget=plan.budget,
                protected=frozenset() if plan.workflows is None else plan.workflows.protected,
                numeric=plan.numeric,
                recompute=self.recompute,
            )
        return self._session
