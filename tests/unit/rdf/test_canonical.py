"""One text for every set of triples that differs only in the names of its blank nodes."""

import random
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.rdf.serialise import canonical
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from tests.support.depth import depth

P, Q = IRI("http://e/p"), IRI("http://e/q")
NODES = [BlankNode(name, "there") for name in "abcdef"]
Edges = list[tuple[int, IRI, int]]


def graph(edges: Edges, nodes: list[BlankNode] = NODES) -> list[Triple]:
    return [Triple(nodes[start], predicate, nodes[end]) for start, predicate, end in edges]


def ring(*members: int) -> Edges:
    return [(start, P, end) for start, end in zip(members, (*members[1:], members[0]), strict=True)]


def test_without_blank_nodes_it_is_the_sorted_lines() -> None:
    triples = [Triple(P, P, Literal("b")), Triple(P, P, Literal("a")), Triple(P, P, Literal("a"))]
    assert canonical(triples) == '<http://e/p> <http://e/p> "a" .\n<http://e/p> <http://e/p> "b" .'


def test_names_scopes_and_order_do_not_matter() -> None:
    renamed = [BlankNode(f"n{number}", "elsewhere") for number in (3, 1, 2, 0, 5, 4)]
    edges: Edges = [(0, P, 1), (1, Q, 2), (2, P, 2), (3, P, 3)]
    assert canonical(graph(edges)) == canonical(graph(edges[::-1], renamed))


def test_one_ring_of_six_is_not_two_rings_of_three() -> None:
    one, two = ring(0, 1, 2, 3, 4, 5), ring(0, 1, 2) + ring(3, 4, 5)
    orders = random.Random(1).sample(list(permutations(range(6))), 60)
    assert len({canonical([graph(one)[place] for place in order]) for order in orders}) == 1
    assert len({canonical([graph(two)[place] for place in order]) for order in orders}) == 1
    assert canonical(graph(one)) != canonical(graph(two))


def test_blank_nodes_inside_formulas_and_lists_count() -> None:
    def quoted(one: BlankNode, two: BlankNode) -> str:
        inner = Formula((Triple(one, P, Variable("x")), Triple(two, P, ListTerm((one, two)))))
        return canonical([Triple(one, Q, inner)])

    assert quoted(NODES[0], NODES[1]) == quoted(NODES[4], NODES[2])
    assert quoted(NODES[0], NODES[1]) != quoted(NODES[0], NODES[0])


def test_many_equal_parts_and_many_equal_leaves_cost_little() -> None:
    leaves = [Triple(NODES[0], P, BlankNode(str(number))) for number in range(200)]
    pairs = [Triple(BlankNode(f"s{number}"), P, BlankNode(f"o{number}")) for number in range(200)]
    shuffled = random.Random(1).sample([*leaves, *pairs], 400)
    assert canonical([*leaves, *pairs]) == canonical(shuffled)


def test_a_large_regular_structure_ends() -> None:
    size = 24
    nodes = [BlankNode(str(number)) for number in range(size)]
    edges: Edges = [(start, P, (start + step) % size) for start in range(size) for step in (1, 3, 9)]
    assert canonical(graph(edges, nodes)).count("\n") == 3 * size - 1


TERMS: st.SearchStrategy[Term] = st.sampled_from([*NODES, P, Literal("x")])
TRIPLES = st.lists(st.builds(Triple, TERMS, st.sampled_from([P, Q]), TERMS), max_size=9)


@settings(max_examples=depth(150, 3_000))
@given(TRIPLES, st.permutations(NODES), st.randoms(use_true_random=False))
def test_a_renamed_and_shuffled_set_has_the_same_text(
    triples: list[Triple], order: list[BlankNode], chance: random.Random
) -> None:
    names: dict[Term, Term] = dict(zip(NODES, order, strict=True))
    renamed = [Triple(*(names.get(term, term) for term in triple)) for triple in triples]
    chance.shuffle(renamed)
    assert canonical(renamed) == canonical(triples)


@settings(max_examples=depth(100, 2_000))
@given(TRIPLES, TRIPLES)
def test_equal_texts_mean_isomorphic_sets(one: list[Triple], other: list[Triple]) -> None:
    def renamed(order: tuple[BlankNode, ...]) -> set[Triple]:
        names: dict[Term, Term] = dict(zip(NODES, order, strict=True))
        return {Triple(*(names.get(term, term) for term in triple)) for triple in one}

    if canonical(one) == canonical(other):
        assert any(renamed(order) == set(other) for order in permutations(NODES))
