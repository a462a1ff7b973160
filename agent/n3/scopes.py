"""Predicates that look into a scope: the memory, or the triples of a formula (ADR 0111).

``S log:includes { ... }``, ``S log:notIncludes { ... }``, ``(?x { ... } ?list) log:collectAllIn S`` and
``({ ... } { ... }) log:forAllIn S``. The scope is the memory if S is a blank node, a constant that is no formula, or a
variable that occurs nowhere else in the body.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agent.n3.builtins import BUILTINS
from agent.n3.builtins.registry import BOTH
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable, variables_of
from agent.vocab import LOG

INCLUDES = IRI(LOG + "includes")
NOT_INCLUDES = IRI(LOG + "notIncludes")
COLLECT_ALL_IN = IRI(LOG + "collectAllIn")
FOR_ALL_IN = IRI(LOG + "forAllIn")
SCOPED = frozenset({INCLUDES, NOT_INCLUDES, COLLECT_ALL_IN, FOR_ALL_IN})


class Scoped(NamedTuple):
    """A scoped triple taken apart: where it looks, its groups of triples, and what else it says of the body.

    ``others`` are the template and the result of log:collectAllIn. There is no group that is no formula.
    """

    scope: Term
    groups: tuple[Term, ...]
    others: tuple[Term, ...] = ()


def scoped(triple: Triple) -> Scoped | None:
    """Return ``triple`` taken apart if its predicate looks into a scope and it is well formed."""
    subject, predicate, object_ = triple
    if predicate in {INCLUDES, NOT_INCLUDES}:
        return Scoped(subject, (object_,))
    if predicate == COLLECT_ALL_IN and isinstance(subject, ListTerm) and len(subject.items) == 3:
        template, group, result = subject.items
        return Scoped(object_, (group,), (template, result))
    if predicate == FOR_ALL_IN and isinstance(subject, ListTerm) and len(subject.items) == 2:
        return Scoped(object_, subject.items)
    return None


def names_used(body: Iterable[Triple]) -> frozenset[Term]:
    """Return the variables and blank nodes of a body and of the groups in it, but for those that only name a scope."""
    used: set[Term] = set()
    triples = list(body)
    while triples:
        triple = triples.pop()
        parts = scoped(triple) if triple.predicate in SCOPED else None
        if parts is None:
            used.update(_names(triple))
            continue
        used.update(_names(parts.others))
        if isinstance(parts.scope, Formula | ListTerm):
            used.update(_names([parts.scope]))
        for group in parts.groups:
            if isinstance(group, Formula):
                triples.extend(group.triples)
            else:
                used.update(_names([group]))
    return frozenset(used)


def _names(terms: Iterable[Term]) -> Iterator[Term]:
    pending = list(terms)
    while pending:
        term = pending.pop()
        if isinstance(term, ListTerm):
            pending.extend(term.items)
        elif isinstance(term, Formula):
            yield from map(Variable, variables_of([term]))
        elif isinstance(term, Variable | BlankNode):
            yield term


def loose_variables(body: Iterable[Triple]) -> frozenset[Term]:
    """Return the variables that stand in formulas which builtins of a body take as input, and nowhere else.

    Nothing can bind them: they are variables of those formulas.
    """
    triples = list(body)
    bindable: set[Term] = set()
    quoted: set[Term] = set()
    while triples:
        triple = triples.pop()
        found = scoped(triple) if triple.predicate in SCOPED else None
        builtin = BUILTINS.get(triple.predicate.value) if isinstance(triple.predicate, IRI) else None
        if found is not None:
            for group in found.groups:
                triples.extend(group.triples if isinstance(group, Formula) else ())
                bindable.update(_names([group]))
            bindable.update(_names(found.others))
        elif builtin is None:
            bindable.update(_names(triple))
        else:
            sides = {"subject": triple.subject, "object": triple.object}
            bindable.update(_names(sides[side] for mode in builtin.modes for side in BOTH - mode))
        for side in (found.scope,) if found is not None else triple:
            bindable.update(_unquoted(side))
            quoted.update(_names([side]))
    return frozenset(quoted - bindable)


def _unquoted(term: Term) -> Iterator[Term]:
    pending = [term]
    while pending:
        part = pending.pop()
        if isinstance(part, ListTerm):
            pending.extend(part.items)
        elif isinstance(part, Variable | BlankNode):
            yield part


def is_memory(scope: Term, used: frozenset[Term]) -> bool:
    """Tell whether ``scope``, in a body that uses the names ``used``, is the memory."""
    if isinstance(scope, Variable | BlankNode):
        return scope not in used
    return isinstance(scope, IRI | Literal)
