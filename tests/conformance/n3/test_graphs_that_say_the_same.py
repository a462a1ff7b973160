"""What the conformance runner takes for the same graph where RDF isomorphism does not reach."""

import pytest

from agent.n3.data_lists import spell_out_lists
from agent.n3.parser import parse
from agent.rdf.terms import Triple
from tests.conformance.n3.sameness import by_value, folded, missing

BASE = "http://example.org/"
PREFIXES = (
    "@prefix : <http://example.org/#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . "
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
)


def _graph(text: str) -> list[Triple]:
    """Return what ``text`` says, lists spelt out where data spell them out."""
    statements = parse(PREFIXES + text, source="graph.n3", base=BASE).statements
    return folded(pattern.triple for pattern in spell_out_lists(statements, BASE))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(":a :b _:x . _:x :c _:y .", "_:k :c _:l . :a :b _:k .", id="other blank nodes"),
        pytest.param(
            ":a :b { :c :d :e . :f :g :h } .", ":a :b { :f :g :h . :c :d :e } .", id="order in formulas"
        ),
        pytest.param(":a :b { _:x :c _:x } .", ":a :b { _:y :c _:y } .", id="blank nodes of a formula"),
        pytest.param("{ ?x :b ?y } :to { ?y :b ?x } .", "{ ?k :b ?l } :to { ?l :b ?k } .", id="variables"),
        pytest.param(
            "{ ?x :b :c } :to :d . ?x :e ?x .", "{ ?y :b :c } :to :d . ?z :e ?z .", id="of each statement"
        ),
        pytest.param(
            ":a :b ( 1 ( :c ) ) .",
            ":a :b [ rdf:first 1 ; rdf:rest [ rdf:first [ rdf:first :c ; rdf:rest () ] ; rdf:rest () ] ] .",
            id="lists and their cells",
        ),
        pytest.param(":a :b {} .", ":a :b true .", id="the empty formula and true"),
        pytest.param("_:p _:q _:r .", "_:q _:r _:p .", id="blank nodes as predicates"),
        pytest.param(":a :b [], [] .", ":a :b _:x, _:y .", id="two nodes alike"),
    ],
)
def test_these_say_the_same(one: str, other: str) -> None:
    assert missing(_graph(one), _graph(other)) == []
    assert missing(_graph(other), _graph(one)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(":a :b _:x . :c :d _:x .", ":a :b _:x . :c :d _:y .", id="one node or two"),
        pytest.param(":a :b _:x . :c :d _:y .", ":a :b _:x . :c :d _:x .", id="two nodes or one"),
        pytest.param(":a :b { :c :d :e } .", ":a :b { :c :d :e . :f :g :h } .", id="more in a formula"),
        pytest.param(":a :b { ?x :c ?x } .", ":a :b { ?x :c ?y } .", id="one variable or two"),
        pytest.param(
            "{ ?x :b ?y } :to { ?y :b ?x } .", "{ ?x :b ?y } :to { ?x :b ?y } .", id="crossed variables"
        ),
        pytest.param(":a :b ( 1 2 ) .", ":a :b ( 2 1 ) .", id="order in lists"),
        pytest.param(":a :b _:x .", ":a :b :x .", id="a node and a name"),
        pytest.param(":a :b { :c :d _:x } .", ":a :b { :c :d ?x } .", id="a node and a variable"),
        pytest.param(":a :b 'c' .", ":a :b 'c'@en .", id="languages"),
        pytest.param(":a :b 1 .", ":a :b 1.0 .", id="numbers as they are written"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    assert missing(_graph(one), _graph(other)) != []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1", "1.0", True),
        ("1.0e0", "01", True),
        ("0.1", "1e-1", True),
        ("100000000000000000000000000000001", "100000000000000000000000000000001.0", True),
        ("100000000000000000000000000000001", "100000000000000000000000000000002", False),
        ("0.3333333333333333", "0.33333333333333333333", True),
        ("0.33333333", "0.33333334", False),
        ("'NaN'^^xsd:double", "'NaN'^^xsd:float", True),
        ("'INF'^^xsd:double", "'-INF'^^xsd:double", False),
        ("-0.0e0", "0", True),
        ("1", "'1'", False),
        ("'one'^^xsd:integer", "'one'^^xsd:decimal", False),
    ],
)
def test_numbers_are_compared_by_value(one: str, other: str, same: bool) -> None:
    left, right = by_value(_graph(f":a :b ( {one} ) .")), by_value(_graph(f":a :b ( {other} ) ."))

    assert (missing(left, right) == []) is same
