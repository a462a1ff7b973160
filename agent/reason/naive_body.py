"""The oracle's way to find the instances of a body: data first, by trying everything, then the rest one by one."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from agent.errors import ProgramError
from agent.n3.builtins import BUILTINS, Builtin, Context
from agent.n3.builtins.registry import BOTH
from agent.n3.scopes import (
    COLLECT_ALL_IN,
    FOR_ALL_IN,
    INCLUDES,
    SCOPED,
    is_memory,
    names_used,
    scoped,
)
from agent.rdf.matching import CELLS
from agent.rdf.terms import (
    IRI,
    RDF_NIL,
    Formula,
    ListTerm,
    Term,
    Triple,
    spelling,
)
from agent.reason.naive_backward import NaiveAnswers
from agent.reason.naive_unify import Binding, arguments, cells, filled, open_parts, plain, unified


class _Collected(Struct, frozen=True):
    """The list of ``template`` for all ways in which ``triples`` hold must be ``result``."""

    template: Term
    triples: tuple[Triple, ...]
    result: Term


class _Absent(Struct, frozen=True):
    """``triples`` must not hold, or not without ``unless``."""

    triples: tuple[Triple, ...]
    unless: tuple[Triple, ...] | None = None


Later = Triple | _Collected | _Absent


class NaiveBody(Struct, frozen=True):
    """A body that uses the names ``used``, on ``facts``; its groups are tested against ``before``."""

    context: Context
    used: frozenset[Term]
    facts: Iterable[Triple]
    before: Iterable[Triple]
    answers: NaiveAnswers | None = None

    def instances(self, body: Iterable[Triple], start: Binding) -> Iterator[Binding]:
        """Yield the bindings for which ``body`` holds: data first, then the rest in an order of its own."""
        data: list[Triple] = []
        later: dict[Later, None] = {}
        for goal in self._goals(body):
            if isinstance(goal, Triple) and self._is_data(goal):
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

    def _said(self, triple: Triple, binding: Binding) -> Iterable[Triple]:
        """Return the triples among which those like ``triple`` are."""
        if self.answers is not None and self._is_asked(triple):
            return self.answers.answers(triple, binding)
        return self.facts

    def _is_data(self, triple: Triple) -> bool:
        return triple.predicate not in CELLS and _builtin(triple) is None and not self._is_asked(triple)

    def _is_asked(self, triple: Triple) -> bool:
        predicate = triple.predicate
        return (
            self.answers is not None and isinstance(predicate, IRI) and predicate.value in self.answers.asked
        )

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
        triples = [goal for goal in later if isinstance(goal, Triple) and not self._is_asked(goal)]
        asks = [goal for goal in later if isinstance(goal, Triple) and self._is_asked(goal)]
        steps = [triple for triple in triples if triple.predicate in CELLS]
        for step in steps:
            if _is_known(step.subject, binding):
                return step
        builtins = [triple for triple in triples if triple.predicate not in CELLS]
        ready = [triple for triple in builtins if _has_inputs(triple, binding)]
        free = [triple for triple in ready if not _must_wait(triple, later, binding)]
        if free:
            return min(free, key=_key)
        due = [triple for triple in asks if not _open(triple, binding) & _all_bindable(builtins)]
        if due:
            return min(due, key=lambda triple: (len(_open(triple, binding)), _key(triple)))
        for goal in later:
            if isinstance(goal, _Collected) and not _needs(goal, later, binding):
                return goal
        if ready:
            return min(ready, key=_key)
        if asks:
            return min(asks, key=lambda triple: (len(_open(triple, binding)), _key(triple)))
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
            for fact in self._said(triple, binding):
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


def _on(body: NaiveBody, facts: Iterable[Triple]) -> NaiveBody:
    answers = None if body.answers is None else body.answers.negated()
    return NaiveBody(body.context, body.used, facts, facts, answers)


def _open(triple: Triple, binding: Binding) -> set[Term]:
    return {part for term in triple for part in open_parts(term)} - binding.keys()


def _all_bindable(builtins: Iterable[Triple]) -> set[Term]:
    return {part for builtin in builtins for part in _bindable(builtin)}


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
