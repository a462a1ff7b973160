"""Memory against a plain set of triples, whatever is put in and taken out, on every way to read it."""

from collections.abc import Callable, Iterable
from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.rdf.terms import IRI, Triple
from agent.reason.containers import Container, common, without
from agent.reason.facts import Facts
from agent.reason.proof import RankedFacts
from tests.support.depth import depth

Numbers = tuple[int, int, int]

TERMS = 24
few = st.sampled_from((0, 1))
numbers = st.tuples(st.one_of(few, st.integers(0, TERMS - 1)), few, st.one_of(few, st.integers(0, TERMS - 1)))
changes = st.lists(st.tuples(st.sampled_from((True, True, False)), numbers), max_size=120)


def memory(kind: type[Facts] = Facts) -> Facts:
    facts = kind()
    for number in range(TERMS):
        facts.table.intern(IRI(f"http://t.example/{number}"))
    return facts


def shrink(facts: Facts, known: set[Numbers], to: int) -> None:
    for triple in sorted(known)[to:]:
        assert facts.remove(*triple)
        known.remove(triple)


def check(facts: Facts, known: set[Numbers]) -> None:
    terms = facts.table.terms
    assert len(facts) == len(known)
    triples = list(facts.select(None, None, None))
    assert len(triples) == len(known)
    assert set(triples) == known
    assert sorted(facts, key=repr) == sorted(
        (Triple(terms[s], terms[p], terms[o]) for s, p, o in known), key=repr
    )
    for s, p, o in product((None, 0, 1, 5), (None, 0, 1), (None, 0, 1, 5)):
        wanted = [
            triple
            for triple in known
            if all(one is None or one == part for one, part in zip((s, p, o), triple, strict=True))
        ]
        assert sorted(facts.select(s, p, o)) == sorted(wanted)
        if s is not None and p is not None and o is not None:
            assert facts.has(s, p, o) == bool(wanted)


def containers(facts: Facts) -> list[Container]:
    return [
        values
        for index in (facts.by_subject, facts.by_object)
        for keys in index.values()
        for values in keys.values()
    ]


def are_compact(facts: Facts) -> bool:
    return all(
        len(values) > 0
        and isinstance(values, tuple if len(values) <= 4 else set if len(values) > 8 else object)
        for values in containers(facts)
    )


@given(st.integers(0, TERMS), changes, st.integers(0, 12), st.sampled_from((Facts, RankedFacts)))
@settings(max_examples=depth(150, 3000), deadline=None)
def test_any_changes_leave_what_a_plain_set_would_hold(
    count: int, made: list[tuple[bool, Numbers]], rest: int, kind: type[Facts]
) -> None:
    facts, known = memory(kind), set[Numbers]()
    held = {p: facts.indexes(p) for p in (0, 1)}
    wide = [(True, triple) for number in range(count) for triple in ((0, 0, number), (number, 1, 0))]
    for is_put_in, triple in wide + made:
        if is_put_in:
            assert facts.insert(*triple) == (triple not in known)
            known.add(triple)
        else:
            assert facts.remove(*triple) == (triple in known)
            known.discard(triple)
    check(facts, known)
    copy = Facts(facts.table)
    for p in (0, 1):
        copy.copy_predicate(facts, p)
    before = set(known)
    shrink(facts, known, rest)
    check(facts, known)
    check(copy, before)
    for p in (0, 1):
        assert facts.by_subject[p] is held[p][0]
        assert facts.by_object[p] is held[p][1]
    if isinstance(facts, RankedFacts):
        assert facts.ranks.keys() == known
        assert len(set(facts.ranks.values())) == len(known)


@given(st.lists(st.sets(numbers, max_size=40), max_size=5), st.sampled_from((Facts, RankedFacts)))
@settings(max_examples=depth(100, 2000), deadline=None)
def test_many_triples_at_once_are_put_in_like_one_after_the_other(
    parts: list[set[Numbers]], kind: type[Facts]
) -> None:
    facts, known = memory(kind), set[Numbers]()
    for part in parts:
        facts.insert_new(sorted(part - known))
        known |= part
        assert are_compact(facts)
    check(facts, known)
    shrink(facts, known, 0)


@given(st.lists(st.integers(0, TERMS), max_size=8))
@settings(max_examples=depth(50, 1000), deadline=None)
def test_containers_are_tuples_while_few_and_never_empty(sizes: list[int]) -> None:
    facts, count = memory(), 0
    for size in sizes:
        while count < size:
            assert facts.insert(0, 0, count)
            count += 1
            assert are_compact(facts)
        while count > size:
            count -= 1
            assert facts.remove(0, 0, count)
            assert are_compact(facts)
    assert sum(map(len, containers(facts))) == 2 * count


@given(st.sets(st.integers(0, 30), max_size=14), st.sets(st.integers(0, 30), max_size=14))
@settings(max_examples=depth(100, 2000), deadline=None)
def test_containers_intersect_and_subtract_like_sets_whatever_their_kind(
    one: set[int], other: set[int]
) -> None:
    lefts: list[Container] = [one, tuple(one)]
    rights: list[Container] = [other, tuple(other)]
    for left, right in product(lefts, rights):
        assert sorted(common(left, right)) == sorted(one & other)
        assert sorted(without(left, right)) == sorted(one - other)


@given(
    st.lists(numbers, max_size=40),
    st.lists(numbers, max_size=60),
    st.sampled_from((sorted, list, lambda rows: sorted(rows, key=lambda row: row[::-1]))),
    st.integers(0, TERMS),
)
@settings(max_examples=depth(300, 5000), deadline=None)
@example([], [(s, 0, o) for s in (3, 1, 2) for o in range(3 * s)], list, 0)
@example([], [(s, 0, o) for o in range(4) for s in range(9)], list, 0)
def test_what_is_put_in_at_once_is_what_is_put_in_one_by_one(
    before: list[Numbers],
    came: list[Numbers],
    in_order: Callable[[Iterable[Numbers]], list[Numbers]],
    wide: int,
) -> None:
    facts, known = memory(), set(before)
    for triple in known:
        facts.insert(*triple)
    new = dict.fromkeys([*came, *((0, 1, number) for number in range(wide))])
    facts.insert_new(in_order([triple for triple in new if triple not in known]))
    check(facts, known | new.keys())
    assert are_compact(facts)
