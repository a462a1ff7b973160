"""Safety: every variable of a head, of a request and of a builtin's input is bound by the body."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.errors import Place, did_you_mean
from agent.n3.bodies import NOT_INCLUDES
from agent.n3.builtins import BUILTINS
from agent.n3.problems import Problems
from agent.n3.program import DerivationRule, Pattern, RequestTemplate
from agent.n3.write import BODY_BLANK, show
from agent.rdf.terms import IRI, Formula, ListTerm, Term, Triple, Variable, variables_of
from agent.vocab import CRYPTO, LIST, LOG, MATH, STRING, TIME

_BUILTIN_NAMESPACES = (MATH, STRING, LIST, LOG, TIME, CRYPTO)
_PLAIN_DATA = frozenset({LOG + "implies", LOG + "isImpliedBy"})
_LONGEST_GUESSED_NAME = 40


@dataclass(frozen=True, slots=True)
class _Sides:
    """The variables of a builtin pattern, side by side, and the sides that must be known before it can run."""

    pattern: Pattern
    subject: frozenset[str]
    object: frozenset[str]
    modes: tuple[frozenset[str], ...]

    def missing(self, bound: set[str]) -> frozenset[str]:
        """Return the variables that the easiest mode still lacks."""
        lacking = [
            frozenset().union(*(self.subject if side == "subject" else self.object for side in mode)) - bound
            for mode in self.modes
        ]
        return min(lacking, key=lambda names: (len(names), sorted(names)), default=frozenset())


class SafetyCheck:
    """Checks the rules of one program; faults go to ``problems``."""

    def __init__(self, prefixes: Mapping[str, str], problems: Problems) -> None:
        self._prefixes = prefixes
        self._problems = problems

    def derivation(self, rule: DerivationRule) -> None:
        """Check that the body binds all variables of the head, but for those of quoted formulas."""
        bound = self._bound_by(rule.body)
        for pattern in rule.head:
            self._demand(unquoted_variables(pattern.triple), bound, "the head", pattern.place)

    def request(self, body: Sequence[Pattern], requests: Iterable[RequestTemplate]) -> None:
        """Check that ``body`` binds all variables of ``requests``."""
        bound = self._bound_by(body)
        for template in requests:
            parts = [template.method, template.uri, template.body, template.like]
            pairs = [*template.headers, *template.annotations]
            terms = [part for part in parts if part is not None] + [term for pair in pairs for term in pair]
            self._demand(variables_of(terms), bound, "the request", template.place)

    def _demand(self, names: Iterable[str], bound: set[str], where: str, place: Place) -> None:
        for name in dict.fromkeys(names):
            if name not in bound:
                shown = _shown(name)
                guess = did_you_mean(name, bound)
                hint = (
                    guess.replace("did you mean ", "did you mean ?", 1) or "bind it by a pattern in the body"
                )
                self._problems.error(
                    "ASM001", f"unexpected {shown} in {where}: the body does not bind it", place, hint
                )

    def _bound_by(self, body: Sequence[Pattern]) -> set[str]:
        """Return the variables that ``body`` binds; builtins without input and unknown builtins are faults."""
        bound = self._bound_in_group(body, set())
        pending = [(group, bound) for group in _negated_groups(body)]
        while pending:
            group, outer = pending.pop()
            inner = self._bound_in_group(group, outer)
            pending.extend((deeper, inner) for deeper in _negated_groups(group))
        return bound

    def _bound_in_group(self, patterns: Sequence[Pattern], outer: set[str]) -> set[str]:
        bound = set(outer)
        waiting: list[_Sides] = []
        for pattern in patterns:
            subject, predicate, object_ = pattern.triple
            if predicate == NOT_INCLUDES:
                continue
            builtin = BUILTINS.get(predicate.value) if isinstance(predicate, IRI) else None
            if builtin is not None:
                sides = frozenset(variables_of([subject])), frozenset(variables_of([object_]))
                waiting.append(_Sides(pattern, *sides, builtin.modes))
            else:
                self._check_is_data(pattern)
                bound.update(variables_of(pattern.triple))
        self._run_builtins(waiting, bound)
        return bound

    def _run_builtins(self, waiting: list[_Sides], bound: set[str]) -> None:
        """Let every builtin whose input is bound bind the rest of its variables, until nothing changes."""
        while waiting:
            stuck = [sides for sides in waiting if sides.missing(bound)]
            for sides in waiting:
                if not sides.missing(bound):
                    bound |= sides.subject | sides.object
            if len(stuck) == len(waiting):
                self._report_stuck(stuck, bound)
                return
            waiting = stuck

    def _report_stuck(self, stuck: Sequence[_Sides], bound: set[str]) -> None:
        for sides in stuck:
            names = ", ".join(_shown(name) for name in sorted(sides.missing(bound)))
            builtin = show(sides.pattern.triple.predicate, self._prefixes)
            message = f"unexpected {names} as input of {builtin}: nothing in the body binds it"
            self._problems.error(
                "ASM001", message, sides.pattern.place, "builtins compute from what patterns bind"
            )
            bound |= sides.subject | sides.object

    def _check_is_data(self, pattern: Pattern) -> None:
        predicate = pattern.triple.predicate
        if not isinstance(predicate, IRI) or predicate.value in _PLAIN_DATA:
            return
        namespace = next((each for each in _BUILTIN_NAMESPACES if predicate.value.startswith(each)), None)
        if namespace is None:
            return
        known = [iri.removeprefix(namespace) for iri in BUILTINS if iri.startswith(namespace)]
        guess = did_you_mean(predicate.value.removeprefix(namespace)[:_LONGEST_GUESSED_NAME], known)
        message = f"expected a builtin, got {show(predicate, self._prefixes)}, which is none"
        self._problems.error(
            "N3010", message, pattern.place, guess or f"there are {len(known)} in <{namespace}>"
        )


def _negated_groups(patterns: Iterable[Pattern]) -> Iterable[list[Pattern]]:
    for pattern in patterns:
        _, predicate, group = pattern.triple
        if predicate == NOT_INCLUDES and isinstance(group, Formula):
            yield [Pattern(triple, pattern.place) for triple in group.triples]


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
