"""What the builtins on lists and on single terms find: one line a case, the whole answer asserted."""

import pytest

from agent.rdf.terms import IRI
from tests.support.builtin_answers import CWM, STRICT, answers, terms
from tests.support.reasoning import finished, said

CASES = {
    # members
    "(:b :c :b) list:first ?a": ":b",
    "(:b :c :d) list:last ?a": ":d",
    "() list:first ?a": "",
    "() list:last ?a": "",
    ":b list:first ?a": "",
    "1 list:last ?a": "",
    "(:b :c) list:first :c": "",
    "(1) list:first 1.0": "",
    "(:b :c :b) list:length ?a": "3",
    "(:b :c) list:length 2.0": ":yes",
    "() list:length ?a": "0",
    '"bc" list:length ?a': "",
    "(:b :c) math:memberCount ?a": "2",
    "{ :b :c :d } math:memberCount ?a": "",
    "(:b :c :b) list:iterate (?a :b)": "0, 2",
    "(:b :c) list:iterate (1 ?a)": ":c",
    "(:b :c) list:iterate (1.0 ?a)": "",
    "(:b :c) list:iterate (1 :c)": ":yes",
    "(:b :c) list:iterate (?a)": "",
    "() list:iterate (?a ?i)": "",
    "((:b :c) 1) list:memberAt ?a": ":c",
    "((:b :c) 2) list:memberAt ?a": "",
    "((:b :c) -1) list:memberAt ?a": "",
    "((:b :c) 0.0) list:memberAt ?a": "",
    '((:b :c) "0") list:memberAt ?a': "",
    "((:b :c) 99999999999999999999) list:memberAt ?a": "",
    "((:b :c)) list:memberAt ?a": "",
    "(:b 0) list:memberAt ?a": "",
    # lists made of lists
    "(:b :c :d) list:rest (:c :d)": ":yes",
    "(:b) list:rest ?a": "()",
    "() list:rest ?a": "",
    "(:b :c :d) list:firstRest (?a (:c :d))": ":b",
    "(:b) list:firstRest (:b ?a)": "()",
    "?l list:firstRest (:b (:c)) . ?l list:member ?a": ":b, :c",
    "?l list:firstRest (:b ()) . ?l list:length ?a": "1",
    "?l list:firstRest (:b :c) . ?l list:member ?a": "",
    "() list:firstRest ?a": "",
    "((:b) () (:c :d)) list:append ?l . ?l list:iterate (2 ?a)": ":d",
    "(() ()) list:append ?a": "()",
    "() list:append ?a": "()",
    "((:b) :c) list:append ?a": "",
    "((:b) (:c)) list:append (:b :c)": ":yes",
    "((:b) (:c)) list:append (:c :b)": "",
    "(?l (:d)) list:append (:b :c :d) . ?l list:member ?a": ":b, :c",
    "((:b) ?l) list:append (:b :c :d) . ?l list:first ?a": ":c",
    "((:x) ?a) list:append (:b :c :d)": "",
    "(?l ?r) list:append (:b :c) . ?l list:length ?a": "0, 1, 2",
    "((1 2 1 1.0) 1) list:remove (2 1.0)": ":yes",
    "((1 2) 3) list:remove (1 2)": ":yes",
    "((1 1) 1) list:remove ?a": "()",
    "((1 2)) list:remove ?a": "",
    "(:b :c :b) list:removeDuplicates (:b :c)": ":yes",
    "() list:removeDuplicates ?a": "()",
    # the order of sorting
    "(10 9.5 2 1e0) list:sort (1e0 2 9.5 10)": ":yes",
    '("b" "B" "a"@en "a") list:sort ("B" "a" "a"@en "b")': ":yes",
    '((2) (1 1) () (1) "x" 2 :b :a) list:sort (:a :b 2 "x" () (1) (1 1) (2))': ":yes",
    '("INF"^^xsd:double "NaN"^^xsd:double 3 "3") list:sort (3 "INF"^^xsd:double "NaN"^^xsd:double "3")': ":yes",
    "(1.0 1 01) list:sort (1.0 01 1)": ":yes",
    ":b list:sort ?a": "",
    # literals
    '("hello" "en") log:langlit ?a': '"hello"@en',
    '("hello" "EN-gb") log:langlit ?a': '"hello"@en-gb',
    '(?a "en") log:langlit "hello"@en': '"hello"',
    '("hello" ?a) log:langlit "hello"@EN-GB': '"en-gb"',
    '("hello" "EN") log:langlit "hello"@en': ":yes",
    '("hello" "e n") log:langlit ?a': "",
    '("hello" "") log:langlit ?a': "",
    '(1 "en") log:langlit ?a': "",
    '("hello" :en) log:langlit ?a': "",
    '?a log:langlit "hello"': "",
    '("x" xsd:date) log:dtlit ?a': '"x"^^xsd:date',
    '("x" ?a) log:dtlit "x"^^:t': ":t",
    '("x" "y") log:dtlit ?a': "",
    # kinds of terms
    ":b log:rawType ?a": "log:Other",
    '"x" log:rawType ?a': "log:Literal",
    "(1) log:rawType ?a": "<http://www.w3.org/1999/02/22-rdf-syntax-ns#List>",
    "() log:rawType ?a": "<http://www.w3.org/1999/02/22-rdf-syntax-ns#List>",
    "{ :b :c :d } log:rawType ?a": "log:Formula",
    "1 log:rawType log:Other": "",
}


