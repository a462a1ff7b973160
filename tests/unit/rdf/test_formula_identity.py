"""When two formulas are the same, and that deep and hostile ones cost neither stack nor time without end."""

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.n3.parser import parse
from agent.rdf.matching import opened
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from tests.support.depth import depth

P, Q = IRI("http://e/p"), IRI("http://e/q")
NODES: list[Term] = [BlankNode(f"b{number}", "doc{1}") for number in range(4)]
ATOMS: list[Term] = [P, Q, Literal("1"), Variable("x"), BlankNode("b0", "doc"), *NODES]


def draw_formula(chance: random.Random, nesting: int = 0) -> Formula:
    """Draw a small formula with its own blank nodes, sometimes with lists and formulas inside."""

    def term() -> Term:
        kind = chance.randrange(10)
        if kind == 0:
            return ListTerm((chance.choice(ATOMS), chance.choice(NODES)))
        if kind == 1 and nesting < 2:
            return draw_formula(chance, nesting + 1)
        return chance.choice(ATOMS + NODES)

    return Formula(tuple(Triple(term(), chance.choice([P, Q]), term()) for _ in range(chance.randrange(5))))


def disguised(formula: Formula, chance: random.Random) -> Formula:
    """Return an equal formula: other order, repetitions, other names of its blank nodes."""
    names = {node: BlankNode(f"n{number}", "other{9}") for number, node in enumerate(formula.own_nodes)}
    # Inside lists too, but not inside formulas: those have blank nodes of their own.
    clear = all(
        not isinstance(part, Formula) for triple in formula.triples for term in triple for part in flat(term)
    )

    def renamed(term: Term) -> Term:
        if isinstance(term, ListTerm):
            return ListTerm(tuple(map(renamed, term.items)))
        return names.get(term, term) if clear and isinstance(term, BlankNode) else term

    triples: Sequence[Triple] = [Triple(*map(renamed, triple)) for triple in formula.triples]
    return Formula((*chance.sample(list(triples), len(triples)), *triples[:1]))


def flat(term: Term) -> list[Term]:
    return [part for item in term.items for part in flat(item)] if isinstance(term, ListTerm) else [term]


@settings(max_examples=depth(150, 10_000))
@given(st.integers(0, 2**48))
def test_equal_formulas_have_one_hash_one_spelling_and_the_same_inside(seed: int) -> None:
    chance = random.Random(seed)
    formula = draw_formula(chance)
    other = disguised(formula, chance)
    assert other == formula
    assert hash(other) == hash(formula)
    assert set(opened(other).triples) == set(opened(formula).triples)
    less = Formula(formula.triples[1:])
    assert (less == formula) is (set(less.triples) == set(formula.triples))


def read(text: str) -> tuple[Formula, ...]:
    """Return the objects of the statements of ``text``."""
    found = parse("@prefix : <http://e/> . " + text, source="f.n3", base="http://e/").statements
    return tuple(each.triple.object for each in found if isinstance(each.triple.object, Formula))


def test_order_repetition_and_names_do_not_count_but_structure_does() -> None:
    one, same, cycle, chain = read(
        ":s :p { _:a :p _:b . _:b :p _:a } . :s :p { [] :p _:z . _:u :p _:v . _:v :p _:u . _:u :p _:v } ."
        ":s :p { _:k :p _:l . _:l :p _:k . _:l :p _:k } . :s :p { _:k :p _:l . _:l :p _:m } ."
    )
    assert one == cycle
    assert len({one, same, cycle, chain}) == 3


def test_a_blank_node_of_the_document_is_not_renamed() -> None:
    outside = [Formula((Triple(BlankNode(label, "doc"), P, Q),)) for label in ("b1", "b2")]
    assert outside[0] != outside[1]


def test_nesting_of_ten_thousand_formulas_is_compared_without_stack() -> None:
    deep, other, shallow = read(
        "".join(f":s :p {'{ :a :p ' * n}1{' }' * n} ." for n in (10_000, 10_000, 9_999))
    )
    assert deep == other
    assert deep != shallow


def test_large_symmetric_formulas_end_and_never_make_different_graphs_equal() -> None:
    def cycles(*sizes: int) -> Formula:
        triples: list[Triple] = []
        for cycle, size in enumerate(sizes):
            nodes = [BlankNode(f"c{cycle}.{n}", "doc{1}") for n in range(size)]
            triples += [Triple(node, P, nodes[(n + 1) % size]) for n, node in enumerate(nodes)]
        return Formula(tuple(triples))

    assert cycles(6) == cycles(6)
    assert cycles(6) != cycles(3, 3)
    assert cycles(250) == cycles(250)
    assert cycles(250) != cycles(125, 125)
