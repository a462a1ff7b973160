"""Matching finds exactly the values that make a pattern what it is matched with, whatever the order of triples."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.rdf.matching import inclusions, matches, opened
from agent.rdf.structure import fill_in
from agent.rdf.terms import BlankNode, Formula, Term, Triple, Variable
from tests.support.depth import depth
from tests.support.drawn import PREDICATES, THINGS, VALUES

NAMES = [Variable(name) for name in "xyz"]
OWN = [BlankNode(f"b{number}", "data{1}") for number in range(2)]
PARTS: list[Term] = [THINGS[0], VALUES[1], *OWN]

Solutions = set[frozenset[tuple[Term, Term]]]


def spend() -> None:
    """Count nothing."""


def draw(chance: Random, parts: list[Term], size: int) -> Formula:
    return Formula(
        tuple(
            Triple(chance.choice(parts), chance.choice(PREDICATES[:1]), chance.choice(parts))
            for _ in range(chance.randint(1, size))
        )
    )


def by_trying(pattern: Formula, formula: Formula, *, whole: bool) -> Solutions:
    """Return the solutions by trying every value for every variable."""
    inside = opened(formula).triples
    names = sorted(
        {part for triple in pattern.triples for part in triple if isinstance(part, Variable)}, key=str
    )
    values = list(dict.fromkeys(part for triple in inside for part in triple))
    found: Solutions = set()
    for chosen in product(values, repeat=len(names)):
        solution: dict[Term, Term] = dict(zip(names, chosen, strict=True))
        filled = {Triple(*(fill_in(part, solution.get) for part in triple)) for triple in pattern.triples}
        is_found = filled == set(inside) if whole else filled <= set(inside)
        if is_found and (not whole or len(set(pattern.triples)) == len(inside)):
            found.add(frozenset(solution.items()))
    return found


def as_set(solutions: list[dict[Term, Term]]) -> Solutions:
    return {frozenset(solution.items()) for solution in solutions}


@settings(max_examples=depth(150, 10_000))
@given(st.integers(0, 2**48))
def test_matching_and_including_find_what_trying_everything_finds(seed: int) -> None:
    chance = Random(seed)
    formula = draw(chance, PARTS, 4)
    pattern = draw(chance, [*NAMES, *NAMES, THINGS[0]], 3)
    if pattern.is_open:
        assert as_set(list(matches(pattern, formula, {}, spend))) == by_trying(pattern, formula, whole=True)
    assert as_set(list(inclusions(pattern, formula, {}, spend))) == by_trying(pattern, formula, whole=False)


@settings(max_examples=depth(100, 5_000))
@given(st.integers(0, 2**48))
def test_order_names_and_what_is_known_change_no_solution(seed: int) -> None:
    chance = Random(seed)
    formula = draw(chance, PARTS, 4)
    pattern = draw(chance, [*NAMES, THINGS[0], BlankNode("p", "rule{1}")], 3)
    found = as_set(list(inclusions(pattern, formula, {}, spend)))
    mixed = Formula(tuple(chance.sample(pattern.triples, len(pattern.triples))))
    assert as_set(list(inclusions(mixed, formula, {}, spend))) == found
    for solution in found:
        known = dict(chance.sample(sorted(solution, key=str), len(solution) // 2))
        rest = as_set([{**known, **more} for more in inclusions(pattern, formula, known, spend)])
        assert rest == {other for other in found if known.items() <= dict(other).items()}
