"""A memory that lives as long as a run: each step changes it by what is said otherwise than in the step before.

Nothing of a step counts before the step has read it again, but for one thing: what a document said last time stands
until it is answered, so that everything that will be asked for is asked for at once. What is final is exactly what
recomputing gives (ADR 0117).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent.messages import Headers
from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program, RequestRule
from agent.rdf.terms import IRI, RDF_TYPE, Literal, Term, Triple, document_of
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.fixpoint import Conclude
from agent.reason.incremental.compiled import Compiled
from agent.reason.incremental.contributions import CONCLUDED, GIVEN, PROGRAM, WANTED, Contributions
from agent.reason.incremental.dispatch import Fact
from agent.reason.incremental.effort import Effort
from agent.reason.incremental.maintenance import Maintenance
from agent.reason.incremental.order import Order
from agent.reason.incremental.standing import Kept, Standing
from agent.reason.incremental.units import FIELD, ONE, RETRIEVED, Unit, Units
from agent.reason.incremental.views import Views
from agent.reason.incremental.why import Checks, MemoryProofs, Rule
from agent.reason.prepared import (
    PreparedRequest,
    prepare_derivation,
    prepare_inconsistency,
    prepare_request,
)

MOST_FORMER_TERMS = 100_000
"""How many terms more than twice as many as in its first step a memory may have met before it is worth making it anew."""

_NOTHING: frozenset[Fact] = frozenset()


class Memory:
    """What is known in a run. Raises ``NotMaintainedError`` when negation makes it impossible to maintain.

    While ``effort`` is bounded, whatever changes it may raise ``TakesTooMuchError``: then ``forget`` makes it usable.
    """

    def __init__(
        self, program: Program, budget: Budget, protected: frozenset[str], context: Context, effort: Effort
    ) -> None:
        self.facts = Facts()
        self._table = self.facts.table
        units = Units()
        derivations = [units.derivation(prepare_derivation(rule)) for rule in program.derivations]
        retrievals = [
            (rule, units.retrieval(rule, prepare_request(rule)))
            for rule in program.requests
            if rule.is_retrieval
        ]
        self._requests = [
            (rule, prepare_request(rule), units.view(prepare_request(rule)))
            for rule in program.requests
            if not rule.is_retrieval
        ]
        self._inconsistencies = [
            (rule, prepare_inconsistency(rule), units.view(prepare_inconsistency(rule)))
            for rule in program.inconsistencies
        ]
        numbers = frozenset(self._table.intern(IRI(iri)) for iri in protected)
        self._hidden = Facts(self._table)
        self._compiled = Compiled(units.all, self.facts, self._hidden, budget, numbers, context)
        self._said = Contributions()
        self._views = Views(self._compiled, budget)
        self._memory = Maintenance(self._compiled, self._said, budget, effort)
        self._order = Order(
            program, derivations, self._compiled, self._table.intern(RDF_TYPE), numbers, frozenset(protected)
        )
        self._program_facts = self._numbers_of(program.facts)
        self._rules: dict[int, Rule] = {
            unit.number: rule for rule, unit in zip(program.derivations, derivations, strict=True)
        }
        self._rules.update((unit.number, rule) for rule, unit in retrievals)
        self._rules.update((unit.number, rule) for rule, _, unit in self._requests)
        self._checks: Checks | None = None
        self._wanted: dict[str, Headers] = {}
        self.said: dict[str, Sequence[Triple]] = {}
        self._spare: dict[str, tuple[Sequence[Triple], frozenset[Fact]]] = {}
        self._given: tuple[Triple, ...] = ()
        self._given_numbers: Sequence[Fact] = []
        self._kept: Kept | None = None
        self._concluded: Iterable[Triple] | None = None
        self._terms_first = 0
        self._is_whole = False

    @property
    def is_overgrown(self) -> bool:
        """Tell whether most of the terms it has numbers for are those of facts that went long ago."""
        return len(self._table.terms) > 2 * self._terms_first + MOST_FORMER_TERMS

    def forget(self) -> None:
        """Forget all that was said, so that the next ``begin`` begins with nothing; rules stay compiled."""
        self._spare = {
            uri: (triples, self._said.said.get(self._table.intern(IRI(uri)), _NOTHING))
            for uri, triples in self.said.items()
        }
        self._said.forget()
        self.said.clear()
        self._is_whole = False

    # ---- a step

    def begin(self, facts: tuple[Triple, ...], context: Context) -> None:
        """Begin a step with the facts that are given for it."""
        self._compiled.begin(context)
        if facts is not self._given:
            self._given, self._given_numbers = facts, self._numbers_of(facts)
        given = self._given_numbers
        self._memory.begin()
        if not self._is_whole:
            self._said.replace(PROGRAM, self._program_facts)
            self._said.replace(GIVEN, given)
            self._start()
            return
        self._is_whole = False
        self._memory.renew(*self._said.replace(GIVEN, given))
        self._is_whole = True

    def want(self, uris: Iterable[str]) -> None:
        """Take the documents that are wanted by other means than rules: never fewer than before."""
        documents = [(self._table.intern(IRI(document_of(uri))), RETRIEVED, ONE) for uri in uris]
        self._is_whole = False
        self._memory.change(*self._said.replace(WANTED, documents))
        self._is_whole = True

    def wanted(self) -> Mapping[str, Headers]:
        """Return the documents that are wanted, as things stand: the same object while they are the same."""
        if self._memory.asks_otherwise:
            self._memory.asks_otherwise = False
            self._wanted = self._find_wanted()
        return self._wanted

    def _find_wanted(self) -> dict[str, Headers]:
        terms, parts = self._table.terms, self._compiled.packed.parts
        fields = self._hidden.indexes(FIELD)[0]
        wanted: dict[str, Headers] = {}
        for document in self._hidden.indexes(RETRIEVED)[0]:
            uri = terms[document]
            pairs = set()
            for number in fields.get(document, ()):
                name, value = (terms[part] for part in parts(number))
                if isinstance(name, Literal) and isinstance(value, Literal):
                    pairs.add((name.lexical, value.lexical))
            if isinstance(uri, IRI):
                wanted[uri.value] = tuple(sorted(pairs))
        return wanted

    def answer(self, said: Mapping[str, Sequence[Triple]]) -> None:
        """Take what documents say in this step."""
        self._is_whole = False
        added: list[Fact] = []
        removed: list[Fact] = []
        for uri, triples in said.items():
            if self.said.get(uri) is triples:
                continue
            self.said[uri] = triples
            document = self._table.intern(IRI(uri))
            before, numbers = self._spare.get(uri, (None, _NOTHING))
            facts = numbers if before is triples else self._numbers_of(triples)
            more, less = self._said.replace(document, facts)
            added += more
            removed += less
        if added or removed:
            self._memory.change(added, removed)
        self._is_whole = True

    def finish(self, conclude: Conclude | None = None, standing: Standing[Any] | None = None) -> None:
        """Settle negation, draw the conclusions about sentries, and bring the views up to date.

        Raises ``NotMaintainedError``.
        """
        self._is_whole = False
        self._rearrange()
        self._settle(conclude, standing)
        while self._rearrange():
            self._settle(conclude, standing)
        self._views.update(self._memory.changes, len(self.facts))
        self._memory.changes.clear()
        self._spare.clear()
        self._terms_first = self._terms_first or len(self._table.terms)
        for document in self._said.forget_idle():
            name = self._table.terms[document] if document >= 0 else None
            if isinstance(name, IRI):
                self.said.pop(name.value, None)
        self._is_whole = True

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        """Yield the request rules with the bindings of their templates."""
        for rule, prepared, unit in self._requests:
            if self._views.rows(unit):
                for binding in self._bindings(prepared, unit):
                    yield rule, binding

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        """Yield the inconsistencies with the bindings that show them."""
        for rule, prepared, unit in self._inconsistencies:
            if self._views.rows(unit):
                for binding in self._bindings(prepared, unit):
                    yield rule, binding

    # ---- proofs

    def proofs(self, tries: Tries, *, tells_why_read: bool) -> MemoryProofs:
        """Return what finds proofs in the memory as it is, until it changes."""
        if self._checks is None:
            self._checks = Checks(self._compiled, self._rules)
        views = {id(rule): (prepared, unit) for rule, prepared, unit in self._requests}
        return MemoryProofs(self._checks, self._said, views, tries, tells_why_read=tells_why_read)

    # ---- inside

    def _start(self) -> None:
        """Fill the memory anew from what is given and what documents said."""
        self._memory.clear()
        self._kept, self._concluded = None, None
        self._views.forget()
        self._memory.arrange(self._order.levels())
        self._memory.start()
        for more in (WANTED, CONCLUDED):
            self._memory.change(self._said.count(more), ())
        self._is_whole = True

    def _rearrange(self) -> bool:
        """Start anew if what is in memory changes the order in which negation is settled; tell whether it did."""
        if not self._order.has_changed(self._memory.changes):
            return False
        self._start()
        return True

    def _settle(self, conclude: Conclude | None, standing: Standing[Any] | None) -> None:
        if standing is not None:
            self._order.check_conclusions()
            self._conclude_again(standing)
            return
        if conclude is not None:
            self._order.check_conclusions()
            self._take_back()
        self._memory.settle_above()
        if conclude is not None:
            self._take(conclude(self.facts))

    def _conclude_again(self, standing: Standing[Any]) -> None:
        """Draw conclusions from what has changed.

        The old ones stay in memory meanwhile, unless something that they lead to is read by the new ones.
        """
        if self._kept is None:
            self._kept = standing.keep(self.facts)
        stays = self._order.may_stay(self._kept.reads())
        if not stays:
            self._take_back()
        self._memory.settle_above()
        concluded = self._concluded_from(standing, self._kept)
        if stays and not self._order.may_stay(self._kept.reads()):
            self._take_back()
            self._memory.settle_above()
            concluded = self._concluded_from(standing, self._kept)
        self._take(concluded)

    def _concluded_from(self, standing: Standing[Any], kept: Kept) -> Iterable[Triple]:
        changes = self._memory.unconcluded
        gained, lost = ([fact for fact in facts if fact[1] >= 0] for facts in (changes.gained, changes.lost))
        changes.clear()
        return standing.conclude(kept, gained, lost)

    def _take_back(self) -> None:
        """Take the conclusions of the last step out of memory."""
        self._concluded = None
        _, removed = self._said.replace(CONCLUDED, ())
        self._memory.change((), removed)

    def _take(self, triples: Iterable[Triple]) -> None:
        """Put conclusions into memory, in the place of those that are in it; the very same may be there already."""
        if triples is self._concluded:
            return
        self._concluded = triples
        concluded = self._numbers_of(triples)
        self._said.count(CONCLUDED)
        added, removed = self._said.replace(CONCLUDED, concluded)
        if added or removed:
            self._order.conclude({fact[1] for fact in concluded})
            self._memory.change(added, removed)
            self._memory.settle_above()

    def _bindings(self, prepared: PreparedRequest, unit: Unit) -> Iterator[Mapping[str, Term]]:
        terms = self._table.terms
        names = [name for name, _ in prepared.projection]
        for row in self._views.rows(unit):
            yield {name: terms[number] for name, number in zip(names, row, strict=True)}

    def _numbers_of(self, triples: Iterable[Triple]) -> Sequence[Fact]:
        return self._table.intern_all(triples)
