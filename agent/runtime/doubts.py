"""Rules whose conclusions are in doubt while a document could not be read (ADR 0007).

What is absent from memory may be in the document that failed. So request rules that test absence, or that build on a
derivation which does, are not applied then, unless the absence only keeps them from acting.
"""

from collections.abc import Sequence

from agent.n3.program import DerivationRule, Pattern, Program
from agent.rdf.terms import IRI, Formula
from agent.reason.negation import negated_groups


def doubtful_rules(program: Program, cautious: frozenset[str]) -> frozenset[str]:
    """Return the names of the request rules and inconsistencies that may not be applied while a document failed.

    ``cautious`` are predicates whose absence may be tested all the same. Rules with a variable as predicate pass no
    doubt on: they would pass it on to everything.
    """
    doubtful: set[IRI] = set()
    grows = True
    while grows:
        grows = False
        for rule in (*program.derivations, *program.backward):
            if _is_doubtful(rule.body, cautious, doubtful):
                new = _conclusions(rule) - doubtful - {IRI(name) for name in cautious}
                doubtful |= new
                grows = grows or bool(new)
    last = [(rule.name, rule.body) for rule in program.requests]
    last += [(rule.name, rule.body) for rule in program.inconsistencies]
    return frozenset(name for name, body in last if _is_doubtful(body, cautious, doubtful))


def _is_doubtful(body: Sequence[Pattern], cautious: frozenset[str], doubtful: set[IRI]) -> bool:
    return any(pattern.triple.predicate in doubtful for pattern in body) or any(
        not _is_cautious(group, cautious) for group in negated_groups(body)
    )


def _is_cautious(group: Formula, cautious: frozenset[str]) -> bool:
    return all(
        isinstance(predicate, IRI) and predicate.value in cautious for _, predicate, _ in group.triples
    )


def _conclusions(rule: DerivationRule) -> set[IRI]:
    return {pattern.triple.predicate for pattern in rule.head if isinstance(pattern.triple.predicate, IRI)}
