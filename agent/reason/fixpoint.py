"""The reasoner of a step: a semi-naive fixpoint of derivation rules, then negation stratum by stratum.

The read phase adds what was retrieved and asks for more (``add``, ``retrievals``), ``finish`` runs the strata, and
``request_bindings`` evaluates the request rules on the final memory (paper section 3.6). The order of rules, patterns
and additions never changes the outcome.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from msgspec.structs import replace

from agent.errors import BudgetError
from agent.n3.builtins import Context
from agent.n3.program import DerivationRule, Inconsistency, Program, RequestRule, RequestTemplate
from agent.n3.quoted import Quotation
from agent.rdf.statements import Row
from agent.rdf.terms import IRI, Literal, Term, Triple, Variable, document_of
from agent.reason.answers import Answerer
from agent.reason.budget import Budget, Tries, exceeded
from agent.reason.closure import Closures
from agent.reason.derive import Round
from agent.reason.facts import Facts
from agent.reason.join import Answers, Linker, constants_of
from agent.reason.linked import LinkedRule, Triggers, link_inventions
from agent.reason.openings import Opening, prepare_openings
from agent.reason.prepared import (
    Body,
    PreparedRequest,
    prepare_derivation,
    prepare_inconsistency,
    prepare_request,
)
from agent.reason.rules import check_rules, prepare_rules

if TYPE_CHECKING:
    from agent.messages import Headers

Conclude = Callable[[Facts], Iterable[Triple]]


class Reasoner:
    """The reasoning of one step.

    ``protected`` predicates are never derived by a head whose predicate is a variable. ``memory``, empty still, is
    what triples are put into; one is made if there is none. Raises ``ProgramError`` for
    rules that cannot be run and ``BudgetError`` when a limit is passed; memory then holds all finished rounds.
    """

    def __init__(
        self,
        program: Program,
        context: Context,
        budget: Budget | None = None,
        *,
        protected: frozenset[str] = frozenset(),
        memory: Facts | None = None,
        tries: Tries | None = None,
    ) -> None:
        self.facts = Facts() if memory is None else memory
        self.context = (
            context if context.conclude else replace(context, conclude=Closures(self._closure).conclude)
        )
        self._budget = budget or Budget()
        self._tries = tries or Tries(self._budget.bindings)
        self._before = Facts(self.facts.table)
        names = frozenset(self.facts.table.intern(IRI(iri)) for iri in protected)
        self._round = Round(self.facts, self._budget, names)
        self._new = self._round.new
        self._rounds = 0
        self._asked: dict[str, set[tuple[str, str]]] = {}
        self._opened: dict[str, dict[tuple[IRI, IRI], None]] = {}
        self._said: dict[str, Quotation] = {}
        self._quoted: dict[Triple, None] = {}
        check_rules(program, protected)
        rules = prepare_rules(program, protected)
        self._strata = rules.strata
        self._backward = rules.backward
        self._answers = self._answerer(self._before)
        self._final_answers = self._answerer(self.facts)
        self._inconsistencies = program.inconsistencies
        self._requests = [rule for rule in program.requests if not rule.is_retrieval]
        self._retrievals = [self._link_retrieval(rule) for rule in program.requests if rule.is_retrieval]
        self._positive = [self._link_derivation(rule) for rule in rules.positive]
        openings = prepare_openings(
            (*program.derivations, *program.requests, *program.inconsistencies), self._backward.asked
        )
        self._openings = [self._link_opening(each) for each in openings]
        self._triggers = [self._triggers_of(self._positive + self._retrievals + self._openings)]
        self._start(program.facts)

    def _start(self, facts: Iterable[Triple]) -> None:
        for rule in (*self._positive, *self._retrievals, *self._openings):
            if not rule.body.matches:
                self._run(rule)
        self.add(facts)

    def add(self, triples: Iterable[Triple]) -> None:
        """Add ``triples`` and everything that the derivation rules without negation derive from memory then."""
        self.add_rows(self.facts.table.intern_all(triples))

    def add_rows(self, rows: Iterable[Row]) -> None:
        """Add triples of numbers of the table of ``facts``, and what the rules derive then, as ``add`` does."""
        has = self.facts.has
        unknown = (row for row in rows if not has(*row)) if len(self.facts) else rows
        self._new.update(dict.fromkeys(unknown))
        if len(self.facts) + len(self._new) > self._budget.facts:
            self._new.clear()
            raise exceeded("facts", self._budget.facts, self._round.last_rule or "(data alone)")
        self._saturate()

    def catch_up(self) -> None:
        """Derive what rules without negation make of triples that were in the memory from the beginning."""
        for rule in self._positive:
            self._run(rule)
        self._saturate()

    def retrievals(self) -> "Mapping[str, Headers]":
        """Return the documents that GET rules ask for so far, by http or https URI, with their header fields.

        When rules ask for the same document with different fields it has them all, sorted.
        """
        return {uri: tuple(sorted(headers)) for uri, headers in self._asked.items()}

    def openings(self) -> AbstractSet[str]:
        """Return the URIs of the documents that rules look into by log:semantics and log:content so far."""
        return self._opened.keys()

    def read(self, said: Mapping[str, Quotation]) -> None:
        """Take what documents say, by URI, for the rules that look into them, now or later."""
        self._said.update(said)
        self._quote()

    @property
    def quotations(self) -> AbstractSet[Triple]:
        """Return the triples about documents that were added for rules that look into them."""
        return self._quoted.keys()

    def _quote(self) -> None:
        """Add what is known of the documents that rules look into, until they look into no more."""
        while new := [
            triple
            for uri in list(self._said)
            for name, predicate in self._opened.get(uri, ())
            for triple in self._said[uri].about(name, predicate)
            if triple not in self._quoted
        ]:
            self._quoted.update(dict.fromkeys(new))
            self.add(new)

    def finish(self, conclude: Conclude | None = None) -> None:
        """Run the rules with negation, stratum by stratum; nothing is retrieved any more.

        ``conclude`` gets the memory once, when all strata that do not depend on sr:boolean are done, and its triples
        are added.
        """
        self._triggers = [self._triggers_of(self._positive)]
        for stratum in self._strata.before:
            self._run_stratum(stratum)
        if conclude is not None:
            self.add(list(conclude(self.facts)))
        for stratum in self._strata.after:
            self._run_stratum(stratum)

    def request_bindings(self) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        """Yield each request rule that asks for more than retrievals with each binding of its templates' variables.

        Bindings are distinct; negated groups are tested against the memory as it is.
        """
        for rule in self._requests:
            for binding in self._bindings(prepare_request(rule, self._backward.asked), "requests of a rule"):
                yield rule, binding

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        """Yield each rule whose head is false with each binding of its variables for which its body holds."""
        for rule in self._inconsistencies:
            prepared = prepare_inconsistency(rule, self._backward.asked)
            for binding in self._bindings(prepared, "inconsistencies of a rule"):
                yield rule, binding

    def _bindings(self, prepared: PreparedRequest, what: str) -> Iterator[Mapping[str, Term]]:
        """Yield the distinct bindings of ``prepared`` on the memory as it is; ``what`` they are, for the budget."""
        linker = self._linker(prepared.body, self.facts, self._final_answers)
        slots = linker.slots
        wanted = [slot for _, slot in prepared.projection]
        rows: dict[tuple[int, ...], None] = {}
        most = self._budget.facts

        def found() -> bool:
            rows[tuple([slots[slot] for slot in wanted])] = None
            if len(rows) > most:
                raise exceeded(what, most, prepared.body.rule)
            return False

        LinkedRule(prepared.body, linker, found).run()
        terms = self.facts.table.terms
        for row in rows:
            yield {name: terms[number] for (name, _), number in zip(prepared.projection, row, strict=True)}

    def _linker(self, body: Body, before: Facts, answers: Answers | None) -> Linker:
        slots = constants_of(body.slots, self.facts)
        return Linker(
            body.rule,
            body.slots,
            self.facts,
            before,
            self.context,
            self._budget,
            self._tries,
            slots,
            answers,
        )

    def _answerer(self, before: Facts) -> Answerer | None:
        """Return what answers the questions of rules whose negated groups are tested against ``before``."""
        if not self._backward.rules:
            return None
        return Answerer(self._backward, self.facts, before, self.context, self._budget, self._tries)

    def _forget_answers(self) -> None:
        """Drop what backward rules answered, because memory has changed."""
        for answerer in (self._answers, self._final_answers):
            if answerer is not None:
                answerer.forget()

    def _link_derivation(self, rule: DerivationRule) -> LinkedRule:
        prepared = prepare_derivation(rule, self._backward.asked)
        linker = self._linker(prepared.body, self._before, self._answers)
        head = prepared.head
        derive = self._round.deriver(head.triples, linker)
        if head.inventions:
            return LinkedRule(prepared.body, linker, link_inventions(head, rule.name, linker, derive))
        return LinkedRule(prepared.body, linker, derive, self._round.batches(head.triples, linker, derive))

    def _link_retrieval(self, rule: RequestRule) -> LinkedRule:
        prepared = prepare_request(rule, self._backward.asked)
        linker = self._linker(prepared.body, self.facts, self._final_answers)
        templates = [
            (self._reader(template.uri, linker), self._header_reader(template, linker))
            for template in rule.requests
        ]

        def ask() -> bool:
            for uri_of, headers_of in templates:
                uri = uri_of()
                if isinstance(uri, IRI) and uri.value.lower().startswith(("http://", "https://")):
                    self._asked.setdefault(document_of(uri.value), set()).update(headers_of())
            return False

        return LinkedRule(prepared.body, linker, ask)

    def _link_opening(self, opening: Opening) -> LinkedRule:
        linker = self._linker(opening.body, self.facts, self._final_answers)
        subject = self._reader(opening.subject, linker)

        def ask() -> bool:
            name = subject()
            if isinstance(name, IRI):
                self._opened.setdefault(document_of(name.value), {})[name, opening.predicate] = None
            return False

        return LinkedRule(opening.body, linker, ask)

    def _closure(self, program: Program) -> Iterable[Triple]:
        """Return all that the rules of ``program`` make of its facts, for a builtin of this reasoner."""
        inner = Reasoner(program, self.context, self._budget, tries=self._tries)
        inner.finish()
        return inner.facts

    def _reader(self, term: Term | None, linker: Linker) -> Callable[[], Term | None]:
        """Return the function that gives the term of a template under the present binding."""
        terms = self.facts.table.terms
        slot = linker.names.find(term) if isinstance(term, Variable) else None
        if slot is None:
            return lambda: term
        found = slot
        return lambda: terms[linker.slots[found]]

    def _header_reader(self, template: RequestTemplate, linker: Linker) -> Callable[[], set[tuple[str, str]]]:
        pairs = [tuple(self._reader(part, linker) for part in pair) for pair in template.headers]

        def read() -> set[tuple[str, str]]:
            fields = [(name_of(), value_of()) for name_of, value_of in pairs]
            return {
                (name.lexical, value.lexical)
                for name, value in fields
                if isinstance(name, Literal) and isinstance(value, Literal)
            }

        return read

    def _run_stratum(self, rules: Sequence[DerivationRule]) -> None:
        linked = [self._link_derivation(rule) for rule in rules]
        self._remember(linked)
        self._triggers = [*self._triggers[:1], self._triggers_of(linked)]
        for rule in linked:
            self._run(rule)
        self._saturate()
        del self._triggers[1:]

    def _remember(self, rules: Iterable[LinkedRule]) -> None:
        """Keep what the negated groups of ``rules`` may read as it is now."""
        wanted: set[int] = set()
        for rule in rules:
            slots, read = rule.body.predicates_of_scopes(), self._read_by_answers(rule)
            if slots is None or read is None:
                wanted.update(self.facts.predicates())
                wanted.update(self._before.predicates())
            else:
                wanted.update(rule.linker.slots[slot] for slot in slots)
                wanted |= read
        for predicate in wanted:
            self._before.copy_predicate(self.facts, predicate)
        self._forget_answers()

    def _triggers_of(self, rules: Sequence[LinkedRule]) -> Triggers:
        askers = [(rule, self._read_by_answers(rule)) for rule in rules if rule.body.asks]
        return Triggers(rules, self.facts, askers)

    def _read_by_answers(self, rule: LinkedRule) -> set[int] | None:
        """Return the predicates that answers to the questions of ``rule`` depend on; nothing if it may be any."""
        read: set[int] = set()
        for slot in rule.body.asked():
            name = rule.body.slots.names[slot]
            names = self._backward.reads[name.value] if isinstance(name, IRI) else None
            if names is None:
                return None
            read.update(self.facts.table.intern(IRI(each)) for each in names)
        return read

    def _run(self, rule: LinkedRule) -> None:
        try:
            rule.run()
        except BudgetError:
            self._new.clear()
            raise

    def _saturate(self) -> None:
        """Derive, round by round, until a round derives nothing new."""
        try:
            while self._new:
                self._rounds += 1
                if self._rounds > self._budget.rounds:
                    raise exceeded("rounds", self._budget.rounds, self._round.last_rule)
                delta = list(self._new)
                self._new.clear()
                self.facts.insert_new(delta)
                self._forget_answers()
                for triggers in self._triggers:
                    triggers.run(delta, len(self.facts))
        except BudgetError:
            self._new.clear()
            raise
