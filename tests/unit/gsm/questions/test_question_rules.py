"""What becomes rules, what stays with the SPARQL engine, and which predicates a question reads."""

import pytest

from agent.gsm.question import Question, read_question
from agent.gsm.questions.answers import Answers
from agent.gsm.questions.reads import predicates_of
from agent.gsm.questions.rules import rules_of
from agent.gsm.scope import admit
from agent.n3.builtins.kept import QUESTION
from agent.rdf.documents import Content
from agent.rdf.terms import IRI, TRUE, Triple
from agent.reason.facts import Facts
from agent.vocab import AG, GSM, RDF
from tests.support.example_sentries import example_questions
from tests.support.random_questions import INSTANT

P = "http://w/p"


def question(body: str) -> Question:
    found = read_question(f"PREFIX : <http://w/> ASK {{ {body} }}", "http://w/model")
    assert not found.fault, found.fault
    return found


@pytest.mark.parametrize(
    "body",
    [
        "",
        "?a :p ?b . ?b :q <#it> , 'text'@en , 5 , -0.5 , true",
        "?a :p ?b FILTER(?b > 5 && regex(STR(?b), 'x', 'i') && xsd:integer(?b) != 7)",
        "{ ?a :p 1 } UNION { ?a :q 2 } UNION { ?a :r ?x }",
        "?a :p/^:q/(:r|a) ?b",
        "<#it> :p+ ?b",
        "?a :q ?b . ?b :p*/:q ?c",
        "?a :list/rdf:rest*/rdf:first 5",
        "?a !(:p|:q) ?b",
        "?a ?p ?b FILTER NOT EXISTS { ?b ?p ?a }",
        "?a :p ?b MINUS { ?b :q ?a }",
        "VALUES (?a ?b) { (:x 1) (:y UNDEF) } ?a :p ?b",
        "?a :p ?b BIND(?b * 2 AS ?c) FILTER(?c > NOW())",
        "?a :p [ :q ( 1 ?b ) ]",
        "?thisArtifactInstance :p ?b FILTER(BOUND(?thisArtifactInstance) && BOUND(?b) && !BOUND(?c))",
    ],
)
def test_covered_questions_have_rules(body: str) -> None:
    assert rules_of(question(body)) is not None


@pytest.mark.parametrize(
    "body",
    [
        "?a :p ?b OPTIONAL { ?b :q ?c }",
        "{ SELECT (COUNT(*) AS ?n) { ?a :p ?b } } FILTER(?n > 2)",
        "GRAPH <doc> { ?a :p ?b }",
        "?a :p+ ?b",
        "<#it> :p* ?b",
        "?a :p ?b FILTER(IRI(?b) = <x>)",
        "?a :p ?b FILTER(?b > 1 || EXISTS { ?b :q ?c })",
        "?a :p ?b BIND(?b + 1 AS ?c) ?d :q ?c",
        "?a !(:p|^:q) ?b",
    ],
)
def test_all_other_questions_stay_with_the_engine(body: str) -> None:
    asked = question(body)
    facts = Facts()
    assert rules_of(asked) is None
    assert Answers(facts, [asked], INSTANT).holds(asked, "http://w/i#it") is None


@pytest.mark.parametrize(
    ("body", "predicates"),
    [
        ("?a :p ?b OPTIONAL { ?b :q/^a ?c }", {P, "http://w/q", RDF + "type"}),
        (
            "{ SELECT (COUNT(*) AS ?n) { ?a :p+ ?b } } FILTER(?n > 2 || EXISTS { ?b :q ?c })",
            {P, "http://w/q"},
        ),
        ("?thisArtifactInstance gsm:hasActiveStage <#s> , <#t>", {AG + "hasActiveStage"}),
        ("?thisArtifactInstance gsm:hasAchievedMilestone <#s>", {GSM + "hasAchievedMilestone"}),
        ("FILTER NOT EXISTS { ?a :p ( ?b ) }", {P, RDF + "first", RDF + "rest"}),
        ("?a :p ?b OPTIONAL { ?b ?q ?c }", None),
        ("?a :p* ?b", None),
        ("?a !:p ?b", None),
        ("GRAPH ?g { ?a :p ?b }", None),
    ],
)
def test_the_predicates_that_a_question_reads(body: str, predicates: set[str] | None) -> None:
    assert predicates_of(question(body)) == predicates


def test_every_sentry_of_the_examples_becomes_rules() -> None:
    asked = list(example_questions())
    assert len(asked) > 40
    assert [each.text for each in asked if rules_of(each) is None] == []


def test_what_two_prefixes_mean_are_two_questions() -> None:
    one = read_question("ASK { ?a x:p 1 }", "http://w/doc", (("x", "http://one/"),))
    other = read_question("ASK { ?a x:p 1 }", "http://w/doc", (("x", "http://other/"),))
    found, different = rules_of(one), rules_of(other)
    assert found is not None
    assert different is not None
    assert found.name != different.name
    assert found.conclusions != different.conclusions


def test_no_document_states_what_questions_derive_for_themselves() -> None:
    stated = Triple(IRI("http://w/a"), IRI(QUESTION + "holds"), TRUE)
    data = Triple(IRI("http://w/a"), IRI(P), TRUE)
    content = Content("http://w/a", "http://w/a", (stated, data), "", "sha")
    assert admit(content, [], []) == ((data,), 1)


def test_facts_under_the_predicates_of_a_question_change_no_answer() -> None:
    asked = question("<#it> :p+ <#end>")
    rules = rules_of(asked)
    assert rules is not None
    facts = Facts()
    for predicate in rules.predicates:
        facts.add(Triple(IRI("http://w/model#it"), IRI(predicate), IRI("http://w/model#end")))
    assert Answers(facts, [asked], INSTANT).holds(asked, "http://w/i#it") is False


def test_a_search_that_takes_too_long_is_given_up() -> None:
    asked = question("?a :p ?x . ?b :p ?x . ?c :p ?x FILTER NOT EXISTS { ?c :p ?x }")
    facts = Facts()
    for number in range(60):
        facts.add(Triple(IRI(f"http://w/t{number}"), IRI(P), TRUE))
    assert rules_of(asked) is not None
    assert Answers(facts, [asked], INSTANT).holds(asked, "http://w/i#it") is None
