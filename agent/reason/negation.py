"""Negation: which patterns are negated groups, and in which order rules with negation run.

``[] log:notIncludes { ... }`` holds if the memory holds no instance of the group; log:collectAllIn and log:forAllIn
depend on what it does not hold just as much. Rules with negation are ranked by the constant predicates that they read
and derive, so that what a rule negates is complete before the rule runs. With a formula as scope none of this matters.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from agent.errors import ProgramError
from agent.n3.builtins import BUILTINS
from agent.n3.program import DerivationRule, Pattern
from agent.n3.scopes import INCLUDES, SCOPED, is_memory, names_used, scoped
from agent.rdf.terms import IRI, Formula, Term, Triple
from agent.vocab import SR

CONCLUDED = frozenset({SR + "boolean"})


def has_negation(body: Iterable[Pattern]) -> bool:
    """Tell whether a body looks at the memory as a whole."""
    return next(negated_groups(body), None) is not None


def negated_groups(body: Iterable[Pattern]) -> Iterator[Formula]:
    """Yield the outermost groups of a body that depend on what the memory does not hold."""
    triples = [pattern.triple for pattern in body]
    used = _names_near_scopes(triples)
    while triples:
        triple = triples.pop()
        found = scoped(triple) if triple.predicate in SCOPED else None
        if found is None or not is_memory(found.scope, used):
            continue
        groups = [group for group in found.groups if isinstance(group, Formula)]
        if triple.predicate == INCLUDES:
            triples.extend(inner for group in groups for inner in group.triples)
        else:
            yield from groups


def _names_near_scopes(triples: Sequence[Triple]) -> frozenset[Term]:
    """Return the names that a body uses, if it has a scope to ask that of."""
    return names_used(triples) if any(triple.predicate in SCOPED for triple in triples) else frozenset()


class Reads(NamedTuple):
    """The constant predicates of a body: those that must hold and those inside negated groups; ``negates`` if it has such."""

    positive: frozenset[str]
    negated: frozenset[str]
    negates: bool


def predicates_read(body: Iterable[Pattern]) -> Reads:
    """Return the constant predicates that a body reads from memory, builtins left out."""
    patterns = tuple(body)
    triples = [pattern.triple for pattern in patterns]
    used = _names_near_scopes(triples)
    positive: set[str] = set()
    negated: set[str] = set()
    pending = [(triple, False) for triple in triples]
    while pending:
        triple, is_negated = pending.pop()
        found = scoped(triple) if triple.predicate in SCOPED else None
        if found is not None and is_memory(found.scope, used):
            is_negated = is_negated or triple.predicate != INCLUDES
            pending += [
                (inner, is_negated)
                for group in found.groups
                if isinstance(group, Formula)
                for inner in group.triples
            ]
        elif (
            isinstance(triple.predicate, IRI)
            and triple.predicate not in SCOPED
            and triple.predicate.value not in BUILTINS
        ):
            (negated if is_negated else positive).add(triple.predicate.value)
    return Reads(frozenset(positive), frozenset(negated), has_negation(patterns))


def _derives(rule: DerivationRule) -> set[str]:
    return {
        pattern.triple.predicate.value for pattern in rule.head if isinstance(pattern.triple.predicate, IRI)
    }


class Strata(Struct, frozen=True):
    """The rules with negation in the order of their levels, as lists of rules that run together.

    ``before`` do not depend on what is concluded natively (sentry results), ``after`` do.
    """

    before: list[list[DerivationRule]] = field(default_factory=list)
    after: list[list[DerivationRule]] = field(default_factory=list)


def stratify(
    rules: Sequence[DerivationRule],
    backward: Sequence[DerivationRule] = (),
    negates: Callable[[Sequence[Pattern]], bool] = has_negation,
) -> Strata:
    """Return the strata of ``rules``, some of which ask ``backward`` rules.

    ``negates`` tells whether a body negates by itself or by the rules that it asks. Raises ``ProgramError`` naming the
    predicates of a cycle through negation.
    """
    everyone = (*rules, *backward)
    reads = {rule.name: predicates_read(rule.body) for rule in everyone}
    levels = _levels(everyone, reads)
    dependent = _dependent_on(CONCLUDED, everyone, reads)
    strata = Strata()
    for wanted, stages in ((False, strata.before), (True, strata.after)):
        by_level: dict[int, list[DerivationRule]] = {}
        for rule in rules:
            if negates(rule.body) and (rule.name in dependent) is wanted:
                by_level.setdefault(_level(reads[rule.name], levels), []).append(rule)
        stages.extend(by_level[level] for level in sorted(by_level))
    return strata


def _level(read: Reads, levels: Mapping[str, int]) -> int:
    """Return the level of a rule: above what it negates, not below what it reads, and above 0 if it negates."""
    lowest = 1 if read.negates else 0
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
    negating = sum(1 for rule in rules if reads[rule.name].negates)
    changed = True
    while changed:
        changed = False
        for rule in rules:
            level = _level(reads[rule.name], levels)
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
