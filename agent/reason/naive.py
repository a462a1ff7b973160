"""The oracle: a step's reasoning as its definition reads, slow and obvious.

Every rule is tried on every combination of triples, every round starts from the beginning, nothing is indexed. It
shares with the reasoner the builtins, the names of invented nodes and the order of strata, but no joining.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.errors import ProgramError
from agent.n3.builtins import BUILTINS, Builtin, Context
from agent.n3.builtins.registry import BOTH
from agent.n3.program import DerivationRule, Pattern, Program, RequestRule
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    BlankNode,
    Formula,
    ListTerm,
    Term,
    Triple,
    Variable,
    document_of,
    variables_of,
)
from agent.reason.budget import Budget, exceeded
from agent.reason.facts import Facts
from agent.reason.negation import has_negation, is_negation, stratify
from agent.reason.skolem import skolem, spelling

Binding = Mapping[Term, Term]


@dataclass(frozen=True, slots=True)
class NaiveStep:
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
    retrievals = [rule for rule in program.requests if rule.is_retrieval]
    strata = stratify(program.derivations)
    oracle.saturate([], frozenset(), retrievals, world)
    for stratum in strata.before:
        oracle.saturate(stratum, frozenset(oracle.facts))
    if conclude is not None:
        memory = Facts()
        for triple in oracle.facts:
            memory.add(triple)
        oracle.facts |= {_plain_triple(triple) for triple in conclude(memory)}
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
        self.facts = {_plain_triple(triple) for triple in program.facts}
        self.documents: set[str] = set()

    def saturate(
        self,
        stratum: Sequence[DerivationRule],
        before: frozenset[Triple],
        retrievals: Sequence[RequestRule] = (),
        world: Callable[[str], Sequence[Triple] | None] = lambda uri: None,
    ) -> None:
        """Add what the rules without negation and those of ``stratum`` derive, and what ``retrievals`` bring."""
        positive = [rule for rule in self.program.derivations if not has_negation(rule.body)]
        while True:
            new: set[Triple] = set()
            for rule in (*positive, *stratum):
                for binding in self.instances(rule.body, self.facts, before, {}):
                    new.update(self.conclusions(rule, binding))
            asked = {uri for rule in retrievals for uri in self._asked(rule)} - self.documents
            for uri in asked:
                new.update(_plain_triple(triple) for triple in world(uri) or ())
            if new <= self.facts and not asked:
                return
            self.documents |= asked
            self.facts |= new
            if len(self.facts) > self.budget.facts:
                raise exceeded("facts", self.budget.facts, "?")

    def _asked(self, rule: RequestRule) -> Iterator[str]:
        for binding in self.instances(rule.body, self.facts, set(), {}):
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
            for part in (part for term in pattern.triple for part in _open_parts(term)):
                if isinstance(part, BlankNode):
                    values[part] = skolem(rule.name, part.label, frontier)
        for pattern in rule.head:
            triple = _plain_triple(Triple(*(_filled(term, values) for term in pattern.triple)))
            is_open = isinstance(pattern.triple.predicate, Variable)
            if not (
                is_open and isinstance(triple.predicate, IRI) and triple.predicate.value in self.protected
            ):
                yield triple

    def bindings(self) -> Iterator[tuple[str, frozenset[tuple[str, Term]]]]:
        """Yield the bindings of the request rules that are no retrievals, on the memory as it is."""
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
                for binding in self.instances(rule.body, self.facts, self.facts, {})
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
    ) -> Iterator[Binding]:
        """Yield the bindings for which ``body`` holds in ``facts``, its negated groups tested against ``before``."""
        patterns = list(body)
        groups = [pattern for pattern in patterns if is_negation(pattern.triple)]
        builtins = [pattern.triple for pattern in patterns if _builtin(pattern.triple) is not None]
        bindings: list[Binding] = [start]
        for pattern in patterns:
            if pattern not in groups and pattern.triple not in builtins:
                bindings = [
                    more for known in bindings for fact in facts for more in _unified(pattern, fact, known)
                ]
        for binding in bindings:
            for computed in self._computed(list(dict.fromkeys(builtins)), binding, facts):
                if not any(self._holds(group, before, computed) for group in groups):
                    yield computed

    def _holds(self, group: Pattern, facts: Iterable[Triple], binding: Binding) -> bool:
        if not isinstance(group.triple.object, Formula):
            raise ProgramError("ASM022", "log:notIncludes needs a formula", place=group.place)
        body = [Pattern(triple, group.place) for triple in group.triple.object.triples]
        return next(self.instances(body, facts, facts, binding), None) is not None

    def _computed(
        self, builtins: list[Triple], binding: Binding, facts: Iterable[Triple]
    ) -> Iterator[Binding]:
        """Yield the bindings for which all ``builtins`` hold, run in an order that the text does not decide."""
        if not builtins:
            yield binding
            return
        ready = [triple for triple in builtins if _has_inputs(triple, binding)]
        if not ready:
            raise ProgramError("ASM001", "nothing binds the input of a builtin")
        free = [triple for triple in ready if not _must_wait(triple, builtins, binding)]
        triple = min(free or ready, key=lambda each: [spelling(term) for term in (each[1], each[0], each[2])])
        rest = [other for other in builtins if other != triple]
        for more in self._results(triple, binding, facts):
            yield from self._computed(rest, more, facts)

    def _results(self, triple: Triple, binding: Binding, facts: Iterable[Triple]) -> Iterator[Binding]:
        builtin = _builtin(triple)
        assert builtin is not None  # noqa: S101  only builtins come here
        subjects = _arguments(triple.subject, binding, facts, is_list="subject" in builtin.lists)
        objects = _arguments(triple.object, binding, facts, is_list="object" in builtin.lists)
        for subject in subjects:
            for object_ in objects:
                for one, other in builtin.evaluate(subject, object_, self.context):
                    if subject is not None and one != subject:
                        continue
                    if object_ is not None and other != object_:
                        continue
                    more: Binding | None = binding
                    if subject is None:
                        more = _unify(triple.subject, one, binding, quoted=False)
                    if object_ is None and more is not None:
                        more = _unify(triple.object, other, more, quoted=False)
                    if more is not None:
                        yield more


def _plain(term: Term) -> Term:
    """Return ``term``, or rdf:nil for the empty list."""
    return RDF_NIL if term == ListTerm(()) else term


def _plain_triple(triple: Triple) -> Triple:
    return Triple(*(_plain(term) for term in triple))


def _builtin(triple: Triple) -> Builtin | None:
    return BUILTINS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None


def _open_parts(term: Term, *, quoted: bool = False) -> list[Term]:
    if isinstance(term, ListTerm):
        return [part for item in term.items for part in _open_parts(item, quoted=quoted)]
    if isinstance(term, Formula):
        return [part for triple in term.triples for item in triple for part in _open_parts(item, quoted=True)]
    return [term] if isinstance(term, Variable) or (isinstance(term, BlankNode) and not quoted) else []


def _is_known(term: Term, binding: Binding) -> bool:
    return all(part in binding for part in _open_parts(term))


def _filled(term: Term, values: Binding, *, quoted: bool = False) -> Term:
    if isinstance(term, ListTerm):
        return ListTerm(tuple(_filled(item, values, quoted=quoted) for item in term.items))
    if isinstance(term, Formula):
        return Formula(
            tuple(Triple(*(_filled(item, values, quoted=True) for item in triple)) for triple in term.triples)
        )
    return term if quoted and isinstance(term, BlankNode) else values.get(term, term)


def _unified(pattern: Pattern, fact: Triple, binding: Binding) -> Iterator[Binding]:
    """Yield ``binding`` extended so that ``pattern`` becomes ``fact``, if there is a way."""
    more: Binding | None = binding
    for part, term in zip(pattern.triple, fact, strict=True):
        if more is not None:
            more = _unify(_plain(part), term, more, quoted=False)
    if more is not None:
        yield more


def _unify(pattern: Term, term: Term, binding: Binding, *, quoted: bool) -> Binding | None:
    if isinstance(pattern, Variable) or (isinstance(pattern, BlankNode) and not quoted):
        if pattern in binding:
            return binding if binding[pattern] == _plain(term) else None
        return {**binding, pattern: _plain(term)}
    parts, terms = _parts(pattern), _parts(term)
    if type(pattern) is not type(term) or not parts or len(parts) != len(terms):
        return binding if pattern == term else None
    more: Binding | None = binding
    for part, value in zip(parts, terms, strict=True):
        if more is not None:
            more = _unify(part, value, more, quoted=quoted or isinstance(pattern, Formula))
    return more


def _parts(term: Term) -> list[Term]:
    if isinstance(term, Formula):
        return [item for triple in term.triples for item in triple]
    return list(term.items) if isinstance(term, ListTerm) else []


def _has_inputs(triple: Triple, binding: Binding) -> bool:
    known = set()
    if _is_known(triple.subject, binding):
        known.add("subject")
    if _is_known(triple.object, binding):
        known.add("object")
    builtin = _builtin(triple)
    return builtin is not None and any(mode <= known for mode in builtin.modes)


def _must_wait(triple: Triple, builtins: Sequence[Triple], binding: Binding) -> bool:
    """Tell whether the builtin would bind a variable that another one, still to run, could bind too."""
    builtin = _builtin(triple)
    missing = {
        part for term in (triple.subject, triple.object) for part in _open_parts(term)
    } - binding.keys()
    return (
        builtin is not None
        and builtin.waits
        and any(not missing.isdisjoint(_bindable(other)) for other in builtins if other != triple)
    )


def _bindable(triple: Triple) -> set[Term]:
    builtin = _builtin(triple)
    sides = {"subject": triple.subject, "object": triple.object}
    modes = builtin.modes if builtin is not None else ()
    return {part for mode in modes for side in BOTH - mode for part in _open_parts(sides[side])}


def _arguments(term: Term, binding: Binding, facts: Iterable[Triple], *, is_list: bool) -> list[Term | None]:
    """Return the terms to try for one side of a builtin, lists of the data read through; ``None`` if it is not known."""
    if not _is_known(term, binding):
        return [None]
    value = _filled(term, binding)
    if not is_list or isinstance(value, ListTerm):
        return [value]
    return [ListTerm(items) for items in _lists(value, facts, frozenset())] or [value]


def _lists(node: Term, facts: Iterable[Triple], seen: frozenset[Term]) -> list[tuple[Term, ...]]:
    if node == RDF_NIL:
        return [()]
    if node in seen:
        return []
    return [
        (first.object, *others)
        for first in facts
        if first.subject == node and first.predicate == RDF_FIRST
        for rest in facts
        if rest.subject == node and rest.predicate == RDF_REST
        for others in _lists(rest.object, facts, seen | {node})
    ]
