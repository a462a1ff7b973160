"""The oracle: a step's reasoning as its definition reads, slow and obvious.

Every rule is tried on every combination of triples, every round starts from the beginning, nothing is indexed. It
shares with the reasoner the builtins, the names of invented nodes and the order of strata, but no joining.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from agent.n3.builtins import Context
from agent.n3.program import DerivationRule, Pattern, Program, RequestRule
from agent.n3.scopes import (
    loose_variables,
    names_used,
)
from agent.rdf.terms import (
    IRI,
    BlankNode,
    Term,
    Triple,
    Variable,
    document_of,
    variables_of,
)
from agent.reason.backward import gather_backward
from agent.reason.budget import Budget, exceeded
from agent.reason.facts import Facts
from agent.reason.naive_backward import NaiveAnswers
from agent.reason.naive_body import NaiveBody
from agent.reason.naive_unify import Binding, filled, open_parts, plain_triple
from agent.reason.negation import stratify
from agent.reason.skolem import skolem


class NaiveStep(Struct, frozen=True):
    """What a step comes to: the memory, the documents asked for, and the bindings of request rules by rule name."""

    facts: frozenset[Triple]
    documents: frozenset[str]
    bindings: frozenset[tuple[str, frozenset[tuple[str, Term]]]]


def naive_step(
    program: Program,
    world: Callable[[str], Sequence[Triple] | None],
    context: Context,
    conclude: Callable[[Facts], Iterable[Triple]] | None = None,
    *,
    protected: frozenset[str] = frozenset(),
    budget: Budget | None = None,
) -> NaiveStep:
    """Return the outcome of a step; ``world`` gives the triples of a document, or nothing if it has none."""
    oracle = Oracle(program, context, protected, budget or Budget())
    strata = stratify(program.derivations, program.backward, oracle.backward.negates)
    oracle.saturate([], frozenset(), [rule for rule in program.requests if rule.is_retrieval], world)
    for stratum in strata.before:
        oracle.saturate(stratum, frozenset(oracle.facts))
    if conclude is not None:
        memory = Facts()
        for triple in oracle.facts:
            memory.add(triple)
        oracle.facts |= {plain_triple(triple) for triple in conclude(memory)}
        oracle.saturate([], frozenset())
    for stratum in strata.after:
        oracle.saturate(stratum, frozenset(oracle.facts))
    return NaiveStep(frozenset(oracle.facts), frozenset(oracle.documents), frozenset(oracle.bindings()))


class Oracle:
    """The memory of a step and what may change it."""

    def __init__(self, program: Program, context: Context, protected: frozenset[str], budget: Budget) -> None:
        self.program = program
        self.context = context
        self.protected = protected
        self.budget = budget
        bodies = [rule.body for rule in program.derivations] + [rule.body for rule in program.requests]
        self.backward = gather_backward(program.backward, bodies, protected)
        self.facts = {plain_triple(triple) for triple in program.facts}
        self.documents: set[str] = set()

    def saturate(
        self,
        stratum: Sequence[DerivationRule],
        before: frozenset[Triple],
        retrievals: Sequence[RequestRule] = (),
        world: Callable[[str], Sequence[Triple] | None] = lambda uri: None,
    ) -> None:
        """Add what the rules without negation and those of ``stratum`` derive, and what ``retrievals`` bring."""
        positive = [rule for rule in self.program.derivations if not self.backward.negates(rule.body)]
        while True:
            if len(self.facts) > self.budget.facts:
                raise exceeded("facts", self.budget.facts, "?")
            new: set[Triple] = set()
            answers = self.answers(before)
            for rule in (*positive, *stratum):
                for binding in self.instances(rule.body, self.facts, before, {}, answers):
                    new.update(self.conclusions(rule, binding))
            asked = {uri for rule in retrievals for uri in self._asked(rule)} - self.documents
            for uri in asked:
                new.update(plain_triple(triple) for triple in world(uri) or ())
            if new <= self.facts and not asked:
                return
            self.documents |= asked
            self.facts |= new

    def _asked(self, rule: RequestRule) -> Iterator[str]:
        for binding in self.instances(rule.body, self.facts, set(), {}, self.answers(frozenset())):
            for template in rule.requests:
                uri = binding.get(template.uri, template.uri) if template.uri is not None else None
                if isinstance(uri, IRI) and uri.value.lower().startswith(("http://", "https://")):
                    yield document_of(uri.value)

    def conclusions(self, rule: DerivationRule, binding: Binding) -> Iterator[Triple]:
        """Yield the triples that ``rule`` gives for an instance of its body."""
        names = {name for pattern in rule.head for name in variables_of(pattern.triple)}
        frontier = {name: binding[Variable(name)] for name in names if Variable(name) in binding}
        values: dict[Term, Term] = {Variable(name): value for name, value in frontier.items()}
        for pattern in rule.head:
            for part in (part for term in pattern.triple for part in open_parts(term)):
                if isinstance(part, BlankNode):
                    values[part] = skolem(rule.name, part.label, frontier)
        for pattern in rule.head:
            triple = plain_triple(Triple(*(filled(term, values) for term in pattern.triple)))
            is_open = isinstance(pattern.triple.predicate, Variable)
            if not (
                is_open and isinstance(triple.predicate, IRI) and triple.predicate.value in self.protected
            ):
                yield triple

    def bindings(self) -> Iterator[tuple[str, frozenset[tuple[str, Term]]]]:
        """Yield the bindings of the request rules that are no retrievals, on the memory as it is."""
        answers = self.answers(frozenset(self.facts))
        for rule in self.program.requests:
            if rule.is_retrieval:
                continue
            names: set[str] = set()
            for template in rule.requests:
                fields = (template.method, template.uri, template.body, template.like)
                pairs = (*template.headers, *template.annotations)
                terms = [
                    term for term in (*fields, *(part for pair in pairs for part in pair)) if term is not None
                ]
                names.update(variables_of(terms))
            rows = {
                frozenset((name, binding[Variable(name)]) for name in names if Variable(name) in binding)
                for binding in self.instances(rule.body, self.facts, self.facts, {}, answers)
            }
            if len(rows) > self.budget.facts:
                raise exceeded("requests of a rule", self.budget.facts, rule.name)
            yield from ((rule.name, row) for row in rows)

    def instances(
        self,
        body: Iterable[Pattern],
        facts: Iterable[Triple],
        before: Iterable[Triple],
        start: Binding,
        answers: NaiveAnswers | None = None,
    ) -> Iterator[Binding]:
        """Yield the bindings for which ``body`` holds in ``facts``, its groups tested against ``before``."""
        triples = [pattern.triple for pattern in body]
        # A variable that nothing binds stands for itself.
        start = {**start, **{name: name for name in loose_variables(triples)}}
        return NaiveBody(self.context, names_used(triples), facts, before, answers).instances(triples, start)

    def answers(self, before: Iterable[Triple]) -> NaiveAnswers | None:
        """Return what answers questions on the memory as it is, with negated groups tested against ``before``."""
        if not self.backward.rules:
            return None
        return NaiveAnswers(
            self.backward.rules,
            self.backward.asked,
            frozenset(self.facts),
            before,
            lambda answers, rule, start: self.instances(
                rule.body, answers.facts, answers.before, start, answers
            ),
            self.conclusions,
            self.budget,
        )
