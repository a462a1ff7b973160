"""The ways in which a group of a query can hold: a question holds if one of its ways does.

A way is a conjunction in which every variable has a value. Unions, VALUES, alternative and optional paths make
several ways of one; conditions are put to each of them, with the variables that it binds.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from agent.gsm.questions.text import NOW, THIS, Bound, Expression, Piece
from agent.rdf.terms import IRI, Literal, Term, Triple, Variable
from agent.vocab import LOG

if TYPE_CHECKING:
    from rdflib import URIRef
    from rdflib.paths import Path

MOST_WAYS = 32
IS_NOT = IRI(LOG + "notEqualTo")


class NotCoveredError(Exception):
    """Rules would not answer the question exactly, or not cheaply: it is asked."""


class Closure(Struct, frozen=True):
    """``end`` can be reached from ``start`` by one or more steps of ``path``."""

    start: Term
    path: "Path | URIRef"
    end: Term


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a group holds.

    ``patterns`` are in memory, ``closures`` hold; the two terms of ``equal`` are one, and so are those of ``still``,
    which moreover have to stand in a triple (paths of no steps). ``conditions`` are true, ``tests`` builtins that
    hold. Of each group in ``absent`` no way holds; its variables are those of this way where they have the same
    name. ``computed`` variables are the values of expressions, and only conditions use them.
    """

    patterns: tuple[Triple, ...] = ()
    closures: tuple[Closure, ...] = ()
    equal: tuple[tuple[Term, Term], ...] = ()
    still: tuple[tuple[Term, Term], ...] = ()
    conditions: tuple[Expression, ...] = ()
    tests: tuple[Triple, ...] = ()
    absent: "tuple[tuple[Way, ...], ...]" = ()
    computed: Mapping[str, Expression] = field(default_factory=dict, hash=False)

    def bound(self) -> frozenset[str]:
        """Return the names of the variables that patterns give values to, but for the instance."""
        return frozenset(term.name for term in self.terms() if isinstance(term, Variable) and term != THIS)

    def terms(self) -> Iterator[Term]:
        """Yield the terms that have to be in memory or equal to others."""
        for pattern in self.patterns:
            yield from pattern
        for closure in self.closures:
            yield closure.start
            yield closure.end
        for pair in (*self.equal, *self.still):
            yield from pair

    def renamed(self, names: Mapping[Term, Term]) -> "Way":
        """Return the way with other terms in the place of some."""

        def new(term: Term) -> Term:
            return names.get(term, term)

        return Way(
            tuple(Triple(new(s), new(p), new(o)) for s, p, o in self.patterns),
            tuple(Closure(new(c.start), c.path, new(c.end)) for c in self.closures),
            tuple((new(one), new(other)) for one, other in self.equal),
            tuple((new(one), new(other)) for one, other in self.still),
            tuple(with_terms(condition, names) for condition in self.conditions),
            tuple(Triple(new(s), new(p), new(o)) for s, p, o in self.tests),
            tuple(tuple(way.renamed(names) for way in group) for group in self.absent),
            {name: with_terms(value, names) for name, value in self.computed.items()},
        )


Ways: TypeAlias = tuple[Way, ...]
HOLDS: Ways = (Way(),)


def join(ways: Ways, others: Ways) -> Ways:
    """Return the ways in which both groups hold."""
    if len(ways) * len(others) > MOST_WAYS:
        raise NotCoveredError
    return tuple(_joined(one, other) for one in ways for other in others)


def _joined(one: Way, other: Way) -> Way:
    twice = (one.computed.keys() & other.computed.keys()) | (one.computed.keys() & other.bound())
    if twice or one.bound() & other.computed.keys():
        raise NotCoveredError
    return Way(
        one.patterns + other.patterns,
        one.closures + other.closures,
        one.equal + other.equal,
        one.still + other.still,
        one.conditions + other.conditions,
        one.tests + other.tests,
        one.absent + other.absent,
        {**one.computed, **other.computed},
    )


def with_condition(way: Way, expression: Expression, outer: frozenset[str], hidden: frozenset[str]) -> Way:
    """Return ``way`` with a condition on its variables and those of the group around it, ``outer``.

    The names ``hidden`` are those of groups around of which engines disagree whether they are seen.
    """
    return replace(way, conditions=(*way.conditions, _scoped(way, expression, outer, hidden)))


