"""Backward rules prepared: which predicates they answer, what these read, and how one rule answers one kind of question.

A backward rule never runs by itself. Its head is matched with a question, a triple of which some parts are known, and
its body is joined from what the question tells (ADR 0112).
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from agent.errors import ProgramError
from agent.n3.program import DerivationRule, Pattern
from agent.rdf.structure import unknowns_of
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_REST,
    BlankNode,
    Formula,
    ListTerm,
    Term,
    Triple,
    Variable,
    variables_of,
)
from agent.reason.body import Goal, Slots, Structure, read_goals, slots_bound
from agent.reason.negation import has_negation, predicates_read
from agent.reason.plan import Move, order
from agent.reason.prepared import Head, Invention

_CELLS = frozenset({RDF_FIRST.value, RDF_REST.value})


class Plan(NamedTuple):
    """How a clause answers when some slots of its head are known: the moves, and what the head makes up then."""

    moves: tuple[Move, ...]
    head: Head


class Clause(Struct):
    """One triple that a backward rule concludes. ``head`` are the slots of its parts, ``terms`` the parts."""

    rule: DerivationRule
    terms: Triple
    slots: Slots
    goals: tuple[Goal, ...]
    head: tuple[int, int, int]
    _plans: dict[frozenset[int], Plan | ProgramError] = field(default_factory=dict)

    def invents(self, term: Term) -> bool:
        """Tell whether ``term``, a part of the head, holds a new node."""
        return any(isinstance(part, BlankNode) for part in unknowns_of(term))

    def plan(self, known: frozenset[int]) -> Plan | ProgramError:
        """Return how to answer when the slots ``known`` are bound, or why this rule cannot."""
        if known not in self._plans:
            try:
                self._plans[known] = self._plan(known)
            except ProgramError as error:
                self._plans[known] = error
        return self._plans[known]

    def _plan(self, known: frozenset[int]) -> Plan:
        goals = list(self.goals)
        for slot, term in zip(self.head, self.terms, strict=True):
            if slot in known and isinstance(term, ListTerm | Formula):
                goals.append(Structure(slot, term, self.slots.parts(term)))
        moves = order(goals, self.slots, known, self.rule.name, self.rule.place)
        bound = slots_bound(goals, self.slots) | known
        bound.update(part for goal in goals if isinstance(goal, Structure) for part in goal.parts)
        return Plan(moves, self._head(known, bound))

    def _head(self, known: frozenset[int], bound: set[int]) -> Head:
        inventions: dict[Term, Invention] = {}
        for slot, term in zip(self.head, self.terms, strict=True):
            if slot in known or slot in self.slots.constants:
                continue
            if isinstance(term, Variable):
                self._demand(term, bound)
            for part in unknowns_of(term) if isinstance(term, ListTerm | Formula) else ():
                if isinstance(part, BlankNode):
                    inventions[part] = Invention(self.slots.number(part), part)
                elif isinstance(term, ListTerm):
                    self._demand(part, bound)
            if not isinstance(term, Variable):
                inventions[term] = Invention(slot, term)
        names = variables_of(term for pattern in self.rule.head for term in pattern.triple)
        frontier = {name: self.slots.number(Variable(name)) for name in names}
        if any(isinstance(part, BlankNode) for part in inventions):
            # A new node is named by all variables of the head: each of them must be known.
            for name in frontier:
                self._demand(Variable(name), bound)
        named = tuple(sorted((name, slot) for name, slot in frontier.items() if slot in bound))
        return Head((self.head,), tuple(inventions.values()), named)

    def _demand(self, part: Term, bound: set[int]) -> None:
        if self.slots.number(part) not in bound:
            name = part.name if isinstance(part, Variable) else str(part)
            raise ProgramError(
                "ASM030",
                f"nothing binds ?{name} of the head of backward rule {self.rule.name}",
                place=self.rule.place,
            )


def clauses_of(rule: DerivationRule, asked: Container[str]) -> Iterator[Clause]:
    """Yield what ``rule`` concludes, one triple after the other; the predicates ``asked`` have backward rules."""
    for pattern in rule.head:
        slots = Slots()
        goals = read_goals(rule.body, slots, asked)
        subject, predicate, object_ = (slots.number(term) for term in pattern.triple)
        for term in (part for other in rule.head for whole in other.triple for part in unknowns_of(whole)):
            slots.number(term)
        yield Clause(rule, pattern.triple, slots, goals, (subject, predicate, object_))


class BackwardRules(Struct, frozen=True, eq=False, dict=True):
    """The backward rules of a program.

    ``asked`` are the predicates that they answer: those of their heads, or every one that the program reads if a head
    has a variable as predicate. ``reads`` tells, for each of them, the predicates that answers depend on, itself
    among them; nothing if they may depend on any.
    """

    rules: tuple[DerivationRule, ...]
    asked: frozenset[str]
    reads: dict[str, frozenset[str] | None]
    negating: frozenset[str]

    @cached_property
    def clauses(self) -> dict[str, tuple[Clause, ...]]:
        """Return the clauses for each predicate that is asked."""
        found: dict[str, list[Clause]] = {name: [] for name in self.asked}
        for rule in self.rules:
            for clause in clauses_of(rule, self.asked):
                predicate = clause.terms.predicate
                for name in [predicate.value] if isinstance(predicate, IRI) else sorted(self.asked):
                    found[name].append(clause)
        return {name: tuple(clauses) for name, clauses in found.items()}

    def reads_of(self, body: Iterable[Pattern]) -> frozenset[str] | None:
        """Return the predicates that the answers to the questions of ``body`` depend on; nothing if any may be."""
        found: frozenset[str] = frozenset()
        for name in self.asked_by(body):
            reads = self.reads[name]
            if reads is None:
                return None
            found |= reads
        return found

    def asked_by(self, body: Iterable[Pattern]) -> frozenset[str]:
        """Return the predicates of ``body``, negated groups included, that backward rules answer."""
        read = predicates_read(body)
        return self.asked & (read.positive | read.negated)

    def negates(self, body: Sequence[Pattern]) -> bool:
        """Tell whether ``body`` negates, or asks a rule that does."""
        return has_negation(body) or not self.negating.isdisjoint(self.asked_by(body))


NO_BACKWARD_RULES = BackwardRules((), frozenset(), {}, frozenset())


def gather_backward(
    rules: Sequence[DerivationRule], bodies: Iterable[Sequence[Pattern]], protected: frozenset[str]
) -> BackwardRules:
    """Return ``rules`` with what they answer for the ``bodies`` of the program's other rules.

    ``protected`` predicates are not answered by a head whose predicate is a variable.
    """
    if not rules:
        return NO_BACKWARD_RULES
    named = {name for rule in rules for name in _concluded(rule)}
    is_open = any(not isinstance(pattern.triple.predicate, IRI) for rule in rules for pattern in rule.head)
    if is_open:
        for body in (*bodies, *(rule.body for rule in rules)):
            read = predicates_read(body)
            named |= (read.positive | read.negated) - protected
    asked = frozenset(named)
    direct: dict[str, set[str] | None] = {name: {name, *_CELLS} for name in asked}
    negating: set[str] = set()
    for rule in rules:
        for name in _concluded(rule) if not _has_open_head(rule) else asked:
            direct[name] = _with_reads(direct[name], rule)
            if has_negation(rule.body):
                negating.add(name)
    reads = _closure(direct)
    reaching = {name for name, found in reads.items() if found is None or not negating.isdisjoint(found)}
    return BackwardRules(tuple(rules), asked, reads, frozenset(reaching if negating else ()))


def _concluded(rule: DerivationRule) -> set[str]:
    return {
        pattern.triple.predicate.value for pattern in rule.head if isinstance(pattern.triple.predicate, IRI)
    }


def _has_open_head(rule: DerivationRule) -> bool:
    return any(not isinstance(pattern.triple.predicate, IRI) for pattern in rule.head)


def _with_reads(known: set[str] | None, rule: DerivationRule) -> set[str] | None:
    """Return the predicates ``known`` to be read and those of the body of ``rule``; nothing if it may read any."""
    if known is None or any(not isinstance(triple.predicate, IRI) for triple in _triples_read(rule.body)):
        return None
    read = predicates_read(rule.body)
    return known | read.positive | read.negated


def _triples_read(body: Iterable[Pattern]) -> Iterator[Triple]:
    pending = [pattern.triple for pattern in body]
    while pending:
        triple = pending.pop()
        yield triple
        for part in (triple.subject, triple.object):
            if isinstance(part, Formula):
                pending.extend(part.triples)


def _closure(direct: dict[str, set[str] | None]) -> dict[str, frozenset[str] | None]:
    """Return what each predicate reads by way of others."""
    closed: dict[str, frozenset[str] | None] = {}
    for start in direct:
        found: set[str] | None = set()
        pending = [start]
        while pending and found is not None:
            name = pending.pop()
            if name in found:
                continue
            found.add(name)
            more = direct.get(name, set())
            if more is None:
                found = None
            else:
                pending.extend(more - found)
        closed[start] = None if found is None else frozenset(found)
    return closed
