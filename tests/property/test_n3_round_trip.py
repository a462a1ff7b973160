"""What is written as Notation3 reads back to the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.n3.load import read_program
from agent.n3.parser import parse
from agent.n3.programs import write_program
from agent.n3.write import write_triples
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
from tests.support.depth import depth
from tests.support.n3 import BASE, PROGRAM, SOURCE

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LOCAL = st.text("abz09_-.:é日~!$&'()*+,;=/?#@%", max_size=6)
IRIS = st.one_of(
    st.builds(lambda local: IRI(f"http://example.org/ns#{local}"), LOCAL),
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


def _nested(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    lists = st.builds(lambda items: ListTerm(tuple(items)), st.lists(terms, min_size=1, max_size=3))
    statements = st.lists(st.builds(Triple, terms, terms, terms), max_size=3)
    return st.one_of(lists, st.builds(lambda triples: Formula(tuple(triples)), statements))


TERMS: st.SearchStrategy[Term] = st.recursive(
    st.one_of(IRIS, LITERALS, VARIABLES, BLANK_NODES), _nested, max_leaves=12
)
TRIPLES = st.lists(st.builds(Triple, TERMS, TERMS, TERMS), max_size=5)
NAMESPACES = {
    "ex": "http://example.org/ns#",
    "": "http://example.org/",
    "log": "http://www.w3.org/2000/10/swap/log#",
}


def _read(text: str) -> list[Triple]:
    return [statement.triple for statement in parse(text, source=SOURCE, base=BASE).statements]


def _without_blank_nodes(triples: list[Triple]) -> list[Triple]:
    """Return ``triples`` with one IRI for all blank nodes: blank nodes are renamed and scoped by reading."""

    def plain(term: Term) -> Term:
        match term:
            case BlankNode():
                return IRI("urn:blank")
            case ListTerm(items):
                return ListTerm(tuple(plain(item) for item in items))
            case Formula(inner):
                return Formula(tuple(Triple(*(plain(part) for part in triple)) for triple in inner))
            case _:
                return term

    return [Triple(*(plain(part) for part in triple)) for triple in triples]


@given(TRIPLES)
@settings(max_examples=depth(60, 5000))
def test_written_triples_read_back_to_the_same(triples: list[Triple]) -> None:
    once = _read(write_triples(triples, NAMESPACES))
    assert _without_blank_nodes(once) == _without_blank_nodes(triples)
    twice = _read(write_triples(once, {}))
    assert _read(write_triples(twice, NAMESPACES)) == twice


def _rewritten(text: str) -> str:
    return write_program(read_program(text, source=SOURCE, base=BASE))


def test_a_written_program_reads_back_to_the_same_rules() -> None:
    program = read_program(PROGRAM, source=SOURCE, base=BASE)
    again = read_program(write_program(program), source=SOURCE, base=BASE)
    assert (len(again.facts), len(again.derivations), len(again.requests)) == (10, 1, 3)
    assert [rule.is_retrieval for rule in again.requests] == [True, False, False]
    once = _rewritten(write_program(program))
    assert _rewritten(once) == once
