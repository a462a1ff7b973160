"""Safety: every variable of a head, of a request and of a builtin's input is bound by the body."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from agent.errors import Place, closest, did_you_mean
from agent.n3.builtins import BUILTINS, Builtin
from agent.n3.problems import Problems
from agent.n3.program import IMPLIES, IS_IMPLIED_BY, DerivationRule, Inconsistency, Pattern
from agent.n3.quoted import CONTENT, SEMANTICS
from agent.n3.scopes import (
    COLLECT_ALL_IN,
    INCLUDES,
    SCOPED,
    Scoped,
    is_memory,
    loose_variables,
    names_used,
    scoped,
)
from agent.n3.write import BODY_BLANK, show
from agent.rdf.terms import IRI, Formula, ListTerm, Term, Triple, Variable, variables_of
from agent.vocab import CRYPTO, LIST, LOG, MATH, STRING, TIME

_FOREIGN_NAMESPACES = (
    "http://www.w3.org/2000/10/swap/graph#",
    "http://eulersharp.sourceforge.net/2003/03swap/log-rules#",
    "http://www.w3.org/2007/rif-builtin-function#",
    "http://www.w3.org/2007/rif-builtin-predicate#",
)
"""Of builtins that other reasoners have: taken for data, they would match nothing without a word."""

_BUILTIN_NAMESPACES = (MATH, STRING, LIST, LOG, TIME, CRYPTO, *_FOREIGN_NAMESPACES)
_PLAIN_DATA = frozenset({IMPLIES, IS_IMPLIED_BY, SEMANTICS, CONTENT})
_LONGEST_GUESSED_NAME = 40
_MOST_GUESSED_FROM = 1000


class _Builtin(NamedTuple):
    """A builtin in a body: its variables, and for each way to run it the variables that must be bound before."""

    pattern: Pattern
    variables: frozenset[str]
    inputs: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, pattern: Pattern, builtin: Builtin, loose: frozenset[Term]) -> "_Builtin":
        """Return ``pattern`` as a call of ``builtin`` in a body whose formulas keep the variables ``loose``."""
        names = {term.name for term in loose if isinstance(term, Variable)}
        modes = builtin.modes_for(pattern.triple.subject, pattern.triple.object)
        sides = {
            "subject": frozenset(variables_of([pattern.triple.subject])) - names,
            "object": frozenset(variables_of([pattern.triple.object])) - names,
        }
        inputs = tuple(frozenset[str]().union(*(sides[side] for side in mode)) for mode in modes)
        return cls(pattern, sides["subject"] | sides["object"], inputs)

    def missing(self, bound: set[str]) -> frozenset[str]:
        """Return the variables that the easiest way to run it still lacks."""
        lacking = [needed - bound for needed in self.inputs]
        return min(lacking, key=lambda names: (len(names), sorted(names)), default=frozenset())


class SafetyCheck:
    """Checks the rules of one program; faults go to ``problems``."""

    def __init__(self, prefixes: Mapping[str, str], problems: Problems) -> None:
        self._prefixes = prefixes
        self._problems = problems

    def derivation(self, rule: DerivationRule) -> None:
        """Check that the body binds all variables of the head, but for those of quoted formulas."""
        variables = [
            (name, pattern.place_of(name))
            for pattern in rule.head
            for name in unquoted_variables(pattern.triple)
        ]
        self._demand(variables, self._bound_by(rule.body), "the head")

    def backward(self, rule: DerivationRule) -> None:
        """Check a backward rule: what its head names may be bound by the question that it answers."""
        told = {name for pattern in rule.head for name in unquoted_variables(pattern.triple)}
        self._bound_by(rule.body, told)

    def inconsistency(self, rule: Inconsistency) -> None:
        """Check the body of a rule whose head is false."""
        self._bound_by(rule.body)

    def request(self, body: Sequence[Pattern], said: Iterable[Pattern]) -> None:
        """Check that ``body`` binds all variables of what is ``said`` in the head, payloads included."""
        variables = [
            (name, pattern.place_of(name)) for pattern in said for name in variables_of(pattern.triple)
        ]
        self._demand(variables, self._bound_by(body), "the request")

    def _demand(self, variables: Iterable[tuple[str, Place]], bound: set[str], where: str) -> None:
        """Report the variables that are not bound, each once."""
        unbound: dict[str, Place] = {}
        for name, place in variables:
            if name not in bound:
                unbound.setdefault(name, place)
        known = sorted(name for name in bound if not name.startswith(BODY_BLANK))[:_MOST_GUESSED_FROM]
        for name, place in unbound.items():
            if self._problems.is_full:
                return
            guess = closest(name[:_LONGEST_GUESSED_NAME], known)
            hint = f"did you mean ?{guess}" if guess else "bind it by a pattern in the body"
            message = f"unexpected {_shown(name)} in {where}: the body does not bind it"
            self._problems.error("ASM001", message, place, hint)

    def _bound_by(self, body: Sequence[Pattern], told: Iterable[str] = ()) -> set[str]:
        """Return the variables that ``body`` binds or that are ``told``.

        Builtins without input and unknown builtins are faults.
        """
        triples = [pattern.triple for pattern in body]
        used, loose = names_used(triples), loose_variables(triples)
        outermost = self._bound_in_group(body, set(told), used, loose)
        pending = [(body, outermost)]
        while pending:
            patterns, bound = pending.pop()
            for pattern in _inlined(patterns, used):
                found = scoped(pattern.triple)
                if found is None or pattern.triple.predicate == INCLUDES:
                    continue
                inner = bound
                for group in found.groups if is_memory(found.scope, used) else ():
                    if isinstance(group, Formula):
                        inside = _patterns(group, pattern)
                        inner = self._bound_in_group(inside, inner, used, loose)
                        pending.append((inside, inner))
                if pattern.triple.predicate == COLLECT_ALL_IN:
                    self._check_template(found, inner, used, pattern)
        return outermost

    def _check_template(
        self, found: Scoped, bound: set[str], used: frozenset[Term], pattern: Pattern
    ) -> None:
        if not is_memory(found.scope, used):
            bound = bound | set(variables_of(found.groups))
        self._demand(
            [(name, pattern.place) for name in variables_of(found.others[:1])], bound, "what is collected"
        )

    def _bound_in_group(
        self, patterns: Sequence[Pattern], outer: set[str], used: frozenset[Term], loose: frozenset[Term]
    ) -> set[str]:
        bound = set(outer)
        waiting: list[_Builtin] = []
        for pattern in _inlined(patterns, used):
            predicate = pattern.triple.predicate
            found = scoped(pattern.triple)
            builtin = BUILTINS.get(predicate.value) if isinstance(predicate, IRI) else None
            if found is not None and predicate != INCLUDES:
                bound.update(variables_of(found.others[1:]))
                if not is_memory(found.scope, used):
                    inclusion = Triple(found.scope, INCLUDES, Formula(()))
                    waiting.append(
                        _Builtin.of(replace(pattern, triple=inclusion), BUILTINS[INCLUDES.value], loose)
                    )
            elif builtin is not None:
                waiting.append(_Builtin.of(pattern, builtin, loose))
            else:
                self._check_is_data(pattern)
                bound.update(variables_of(pattern.triple))
        self._run_builtins(waiting, bound)
        return bound

    def _run_builtins(self, builtins: Sequence[_Builtin], bound: set[str]) -> None:
        """Let every builtin whose input is bound bind the rest of its variables, until nothing changes."""
        lacking = {
            (number, way): len(needed - bound)
            for number, builtin in enumerate(builtins)
            for way, needed in enumerate(builtin.inputs)
        }
        wanted_by: dict[str, list[tuple[int, int]]] = {}
        for number, way in lacking:
            for name in builtins[number].inputs[way] - bound:
                wanted_by.setdefault(name, []).append((number, way))
        ready = [number for (number, _), count in lacking.items() if not count]
        ran: set[int] = set()
        while ready:
            number = ready.pop()
            if number in ran:
                continue
            ran.add(number)
            for name in builtins[number].variables - bound:
                bound.add(name)
                for key in wanted_by.get(name, ()):
                    lacking[key] -= 1
                    if not lacking[key]:
                        ready.append(key[0])
        self._report_stuck([each for number, each in enumerate(builtins) if number not in ran], bound)

    def _report_stuck(self, stuck: Sequence[_Builtin], bound: set[str]) -> None:
        for each in stuck:
            missing = sorted(each.missing(bound))
            names = ", ".join(map(_shown, missing))
            builtin = show(each.pattern.triple.predicate, self._prefixes)
            message = f"unexpected {names} as input of {builtin}: nothing in the body binds it"
            self._problems.error(
                "ASM001",
                message,
                each.pattern.place_of(missing[0]),
                "builtins compute from what patterns bind",
            )
        for each in stuck:
            bound |= each.variables

    def _check_is_data(self, pattern: Pattern) -> None:
        predicate = pattern.triple.predicate
        if not isinstance(predicate, IRI) or predicate in SCOPED or predicate in _PLAIN_DATA:
            return
        if self._problems.is_full:
            return
        namespace = next((each for each in _BUILTIN_NAMESPACES if predicate.value.startswith(each)), None)
        if namespace is None:
            return
        known = [iri.removeprefix(namespace) for iri in BUILTINS if iri.startswith(namespace)]
        guess = did_you_mean(predicate.value.removeprefix(namespace)[:_LONGEST_GUESSED_NAME], known)
        message = f"expected a builtin, got {show(predicate, self._prefixes)}, which is none"
        self._problems.error(
            "N3010", message, pattern.places[1], guess or "the page Builtins of the reference lists them all"
        )


def _inlined(patterns: Iterable[Pattern], used: frozenset[Term]) -> Iterator[Pattern]:
    """Yield ``patterns``, those that log:includes looks for in the memory in its place."""
    pending = list(patterns)[::-1]
    while pending:
        pattern = pending.pop()
        found = scoped(pattern.triple) if pattern.triple.predicate == INCLUDES else None
        if found is not None and is_memory(found.scope, used) and isinstance(found.groups[0], Formula):
            pending.extend(reversed(_patterns(found.groups[0], pattern)))
        else:
            yield pattern


def _patterns(group: Formula, pattern: Pattern) -> list[Pattern]:
    return [Pattern(triple, pattern.place) for triple in group.triples]


def unquoted_variables(triple: Triple) -> Iterable[str]:
    """Yield the names of the variables of ``triple`` outside formulas."""
    pending: list[Term] = list(triple)
    while pending:
        term = pending.pop()
        if isinstance(term, Variable):
            yield term.name
        elif isinstance(term, ListTerm):
            pending.extend(term.items)


def _shown(name: str) -> str:
    return "a blank node" if name.startswith(BODY_BLANK) else f"?{name}"
