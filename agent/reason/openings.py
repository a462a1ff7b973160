"""Which documents rules want to look into: what binds the subject of a log:semantics or log:content in a body.

The document is asked for as soon as the rest of the body holds, as far as that can be told without it. So nothing is
opened that no rule would use, and nothing waits for itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from agent.n3.builtins import BUILTINS
from agent.n3.program import DerivationRule, Inconsistency, Pattern, RequestRule
from agent.n3.quoted import CONTENT, SEMANTICS
from agent.n3.scopes import SCOPED, is_memory, names_used, scoped
from agent.rdf.structure import unknowns_of
from agent.rdf.terms import IRI, Term
from agent.reason.prepared import Body, Memo, prepare_body

Rule: TypeAlias = DerivationRule | RequestRule | Inconsistency
_ABOUT_DOCUMENTS = (SEMANTICS, CONTENT)


class Opening(NamedTuple):
    """Whenever ``body`` holds, the document of ``subject`` is wanted, for what ``predicate`` says of it."""

    body: Body
    subject: Term
    predicate: IRI


def _openings(given: tuple[tuple[Rule, ...], frozenset[str]]) -> tuple[Opening, ...]:
    rules, asked = given
    return tuple(
        Opening(prepare_body(rule.name, rule.place, body, asked), pattern.triple.subject, predicate)
        for rule in rules
        for pattern in rule.body
        for predicate in _ABOUT_DOCUMENTS
        if pattern.triple.predicate == predicate
        for body in [_before(pattern, rule.body)]
        if body is not None
    )


def _before(opening: Pattern, patterns: Sequence[Pattern]) -> tuple[Pattern, ...] | None:
    """Return the patterns that hold before ``opening``, nothing if they cannot bind its subject."""
    others = [pattern for pattern in patterns if pattern.triple.predicate not in _ABOUT_DOCUMENTS]
    documents = [pattern for pattern in patterns if pattern not in others and pattern != opening]
    used = names_used(pattern.triple for pattern in patterns)
    wanted = set(unknowns_of(opening.triple.subject))
    for candidates in (others, [*others, *documents]):
        kept, bound = _runnable(candidates, used)
        if wanted <= bound:
            return tuple(kept)
    return None


def _runnable(patterns: Sequence[Pattern], used: frozenset[Term]) -> tuple[list[Pattern], set[Term]]:
    """Return those of ``patterns`` that can be evaluated by themselves and grow with memory, and what they bind."""
    kept: list[Pattern] = []
    bound: set[Term] = set()
    waiting: list[Pattern] = []
    for pattern in patterns:
        if _is_computed(pattern, used):
            waiting.append(pattern)
        elif pattern.triple.predicate not in SCOPED:
            kept.append(pattern)
            bound.update(_names(pattern))
    progress = True
    while progress:
        progress = False
        for pattern in list(waiting):
            if any(needed <= bound for needed in _inputs(pattern)):
                waiting.remove(pattern)
                kept.append(pattern)
                bound.update(_names(pattern))
                progress = True
    return kept, bound


def _is_computed(pattern: Pattern, used: frozenset[Term]) -> bool:
    """Tell whether ``pattern`` is a builtin, and none that looks into memory."""
    predicate = pattern.triple.predicate
    found = scoped(pattern.triple) if predicate in SCOPED else None
    is_builtin = isinstance(predicate, IRI) and predicate.value in BUILTINS
    return is_builtin and (found is None or not is_memory(found.scope, used))


def _inputs(pattern: Pattern) -> Iterator[set[Term]]:
    subject, predicate, object_ = pattern.triple
    sides = {"subject": set(unknowns_of(subject)), "object": set(unknowns_of(object_))}
    builtin = BUILTINS[predicate.value] if isinstance(predicate, IRI) else None
    for mode in builtin.modes_for(subject, object_) if builtin is not None else ():
        yield set[Term]().union(*(sides[side] for side in mode))


def _names(pattern: Pattern) -> Iterable[Term]:
    return (name for term in pattern.triple for name in unknowns_of(term))


_OPENINGS = Memo(_openings, lambda given: (tuple(map(id, given[0])), given[1]))


def prepare_openings(rules: tuple[Rule, ...], asked: frozenset[str]) -> tuple[Opening, ...]:
    """Return the openings of ``rules``; the predicates ``asked`` have backward rules."""
    return _OPENINGS((rules, asked))
