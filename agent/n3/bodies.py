"""Rule bodies: patterns, with the blank nodes of the body turned into variables."""

from collections.abc import Iterable

from agent.n3.program import Pattern
from agent.n3.scopes import Scoped, is_memory, names_used, scoped
from agent.n3.write import BODY_BLANK
from agent.rdf.matching import renamed
from agent.rdf.terms import BlankNode, Formula, ListTerm, Term, Triple, Variable


def as_body(patterns: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """Return ``patterns`` as a rule body: its blank nodes are existential, so they become variables.

    The same holds inside the groups that look into a scope (``log:includes`` and its kin). A blank node that stands
    for the memory there stays. Blank nodes of other formulas in the body belong to those.
    """
    body = tuple(patterns)
    used = names_used(pattern.triple for pattern in body)
    return tuple(Pattern(_opened(pattern.triple, used), pattern.place, pattern.left) for pattern in body)


def _opened(triple: Triple, used: frozenset[Term]) -> Triple:
    """Return ``triple`` with variables for its blank nodes, also in its groups."""
    results: list[Triple] = []
    pending: list[tuple[Triple, bool]] = [(triple, False)]
    while pending:
        part, groups_done = pending.pop()
        found = scoped(part)
        if found is None:
            results.append(Triple(*(_replaced(term) for term in part)))
        elif not groups_done:
            pending.append((part, True))
            for group in reversed(found.groups):
                if isinstance(group, Formula):
                    pending.extend((inner, False) for inner in reversed(group.triples))
        else:
            results.append(_put_together(part, found, results, used))
    return results.pop()


def _put_together(triple: Triple, found: Scoped, results: list[Triple], used: frozenset[Term]) -> Triple:
    """Return ``triple`` with its groups made of the last of ``results``, which are taken away."""
    groups: list[Term] = []
    for group in reversed(found.groups):
        if isinstance(group, Formula):
            start = len(results) - len(group.triples)
            groups.insert(0, Formula(tuple(results[start:])))
            del results[start:]
        else:
            groups.insert(0, _replaced(group))
    is_kept = isinstance(found.scope, BlankNode) and is_memory(found.scope, used)
    scope = found.scope if is_kept else _replaced(found.scope)
    if not found.others and not isinstance(triple.subject, ListTerm):
        return Triple(scope, triple.predicate, groups[0])
    if not found.others:
        return Triple(ListTerm(tuple(groups)), triple.predicate, scope)
    template, result = map(_replaced, found.others)
    return Triple(ListTerm((template, groups[0], result)), triple.predicate, scope)


def _replaced(term: Term) -> Term:
    """Return ``term`` with variables for its blank nodes outside formulas."""
    if isinstance(term, BlankNode):
        return Variable(f"{BODY_BLANK}{term.label}")
    if not isinstance(term, ListTerm):
        return term
    nodes: dict[BlankNode, Term] = {}
    pending: list[Term] = [term]
    while pending:
        part = pending.pop()
        if isinstance(part, ListTerm):
            pending.extend(part.items)
        elif isinstance(part, BlankNode):
            nodes[part] = Variable(f"{BODY_BLANK}{part.label}")
    return renamed(term, nodes) if nodes else term
