"""The reasoner as a function: what is new apart, texts in order, proofs of what was derived, graphs in and out."""

import rdflib

import agent
from agent.n3.program import Program
from agent.n3.quoted import quotation_of
from agent.rdf.terms import Literal, Triple
from agent.reason.proof import RankedFacts
from agent.reason.proof_text import proof_text
from agent.runtime.derive import derive
from agent.runtime.explaining import explain, matching, read_pattern
from tests.support.n3 import ex
from tests.support.n3 import program as read

INSTANT = "2026-01-01T00:00:00.000Z"
EX = rdflib.Namespace("http://example.org/ns#")


def knows() -> Program:
    """Return rules of three kinds, a fact that follows from another one, and lists."""
    return read(
        "ex:a ex:knows ex:b . ex:b ex:knows ex:a . { ?x ex:knows ?y } => { ?y ex:knows ?x . ?x ex:pair (?x ?y) } ."
    )


def test_what_was_given_is_not_new_even_if_it_follows() -> None:
    fact = Triple(ex("c"), ex("knows"), ex("c"))

    derivation = derive(knows(), [fact], instant=INSTANT)

    new = [triple for triple in derivation.derived if triple.predicate == ex("knows")]
    assert (len(derivation.triples), len(derivation.derived), new) == (6, 3, [])
    assert derivation.findings == ()


def test_numbers_order_texts_by_value_and_the_rest_follows() -> None:
    rules = read(
        "{ ex:go ex:go ex:go } => { 10 log:outputString 'c' . 9.5 log:outputString 'b' . 'x' log:outputString 'e' ."
        " -1e0 log:outputString 'a' . ex:k log:outputString 'd' . 'NaN' log:outputString ex:no . 'z' log:outputString 'f' } ."
    )

    derivation = derive(rules, [Triple(ex("go"), ex("go"), ex("go"))], instant=INSTANT)

    assert derivation.strings == "abcdef"


def test_a_pattern_of_variables_and_lists_finds_what_to_explain() -> None:
    rules = knows()
    derivation = derive(rules, instant=INSTANT, memory=RankedFacts())

    wanted = matching(derivation.triples, read_pattern("ex:b ex:pair (?x _:y) .", rules.prefixes))
    steps = explain(rules, derivation, wanted, [("program.n3", rules.facts)])

    assert [triple.subject for triple in wanted] == [ex("b")]
    assert [(step.source, step.rule, step.premises) for step in steps] == [
        ("program.n3", "", ()),
        ("", "program.n3:2", (0,)),
    ]
    assert steps[1].binding == (("x", ex("b")), ("y", ex("a")))


def test_what_no_file_and_no_rule_accounts_for_is_told_as_given() -> None:
    rules = knows()
    derivation = derive(rules, instant=INSTANT, memory=RankedFacts())

    steps = explain(rules, derivation, rules.facts[:1], [])

    assert [(step.triple, step.source, step.rule) for step in steps] == [(rules.facts[0], "", "")]
    assert proof_text(steps, rules.prefixes) == "1  ex:a ex:knows ex:b .\n    given\n"


def test_graphs_come_back_with_lists_spelled_out_or_with_what_is_new_alone() -> None:
    data = rdflib.Graph().add((EX.c, EX.knows, EX.d))

    everything, new = agent.reason(knows(), data), agent.reason(knows(), data, only_new=True)

    assert (EX.c, EX.knows, EX.d) in everything
    assert (EX.c, EX.knows, EX.d) not in new
    assert (EX.d, EX.knows, EX.c) in new
    pair = new.value(EX.c, EX.pair)
    assert pair is not None
    assert list(new.items(pair)) == [EX.c, EX.d]
    assert len(everything) == len(new) + 3


def test_numbers_compute_as_asked() -> None:
    rules = read("{ ('2' '3') math:sum ?s } => { ex:sum ex:is ?s } .")

    assert list(derive(rules, instant=INSTANT).triples) == []
    assert [triple.object for triple in derive(rules, numeric="cwm", instant=INSTANT).triples] == [
        Literal("5", "http://www.w3.org/2001/XMLSchema#integer")
    ]


def test_what_a_rule_found_in_a_document_is_stated_by_that_document() -> None:
    rules = read(
        "{ <http://example.org/d> log:semantics ?f . ?f log:includes { ?x a ex:T } } => { ?x ex:seen true } ."
    )
    said = quotation_of(
        "@prefix ex: <http://example.org/ns#> . ex:a a ex:T .", source="d", base="http://example.org/d"
    )

    derivation = derive(rules, instant=INSTANT, memory=RankedFacts(), open_document=lambda _: said)
    steps = explain(rules, derivation, derivation.derived, [])

    assert [triple.subject for triple in derivation.derived] == [ex("a")]
    assert [(step.source, step.rule, step.premises) for step in steps] == [
        ("http://example.org/d", "", ()),
        ("", "program.n3:2", (0,)),
    ]


def test_many_facts_that_come_one_by_one_are_there_for_the_engine_that_has_the_last_word() -> None:
    """Rules are compiled first; that negation depends on what follows from it shows in the facts alone."""
    rules = read(
        "ex:r ex:wider ex:q . { ?narrow ex:wider ?wide . ?x ?narrow ?y } => { ?x ?wide ?y } ."
        "{ ?x ex:p ?y . [] log:notIncludes { ?x ex:q ?y } } => { ?x ex:r ?y } ."
    )
    one_by_one = (Triple(ex(f"x{number}"), ex("p"), ex("y")) for number in range(400))

    derivation = derive(rules, one_by_one, instant=INSTANT)

    assert (len(derivation.triples), len(derivation.derived)) == (1 + 3 * 400, 2 * 400)
