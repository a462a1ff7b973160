"""Notation3 and Turtle laid out for people."""

from itertools import pairwise

import pytest

from agent.n3.data_lists import spell_out_lists
from agent.n3.document import write_data, write_statements
from agent.n3.parser import parse
from agent.n3.write import write_triples
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple
from tests.support.n3 import BASE, PREFIXES, SOURCE, ex
from tests.support.n3 import triples as read

EX = {"ex": "http://example.org/ns#", "log": "http://www.w3.org/2000/10/swap/log#"}
HEAD = "@prefix ex: <http://example.org/ns#> .\n"


def data(text: str) -> list[Triple]:
    """Return ``text`` as data: its lists spelled out in cells."""
    statements = parse(PREFIXES + text, source=SOURCE, base=BASE).statements
    return [pattern.triple for pattern in spell_out_lists(statements, BASE)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ex:b ex:p 2 . ex:a ex:q 1 ; a ex:T ; ex:p 2, 1 .", "ex:a a ex:T ;\n    ex:p 1, 2 ;\n    ex:q 1 .\nex:b ex:p 2 .\n"),
        ("ex:a ex:p (1 (2 3) ()) .", "ex:a ex:p ( 1 ( 2 3 ) () ) .\n"),
        ("ex:a ex:p [ ex:q 1 ; ex:r [ a ex:T ] ] .", "ex:a ex:p [ ex:q 1 ; ex:r [ a ex:T ] ] .\n"),
        ("ex:a ex:p [] . [] ex:q 1 .", "ex:a ex:p [] .\n[] ex:q 1 .\n"),
        ("(1 2) ex:p 3 .", "( 1 2 ) ex:p 3 .\n"),
        ("ex:a ex:p _:x . ex:b ex:p _:x . _:x ex:q 1 .", "ex:a ex:p _:n0 .\nex:b ex:p _:n0 .\n_:n0 ex:q 1 .\n"),
        ("_:x ex:p _:y . _:y ex:p _:x .", "_:n0 ex:p [ ex:p _:n0 ] .\n"),
        ("_:x ex:p _:x .", "_:n0 ex:p _:n0 .\n"),
        ("ex:a ex:p { _:x ex:q _:x } . ex:b ex:p { _:x ex:q _:x } .", "ex:a ex:p { _:n0 ex:q _:n0 } .\nex:b ex:p { _:n1 ex:q _:n1 } .\n"),
    ],
)  # fmt: skip
def test_data_stand_together_by_subject_with_as_few_names_as_possible(text: str, written: str) -> None:
    assert write_data(data(text), EX) == HEAD + written


@pytest.mark.parametrize(
    "text",
    [
        "_:x rdf:first 1 ; rdf:rest _:y . _:y rdf:first 2 . ex:a ex:p _:x .",
        "_:x rdf:first 1 ; rdf:rest _:y . _:y rdf:first 2 ; rdf:rest _:x . ex:a ex:p _:x .",
        "_:x rdf:first 1, 2 ; rdf:rest () . ex:a ex:p _:x .",
        "_:x rdf:first 1 ; rdf:rest _:y . _:y rdf:first 2 ; rdf:rest () . ex:a ex:p _:x, _:y .",
        "_:x rdf:first 1 ; rdf:rest () .",
        "_:x rdf:first 1 ; rdf:rest () ; ex:q 1 . ex:a ex:p _:x .",
        "_:x rdf:rest () . ex:a ex:p _:x, [ rdf:rest () ; rdf:first 5 ] .",
    ],
)
def test_cells_that_are_no_list_keep_what_they_say(text: str) -> None:
    said = data("@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . " + text)

    written = write_data(said, EX)

    again = [
        pattern.triple
        for pattern in spell_out_lists(parse(written, source=SOURCE, base=BASE).statements, BASE)
    ]
    assert canonical(again) == canonical(said)


def canonical(triples: list[Triple]) -> list[str]:
    """Return the lines of ``triples`` sorted, a node called by what is said about it three steps deep."""
    about: dict[Term, str] = {}

    def name(term: Term) -> str:
        return about.get(term, "_") if isinstance(term, BlankNode) else repr(term)

    for _ in range(3):
        about = {
            node: repr(sorted(f"{p} {name(o)}" for s, p, o in triples if s == node))
            for node in {triple.subject for triple in triples}
        }
    return sorted(f"{name(s)} {p} {name(o)}" for s, p, o in triples)


