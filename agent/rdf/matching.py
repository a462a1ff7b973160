"""Patterns against terms: the values that the open parts of a pattern must have, every way there is (ADR 0111).

Open are variables, and blank nodes outside formulas. A formula in a pattern matches a formula of as many triples, in
whatever order; its own blank nodes stand for different blank nodes of that formula. A blank node that is taken out of
a formula gets a name that says which one of which formula it is, so that it stays the same wherever it meets. All of
it is iterative, because depth comes from input, and counts what it tries, because symmetry does too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from agent.rdf.terms import (
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    BlankNode,
    Formula,
    ListTerm,
    Term,
    Triple,
    Variable,
    put_together,
)

Spend: TypeAlias = Callable[[], None]
"""Called for each try; it raises when there were too many."""

ReadLists: TypeAlias = Callable[[Term], Sequence[ListTerm]]
"""Gives the lists that a node of the data is."""

Bindings: TypeAlias = Mapping[Term, Term]

_KEPT = 2_000
CELLS = frozenset({RDF_FIRST, RDF_REST})


class Opened(Struct, frozen=True):
    """The triples of a formula, each once, its own blank nodes under the names they have outside (of ``scope``)."""

    triples: tuple[Triple, ...]
    scope: str
    _by_predicate: dict[Term, list[Triple]] = field(default_factory=dict)
    _by_pair: dict[tuple[int, Term, Term], list[Triple]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for triple in self.triples:
            s, p, o = triple
            self._by_predicate.setdefault(p, []).append(triple)
            self._by_pair.setdefault((0, p, s), []).append(triple)
            self._by_pair.setdefault((2, p, o), []).append(triple)

    def candidates(
        self, subject: Term | None, predicate: Term | None, object_: Term | None
    ) -> Sequence[Triple]:
        """Return at least the triples with the terms that are known."""
        if predicate is None:
            return self.triples
        if subject is not None:
            return self._by_pair.get((0, predicate, subject), ())
        if object_ is not None:
            return self._by_pair.get((2, predicate, object_), ())
        return self._by_predicate.get(predicate, ())


@lru_cache(maxsize=_KEPT)
def opened(formula: Formula) -> Opened:
    """Return ``formula`` taken apart."""
    own = formula.own_nodes
    scope = f"formula {formula.digest}"
    triples = dict.fromkeys(formula.triples)
    if own:
        names = {node: BlankNode(f"n{number}", scope) for node, number in own.items()}
        triples = dict.fromkeys(
            Triple(*(renamed(part, names) for part in triple)) for triple in formula.triples
        )
    return Opened(tuple(triples), scope)


def renamed(term: Term, names: Mapping[BlankNode, Term]) -> Term:
    """Return ``term`` with other terms in the place of some blank nodes, however deep they stand."""
    results: list[Term] = []
    pending: list[tuple[Term, bool]] = [(term, False)]
    while pending:
        part, is_read = pending.pop()
        if is_read:
            put_together(part, results)
        elif isinstance(part, ListTerm):
            pending.append((part, True))
            pending.extend((item, False) for item in reversed(part.items))
        elif isinstance(part, Formula):
            pending.append((part, True))
            pending.extend((item, False) for triple in reversed(part.triples) for item in reversed(triple))
        else:
            results.append(names.get(part, part) if isinstance(part, BlankNode) else part)
    return results.pop()


class _Frame(NamedTuple):
    """Inside which formula of the pattern a pair stands: its own blank nodes, and the names those may get.

    Without ``scope`` they stand for anything.
    """

    own: frozenset[BlankNode]
    scope: str | None


class _Pair(NamedTuple):
    """A part of the pattern and what it must be."""

    part: Term
    value: Term
    frame: _Frame | None


class _Group(NamedTuple):
    """Triples of a pattern that must be found in a formula; those ``used`` already are taken, if that matters."""

    patterns: tuple[Triple, ...]
    inside: Opened
    frame: _Frame
    used: frozenset[Triple] | None


_Agenda: TypeAlias = tuple[_Pair | _Group, "_Agenda"] | None


_Found: TypeAlias = dict[Term, Term]
_Step: TypeAlias = tuple[_Found, _Agenda, bool]


class _State(NamedTuple):
    """What is still to be done, and what was found on this way alone."""

    agenda: _Agenda
    found: _Found


def matches(
    pattern: Term, term: Term, known: Bindings, spend: Spend, read_lists: ReadLists | None = None
) -> Iterator[dict[Term, Term]]:
    """Yield the values of the open parts of ``pattern``, beyond those ``known``, that make it ``term``.

    ``read_lists`` lets a list of the pattern match a node of the data. Solutions may come more than once.
    """
    return _Matcher(known, spend, read_lists).solutions((_Pair(pattern, term, None), None))


def inclusions(
    pattern: Formula, formula: Formula, known: Bindings, spend: Spend
) -> Iterator[dict[Term, Term]]:
    """Yield the values of the variables of ``pattern``, beyond those ``known``, that make it a part of ``formula``.

    The blank nodes of the pattern stand for anything. Every list has its rdf:first and rdf:rest.
    """
    frame = _Frame(frozenset(pattern.own_nodes), None)
    group = _Group(tuple(dict.fromkeys(pattern.triples)), opened(formula), frame, None)
    return _Matcher(known, spend, None).solutions((group, None))


class _Matcher:
    """One search."""

    def __init__(self, known: Bindings, spend: Spend, read_lists: ReadLists | None) -> None:
        self._known = known
        self._spend = spend
        self._read_lists = read_lists

    def solutions(self, agenda: _Agenda) -> Iterator[dict[Term, Term]]:
        """Yield what is found on the ways that come to an end."""
        ways = [_State(agenda, {})]
        while ways:
            agenda, found = ways.pop()
            self._spend()
            is_alive = True
            while agenda is not None and is_alive:
                task, agenda = agenda
                if isinstance(task, _Pair):
                    found, agenda, is_alive = self._pair(task, agenda, found, ways)
                elif task.patterns:
                    is_alive = False
                    ways.extend(reversed(list(self._group(task, agenda, found))))
            if is_alive:
                yield {part: value for part, value in found.items() if not _is_local(part)}

    def _pair(self, pair: _Pair, agenda: _Agenda, found: _Found, ways: list[_State]) -> _Step:
        """Return what is found, the rest to do, and whether this way may go on."""
        part, value, frame = pair
        match part:
            case Variable():
                return self._bind(part, value, agenda, found)
            case BlankNode() if frame is None or part in frame.own:
                if frame is not None and not _may_be(part, value, frame, found):
                    return found, agenda, False
                return self._bind(part, value, agenda, found)
            case ListTerm(items):
                if not isinstance(value, ListTerm) and frame is None and self._read_lists is not None:
                    lists = self._read_lists(value)
                    ways.extend(_State((_Pair(part, each, frame), agenda), dict(found)) for each in lists)
                if not isinstance(value, ListTerm) or len(items) != len(value.items):
                    return found, agenda, False
                for one, other in zip(reversed(items), reversed(value.items), strict=True):
                    agenda = (_Pair(one, other, frame), agenda)
                return found, agenda, True
            case Formula() if part.is_open:
                return _enter(part, value, agenda, found)
            case _:
                return found, agenda, part == value

    def _bind(self, part: Term, value: Term, agenda: _Agenda, found: _Found) -> _Step:
        expected = self._known.get(part, found.get(part))
        if expected is None:
            found[part] = value
            return found, agenda, True
        return found, agenda, expected == value

    def _group(self, group: _Group, agenda: _Agenda, found: _Found) -> Iterator[_State]:
        """Yield the ways to find the triple of the pattern that has the fewest candidates."""
        best: tuple[Triple, Sequence[Triple]] | None = None
        for triple in group.patterns:
            parts = [self._value(part, group.frame, found) for part in triple]
            candidates = self._candidates(group, parts)
            is_late = triple.predicate in CELLS and parts[0] is None and len(group.patterns) > 1
            if not is_late and (best is None or len(candidates) < len(best[1])):
                best = triple, candidates
                if not candidates:
                    return
        if best is None:
            triple = group.patterns[0]
            best = triple, self._candidates(group, [self._value(part, group.frame, found) for part in triple])
        chosen, candidates = best
        rest = tuple(triple for triple in group.patterns if triple is not chosen)
        for candidate in candidates:
            used = None if group.used is None else group.used | {candidate}
            after: _Agenda = (group._replace(patterns=rest, used=used), agenda)
            for part, value in zip(reversed(chosen), reversed(candidate), strict=True):
                after = (_Pair(part, value, group.frame), after)
            yield _State(after, dict(found))

    def _candidates(self, group: _Group, parts: list[Term | None]) -> Sequence[Triple]:
        subject, predicate, object_ = parts
        found = group.inside.candidates(subject, predicate, object_)
        if group.used is not None:
            return [triple for triple in found if triple not in group.used]
        if predicate in CELLS and isinstance(subject, ListTerm) and subject.items:
            return [*found, Triple(subject, predicate, part_of_list(subject, predicate))]
        return found

    def _value(self, part: Term, frame: _Frame, found: _Found) -> Term | None:
        """Return the term that ``part`` is, if that is known without looking into it."""
        match part:
            case Variable():
                return self._known.get(part, found.get(part))
            case BlankNode() if part in frame.own:
                return found.get(part)
            case Formula():
                return None if part.is_open else part
            case ListTerm(items):
                inside = [self._value(item, frame, found) for item in items if not isinstance(item, ListTerm)]
                if len(inside) != len(items):
                    return None
                values = [value for value in inside if value is not None]
                return ListTerm(tuple(values)) if len(values) == len(items) else None
            case _:
                return part


def _enter(part: Formula, value: Term, agenda: _Agenda, found: _Found) -> _Step:
    """Go on with the triples of a formula of the pattern, which must be those of ``value``."""
    if not isinstance(value, Formula):
        return found, agenda, False
    inside, patterns = opened(value), tuple(dict.fromkeys(part.triples))
    frame = _Frame(frozenset(part.own_nodes), inside.scope)
    group = _Group(patterns, inside, frame, frozenset())
    return found, (group, agenda), len(inside.triples) == len(patterns)


def _may_be(part: BlankNode, value: Term, frame: _Frame, found: _Found) -> bool:
    """Tell whether a blank node of a formula of the pattern may stand for ``value``."""
    if frame.scope is None:
        return True
    if not isinstance(value, BlankNode) or value.scope != frame.scope:
        return False
    return all(found.get(other, part) != value for other in frame.own if other != part)


def part_of_list(items: ListTerm, predicate: Term) -> Term:
    """Return the rdf:first or the rdf:rest, whichever ``predicate`` is, of a list that is not empty."""
    if predicate == RDF_FIRST:
        return items.items[0]
    rest = items.items[1:]
    return ListTerm(rest) if rest else RDF_NIL


def _is_local(part: Term) -> bool:
    return isinstance(part, BlankNode) and part.is_quoted