def with_value(way: Way, variable: Variable, expression: Expression, hidden: frozenset[str]) -> Way:
    """Return ``way`` with the value of an expression as ``variable``."""
    if variable.name in way.bound() or variable.name in way.computed or variable.name in hidden:
        raise NotCoveredError
    return replace(
        way, computed={**way.computed, variable.name: _scoped(way, expression, frozenset(), hidden)}
    )


def _scoped(way: Way, expression: Expression, outer: frozenset[str], hidden: frozenset[str]) -> Expression:
    """Return an expression as it is seen from ``way``: what has no value there is a variable that never has one."""
    known = way.bound() | outer
    pieces: list[Piece] = []
    for piece in expression.pieces:
        if isinstance(piece, Bound):
            if piece.variable.name in way.computed:  # its expression may have no value
                raise NotCoveredError
            pieces.append("true" if _scoped_value(way, piece.variable, known, hidden) else "false")
        elif not isinstance(piece, Variable) or piece in {THIS, NOW}:
            pieces.append(piece)
        else:
            pieces += _scoped_value(way, piece, known, hidden) or [f"?none{piece.name}"]
    return Expression(tuple(pieces))


def _scoped_value(way: Way, variable: Variable, known: frozenset[str], hidden: frozenset[str]) -> list[Piece]:
    """Return what stands for ``variable`` in an expression of ``way``, nothing if it has no value there."""
    if variable.name in known:
        return [variable]
    if variable.name in way.computed:
        return ["(", *way.computed[variable.name].pieces, ")"]
    if variable.name in hidden:
        raise NotCoveredError
    return []


def without(way: Way, group: Ways, shared: frozenset[str], fresh: Iterator[int]) -> Way:
    """Return ``way`` where no way of ``group`` holds with it; they have the variables ``shared`` in common."""
    return replace(way, absent=(*way.absent, tuple(own_names(inner, shared, fresh) for inner in group)))


def own_names(way: Way, shared: frozenset[str], fresh: Iterator[int]) -> Way:
    """Return ``way`` with names of its own for the variables that are not ``shared``."""
    number = next(fresh)
    names: dict[Term, Term] = {Variable(name): Variable(f"{name}-{number}") for name in way.bound() - shared}
    return way.renamed(names)


def with_terms(expression: Expression, names: Mapping[Term, Term]) -> Expression:
    """Return ``expression`` with other terms in the place of some."""
    return Expression(
        tuple(
            piece if isinstance(piece, str | Bound) else names.get(piece, piece)
            for piece in expression.pieces
        )
    )


def unified(way: Way, rigid: Iterable[Term], kept: Iterable[Term] = ()) -> Way | None:
    """Return ``way`` with one term for those that are equal, or nothing if they cannot be.

    Terms that are ``rigid`` have their values from outside: that two of them are equal is a condition. Variables
    that are ``kept`` keep their names.
    """
    classes: dict[Term, set[Term]] = {}
    for pair in (*way.equal, *way.still):
        merged = classes.get(pair[0], {pair[0]}) | classes.get(pair[1], {pair[1]})
        for term in merged:
            classes[term] = merged
    given, named = set(rigid), set(kept)
    names: dict[Term, Term] = {}
    conditions: list[Expression] = []
    for members in {id(found): found for found in classes.values()}.values():
        values = [term for term in members if not isinstance(term, Variable)]
        known = sorted(
            (term for term in members if term in given), key=lambda term: (term != THIS, repr(term))
        )
        if len(values) > 1:
            return None
        if len(members & named) > 1 or (members & named and (known or values)):
            raise NotCoveredError
        first = (known or values or sorted(members, key=lambda term: (term not in named, repr(term))))[0]
        names.update((term, first) for term in members if term not in given and term not in values)
        others = (*known[1:], *values) if known else ()
        conditions += [Expression(("sameTerm(", first, ", ", other, ")")) for other in others]
    found = way.renamed({name: term for name, term in names.items() if name != term})
    if any(isinstance(term, Literal) for pattern in found.patterns for term in pattern[:2]):
        return None
    return replace(found, conditions=(*found.conditions, *conditions))