@pytest.mark.parametrize(("body", "expected"), CASES.items())
def test_a_builtin_on_lists_or_terms_gives_in_both_numeric_modes(body: str, expected: str) -> None:
    assert (answers(body, STRICT), answers(body, CWM)) == (terms(expected), terms(expected))


def test_a_sorted_list_keeps_members_that_are_the_same() -> None:
    assert answers("(:c :b :c) list:sort ?l . ?l list:iterate (1 ?a)") == {IRI("http://e.example/#c")}


def test_a_list_too_large_is_not_made() -> None:
    doubled = " ".join(f"(?l{n} ?l{n}) list:append ?l{n + 1} ." for n in range(21))
    assert answers(f"?l0 log:equalTo (1) . {doubled} ?l20 list:length ?a") == terms("")
    assert answers(
        f"?l0 log:equalTo (1) . {doubled[: doubled.index('?l19 ?l19') - 1]} ?l19 list:length ?a"
    ) == terms("524288")


def test_lists_inside_a_list_may_be_those_of_the_data() -> None:
    parts = ":x :parts ((:b) (:c :d)) . { :x :parts ?l . ?l list:append ?w . ?w list:member ?m } => { :x :has ?m } ."
    assert said(finished(parts), "has") == [":x :b", ":x :c", ":x :d"]
    others = (
        ":x :is (:b :c), 1 . { :x :is ?l . ?l list:first :b . (?l 1) list:memberAt ?m } => { :x :has ?m } ."
    )
    assert said(finished(others), "has") == [":x :c"]
    without = (
        "{ :x :is ?l . (?l :b) list:remove ?w . ?w list:member ?m } => { :x :has ?m } . :x :is (:b :c) ."
    )
    assert said(finished(without), "has") == [":x :c"]
    longer = "{ :x :is ?l . ?w list:firstRest (:a ?l) . ?w list:member ?m } => { :x :has ?m } . :x :is (:b) ."
    assert said(finished(longer), "has") == [":x :a", ":x :b"]


def test_lists_inside_a_list_are_read_when_their_cells_are_derived_later() -> None:
    text = """
        :x :first :l . :y :item :b .
        { :x :first ?l . (?l (:c)) list:append (:b :z :c) } => { :x :has :all } .
        { :y :item ?i } => { :l rdf:first ?i ; rdf:rest :end } .
        { :l rdf:first ?i } => { :end rdf:first :z ; rdf:rest () } .
    """
    assert said(finished(text), "has") == [":x :all"]


def test_a_computed_list_is_the_same_as_one_of_the_data() -> None:
    text = """
        :x :wanted (1 2 3), (1 2) . :y :is :there .
        { (3 1 2) list:sort ?w . :x :wanted ?w . ?y :is :late . ?w list:length ?n } => { ?y :found ?n } .
        { ?y :is :there } => { ?y :is :late } .
    """
    assert said(finished(text), "found") == [":y 3"]
