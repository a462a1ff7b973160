"""The rules of a program sorted for the reasoner. They depend on the program alone and are kept between steps."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

from agent.errors import ProgramError
from agent.n3.program import DerivationRule, Pattern, Program
from agent.reason.backward import BackwardRules, gather_backward
from agent.reason.negation import Strata, stratify
from agent.reason.openings import prepare_openings
from agent.reason.prepared import Memo, prepare_derivation, prepare_inconsistency, prepare_request


class PreparedRules(NamedTuple):
    """Derivation rules sorted: those without negation, the strata of the others, and the backward rules."""

    positive: tuple[DerivationRule, ...]
    strata: Strata
    backward: BackwardRules


_Given: TypeAlias = tuple[
    tuple[DerivationRule, ...], tuple[DerivationRule, ...], tuple[Sequence[Pattern], ...], frozenset[str]
]


def _sort(given: _Given) -> PreparedRules:
    rules, backward_rules, others, protected = given
    backward = gather_backward(backward_rules, [*(rule.body for rule in rules), *others], protected)
    for rule in rules:
        prepare_derivation(rule, backward.asked)
    strata = stratify(rules, backward.rules, backward.negates)
    return PreparedRules(tuple(rule for rule in rules if not backward.negates(rule.body)), strata, backward)


def _identity(given: _Given) -> Hashable:
    rules, backward, others, protected = given
    return (protected, *map(id, rules), None, *map(id, backward), None, *map(id, others))


_RULES = Memo(_sort, _identity)


def check_rules(program: Program, protected: frozenset[str] = frozenset()) -> None:
    """Prepare all rules of ``program``; ProgramError for those that cannot be run."""
    backward = prepare_rules(program, protected).backward
    for rule in program.requests:
        if rule.is_retrieval and backward.negates(rule.body):
            raise ProgramError(
                "ASM023",
                f"rule {rule.name} retrieves what a negation allows, but memory still grows while it is read",
                place=rule.place,
                hint="Retrieve by positive patterns alone; negate in derivation rules or requests that are not GET.",
            )
        prepare_request(rule, backward.asked)
    for inconsistency in program.inconsistencies:
        prepare_inconsistency(inconsistency, backward.asked)
    prepare_openings((*program.derivations, *program.requests, *program.inconsistencies), backward.asked)


def prepare_rules(program: Program, protected: frozenset[str] = frozenset()) -> PreparedRules:
    """Return the rules of ``program``; ``protected`` predicates follow from no head whose predicate is a variable."""
    # What requests and inconsistencies read only matters to backward rules whose head has a variable as predicate.
    others: list[Sequence[Pattern]] = []
    if program.backward:
        others += [rule.body for rule in program.requests]
        others += [rule.body for rule in program.inconsistencies]
    return _RULES((program.derivations, program.backward, tuple(others), protected))
