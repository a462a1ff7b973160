"""The naive baseline: rdflib's graph, and every rule tried in full in every round, by nested loops."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

import rdflib
from rdflib.term import Node

from agent.gsm.scope import PROTECTED
from agent.n3.builtins import Context
from agent.n3.program import DerivationRule, RequestRule
from agent.rdf.documents import Content
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    XSD_STRING,
    BlankNode,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from tests.benchmarks.baselines.programs import Body, Computed, body_of

rdflib.NORMALIZE_LITERALS = False

Binding: TypeAlias = dict[str, Node]


@dataclass(frozen=True, slots=True)
class _Atom:
    """A pattern; a part is the name of a variable, or a term."""

    parts: tuple[tuple[str, Node | None], tuple[str, Node | None], tuple[str, Node | None]]

    def known(self, binding: Binding) -> int:
        return sum(not name or name in binding for name, _ in self.parts)

    def filled(self, binding: Binding) -> tuple[Node | None, Node | None, Node | None]:
        one, two, three = ((binding.get(name) if name else term) for name, term in self.parts)
        return one, two, three


@dataclass(frozen=True, slots=True)
class _Goal:
    """A body ready for matching."""

    atoms: tuple[_Atom, ...]
    computed: tuple[Computed, ...]
    absent: tuple["_Goal", ...]


class Naive:
    """The interpreter; see ``step.Interpreter``."""

    def __init__(self) -> None:
        self._graph = _empty()
        self._goals: dict[str, _Goal] = {}
        self._ours: dict[Node, Term] = {}
        self._theirs: dict[Term, Node] = {}
        self._context = Context("2026-01-01T00:00:00.000Z")

    @property
    def size(self) -> int:
        return len(self._graph)

    def begin(self) -> None:
        self._graph = _empty()

    def read(self, uri: str, body: bytes, media_type: str, etag: str) -> Content:
        document = _empty()
        document.parse(data=body, format=media_type, publicID=uri)
        triples = [Triple(*(self._as_ours(term, uri) for term in triple)) for triple in document]
        return Content(uri, uri, tuple(sorted(triples, key=repr)), etag, sha256(body).hexdigest())

    def add(self, triples: Iterable[Triple]) -> None:
        for subject, predicate, object_ in triples:
            self._graph.add((self._as_theirs(subject), self._as_theirs(predicate), self._as_theirs(object_)))

    def saturate(self, rules: Sequence[DerivationRule]) -> None:
        grown = True
        while grown:
            new = [
                triple
                for rule in rules
                for binding in self._matches(rule.name, rule)
                for triple in self._head(rule, binding)
                if triple not in self._graph
            ]
            for triple in new:
                self._graph.add(triple)
            grown = bool(new)

    def wanted(self, rules: Iterable[RequestRule]) -> set[str]:
        return {
            uri.value
            for rule in rules
            for binding in self._matches(rule.name, rule)
            for template in rule.requests
            if template.uri is not None and isinstance(uri := self._value(template.uri, binding), IRI)
        }

    def bindings(self, rules: Iterable[RequestRule]) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        for rule in rules:
            for binding in self._matches(rule.name, rule):
                yield rule, {name: self._as_ours(term) for name, term in binding.items()}

    def objects(self, subject: Term, predicate: Term, /) -> list[Term]:
        found = self._graph.objects(self._as_theirs(subject), self._as_theirs(predicate))
        return [self._as_ours(term) for term in found]

    def subjects(self, predicate: Term, object_: Term, /) -> list[Term]:
        found = self._graph.subjects(self._as_theirs(predicate), self._as_theirs(object_))
        return [self._as_ours(term) for term in found]

    def ask(self, text: str, base: str, prefixes: Mapping[str, str]) -> bool:
        return bool(self._graph.query(text, initNs=dict(prefixes), base=base).askAnswer)

    def _matches(self, name: str, rule: DerivationRule | RequestRule) -> Iterator[Binding]:
        if name not in self._goals:
            self._goals[name] = self._goal(body_of(rule.body))
        goal = self._goals[name]
        for binding in self._solutions(goal.atoms, goal.computed, {}):
            if not any(self._holds(group, binding) for group in goal.absent):
                yield binding

    def _holds(self, group: _Goal, binding: Binding) -> bool:
        return next(self._solutions(group.atoms, group.computed, binding), None) is not None

    def _solutions(
        self, atoms: tuple[_Atom, ...], computed: tuple[Computed, ...], binding: Binding
    ) -> Iterator[Binding]:
        """Yield the bindings that fulfil everything: what can be computed first, then the atom that is known best."""
        for number, one in enumerate(computed):
            results = self._results(one, binding)
            if results is not None:
                rest = computed[:number] + computed[number + 1 :]
                for more in results:
                    yield from self._solutions(atoms, rest, more)
                return
        if not atoms:
            yield binding
            return
        number = max(range(len(atoms)), key=lambda each: atoms[each].known(binding))
        atom, rest_atoms = atoms[number], atoms[:number] + atoms[number + 1 :]
        for triple in self._graph.triples(atom.filled(binding)):
            found = dict(binding)
            for (name, _), term in zip(atom.parts, triple, strict=True):
                if name and found.setdefault(name, term) != term:
                    break
            else:
                yield from self._solutions(rest_atoms, computed, found)

    def _results(self, one: Computed, binding: Binding) -> list[Binding] | None:
        """Return the bindings that a builtin makes of ``binding``; nothing if it does not know enough yet."""
        sides = {"subject": self._value(one.subject, binding), "object": self._value(one.object, binding)}
        known = {side for side, term in sides.items() if term is not None}
        if not any(mode <= known for mode in one.builtin.modes):
            return None
        found = []
        for values in one.builtin.evaluate(sides["subject"], sides["object"], self._context):
            more = dict(binding)
            for written, value in zip((one.subject, one.object), values, strict=True):
                if isinstance(written, Variable):
                    more.setdefault(written.name, self._as_theirs(value))
            found.append(more)
        return found

    def _value(self, term: Term, binding: Binding) -> Term | None:
        """Return the term under ``binding``; nothing if a variable of it is not bound."""
        if isinstance(term, Variable):
            return self._as_ours(binding[term.name]) if term.name in binding else None
        if isinstance(term, ListTerm):
            items = [self._value(item, binding) for item in term.items]
            return None if None in items else ListTerm(tuple(item for item in items if item is not None))
        return term

    def _head(self, rule: DerivationRule, binding: Binding) -> Iterator[tuple[Node, Node, Node]]:
        for pattern in rule.head:
            subject, predicate, object_ = (
                self._made(rule, term, binding)
                if isinstance(term, BlankNode)
                else binding[term.name]
                if isinstance(term, Variable)
                else self._as_theirs(term)
                for term in pattern.triple
            )
            if not isinstance(pattern.triple.predicate, Variable) or str(predicate) not in PROTECTED:
                yield subject, predicate, object_

    def _made(self, rule: DerivationRule, node: BlankNode, binding: Binding) -> Node:
        """Return the node that a rule makes for a binding of the variables of its head, always the same."""
        names = {term.name for pattern in rule.head for term in pattern.triple if isinstance(term, Variable)}
        text = repr((rule.name, node.label, sorted((name, binding[name].n3()) for name in names)))
        return rdflib.BNode("m" + sha256(text.encode()).hexdigest()[:24])

    def _goal(self, body: Body) -> _Goal:
        atoms = [_Atom((self._part(a), self._part(b), self._part(c))) for a, b, c in body.atoms]
        return _Goal(tuple(atoms), body.computed, tuple(self._goal(group) for group in body.absent))

    def _part(self, term: Term) -> tuple[str, Node | None]:
        return (term.name, None) if isinstance(term, Variable) else ("", self._as_theirs(term))

    def _as_theirs(self, term: Term) -> Node:
        known = self._theirs.get(term)
        if known is None:
            known = self._theirs[term] = _to_rdflib(term)
            self._ours[known] = term
        return known

    def _as_ours(self, term: Node, scope: str = "") -> Term:
        known = self._ours.get(term)
        if known is None:
            known = _from_rdflib(term, scope)
            if not isinstance(known, BlankNode):
                self._ours[term] = known
        return known


def _empty() -> rdflib.Graph:
    return rdflib.Graph(bind_namespaces="none")


def _to_rdflib(term: Term) -> Node:
    match term:
        case IRI(value):
            return rdflib.URIRef(value)
        case BlankNode(label):
            return rdflib.BNode(label)
        case Literal(lexical, datatype, language):
            if language:
                return rdflib.Literal(lexical, lang=language)
            typed = None if datatype == XSD_STRING else rdflib.URIRef(datatype)
            return rdflib.Literal(lexical, datatype=typed, normalize=False)
        case _:
            raise ValueError(f"no graph holds {term}")


def _from_rdflib(term: Node, scope: str) -> Term:
    if isinstance(term, rdflib.URIRef):
        return IRI(str(term))
    if isinstance(term, rdflib.Literal):
        if term.language:
            return Literal(str(term), LANG_STRING, term.language)
        return Literal(str(term), str(term.datatype) if term.datatype else XSD_STRING)
    return BlankNode(str(term), scope)
