"""Laws of the builtins on lists, and what no builtin ever does whatever it is given."""

from collections import Counter
from itertools import islice, pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.n3.builtins import BUILTINS, Context
from agent.rdf.terms import (
    IRI,
    RDF_NIL,
    XSD_DATETIME,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import LIST, LOG
from tests.support.depth import depth

STRICT, CWM = (
    Context("2026-01-02T03:04:05.678Z"),
    Context("2026-01-02T03:04:05.678Z", "cwm", "http://e.example/"),
)
MOST_ANSWERS = 500

texts = st.one_of(
    st.sampled_from(
        ["", "1", "-0", "2.50", "1e0", "NaN", "INF", "en", "(a+)+$", "%s%9999999d", "$1", "\0", "\ud800"]
    ),
    st.sampled_from(
        ["2020-02-30", "2020-02-29T12:00:00Z", "0000-01-01", "<a> <b> [] .", "{ {", "@prefix : <x> ."]
    ),
    st.text(max_size=8),
)
datatypes = st.sampled_from([XSD_STRING, XSD_INTEGER, XSD_DOUBLE, XSD_DATETIME, "u:t"])
atoms: st.SearchStrategy[Term] = st.one_of(
    st.builds(IRI, st.sampled_from(["u:a", "u:b", "no iri", ""])),
    st.just(RDF_NIL),
    st.builds(BlankNode, st.sampled_from("ab"), st.sampled_from(["", "u:d", "u:d{1}"])),
    st.builds(Variable, st.sampled_from("xy")),
    st.builds(Literal, texts, datatypes),
    st.builds(
        lambda text: Literal(text, "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "en"), texts
    ),
)


def _composed(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    triples = st.lists(st.builds(Triple, parts, parts, parts), max_size=3)
    return st.one_of(
        st.builds(lambda items: ListTerm(tuple(items)), st.lists(parts, max_size=4)),
        st.builds(lambda found: Formula(tuple(found)), triples),
    )


any_term = st.recursive(atoms, _composed, max_leaves=12)
members = st.lists(any_term, max_size=6).map(tuple)


def of(name: str, subject: Term | None, object_: Term | None = None) -> list[tuple[Term, Term]]:
    """Return the pairs for which ``list:name`` holds."""
    return list(BUILTINS[LIST + name].evaluate(subject, object_, STRICT))


def items(term: Term) -> tuple[Term, ...]:
    """Return the members of a list."""
    assert isinstance(term, ListTerm) or term == RDF_NIL
    return term.items if isinstance(term, ListTerm) else ()


def result(name: str, subject: Term) -> tuple[Term, ...]:
    """Return the members of the one list that ``list:name`` makes of a subject."""
    ((_, made),) = of(name, subject)
    return items(made)


@settings(max_examples=depth(60, 3_000))
@given(members, members)
def test_what_is_appended_is_among_the_ways_to_cut_it(one: tuple[Term, ...], other: tuple[Term, ...]) -> None:
    pair = ListTerm((ListTerm(one), ListTerm(other)))
    ((_, whole),) = of("append", pair)
    cuts = of("append", None, whole)
    assert items(whole) == ListTerm(one + other).items
    assert (pair, whole) in cuts
    assert len(cuts) == len(one) + len(other) + 1
    assert all(of("append", cut, whole) == [(cut, whole)] for cut, _ in cuts)


@settings(max_examples=depth(60, 3_000))
@given(members)
def test_first_and_rest_make_the_list_again(one: tuple[Term, ...]) -> None:
    whole = ListTerm(one)
    pairs = [pair for _, pair in of("firstRest", whole)]
    assert len(pairs) == min(1, len(one))
    for pair in pairs:
        assert of("firstRest", None, pair) == [(whole, pair)]
        assert of("firstRest", whole, pair) == [(whole, pair)]
        assert items(pair)[0] == of("first", whole)[0][1]
        assert items(items(pair)[1]) == result("rest", whole)


@settings(max_examples=depth(60, 3_000))
@given(members)
def test_sorting_keeps_the_members_and_is_done_after_one_time(one: tuple[Term, ...]) -> None:
    whole = ListTerm(one)
    ordered = result("sort", whole)
    assert Counter(ordered) == Counter(whole.items)
    assert result("sort", ListTerm(ordered)) == ordered
    assert result("sort", ListTerm(one[::-1])) == ordered


@settings(max_examples=depth(60, 3_000))
@given(st.lists(any_term, min_size=2, max_size=5, unique=True))
def test_any_two_terms_have_one_order_wherever_they_stand(found: list[Term]) -> None:
    ordered = result("sort", ListTerm(tuple(found)))
    for left, right in pairwise(ordered):
        assert result("sort", ListTerm((right, left))) == (left, right)
        inside = ListTerm((ListTerm((Literal("a"), right)), ListTerm((Literal("a"), left))))
        assert result("sort", inside) == tuple(reversed(inside.items))


@settings(max_examples=depth(60, 3_000))
@given(members)
def test_positions_members_and_lengths_agree(one: tuple[Term, ...]) -> None:
    whole = ListTerm(one)
    numbered = [items(pair) for _, pair in of("iterate", whole)]
    assert [item for _, item in numbered] == list(whole.items) == [item for _, item in of("member", whole)]
    assert [of("memberAt", ListTerm((whole, index)))[0][1] for index, _ in numbered] == list(whole.items)
    assert of("memberAt", ListTerm((whole, Literal(str(len(one)), XSD_INTEGER)))) == []
    assert of("length", whole) == [(whole, Literal(str(len(one)), XSD_INTEGER))]


@settings(max_examples=depth(60, 3_000))
@given(members, any_term)
def test_what_is_removed_is_gone_and_all_else_stays(one: tuple[Term, ...], unwanted: Term) -> None:
    for gone in (unwanted, *one[:1]):
        left = result("remove", ListTerm((ListTerm(one), gone)))
        assert Counter(left) == Counter(
            item for item in ListTerm(one).items if item != ListTerm((gone,)).items[0]
        )
    assert Counter(result("removeDuplicates", ListTerm(one))) == Counter(set(ListTerm(one).items))


@settings(max_examples=depth(150, 10_000))
@given(any_term, any_term, st.sampled_from([STRICT, CWM]))
@example(Literal("9" * 5000, XSD_INTEGER), Literal("1e400", XSD_DOUBLE), CWM)
@example(ListTerm((Literal("9" * 3000, XSD_INTEGER), Literal("9" * 3000, XSD_INTEGER))), RDF_NIL, STRICT)
def test_no_builtin_raises_whatever_terms_it_gets(subject: Term, object_: Term, context: Context) -> None:
    pair = ListTerm((subject, object_))
    for builtin in BUILTINS.values():
        if builtin.complete is not None:
            found = builtin.complete(subject, object_, {}, context, lambda: None)
            assert len(list(islice(found, MOST_ANSWERS))) <= MOST_ANSWERS
            continue
        for one, other in (
            (subject, object_),
            (pair, None),
            (pair, object_),
            (subject, None),
            (None, object_),
        ):
            known = {side for side, term in (("subject", one), ("object", other)) if term is not None}
            if any(mode <= known for mode in builtin.modes):
                answers = list(islice(builtin.evaluate(one, other, context), MOST_ANSWERS))
                assert len(answers) < MOST_ANSWERS
                assert all(one is None or found == one for found, _ in answers)


@settings(max_examples=depth(60, 3_000))
@given(any_term, any_term)
def test_made_names_are_the_same_for_equal_terms_only(one: Term, other: Term) -> None:
    ((_, name),) = BUILTINS[LOG + "skolem"].evaluate(one, None, STRICT)
    ((_, other_name),) = BUILTINS[LOG + "skolem"].evaluate(other, None, STRICT)
    assert (name == other_name) == (one == other)
