"""A step reasoned about from nothing, by the simple engine: the fallback, and the oracle of the other one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from agent.messages import Headers
from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program, RequestRule
from agent.n3.quoted import Quotation
from agent.rdf.terms import Term, Triple, document_of
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Conclude, Reasoner


class Recomputation:
    """The reasoning of a run that begins every step with an empty memory."""

    def __init__(self, program: Program, budget: Budget, protected: frozenset[str]) -> None:
        self._program = program
        self._budget = budget
        self._protected = protected
        self._wants: frozenset[str] = frozenset()
        self._unread: dict[str, Sequence[Triple]] = {}
        self._reasoner = Reasoner(Program(), Context(""), budget)

    @property
    def facts(self) -> Facts:
        """Return the memory of the step."""
        return self._reasoner.facts

    def begin(self, facts: Iterable[Triple], context: Context) -> None:
        """Begin a step. Raises what ``Reasoner`` does."""
        self._wants, self._unread = frozenset(), {}
        # If the program alone is too much, what is left is an empty memory and not that of the step before.
        self._reasoner = Reasoner(Program(), context, self._budget)
        self._reasoner = Reasoner(self._program, context, self._budget, protected=self._protected)
        self._reasoner.add(facts)

    def want(self, uris: Iterable[str]) -> None:
        """Take the documents that are wanted by other means than rules."""
        self._wants = frozenset(map(document_of, uris))
        self.answer({})

    def wanted(self) -> Mapping[str, Headers]:
        """Return the documents that are wanted so far."""
        return {**dict.fromkeys(self._wants, ()), **self._reasoner.retrievals()}

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None:
        """Take what documents say; it counts when they are wanted, now or later."""
        self._unread.update(said)
        while known := self._unread.keys() & self.wanted().keys():
            self._reasoner.add(triple for uri in sorted(known) for triple in self._unread.pop(uri))

    def openings(self) -> AbstractSet[str]:
        """Return the documents that rules look into so far."""
        return self._reasoner.openings()

    def read(self, said: Mapping[str, Quotation]) -> None:
        """Take what documents say for the rules that look into them."""
        self._reasoner.read(said)

    def finish(self, conclude: Conclude | None = None) -> None:
        """Run the rules with negation."""
        self._reasoner.finish(conclude)

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        """Yield the request rules with the bindings of their templates."""
        return self._reasoner.request_bindings()

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        """Yield the inconsistencies with the bindings that show them."""
        return self._reasoner.contradictions()
