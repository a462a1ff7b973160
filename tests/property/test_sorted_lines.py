"""N-Triples in order are the lines in order, however many of them share what they begin with."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.rdf.serialise import sorted_ntriples, to_ntriples
from agent.rdf.statements import statements_of
from agent.rdf.terms import IRI, BlankNode, Literal, Term, Triple
from tests.support.depth import depth

nodes = st.one_of(
    st.sampled_from(["x:a", "x:ab", "x:a!", "x:a/b", "x:é", "x:\U00010000", "x:\uffef"]).map(IRI),
    st.integers(0, 12).map(lambda number: BlankNode(f"n{number}", "x:d")),
)
texts = st.text('ab" \\\t\n!é\x01', max_size=3)
literals = st.one_of(
    st.builds(Literal, texts),
    st.builds(Literal, texts, language=st.sampled_from(["en", "en-gb", "de"])),
    st.builds(Literal, texts, st.sampled_from(["x:t", "x:tt"])),
)
objects: st.SearchStrategy[Term] = st.one_of(nodes, literals)
few = st.lists(st.tuples(nodes, st.sampled_from([IRI("x:p"), IRI("x:pq")])), min_size=1, max_size=3)


@given(few, st.lists(objects, min_size=1, max_size=60))
@settings(max_examples=depth(200, 3_000), deadline=None)
def test_lines_in_order_are_all_lines_sorted(heads: list[tuple[Term, IRI]], values: list[Term]) -> None:
    triples = statements_of(Triple(s, p, o) for o in values for s, p in heads)

    lines = to_ntriples(triples).splitlines(keepends=True)

    assert "".join(sorted_ntriples(triples) or ()) == "".join(sorted(lines))
