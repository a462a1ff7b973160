"""Negation: which patterns are negated groups, and in which order rules with negation run.

``[] log:notIncludes { ... }`` holds if the memory holds no instance of the group. Rules with negation are ranked by
the constant predicates that they read and derive, so that what a rule negates is complete before the rule runs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.errors import ProgramError
from agent.n3.builtins import BUILTINS
from agent.n3.program import DerivationRule, Pattern
from agent.rdf.terms import IRI, BlankNode, Formula, Term, Triple, Variable
from agent.reason.structure import unknowns_of
from agent.vocab import LOG, SR

NOT_INCLUDES = IRI(LOG + "notIncludes")
CONCLUDED = frozenset({SR + "boolean"})
MAX_NESTING = 16


def is_negation(triple: Triple) -> bool:
    """Tell whether ``triple`` is a negated group."""
    return triple.predicate == NOT_INCLUDES


def has_negation(body: Iterable[Pattern]) -> bool:
    """Tell whether a body has a negated group."""
    return any(is_negation(pattern.triple) for pattern in body)


def negated_groups(body: Iterable[Pattern]) -> Iterator[Formula]:
    """Yield the negated groups of a body."""
    for pattern in body:
        if is_negation(pattern.triple) and isinstance(pattern.triple.object, Formula):
            yield pattern.triple.object


def check_scopes(body: Sequence[Pattern]) -> None:
    """Check that every negated group is about the memory.

    Its subject must be a constant other than a list or formula, or a blank node or variable that occurs nowhere else
    in the body. Raises ``ProgramError`` otherwise.
    """
    for pattern in body:
        if not is_negation(pattern.triple):
            continue
        scope = pattern.triple.subject
        others = [
            term
            for other in body
            if other is not pattern
            for term in (other.triple[1:] if is_negation(other.triple) else other.triple)
        ]
        is_open = isinstance(scope, Variable | BlankNode)
        is_used = is_open and any(scope in unknowns_of(term) for term in (*others, pattern.triple.object))
        if is_used or not (is_open or isinstance(scope, IRI) or _is_literal(scope)):
            raise ProgramError(
                "ASM022",
                "log:notIncludes is about the memory: its subject must be [] or a variable used nowhere else",
                place=pattern.place,
            )


def _is_literal(term: Term) -> bool:
    return (
        not isinstance(term, IRI | BlankNode | Variable)
        and next(unknowns_of(term), None) is None
        and not (isinstance(term, Formula))
    )


@dataclass(frozen=True, slots=True)
class Reads:
    """The constant predicates of a body: those that must hold and those inside negated groups."""

    positive: frozenset[str]
    negated: frozenset[str]


def predicates_read(body: Iterable[Pattern]) -> Reads:
    """Return the constant predicates that a body reads from memory, builtins left out."""
    positive: set[str] = set()
    negated: set[str] = set()
    pending = [(pattern.triple, False) for pattern in body]
    while pending:
        triple, is_negated = pending.pop()
        if is_negation(triple):
            if isinstance(triple.object, Formula):
                pending += [(inner, True) for inner in triple.object.triples]
        elif isinstance(triple.predicate, IRI) and triple.predicate.value not in BUILTINS:
            (negated if is_negated else positive).add(triple.predicate.value)
    return Reads(frozenset(positive), frozenset(negated))


def _derives(rule: DerivationRule) -> set[str]:
    return {
        pattern.triple.predicate.value for pattern in rule.head if isinstance(pattern.triple.predicate, IRI)
    }


@dataclass(frozen=True, slots=True)
class Strata:
    """The rules with negation in the order of their levels, as lists of rules that run together.

    ``before`` do not depend on what is concluded natively (sentry results), ``after`` do.
    """

    before: list[list[DerivationRule]] = field(default_factory=list)
    after: list[list[DerivationRule]] = field(default_factory=list)


def stratify(rules: Sequence[DerivationRule]) -> Strata:
    """Return the strata of ``rules``. Raises ``ProgramError`` naming the predicates of a cycle through negation."""
    reads = {rule.name: predicates_read(rule.body) for rule in rules}
    levels = _levels(rules, reads)
    dependent = _dependent_on(CONCLUDED, rules, reads)
    strata = Strata()
    for wanted, stages in ((False, strata.before), (True, strata.after)):
        by_level: dict[int, list[DerivationRule]] = {}
        for rule in rules:
            if has_negation(rule.body) and (rule.name in dependent) is wanted:
                by_level.setdefault(_level(rule, reads[rule.name], levels), []).append(rule)
        stages.extend(by_level[level] for level in sorted(by_level))
    return strata


def _level(rule: DerivationRule, read: Reads, levels: Mapping[str, int]) -> int:
    """Return the level of ``rule``: above what it negates, not below what it reads, and above 0 if it negates."""
    lowest = 1 if has_negation(rule.body) else 0
    return max(
        [
            lowest,
            *(levels.get(name, 0) for name in read.positive),
            *(levels.get(name, 0) + 1 for name in read.negated),
        ]
    )


def _levels(rules: Sequence[DerivationRule], reads: Mapping[str, Reads]) -> dict[str, int]:
    """Return the level of every predicate that a rule derives: the highest of the rules that derive it."""
    levels: dict[str, int] = {}
    negating = sum(1 for rule in rules if has_negation(rule.body))
    changed = True
    while changed:
        changed = False
        for rule in rules:
            level = _level(rule, reads[rule.name], levels)
            if level > negating:
                raise _cycle_error(rules, reads)
            for name in _derives(rule):
                if levels.get(name, 0) < level:
                    levels[name] = level
                    changed = True
    return levels


def _cycle_error(rules: Sequence[DerivationRule], reads: Mapping[str, Reads]) -> ProgramError:
    for rule in rules:
        for negated in sorted(reads[rule.name].negated):
            for derived in sorted(_derives(rule)):
                path = _path(derived, negated, rules, reads)
                if path is not None:
                    names = " -> ".join(f"<{name}>" for name in [negated, *path])
                    return ProgramError(
                        "ASM021",
                        f"rule {rule.name} negates what depends on its own conclusion: {names}",
                        place=rule.place,
                        hint="Break the cycle: conclude with another predicate, or test one that these rules do not derive.",
                    )
    raise AssertionError("levels without end come from a cycle")


def _path(
    start: str, end: str, rules: Sequence[DerivationRule], reads: Mapping[str, Reads]
) -> list[str] | None:
    """Return predicates from ``start`` to ``end``, each derived by a rule that reads the one before."""
    came_from: dict[str, str] = {start: ""}
    pending = [start]
    while pending:
        name = pending.pop()
        if name == end:
            path = [name]
            while came_from[path[-1]]:
                path.append(came_from[path[-1]])
            return path[::-1]
        for rule in rules:
            if name in reads[rule.name].positive or name in reads[rule.name].negated:
                for derived in sorted(_derives(rule) - came_from.keys()):
                    came_from[derived] = name
                    pending.append(derived)
    return None


def _dependent_on(
    predicates: frozenset[str], rules: Sequence[DerivationRule], reads: Mapping[str, Reads]
) -> set[str]:
    """Return the names of the rules that read ``predicates`` or what such rules derive."""
    reached = set(predicates)
    dependent: set[str] = set()
    changed = True
    while changed:
        changed = False
        for rule in rules:
            read = reads[rule.name]
            if rule.name not in dependent and not reached.isdisjoint(read.positive | read.negated):
                dependent.add(rule.name)
                reached |= _derives(rule)
                changed = True
    return dependent
