"""Derivation: joins, invented nodes, lists, variable predicates, builtins, retrieval."""

import pytest

from agent.errors import ProgramError
from agent.rdf.terms import IRI, ListTerm, Triple
from agent.reason.fixpoint import Reasoner
from tests.support.reasoning import CONTEXT, asked, finished, iri, program, said, short, triples

CHAIN = ":a :next :b . :b :next :c . :c :next :d ."


def test_a_transitive_rule_reaches_everything_once() -> None:
    reasoner = finished(
        CHAIN + "{ ?x :next ?y } => { ?x :far ?y } . { ?x :far ?y . ?y :far ?z } => { ?x :far ?z } ."
    )
    assert said(reasoner, "far") == [":a :b", ":a :c", ":a :d", ":b :c", ":b :d", ":c :d"]


def test_what_is_added_later_joins_what_was_there() -> None:
    reasoner = Reasoner(program("{ ?x :p ?y . ?y :q ?z } => { ?x :r ?z } ."), CONTEXT)
    reasoner.add(triples(":b :q :c ."))
    assert said(reasoner, "r") == []
    reasoner.add(triples(":a :p :b ."))
    assert said(reasoner, "r") == [":a :c"]


def test_variable_predicates_match_and_derive() -> None:
    reasoner = finished(
        ":a :knows :b . :knows :inverse :known . { ?x ?p ?y . ?p :inverse ?q } => { ?y ?q ?x } ."
    )
    assert said(reasoner, "known") == [":b :a"]


def test_a_variable_that_occurs_twice_is_one_thing() -> None:
    reasoner = finished(
        ":a :p :a . :a :p :b . :p :p :p . { ?x :p ?x } => { ?x :own 1 } . { ?x ?x ?x } => { ?x :all 1 } ."
    )
    assert said(reasoner, "own") == [":a 1", ":p 1"]
    assert said(reasoner, "all") == [":p 1"]


def test_blank_nodes_of_a_body_are_variables_and_those_of_a_head_are_invented() -> None:
    reasoner = finished(":a :has :b , :c . { ?x :has [] } => { ?x :owns [ :by ?x ] } .")
    invented = short(next(reasoner.facts.objects(iri("a"), iri("owns"))))
    assert said(reasoner, "owns") == [f":a {invented}"]
    assert said(reasoner, "by") == [f"{invented} :a"]


def test_an_invented_node_is_the_same_in_every_run_and_differs_by_binding() -> None:
    text = ":a :p 1 . :b :p 1 . { ?x :p ?y } => { ?x :q _:node } ."
    first, second = finished(text), finished(text)
    assert set(first.facts) == set(second.facts)
    assert len({triple.object for triple in first.facts.match(None, iri("q"), None)}) == 2


def test_nodes_that_depend_on_variables_of_the_head_alone_let_the_fixpoint_end() -> None:
    reasoner = finished(":a :p 1 , 2 , 3 . { ?x :p ?y } => { ?x :group _:g . _:g :of ?x } .")
    assert len(said(reasoner, "of")) == 1


def test_lists_of_rules_are_terms_and_take_each_other_apart() -> None:
    reasoner = finished(
        ":a :p 1 . { ?x :p ?y } => { ?x :pair ( ?y ( ?x ) ) } . { ?x :pair ( ?y ( ?z ) ) } => { ?z :back ?y } ."
        "{ ?x :pair ( ?y ?y ) } => { ?x :back 99 } ."
    )
    assert said(reasoner, "pair") == [":a ( 1 ( :a ) )"]
    assert said(reasoner, "back") == [":a 1"]


def test_formulas_are_terms_with_the_values_of_the_rule_inside() -> None:
    reasoner = finished(
        ":a :p 1 . { ?x :p ?y } => { ?x :says { ?x :likes ?y } } . { ?x :says { ?s :likes ?o } } => { ?s :heard ?o } ."
    )
    assert said(reasoner, "says") == [":a { :a :likes 1 }"]
    assert said(reasoner, "heard") == [":a 1"]


LISTS = """
_:1 rdf:first 2 ; rdf:rest _:2 . _:2 rdf:first 3 ; rdf:rest rdf:nil . :whole :is _:1 .
_:3 rdf:first 2 ; rdf:rest _:3 . :circle :is _:3 .
_:4 rdf:first 2 ; rdf:rest _:5 . :open :is _:4 .
:none :is rdf:nil .
"""


