"""The oracle: a step's reasoning as its definition reads, slow and obvious.

Every rule is tried on every combination of triples, every round starts from the beginning, nothing is indexed. It
shares with the reasoner the builtins, the names of invented nodes and the order of strata, but no joining.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.errors import ProgramError
from agent.n3.builtins import BUILTINS, Builtin, Context
from agent.n3.builtins.registry import BOTH
from agent.n3.program import DerivationRule, Pattern, Program, RequestRule
from agent.n3.scopes import (
    COLLECT_ALL_IN,
    FOR_ALL_IN,
    INCLUDES,
    SCOPED,
    is_memory,
    loose_variables,
    names_used,
    scoped,
)
from agent.rdf.matching import CELLS
from agent.rdf.terms import (
    IRI,
    RDF_NIL,
    BlankNode,
    Formula,
    ListTerm,
    Term,
    Triple,
    Variable,
    document_of,
    spelling,
    variables_of,
)
from agent.reason.budget import Budget, exceeded
from agent.reason.facts import Facts
from agent.reason.naive_unify import (
    Binding,
    arguments,
    cells,
    filled,
    open_parts,
    plain,
    plain_triple,
    unified,
)
from agent.reason.negation import has_negation, stratify
from agent.reason.skolem import skolem


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
    strata = stratify(program.derivations)
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
        positive = [rule for rule in self.program.derivations if not has_negation(rule.body)]
        while True:
            new: set[Triple] = set()
            for rule in (*positive, *stratum):
                for binding in self.instances(rule.body, self.facts, before, {}):
                    new.update(self.conclusions(rule, binding))
            asked = {uri for rule in retrievals for uri in self._asked(rule)} - self.documents
            for uri in asked:
                new.update(plain_triple(triple) for triple in world(uri) or ())
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
        """Yield the bindings for which ``body`` holds in ``facts``, its groups tested against ``before``."""
        triples = [pattern.triple for pattern in body]
        # A variable that nothing binds stands for itself.
        start = {**start, **{name: name for name in loose_variables(triples)}}
        return _Body(self.context, names_used(triples), facts, before).instances(triples, start)


@dataclass(frozen=True, slots=True)
class _Collected:
    """The list of ``template`` for all ways in which ``triples`` hold must be ``result``."""

    template: Term
    triples: tuple[Triple, ...]
    result: Term


@dataclass(frozen=True, slots=True)
class _Absent:
    """``triples`` must not hold, or not without ``unless``."""

    triples: tuple[Triple, ...]
    unless: tuple[Triple, ...] | None = None


Later = Triple | _Collected | _Absent


@dataclass(frozen=True, slots=True)
class _Body:
    """A body that uses the names ``used``, on ``facts``; its groups are tested against ``before``."""

    context: Context
    used: frozenset[Term]
    facts: Iterable[Triple]
    before: Iterable[Triple]

    def instances(self, body: Iterable[Triple], start: Binding) -> Iterator[Binding]:
        """Yield the bindings for which ``body`` holds: data first, then the rest in an order of its own."""
        data: list[Triple] = []
        later: dict[Later, None] = {}
        for goal in self._goals(body):
            if isinstance(goal, Triple) and goal.predicate not in CELLS and _builtin(goal) is None:
                data.append(goal)
            else:
                later[goal] = None
        bindings: list[Binding] = [start]
        for triple in data:
            bindings = [
                more
                for known in bindings
                for fact in self.facts
                for more in unified(triple, fact, known, self.facts)
            ]
        for binding in bindings:
            yield from self._finished(list(later), binding)

    def _goals(self, body: Iterable[Triple]) -> Iterator[Later]:
        for triple in body:
            found = scoped(triple)
            if triple.predicate not in SCOPED:
                yield triple
                continue
            if found is None:
                raise ProgramError("ASM022", "a scope is used wrongly")
            if is_memory(found.scope, self.used):
                if not all(isinstance(group, Formula) for group in found.groups):
                    raise ProgramError("ASM022", "a scope needs a formula")
                inside = [group.triples for group in found.groups if isinstance(group, Formula)]
            else:
                inside = [(Triple(found.scope, INCLUDES, group),) for group in found.groups]
                if triple.predicate != INCLUDES:
                    yield Triple(found.scope, INCLUDES, Formula(()))
            if triple.predicate == INCLUDES:
                yield from self._goals(inside[0]) if is_memory(found.scope, self.used) else inside[0]
            elif triple.predicate == COLLECT_ALL_IN:
                yield _Collected(found.others[0], inside[0], found.others[1])
            else:
                yield _Absent(inside[0], inside[1] if triple.predicate == FOR_ALL_IN else None)

    def _finished(self, later: list[Later], binding: Binding) -> Iterator[Binding]:
        """Yield the bindings for which what is not data holds, run in an order that the text does not decide."""
        if not later:
            yield binding
            return
        goal = self._next(later, binding)
        rest = [other for other in later if other != goal]
        if isinstance(goal, _Absent):
            found = (
                way
                for way in _on(self, self.before).instances(goal.triples, binding)
                if goal.unless is None
                or not any(True for _ in _on(self, self.before).instances(goal.unless, way))
            )
            if next(found, None) is None:
                yield from self._finished(rest, binding)
        elif isinstance(goal, _Collected):
            for more in self._collected(goal, binding):
                yield from self._finished(rest, more)
        else:
            for more in self._results(goal, binding):
                yield from self._finished(rest, more)

    def _next(self, later: list[Later], binding: Binding) -> Later:
        """Return the goal to run next."""
        triples = [goal for goal in later if isinstance(goal, Triple)]
        steps = [triple for triple in triples if triple.predicate in CELLS]
        for step in steps:
            if _is_known(step.subject, binding):
                return step
        builtins = [triple for triple in triples if triple.predicate not in CELLS]
        ready = [triple for triple in builtins if _has_inputs(triple, binding)]
        free = [triple for triple in ready if not _must_wait(triple, later, binding)]
        if free:
            return min(free, key=_key)
        for goal in later:
            if isinstance(goal, _Collected) and not _needs(goal, later, binding):
                return goal
        if ready:
            return min(ready, key=_key)
        if steps:
            return steps[0]
        if builtins or not all(isinstance(goal, _Absent) for goal in later):
            raise ProgramError("ASM001", "nothing binds the input of a builtin")
        return later[0]

    def _collected(self, goal: _Collected, binding: Binding) -> Iterator[Binding]:
        names = {
            part
            for triple in goal.triples
            if triple.predicate not in SCOPED or not is_memory(triple.subject, self.used)
            for term in triple
            for part in open_parts(term)
        }
        rows = {
            frozenset((name, value) for name, value in way.items() if name in names): way
            for way in _on(self, self.before).instances(goal.triples, binding)
        }
        made = sorted((filled(goal.template, way) for way in rows.values()), key=spelling)
        return unified([goal.result], [ListTerm(tuple(made))], binding, self.facts)

    def _results(self, triple: Triple, binding: Binding) -> Iterator[Binding]:
        facts = self.facts
        if triple.predicate in CELLS and _is_known(triple.subject, binding):
            for value in cells(plain(filled(triple.subject, binding)), triple.predicate, facts):
                yield from unified([triple.object], [value], binding, facts)
            return
        builtin = _builtin(triple)
        if builtin is None:
            for fact in facts:
                yield from unified(triple, fact, binding, facts)
            return
        if builtin.complete is not None:
            for more in builtin.complete(triple.subject, triple.object, binding, self.context, _spend):
                yield {**binding, **more}
            return
        subjects = arguments(triple.subject, binding, facts, builtin, "subject")
        objects = arguments(triple.object, binding, facts, builtin, "object")
        for subject in subjects:
            for object_ in objects:
                for one, other in builtin.evaluate(subject, object_, self.context):
                    if subject is not None and one != subject:
                        continue
                    if object_ is not None and other != object_:
                        continue
                    pairs = [(triple.subject, one)] if subject is None else []
                    pairs += [(triple.object, other)] if object_ is None else []
                    yield from unified(
                        [part for part, _ in pairs], [value for _, value in pairs], binding, facts
                    )


def _spend() -> None:
    """Count nothing."""


def _on(body: _Body, facts: Iterable[Triple]) -> _Body:
    return _Body(body.context, body.used, facts, facts)


def _key(triple: Triple) -> list[str]:
    return [spelling(term) for term in (triple[1], triple[0], triple[2])]


def _builtin(triple: Triple) -> Builtin | None:
    return BUILTINS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None


def _is_known(term: Term, binding: Binding) -> bool:
    return all(part in binding for part in open_parts(term))


def _has_inputs(triple: Triple, binding: Binding) -> bool:
    sides = {"subject": triple.subject, "object": triple.object}
    known = {side for side, term in sides.items() if _is_known(term, binding)}
    builtin = _builtin(triple)
    return builtin is not None and any(
        mode <= known for mode in builtin.modes_for(triple.subject, triple.object)
    )


def _must_wait(triple: Triple, later: Sequence[Later], binding: Binding) -> bool:
    """Tell whether the builtin would bind a variable that something else, still to run, could bind too."""
    builtin = _builtin(triple)
    missing = {part for term in (triple.subject, triple.object) for part in open_parts(term)} - binding.keys()
    return (
        builtin is not None
        and builtin.waits
        and any(not missing.isdisjoint(_bindable(other)) for other in later if other != triple)
    )


def _bindable(goal: Later) -> set[Term]:
    if isinstance(goal, _Absent):
        return set()
    if isinstance(goal, _Collected):
        return set(open_parts(goal.result))
    builtin = _builtin(goal)
    if builtin is None:
        return set(open_parts(goal.object))
    sides = {"subject": goal.subject, "object": goal.object}
    modes = builtin.modes_for(goal.subject, goal.object)
    return {part for mode in modes for side in BOTH - mode for part in open_parts(sides[side])}


def _needs(goal: _Collected, later: Sequence[Later], binding: Binding) -> frozenset[Term]:
    """Return the names in what is collected that something else, still to run, could bind."""
    others = {
        part
        for other in later
        if other != goal
        for part in (
            _bindable(other)
            if not isinstance(other, Triple)
            else [name for term in other for name in open_parts(term)]
        )
    }
    return names_used([*goal.triples, Triple(goal.template, RDF_NIL, RDF_NIL)]) & others - binding.keys()
