"""Hypothesis strategies for terms and triples of every kind that Notation3 can write."""

from hypothesis import strategies as st

from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    RDF_NIL,
    XSD_BOOLEAN,
    XSD_DECIMAL,
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
from tests.support.n3 import BASE

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LOCAL = st.text("abz09_-.:é日~!$&'()*+,;=/?#@%", max_size=6)
NAMES = st.builds(lambda local: IRI(f"http://example.org/ns#{local}"), LOCAL)
IRIS = st.one_of(
    NAMES,
    st.sampled_from([IRI("urn:x:y"), IRI(BASE), RDF_NIL, IRI("http://www.w3.org/2000/10/swap/log#implies")]),
)
NUMBERS = st.from_regex(r"[+-]?[0-9]{0,3}\.?[0-9]{0,3}(?:[eE][+-]?[0-9]{0,2})?|true|false", fullmatch=True)
DATATYPES = [XSD_STRING, XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE, XSD_BOOLEAN, "http://example.org/ns#t"]
LITERALS = st.one_of(
    st.builds(Literal, TEXT, st.sampled_from(DATATYPES)),
    st.builds(Literal, NUMBERS, st.sampled_from(DATATYPES)),
    st.builds(Literal, TEXT, st.just(LANG_STRING), st.sampled_from(["en", "de-at", "x-1"])),
)
VARIABLES = st.builds(Variable, st.from_regex(r"[a-z_][A-Za-z0-9_-]{0,4}", fullmatch=True))
BLANK_NODES = st.builds(BlankNode, st.sampled_from("abc"), st.just("any"))
NAMESPACES = {
    "ex": "http://example.org/ns#",
    "": "http://example.org/",
    "log": "http://www.w3.org/2000/10/swap/log#",
}


def nested(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    """Return lists and formulas of ``terms``."""
    lists = st.builds(lambda items: ListTerm(tuple(items)), st.lists(terms, min_size=1, max_size=3))
    statements = st.lists(st.builds(Triple, terms, terms, terms), max_size=3)
    return st.one_of(lists, st.builds(lambda triples: Formula(tuple(triples)), statements))


TERMS: st.SearchStrategy[Term] = st.recursive(
    st.one_of(IRIS, LITERALS, VARIABLES, BLANK_NODES), nested, max_leaves=12
)
TRIPLES = st.lists(st.builds(Triple, TERMS, TERMS, TERMS), max_size=5)
