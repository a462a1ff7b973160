"""A reasoner that reasons about everything anew whenever it is asked, and reasoners that forget something.

The first tells that the drivers are right, the others that the test would notice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.errors import BudgetError
from agent.messages import Headers
from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program, RequestRule
from agent.n3.scopes import SCOPED
from agent.rdf.terms import Term, Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Conclude, Reasoner

Rows = list[tuple[RequestRule, Mapping[str, Term]]]


class RecomputingReasoner:
    """What a reasoner must do, done in the plainest way."""

    def __init__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> None:
        self.program = program
        self.budget = budget
        self.protected = protected
        self.context = Context("")
        self.given: tuple[Triple, ...] = ()
        self.known: dict[str, tuple[Triple, ...]] = {}
        self.before: dict[str, tuple[Triple, ...]] = {}
        self.reasoner = self.start()

    @property
    def facts(self) -> Facts:
        return self.reasoner.facts

    def begin(self, facts: Iterable[Triple], context: Context) -> None:
        self.given, self.context = tuple(facts), context
        self.before, self.known = {**self.before, **self.known}, {}

    def said_by(self, uri: str) -> tuple[Triple, ...]:
        return self.known.get(uri, self.before.get(uri, ()))

    def start(self) -> Reasoner:
        reasoner = Reasoner(self.program, self.context, self.budget, protected=self.protected)
        reasoner.add(self.given)
        return reasoner

    def read(self) -> Reasoner:
        reasoner = self.start()
        read: set[str] = set()
        while waiting := reasoner.retrievals().keys() - read:
            read |= waiting
            reasoner.add([triple for uri in waiting for triple in self.said_by(uri)])
        return reasoner

    def wanted(self) -> Mapping[str, Headers]:
        try:
            return self.read().retrievals()
        except BudgetError:
            # What documents said in the last step must not be why this one ends.
            self.before = {}
            return self.read().retrievals()

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None:
        self.known.update({uri: tuple(triples) for uri, triples in said.items()})

    def finish(self, conclude: Conclude | None = None) -> None:
        self.reasoner = self.read()
        self.reasoner.finish(conclude)

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        return self.reasoner.request_bindings()

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        return self.reasoner.contradictions()


class KeepsWhatPagesDrop(RecomputingReasoner):
    """Forgets to delete what a document no longer says."""

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None:
        super().answer({uri: (*triples, *self.before.get(uri, ())) for uri, triples in said.items()})


class KeepsLostPages(RecomputingReasoner):
    """Takes a document that says nothing for one that has not changed."""

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None:
        super().answer({uri: triples or self.before.get(uri, ()) for uri, triples in said.items()})


class CountsReferences(RecomputingReasoner):
    """Keeps a document as long as anything asks for it, be it itself."""

    def read(self) -> Reasoner:
        kept = set(self.before)
        while True:
            reasoner = self.start()
            read: set[str] = set()
            while waiting := (reasoner.retrievals().keys() | kept) - read:
                read |= waiting
                reasoner.add([triple for uri in waiting for triple in self.said_by(uri)])
            if read <= reasoner.retrievals().keys():
                return reasoner
            kept &= reasoner.retrievals().keys()


class StopsTheClock(RecomputingReasoner):
    """Takes what builtins say of the present for something that never changes."""

    def begin(self, facts: Iterable[Triple], context: Context) -> None:
        super().begin(facts, self.context if self.context.instant else context)


class KeepsWhatWasGiven(RecomputingReasoner):
    """Forgets that facts are given for one step."""

    def begin(self, facts: Iterable[Triple], context: Context) -> None:
        super().begin((*self.given, *facts), context)


class ReadsAfterStrata(RecomputingReasoner):
    """Retrieves what rules with negation ask for, too."""

    def wanted(self) -> Mapping[str, Headers]:
        final = self.read()
        asked = dict(final.retrievals())
        final.finish()
        asking = Program(requests=self.program.requests)
        late = Reasoner(asking, self.context, self.budget, protected=self.protected)
        late.add(final.facts)
        return {**late.retrievals(), **asked}


class KeepsConclusions(RecomputingReasoner):
    """Never withdraws what was concluded without a rule."""

    def __init__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> None:
        super().__init__(program, budget=budget, protected=protected)
        self.concluded: dict[Triple, None] = {}

    def finish(self, conclude: Conclude | None = None) -> None:
        def more(facts: Facts) -> Iterable[Triple]:
            self.concluded.update(dict.fromkeys(conclude(facts) if conclude is not None else ()))
            return list(self.concluded)

        super().finish(more)


class KeepsNegatedRows(RecomputingReasoner):
    """Does not look again whether what a request rule negates has come to hold."""

    def __init__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> None:
        super().__init__(program, budget=budget, protected=protected)
        self.rows: Rows = []

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        kept = [row for row in self.rows if any(each.triple.predicate in SCOPED for each in row[0].body)]
        found = list(self.reasoner.request_bindings())
        self.rows = [*found, *(row for row in kept if row not in found)]
        return iter(self.rows)


class KeepsNegatedConclusions(RecomputingReasoner):
    """Does not look again whether what a derivation rule negates has come to hold."""

    def __init__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> None:
        super().__init__(program, budget=budget, protected=protected)
        self.derived: set[Triple] = set()

    def finish(self, conclude: Conclude | None = None) -> None:
        reading = set(self.read().facts)
        super().finish(conclude)
        self.reasoner.add(self.derived)
        self.derived = set(self.reasoner.facts) - reading


class KeepsFields(RecomputingReasoner):
    """Asks for a document with the fields that any step asked with."""

    def __init__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> None:
        super().__init__(program, budget=budget, protected=protected)
        self.fields: dict[str, set[tuple[str, str]]] = {}

    def wanted(self) -> Mapping[str, Headers]:
        found = super().wanted()
        for uri, headers in found.items():
            self.fields.setdefault(uri, set()).update(headers)
        return {uri: tuple(sorted(self.fields[uri])) for uri in found}


class ForgetsContradictions(RecomputingReasoner):
    """Finds a contradiction once."""

    def __init__(self, program: Program, *, budget: Budget, protected: frozenset[str]) -> None:
        super().__init__(program, budget=budget, protected=protected)
        self.seen: list[tuple[Inconsistency, Mapping[str, Term]]] = []

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        new = [each for each in self.reasoner.contradictions() if each not in self.seen]
        self.seen += new
        return iter(new)


class KeepsWhatWasRefused(RecomputingReasoner):
    """Keeps some of what was known in a step that ended with an error."""

    refused: tuple[Triple, ...] = ()

    def begin(self, facts: Iterable[Triple], context: Context) -> None:
        super().begin((*facts, *self.refused), context)

    def read(self) -> Reasoner:
        try:
            return super().read()
        except BudgetError:
            said = (self.said_by(uri)[:1] for uri in {**self.before, **self.known})
            self.refused = (*self.given, *(triple for triples in said for triple in triples))
            raise


FORGETFUL = (
    KeepsWhatPagesDrop,
    KeepsLostPages,
    CountsReferences,
    StopsTheClock,
    KeepsWhatWasGiven,
    ReadsAfterStrata,
    KeepsConclusions,
    KeepsNegatedRows,
    KeepsNegatedConclusions,
    KeepsFields,
    ForgetsContradictions,
    KeepsWhatWasRefused,
)