def test_what_does_not_fit_on_a_line_takes_a_line_for_each_part() -> None:
    names = " ".join(f"ex:{'x' * 20}{number}" for number in range(5))

    assert write_data(data(f"ex:a ex:p ({names}) ; ex:q 1 ."), EX) == (
        HEAD
        + "ex:a ex:p (\n"
        + "".join(f"      ex:{'x' * 20}{number}\n" for number in range(5))
        + "    ) ;\n    ex:q 1 .\n"
    )


def test_rules_keep_their_order_and_open_up_when_they_are_long() -> None:
    long = " . ".join(f"?x ex:{'p' * 20}{number} ?y" for number in range(4))

    assert write_statements(
        read(f"{{ ?x ex:p ?y }} => {{ ?y ex:q ?x }} . {{ {long} }} => {{ ?x a ex:T }} ."), (), EX
    ) == (
        HEAD
        + "{ ?x ex:p ?y } => { ?y ex:q ?x } .\n{\n"
        + " .\n".join(f"  ?x ex:{'p' * 20}{number} ?y" for number in range(4))
        + "\n} => { ?x a ex:T } .\n"
    )


def test_a_node_of_several_formulas_is_quantified_around_them() -> None:
    node = BlankNode("x", "document")
    said = Formula((Triple(node, ex("p"), Literal("1")),))
    triples = [Triple(ex("a"), ex("says"), said), Triple(ex("b"), ex("is"), node)]

    written = write_statements(triples, (), EX)

    assert written == (
        HEAD
        + '@forSome <urn:node:0> .\nex:a ex:says { <urn:node:0> ex:p "1" } .\nex:b ex:is <urn:node:0> .\n'
    )
    first, second = [each.triple for each in parse(written, source=SOURCE, base=BASE).statements]
    assert isinstance(first.object, Formula)
    assert first.object.triples[0].subject == second.object


def test_turtle_has_no_arrow_and_only_the_prefixes_that_are_used() -> None:
    triples = [Triple(ex("a"), IRI(EX["log"] + "implies"), ex("b"))]

    assert write_data(triples, {**EX, "log": "urn:other:"}, turtle=True) == (
        HEAD + "ex:a <http://www.w3.org/2000/10/swap/log#implies> ex:b .\n"
    )


DEEP = 10_000


def _nested(kind: str) -> Term:
    term: Term = ex("core")
    for _ in range(DEEP):
        term = ListTerm((term,)) if kind == "list" else Formula((Triple(term, ex("p"), ex("o")),))
    return term


@pytest.mark.parametrize("kind", ["list", "formula"])
def test_nesting_ten_thousand_deep_is_laid_out_and_reads_back(kind: str) -> None:
    triple = Triple(ex("a"), ex("p"), _nested(kind))

    written = write_statements([triple], (), EX)

    assert parse(written, source=SOURCE, base=BASE).statements[0].triple == triple


def test_blank_nodes_ten_thousand_deep_are_laid_out_and_read_back() -> None:
    nodes = [BlankNode(f"b{number}", BASE) for number in range(DEEP)]
    chain = [Triple(one, ex("p"), other) for one, other in pairwise(nodes)]

    written = write_data([*chain, Triple(nodes[-1], ex("q"), ex("o"))], EX)

    assert written.count("[") == DEEP
    again = [pattern.triple for pattern in parse(written, source=SOURCE, base=BASE).statements]
    assert write_triples(again, EX).count("ex:p") == DEEP - 1


def test_a_node_that_a_formula_quantifies_for_those_inside_it_stays_one_node() -> None:
    text = "ex:a ex:says { @forSome ex:x . { ex:x ex:p ex:b } ex:and { { ex:x ex:q ex:c } ex:so ex:x } } ."
    statements = read(text)

    written = write_statements(statements, (), EX)

    assert written == (
        HEAD + "ex:a ex:says {\n  @forSome <urn:node:0> .\n"
        "  { <urn:node:0> ex:p ex:b } ex:and { { <urn:node:0> ex:q ex:c } ex:so <urn:node:0> }\n} .\n"
    )


def test_copies_that_rules_made_of_a_formula_keep_nodes_of_their_own() -> None:
    def copy(value: str) -> Formula:
        return Formula((Triple(BlankNode("x", "rule{1}"), ex("p"), ex(value)),))

    both = Formula((Triple(copy("b"), ex("and"), copy("c")),))

    assert write_data([Triple(ex("a"), ex("says"), both)], EX) == (
        HEAD + "ex:a ex:says { { _:n0 ex:p ex:b } ex:and { _:n0 ex:p ex:c } } .\n"
    )