def test_a_closed_list_of_the_data_is_read_by_a_builtin_and_no_other() -> None:
    reasoner = finished(
        LISTS
        + "{ ?x :is ?l . ?l math:sum ?n } => { ?x :sum ?n } . { ?x :is ?l . ?l list:member ?m } => { ?x :has ?m } ."
    )
    assert said(reasoner, "sum") == [":none 0", ":whole 5"]
    assert said(reasoner, "has") == [":whole 2", ":whole 3"]


def test_a_list_is_read_when_its_last_cell_arrives() -> None:
    reasoner = Reasoner(program(":x :is :l . { ?x :is ?l . ?l list:member ?m } => { ?x :has ?m } ."), CONTEXT)
    reasoner.add(triples(":l rdf:first 1 ."))
    assert said(reasoner, "has") == []
    reasoner.add(triples(":l rdf:rest rdf:nil ."))
    assert said(reasoner, "has") == [":x 1"]


def test_a_cell_with_thousands_of_values_is_no_list() -> None:
    cells = tuple(
        Triple(iri("l"), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#" + part), iri(f"v{number}"))
        for number in range(2000)
        for part in ("first", "rest")
    )
    reasoner = Reasoner(program(":x :is :l . { ?x :is ?l . ?l list:member ?m } => { ?x :has ?m } ."), CONTEXT)
    reasoner.add(cells)
    assert said(reasoner, "has") == []


def test_terms_nested_thousands_deep_are_handled() -> None:
    term: ListTerm = ListTerm((iri("a"),))
    for _ in range(5000):
        term = ListTerm((term, iri("b")))
    reasoner = Reasoner(
        program(
            "{ ?x :p ?l } => { ?x :q ( ?l 1 ) . ?x :node [ :of ?l ] } . { ?x :q ( ( ?y ?z ) 1 ) } => { ?x :last ?z } ."
        ),
        CONTEXT,
    )
    reasoner.add([Triple(iri("x"), iri("p"), term)])
    assert said(reasoner, "last") == [":x :b"]


def test_builtins_run_when_their_inputs_are_known_wherever_they_stand() -> None:
    reasoner = finished(":a :n 1 . { ?m math:lessThan 5 . (?n 1) math:sum ?m . ?x :n ?n } => { ?x :n ?m } .")
    assert said(reasoner, "n") == [":a 1", ":a 2", ":a 3", ":a 4"]


@pytest.mark.parametrize("first", [":a :k 2 .", ":a :n 3.0 . :b :n 4 ."])
def test_a_computed_number_meets_data_by_value_whichever_came_first(first: str) -> None:
    rule = "{ (?k 1) math:sum ?n . ?x :k ?k . ?x :n ?n } => { ?x :ok ?n } ."
    reasoner = Reasoner(program(first + rule), CONTEXT)
    reasoner.add(triples(":a :k 2 ; :n 3.0 . :b :n 4 ."))
    assert said(reasoner, "ok") == [":a 3.0"]


def test_an_input_that_nothing_binds_is_an_error_of_the_rule() -> None:
    rule = program(":a :p 1 . { ?x :p ?y } => { ?x :q ?y } .").derivations[0]
    broken = program("{ ?x :p ?y . (?y ?y) math:sum ?z } => { ?x :q ?z } .").derivations[0]
    unsafe = type(rule)(rule.name, broken.body[1:], (), rule.place)
    with pytest.raises(ProgramError, match=r"nothing binds \?y,"):
        Reasoner(type(program(""))(derivations=(unsafe,)), CONTEXT)


def test_protected_predicates_are_derived_by_rules_that_name_them_alone() -> None:
    text = ":a :p 1 . :p :as :q . :q :as :r . { ?x ?p ?y . ?p :as ?q } => { ?x ?q ?y } . { ?x :p 1 } => { ?x :q 2 } ."
    assert said(finished(text), "q") == [":a 1", ":a 2"]
    assert said(finished(text, protected=frozenset({iri("q").value})), "q") == [":a 2"]


GETS = """
{ [] http:mthd m:GET ; http:requestURI <http://e.example/start#it> . }
{ ?x :link ?y } => { [] http:mthd m:GET ; http:requestURI ?y } .
"""


def test_retrievals_are_documents_over_http_each_once() -> None:
    reasoner = Reasoner(program(GETS), CONTEXT)
    assert reasoner.retrievals() == {"http://e.example/start": ()}
    reasoner.add(
        triples(
            ":a :link <http://e.example/b#x> , <http://e.example/b#y> , <file:///etc/passwd> , 'http://c/' , [] ."
        )
    )
    assert set(reasoner.retrievals()) == {"http://e.example/start", "http://e.example/b"}


def test_header_fields_of_all_rules_for_a_document_come_together() -> None:
    rules = "".join(
        "{ ?x :p ?kind } => { [] http:mthd m:GET ; http:requestURI ?x ;"
        f" http:headers ( [ http:fieldName '{name}' ; http:fieldValue {value} ] ) }} ."
        for name, value in (("Prefer", "'return=minimal'"), ("Accept", "?kind"))
    )
    reasoner = Reasoner(program("<http://e.example/d> :p 'text/b' , 'text/a' ." + rules), CONTEXT)
    assert reasoner.retrievals() == {
        "http://e.example/d": (("Accept", "text/a"), ("Accept", "text/b"), ("Prefer", "return=minimal"))
    }


def test_bindings_of_requests_are_distinct_in_what_the_request_uses() -> None:
    reasoner = finished(
        ":a :p 1 , 2 . :b :p 1 . { ?x :p ?y } => { [] http:mthd m:PUT ; http:requestURI ?x ; http:body { ?x :done 1 } } ."
    )
    assert asked(reasoner) == ["x=:a", "x=:b"]


def test_falsy_literals_are_terms_like_any_other() -> None:
    reasoner = finished(
        ":a :p false , 0 , '' . { ?x :p ?v } => { ?v :of ?x } . { ?v :of ?x } => { ?x :had ?v } ."
        " { false :of ?x } => { ?x :closed false , '' } . { ?x :closed '' } => { 0 :seen false } ."
    )
    assert said(reasoner, "of") == [" :a", "0 :a", "false :a"]
    assert said(reasoner, "had") == [":a ", ":a 0", ":a false"]
    assert said(reasoner, "closed") == [":a ", ":a false"]
    assert said(reasoner, "seen") == ["0 false"]


def test_a_rule_without_conditions_and_statements_about_empty_terms_hold() -> None:
    reasoner = finished("{} => { :a :p () } . () :p {} . {} :q () . { ?x :p {} } => { ?x :r :empty } .")
    assert said(reasoner, "p") == [
        ":a <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>",
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> {  }",
    ]
    assert said(reasoner, "r") == ["<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> :empty"]


def test_a_blank_node_may_take_what_a_builtin_gives_and_is_another_one_in_the_head() -> None:
    reasoner = finished(
        ":a :v 1 . { :a :v ?v . (?v 1) math:sum _:s . _:s math:greaterThan 1 } => { :a :made _:s } ."
        " { :a :v ?v . (?v 1) math:sum [] } => { :a :has :sum } ."
    )
    assert [name.startswith(":a _:") for name in said(reasoner, "made")] == [True]
    assert said(reasoner, "has") == [":a :sum"]


def test_a_path_in_a_body_is_matched_and_one_in_a_head_makes_a_node() -> None:
    reasoner = finished(
        ":a :f :b . :b :g :c . :c :h :d . { ?x :f ?y . ?y!:g :h ?z } => { ?x :reaches ?z } ."
        " { ?x :f ?y } => { ?x :owns ?y!:made } ."
    )
    assert said(reasoner, "reaches") == [":a :d"]
    assert (len(said(reasoner, "owns")), len(said(reasoner, "made"))) == (1, 1)


def test_what_a_batch_derives_is_what_single_bindings_derive() -> None:
    reasoner = finished(
        ":a :p :b , :c . :b :p :d , :a . :c :p :d ."
        " { ?x :p ?y . ?y :p ?z } => { ?x :two ?z } . { ?y :p ?x . ?y :p ?z } => { ?z :kin ?x } ."
        " { ?x :p ?y . ?y :p ?z } => { ?x :has :two } . { ?x :p ?y . ?y :p ?z } => { ?z :self ?z } ."
    )
    assert said(reasoner, "two") == [":a :a", ":a :d", ":b :b", ":b :c"]
    assert said(reasoner, "kin") == [":a :a", ":a :d", ":b :b", ":b :c", ":c :b", ":c :c", ":d :a", ":d :d"]
    assert said(reasoner, "has") == [":a :two", ":b :two"]
    assert said(reasoner, "self") == [":a :a", ":b :b", ":c :c", ":d :d"]
