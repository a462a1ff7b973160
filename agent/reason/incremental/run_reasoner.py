"""The reasoning of a run, whichever engine does it (ADR 0117)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from agent.errors import BudgetError
from agent.messages import Headers
from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program, RequestRule
from agent.n3.quoted import Quotation
from agent.rdf.terms import Term, Triple
from agent.reason.absence import Absence, Absences
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.fixpoint import Conclude
from agent.reason.incremental.again import prove_again
from agent.reason.incremental.effort import Effort, Most, TakesTooMuchError, most_taken
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.levels import NotMaintainedError
from agent.reason.incremental.memory import Memory
from agent.reason.incremental.recomputation import Recomputation
from agent.reason.incremental.standing import Standing
from agent.reason.proof import Proofs, Step, needed
from agent.reason.rules import check_rules

_NO_DOCUMENTS: frozenset[str] = frozenset()
_NOTHING_SAID: dict[str, Sequence[Triple]] = {}


class RunReasoner:
    """The reasoner of a run, step after step.

    Its memory is maintained where that is exact, else computed anew in each step; ``reason`` then says why. With
    ``recompute`` it always is. A step that would take back more facts than ``most`` allows begins with an empty memory
    too. Raises ``ProgramError`` for rules that cannot be run. A step that ends in ``BudgetError`` leaves it whole: the
    next one begins with an empty memory.
    """

    def __init__(
        self,
        program: Program,
        *,
        budget: Budget | None = None,
        protected: frozenset[str] = frozenset(),
        recompute: bool = False,
        most: Most = most_taken,
    ) -> None:
        self._program = program
        self._budget = budget or Budget()
        self._protected = protected
        self._context = Context("")
        check_rules(program, protected)
        self.reason = "it is asked for" if recompute else why_not_incremental(program)
        self._given: tuple[Triple, ...] = ()
        self._answers: MutableMapping[str, Sequence[Triple]] = {}
        self._quoted: dict[str, Quotation] = {}
        self._concluded: tuple[Triple, ...] = ()
        self._wants: frozenset[str] = frozenset()
        self._memory: Memory | None = None
        self._is_new = False
        self._has_wanted = False
        self._effort = Effort(most)
        self._recomputation = Recomputation(program, self._budget, protected)

    @property
    def is_maintained(self) -> bool:
        """Tell whether the memory stays from step to step."""
        return self._memory is not None

    @property
    def work(self) -> int:
        """Return how many facts the step has put into the memory that is kept and taken back from it so far."""
        return self._effort.work

    @property
    def facts(self) -> Facts:
        """Return the memory of the step."""
        return self._recomputation.facts if self._memory is None else self._memory.facts

    @property
    def said(self) -> Mapping[str, Sequence[Triple]]:
        """Return what a memory that is maintained knows documents to say: who says the very same need not repeat it."""
        return _NOTHING_SAID if self._memory is None else self._memory.said

    def begin(
        self,
        facts: Iterable[Triple],
        context: Context,
        answers: MutableMapping[str, Sequence[Triple]] | None = None,
    ) -> None:
        """Begin a step: the facts that are given for it, and what builtins know.

        ``answers`` are what all documents say that are answered in this step, also those that are not told of because
        they say what they ``said``: whoever gives it keeps it up to date.
        """
        self._given, self._context = tuple(facts), context
        self._answers = {} if answers is None else answers
        self._quoted, self._concluded = {}, ()
        self._is_new = self._has_wanted = False
        self._effort.begin()
        if self._memory is not None and self._memory.is_overgrown:
            self._memory = None
        if self._memory is None:
            self._wants = frozenset()
        if self.reason is None:
            self._guarded(lambda memory: memory.begin(self._given, context))
        else:
            self._recomputation.begin(self._given, context)

    def wanted(self) -> Mapping[str, Headers]:
        """Return the documents that GET rules ask for, given what was answered so far in this step.

        Documents that were not count with what they said in the step before.
        """
        return (self._memory or self._recomputation).wanted()

    def want(self, uris: Iterable[str]) -> bool:
        """Take the documents that are wanted by other means than rules; tell whether the memory is another one then.

        Within a step there come only more of them. If some are missing that were wanted in the step before, the step
        begins anew with none.
        """
        wants = frozenset(uris)
        self._has_wanted = True
        if wants <= self._wants and self._memory is None:
            return False
        if self._memory is None:
            self._wants |= wants
            self._recomputation.want(self._wants)
            return False
        if wants >= self._wants or self._is_new:
            if wants <= self._wants:
                return False
            self._wants |= wants
            self._guarded(lambda memory: memory.want(self._wants))
            return True
        self._wants = frozenset()
        self._guarded(self._forget)
        return True

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None:
        """Take what documents say in this step; gone and failed ones say nothing."""
        self._answers.update(said)
        if self._memory is None:
            self._recomputation.answer(said)
        else:
            self._guarded(lambda memory: memory.answer(said))

    def openings(self) -> AbstractSet[str]:
        """Return the documents that rules look into so far."""
        return _NO_DOCUMENTS if self._memory is not None else self._recomputation.openings()

    def read(self, said: Mapping[str, Quotation]) -> None:
        """Take what documents say for the rules that look into them."""
        if self._memory is None:
            self._quoted.update(said)
            self._recomputation.read(said)

    def finish(self, conclude: Conclude | None = None, standing: Standing[Any] | None = None) -> None:
        """Settle negation; ``conclude`` gets the memory and gives what follows from it by other means than rules.

        ``standing`` gives the same for a memory that is kept, at the cost of what has changed.
        """
        if self._memory is not None:
            self._guarded(lambda memory: memory.finish(conclude, standing))
        if self._memory is not None:
            self._answers = {}  # only a step that begins anew needs them
        else:
            self._recomputation.finish(None if conclude is None else self._noting(conclude))

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        """Yield each request rule that is no retrieval with each binding of its templates' variables."""
        return (self._memory or self._recomputation).request_bindings()

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        """Yield each rule whose head is false with each binding for which its body holds."""
        return (self._memory or self._recomputation).contradictions()

    def why(self, triple: Triple) -> tuple[Step, ...]:
        """Return a proof of ``triple``, its last step, with premises before what rests on them; none if it is not known.

        It is found now, in the memory as it is. Raises ``BudgetError`` if that takes too long.
        """
        proofs = self.proofs()
        number = proofs.prove(triple)
        return () if number is None else needed(proofs.steps, [number])

    def why_not(self, pattern: Triple, unread: Mapping[str, str] | None = None) -> Absence | None:
        """Return why nothing in memory is ``pattern``; nothing if something is.

        ``unread`` are documents that could not be read, with what became of them. Raises ``BudgetError`` if trying the
        rules takes too long.
        """
        read = self.wanted().keys() - (unread or {}).keys()
        return Absences(
            self._program,
            self.facts,
            self._context,
            budget=self._budget,
            protected=self._protected,
            read=read,
            unread=unread,
        ).explain(pattern)

    def proofs(self, *, tells_why_read: bool = True) -> Proofs:
        """Return what finds proofs in the memory as it is; if it was recomputed, the step is done once more for that.

        With ``tells_why_read`` they go on from a document to the rule that asked for it, if the memory is maintained.
        """
        if self._memory is not None:
            return self._memory.proofs(Tries(self._budget.bindings), tells_why_read=tells_why_read)
        return prove_again(
            self._program,
            self._context,
            self._budget,
            self._protected,
            self._given,
            self._wants,
            self._answers,
            self._quoted,
            self._concluded,
        )

    def _noting(self, conclude: Conclude) -> Conclude:
        def conclude_and_note(facts: Facts) -> Iterable[Triple]:
            self._concluded = tuple(conclude(facts))
            return self._concluded

        return conclude_and_note

    def _guarded(self, act: Callable[[Memory], None]) -> None:
        """Do something with the memory; recompute from now on if it cannot be maintained.

        While a memory changes it holds more than the step it comes from and the one it goes to, and it holds the
        facts of negated groups. So where a limit is passed, the step so far is done again from nothing, and then by
        the engine that has no more than it needs: only if that is too much too, it is the step's fault.
        """
        try:
            self._act(act)
        except NotMaintainedError:
            self.reason = "with what is in memory, negation depends on what follows from it, or is too large"
            self._recompute()
        except BudgetError:
            self._recompute()
        except BaseException:
            self._memory = None
            raise

    def _act(self, act: Callable[[Memory], None]) -> None:
        if self._memory is None:
            self._begin_anew()
        assert self._memory is not None  # noqa: S101  it was made just now
        try:
            act(self._memory)
        except TakesTooMuchError:
            self._forget(self._memory)
            act(self._memory)
        except BudgetError:
            if self._is_new:
                raise
            self._memory = None
            act(self._begin_anew())

    def _recompute(self) -> None:
        """Do the step so far again, with the other engine."""
        self._memory = None
        self._recomputation.begin(self._given, self._context)
        self._recomputation.want(self._wants)
        self._recomputation.answer(self._answers)

    def _forget(self, memory: Memory) -> None:
        """Do the step so far with an empty memory and the same compiled rules."""
        memory.forget()
        self._begin_anew()

    def _begin_anew(self) -> Memory:
        """Do the step so far from an empty memory."""
        self._is_new = True
        if not self._has_wanted:
            # Those of the step before.
            self._wants = frozenset()
        if self._memory is None:
            self._memory = Memory(self._program, self._budget, self._protected, self._context, self._effort)
        self._memory.begin(self._given, self._context)
        self._memory.want(self._wants)
        self._memory.answer(self._answers)
        return self._memory
