"""The oracle's own way to match a pattern with a term: every permutation is tried, nothing is clever."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product

from agent.n3.builtins import Builtin
from agent.rdf.matching import opened
from agent.rdf.terms import RDF_FIRST, RDF_NIL, RDF_REST, BlankNode, Formula, ListTerm, Term, Triple, Variable

Binding = Mapping[Term, Term]
Facts = Iterable[Triple]


def plain(term: Term) -> Term:
    """Return ``term``, or rdf:nil for the empty list."""
    return RDF_NIL if term == ListTerm(()) else term


def plain_triple(triple: Triple) -> Triple:
    """Return ``triple`` with rdf:nil for empty lists."""
    return Triple(*map(plain, triple))


def open_parts(term: Term, *, quoted: bool = False) -> list[Term]:
    """Return the variables of ``term``, and its blank nodes outside formulas."""
    if isinstance(term, ListTerm):
        return [part for item in term.items for part in open_parts(item, quoted=quoted)]
    if isinstance(term, Formula):
        return [part for triple in term.triples for item in triple for part in open_parts(item, quoted=True)]
    return [term] if isinstance(term, Variable) or (isinstance(term, BlankNode) and not quoted) else []


def filled(term: Term, values: Binding, *, quoted: bool = False) -> Term:
    """Return ``term`` with its open parts replaced by their values."""
    if isinstance(term, ListTerm):
        return ListTerm(tuple(filled(item, values, quoted=quoted) for item in term.items))
    if isinstance(term, Formula):
        return Formula(
            tuple(Triple(*(filled(item, values, quoted=True) for item in triple)) for triple in term.triples)
        )
    return term if quoted and isinstance(term, BlankNode) else values.get(term, term)


def unified(pattern: Iterable[Term], fact: Iterable[Term], known: Binding, facts: Facts) -> Iterator[Binding]:
    """Yield ``known`` extended in every way that makes the terms of ``pattern`` those of ``fact``."""
    ways = [known]
    for part, term in zip(pattern, fact, strict=True):
        ways = [more for way in ways for more in _unified(plain(part), plain(term), way, facts)]
    yield from ways


def _unified(pattern: Term, term: Term, known: Binding, facts: Facts) -> Iterator[Binding]:
    if isinstance(pattern, Variable | BlankNode):
        if known.get(pattern, term) == term:
            yield {**known, pattern: term}
    elif isinstance(pattern, ListTerm):
        for items in [term.items] if isinstance(term, ListTerm) else lists(term, facts, frozenset()):
            if len(items) == len(pattern.items):
                yield from unified(pattern.items, items, known, facts)
    elif isinstance(pattern, Formula) and pattern.is_open:
        if isinstance(term, Formula):
            yield from _formulas(pattern, term, known)
    elif pattern == term:
        yield known


def _formulas(pattern: Formula, term: Formula, known: Binding) -> Iterator[Binding]:
    """Yield the ways to make the triples of ``pattern`` those of ``term``, one by one."""
    mine, theirs = list(dict.fromkeys(pattern.triples)), opened(term)
    if len(mine) != len(theirs.triples):
        return
    own = pattern.own_nodes
    for order in permutations(theirs.triples):
        ways = [known]
        for triple, other in zip(mine, order, strict=True):
            for part, value in zip(triple, other, strict=True):
                ways = [more for way in ways for more in _quoted(part, value, way, own)]
        for way in ways:
            nodes = [way[node] for node in own]
            if len(set(nodes)) == len(nodes) and all(getattr(n, "scope", "") == theirs.scope for n in nodes):
                yield {part: value for part, value in way.items() if part not in own}


def _quoted(part: Term, value: Term, known: Binding, own: Iterable[Term]) -> Iterator[Binding]:
    if isinstance(part, Variable) or part in own:
        if known.get(part, value) == value:
            yield {**known, part: value}
    elif isinstance(part, ListTerm) and isinstance(value, ListTerm) and len(part.items) == len(value.items):
        ways = [known]
        for one, other in zip(part.items, value.items, strict=True):
            ways = [more for way in ways for more in _quoted(one, other, way, own)]
        yield from ways
    elif isinstance(part, Formula) and part.is_open:
        if isinstance(value, Formula):
            yield from _formulas(part, value, known)
    elif part == value:
        yield known


def cells(node: Term, predicate: Term, facts: Facts) -> set[Term]:
    """Return what ``node``, a list or a node of the data, has as rdf:first or rdf:rest."""
    found = {fact.object for fact in facts if fact.subject == node and fact.predicate == predicate}
    if isinstance(node, ListTerm) and node.items:
        found.add(node.items[0] if predicate == RDF_FIRST else plain(ListTerm(node.items[1:])))
    return found


def lists(node: Term, facts: Facts, seen: frozenset[Term]) -> list[tuple[Term, ...]]:
    """Return the lists that ``node`` is by its cells."""
    if node == RDF_NIL:
        return [()]
    if node in seen:
        return []
    return [
        (first.object, *others)
        for first in facts
        if first.subject == node and first.predicate == RDF_FIRST
        for rest in facts
        if rest.subject == node and rest.predicate == RDF_REST
        for others in lists(rest.object, facts, seen | {node})
    ]


def arguments(
    term: Term, binding: Binding, facts: Facts, builtin: Builtin, side: str
) -> Sequence[Term | None]:
    """Return the terms to try for one side of a builtin, lists of the data read through; ``None`` if it is not known."""
    if any(part not in binding for part in open_parts(term)):
        return [None]
    value = filled(term, binding)
    return _inner_readings(value, facts, builtin, side) if side in builtin.lists else [value]


def _inner_readings(value: Term, facts: Facts, builtin: Builtin, side: str) -> list[Term]:
    readings: list[Term] = []
    for found in _readings(value, facts):
        items = found.items if isinstance(found, ListTerm) else ()
        inner = builtin.inner_members(side, items)
        choices = [_readings(item, facts) if n in inner else [item] for n, item in enumerate(items)]
        readings += map(ListTerm, product(*choices)) if isinstance(found, ListTerm) else [found]
    return readings


def _readings(term: Term, facts: Facts) -> list[Term]:
    """Return the lists that a term is, or the term."""
    if isinstance(term, ListTerm):
        return [term]
    return [ListTerm(items) for items in lists(term, facts, frozenset())] or [term]
