"""Documents that rules look into by log:semantics and log:content: asked for like others, and not believed."""

from pathlib import Path

import pytest

from agent.n3.load import read_program
from agent.n3.quoted import Quotation, quotation_of
from agent.rdf.terms import IRI, XSD_INTEGER
from agent.runtime.derive import derive
from tests.support.command_line import milepost
from tests.support.plans import W, get, plan
from tests.support.world import FakeWorld

V = "http://w/vocab#"
PREFIXES = "@prefix : <http://e/> . @prefix log: <http://www.w3.org/2000/10/swap/log#> . "
PUT = (
    "{ ?x :value ?v } => { [] http:mthd m:PUT ; http:requestURI w:ok ; http:body { this:it :value ?v } } .\n"
)
LOOK = "{ w:d log:semantics ?f . ?f log:includes { w:a :says ?v } } => { w:a :value ?v } .\n"


def test_a_document_is_retrieved_to_be_looked_into_and_its_triples_are_not_believed() -> None:
    world = FakeWorld({W + "d": f"<{W}a> <{V}says> 'one' . <{W}b> <{V}value> 'two' ."})
    report = world.step(plan(LOOK + PUT))
    assert world.gets == [W + "d"]
    assert [(one.uri, one.outcome) for one in report.gets] == [(W + "d", "content")]
    assert world.wire == [("PUT", W + "ok", f'<#it> <{V}value> "one" .\n')]


def test_a_document_that_rules_believe_and_look_into_is_retrieved_once() -> None:
    world = FakeWorld({W + "d": f"<{W}a> <{V}says> <{W}d> . <{W}d> <{V}next> <{W}d> ."})
    follow = "{ ?x :says ?d . w:a :value ?d } => { [] http:mthd m:GET ; http:requestURI ?d } .\n"
    late = "{ w:a :value ?d } => { [] http:mthd m:GET ; http:requestURI ?d } .\n"
    put = PUT.replace("?x :value ?v }", "?v :next ?v }", 1)
    world.step(plan(LOOK + follow + late + put))
    assert world.gets == [W + "d"]
    assert world.wire == [("PUT", W + "ok", f"<#it> <{V}value> <{W}d> .\n")]
    both = FakeWorld({W + "d": f"<{W}a> <{V}says> 1 ."})
    both.step(plan(get(W + "d") + LOOK + PUT))
    assert both.gets == [W + "d"]


def test_a_document_that_is_gone_says_nothing() -> None:
    world = FakeWorld({})
    world.step(plan(LOOK + PUT + "{ w:d log:content ?t } => { w:a :value ?t } .\n"))
    assert world.gets == [W + "d"]
    assert world.wire == []


def test_lists_and_blank_nodes_of_a_turtle_document_are_terms_of_its_formula() -> None:
    world = FakeWorld({W + "d": f"<{W}a> <{V}says> ( 1 ( 2 ) [ <{V}p> 'three' ] ) ."})
    look = LOOK.replace(":says ?v", ":says ( 1 ( 2 ) [ :p ?v ] )")
    world.step(plan(look + PUT))
    assert world.wire == [("PUT", W + "ok", f'<#it> <{V}value> "three" .\n')]


DOCUMENTS = {
    "http://d/a": ":a :next <http://d/b> . :x :is ( 1 [ :p 2 ] ) . { ?x :p ?y } => { ?y :q ?x } .",
    "http://d/b": ":b :p 1 .",
    "http://d/c": "this is no Notation3",
}


def opened(text: str) -> tuple[set[str], list[str], list[str]]:
    """Return what is known of :r, the documents that were opened, and the warnings."""
    asked: list[str] = []

    def open_document(uri: str) -> Quotation | None:
        asked.append(uri)
        said = DOCUMENTS.get(uri)
        return None if said is None else quotation_of(PREFIXES + said, source=uri, base=uri)

    program = read_program(PREFIXES + text, source="p.n3", base="http://e/")
    derivation = derive(program, open_document=open_document, instant="2026-01-01T00:00:00Z")
    known = {
        " ".join(
            term.value.rpartition("/")[2] for term in (triple.subject, triple.object) if isinstance(term, IRI)
        )
        for triple in derivation.triples
        if triple.predicate == IRI("http://e/r")
    }
    return known, asked, [str(finding) for finding in derivation.findings]


def test_a_chain_of_documents_is_followed_through_what_they_say() -> None:
    known, asked, warnings = opened(
        ":s :start <http://d/a#top> . { :s :start ?d . ?d log:semantics ?f . ?f log:includes { ?x :next ?n } ."
        " ?n log:semantics ?g . ?g log:includes { ?b :p 1 } } => { ?x :r ?b } ."
    )
    assert (known, asked, warnings) == ({"a b"}, ["http://d/a", "http://d/b"], [])


def test_rules_in_documents_can_be_applied_to_them() -> None:
    known, _, _ = opened(
        "{ <http://d/a> log:semantics ?f . <http://d/b> log:semantics ?g . (?f ?g) log:conjunction ?h ."
        " ?h log:conclusion ?i . ?i log:includes { 1 :q ?x } } => { ?x :r ?x } ."
    )
    assert known == {"b b"}


def test_what_is_no_notation3_has_a_text_only_and_what_is_not_opened_is_told() -> None:
    known, asked, warnings = opened(
        "{ <http://d/c> log:semantics ?f } => { :c :r :semantics } . { <http://d/c> log:content ?f } => { :c :r :content } ."
        "{ <http://d/no> log:semantics ?f } => { :d :r :d } . { ?d log:semantics ?f . ?f log:includes { } } => { ?d :s 1 } ."
    )
    assert (known, asked) == ({"c content"}, ["http://d/c", "http://d/no"])
    assert [warning.split("  ")[0] for warning in warnings] == ["http://d/no"]


def test_a_document_is_opened_only_when_the_rest_of_the_body_holds() -> None:
    rule = "{ :s :start ?d . ?d log:uri ?u . ?d log:semantics ?f . :s :ready ?any } => { :s :r :done } ."
    assert opened(":s :start <http://d/a> . " + rule)[:2] == (set(), [])
    assert opened(":s :ready 1 ; :start <http://d/a> . " + rule)[:2] == ({"s done"}, ["http://d/a"])


def test_what_documents_say_is_not_among_what_is_known_or_derived() -> None:
    program = read_program(
        PREFIXES + "{ <http://d/b> log:semantics ?f } => { :a :r 1 } .", source="p", base="http://e/"
    )
    derivation = derive(program, open_document=lambda uri: quotation_of("", source=uri, base=uri))
    assert len(derivation.triples) == len(derivation.derived) == 1


def test_reason_opens_what_is_named_on_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "look.n3").write_text(
        PREFIXES + "{ <doc.ttl> log:semantics ?f . ?f log:includes { ?x ?p ( 1 ?y ) } } => { :r :found ?y } ."
        "{ <look.n3> log:content ?t . ?t log:uri ?u } => { :r :found :uri } . { <other.n3> log:semantics ?f } => { :r :s 1 } ."
    )
    (tmp_path / "doc.ttl").write_text("<#a> <#p> ( 1 2 ) .")
    done = milepost(capsys, "reason", "-p", "look.n3", "-i", "doc.ttl", "--pass-only-new")
    assert done.out == f'<http://e/r> <http://e/found> "2"^^<{XSD_INTEGER}> .\n'
    assert "other.n3  warning ASM025" in done.err
