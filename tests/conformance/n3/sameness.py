"""When two graphs of Notation3 say the same: up to names of blank nodes and variables, and by value of numbers.

This is what judges where plain RDF isomorphism cannot: triples with formulas, variables, or anything but IRIs as
predicates. Lists are compared as lists, whether they are one term or cells of rdf:first and rdf:rest.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation
from typing import TypeAlias

from agent.rdf.terms import (
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    TRUE,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import XSD

_NUMERIC = frozenset({XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE, XSD + "float"})
_DIGITS = Context(prec=12)
_EXACTLY = Context(prec=1000)
_EMPTY = ListTerm(())

Names: TypeAlias = Mapping[Term, Term]
"""Which blank node or variable of the reference stands for which of the outcome."""


def folded(triples: Iterable[Triple], known: Iterable[Triple] = ()) -> list[Triple]:
    """Return ``triples`` with closed lists of cells as list terms, and the empty formula as ``true``.

    Cells may also stand in ``known``. That ``{}`` and ``true`` say the same is how references of the W3C suite write.
    """
    triples = list(triples)
    cells = _closed_lists([*triples, *known])
    used = {term for triple in triples for term in triple if term in cells}
    shown = [triple for triple in triples if not _is_cell_of(triple, used, cells)]
    return [Triple(*(_with_lists(term, cells) for term in triple)) for triple in shown]


def by_value(triples: Iterable[Triple]) -> list[Triple]:
    """Return ``triples`` with each number as its value: integral ones exactly, others to twelve digits."""
    return [Triple(*(_valued(term) for term in triple)) for triple in triples]


def missing(wanted: Iterable[Triple], given: Iterable[Triple]) -> list[Triple]:
    """Return the triples of ``wanted`` that ``given`` does not hold, nothing if all are there under one renaming.

    Blank nodes stand for blank nodes, different ones for different ones. If each triple for itself is there but not
    all together, all that hold blank nodes are returned.
    """
    index: dict[Term, list[Triple]] = defaultdict(list)
    for triple in dict.fromkeys(given):
        index[_predicate(triple)].append(triple)
    wanted = sorted(dict.fromkeys(wanted), key=_openness)
    outer = frozenset(term for triple in wanted for term in _names_outside(triple))
    absent = [triple for triple in wanted if not _is_there([triple], index, outer)]
    if absent:
        return absent
    ground = [triple for triple in wanted if _openness(triple) == 0]
    rest = wanted[len(ground) :]
    return [] if _is_there(rest, index, outer) else rest


def _is_there(wanted: Sequence[Triple], index: Mapping[Term, list[Triple]], outer: frozenset[Term]) -> bool:
    """Say whether one renaming puts all of ``wanted`` into the triples of ``index``, by backtracking."""
    choices: list[Iterator[Names]] = []
    names: Names = {}
    while len(choices) < len(wanted):
        choices.append(_matches(wanted[len(choices)], index, names, outer))
        while choices:
            found = next(choices[-1], None)
            if found is not None:
                names = found
                break
            choices.pop()
        if not choices:
            return False
    return True


def _matches(
    triple: Triple, index: Mapping[Term, list[Triple]], names: Names, outer: frozenset[Term]
) -> Iterator[Names]:
    for candidate in index.get(_predicate(triple), ()):
        for found in _all_alike(triple, candidate, names, outer):
            yield {name: value for name, value in found.items() if not isinstance(name, Variable)}


def _all_alike(
    ours: Sequence[Term], theirs: Sequence[Term], names: Names, outer: frozenset[Term]
) -> Iterator[Names]:
    if not ours:
        yield names
        return
    for found in _alike(ours[0], theirs[0], names, outer):
        yield from _all_alike(ours[1:], theirs[1:], found, outer)


def _alike(one: Term, other: Term, names: Names, outer: frozenset[Term]) -> Iterator[Names]:
    match one, other:
        case (BlankNode(), BlankNode()) | (Variable(), Variable()):
            if one in names:
                if names[one] == other:
                    yield names
            elif other not in names.values():
                yield {**names, one: other}
        case (ListTerm(items), ListTerm(others)):
            if len(items) == len(others):
                yield from _all_alike(items, others, names, outer)
        case (Formula(triples), Formula(others)):
            for found in _formulas_alike(
                tuple(dict.fromkeys(triples)), tuple(dict.fromkeys(others)), names, outer
            ):
                yield {
                    name: value for name, value in found.items() if name in names or _is_outer(name, outer)
                }
        case _:
            if one == other:
                yield names


def _formulas_alike(
    ours: tuple[Triple, ...], theirs: tuple[Triple, ...], names: Names, outer: frozenset[Term]
) -> Iterator[Names]:
    if len(ours) != len(theirs):
        return
    if not ours:
        yield names
        return
    for number, candidate in enumerate(theirs):
        for found in _all_alike(ours[0], candidate, names, outer):
            yield from _formulas_alike(ours[1:], theirs[:number] + theirs[number + 1 :], found, outer)


def _is_outer(name: Term, outer: frozenset[Term]) -> bool:
    return isinstance(name, Variable) or name in outer


def _names_outside(triple: Triple) -> Iterator[Term]:
    """Yield the blank nodes of ``triple`` that do not belong to a formula in it."""
    pending: list[Term] = list(triple)
    while pending:
        term = pending.pop()
        if isinstance(term, ListTerm):
            pending.extend(term.items)
        elif isinstance(term, BlankNode):
            yield term


def _predicate(triple: Triple) -> Term:
    """Return what candidates for ``triple`` have in common with it: a ground predicate, or the kind of it."""
    predicate = triple.predicate
    return RDF_NIL if isinstance(predicate, BlankNode | Variable | ListTerm | Formula) else predicate


def _openness(triple: Triple) -> int:
    return sum(1 for _ in _names_outside(triple))


def _closed_lists(triples: Iterable[Triple]) -> dict[Term, tuple[Term, ...]]:
    """Return the items of each blank node that begins a well-formed list."""
    firsts: dict[Term, list[Term]] = defaultdict(list)
    rests: dict[Term, list[Term]] = defaultdict(list)
    for triple in dict.fromkeys(triples):
        if triple.predicate == RDF_FIRST:
            firsts[triple.subject].append(triple.object)
        elif triple.predicate == RDF_REST:
            rests[triple.subject].append(triple.object)
    lists: dict[Term, tuple[Term, ...]] = {}
    for head in rests:
        items: list[Term] = []
        cell: Term = head
        while len(items) <= len(rests) and isinstance(cell, BlankNode):
            if len(firsts[cell]) != 1 or len(rests.get(cell, ())) != 1:
                break
            items.append(firsts[cell][0])
            cell = rests[cell][0]
        if cell in {RDF_NIL, _EMPTY} and items:
            lists[head] = tuple(items)
        elif isinstance(cell, ListTerm):
            lists[head] = (*items, *cell.items)
    return lists


def _is_cell_of(triple: Triple, used: set[Term], cells: Mapping[Term, tuple[Term, ...]]) -> bool:
    """Say whether ``triple`` only spells out a list that another triple mentions."""
    return triple.predicate in {RDF_FIRST, RDF_REST} and triple.subject in cells and triple.subject in used


def _with_lists(term: Term, cells: Mapping[Term, tuple[Term, ...]]) -> Term:
    if isinstance(term, ListTerm):
        return ListTerm(tuple(_with_lists(item, cells) for item in term.items)) if term.items else RDF_NIL
    if isinstance(term, Formula):
        inside = (Triple(*(_with_lists(part, cells) for part in triple)) for triple in term.triples)
        return Formula(tuple(inside)) if term.triples else TRUE
    if term in cells:
        return ListTerm(tuple(_with_lists(item, cells) for item in cells[term]))
    return term


def _valued(term: Term) -> Term:
    if isinstance(term, ListTerm):
        return ListTerm(tuple(_valued(item) for item in term.items))
    if isinstance(term, Formula):
        return Formula(tuple(by_value(term.triples)))
    if not isinstance(term, Literal) or term.datatype not in _NUMERIC:
        return term
    try:
        number = Decimal(term.lexical.strip().replace("INF", "Infinity"))
    except InvalidOperation:
        return term
    if number.is_finite() and number != number.to_integral_value():
        number = _DIGITS.create_decimal(number)
    return Literal(str(number.normalize(_EXACTLY)) if number else "0", "number")
