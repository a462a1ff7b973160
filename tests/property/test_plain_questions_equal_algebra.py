"""A plain question, read without rdflib, means what rdflib's algebra of it means."""

import random

from agent.gsm.monotony import examine
from agent.gsm.question import Question, read_question
from agent.gsm.questions import translation
from agent.gsm.questions.plain import plain_findings, plain_group
from agent.gsm.questions.rules import HOLDS
from agent.gsm.questions.text import read_skeleton
from agent.n3.program import DerivationRule
from agent.rdf.terms import IRI, TRUE, Formula, Term, Triple
from tests.support.depth import depth
from tests.support.example_sentries import example_questions
from tests.support.random_questions import Drawing

_HEAD = Triple(IRI("http://e/question"), HOLDS, TRUE)


def unordered(term: Term) -> object:
    return frozenset(map(shape_of, term.triples)) if isinstance(term, Formula) else term


def shape_of(triple: Triple) -> tuple[object, ...]:
    # rdflib sorts patterns, so that groups come in another order, and with it their numbers
    return (unordered(triple.subject), triple.predicate, unordered(triple.object))


def meaning(rules: tuple[DerivationRule, ...]) -> frozenset[object]:
    return frozenset(
        (frozenset(shape_of(pattern.triple) for pattern in rule.body), rule.head[0].triple) for rule in rules
    )


def is_plain(question: Question) -> bool:
    skeleton = None if question.fault or question.uses_graphs else read_skeleton(question)
    return skeleton is not None and plain_group(skeleton) is not None


def assert_means_the_same(question: Question) -> None:
    skeleton = read_skeleton(question)
    assert skeleton is not None
    ours = translation.translate(question, "name", _HEAD)
    theirs = translation._translate_algebra(skeleton, "name", _HEAD)
    assert (ours is None) == (theirs is None), question.text
    if ours is not None and theirs is not None:
        assert [meaning(rules) for rules in ours] == [meaning(rules) for rules in theirs], question.text
    found = examine(question.text, question.base, question.prefixes)
    assert plain_findings(question) == (found.negates, found.sources), question.text


def test_random_plain_questions_become_the_rules_that_the_algebra_gives() -> None:
    chance = random.Random(20_261_128)
    drawn = [read_question(Drawing(chance).query(), "http://e/doc") for _ in range(depth(150, 2_000))]
    plain = [question for question in drawn if is_plain(question)]
    for question in plain:
        assert_means_the_same(question)
    assert len(plain) > len(drawn) / 20


def test_the_sentries_of_the_examples_are_plain_and_become_the_rules_that_the_algebra_gives() -> None:
    plain = [question for question in example_questions() if is_plain(question)]
    for question in plain:
        assert_means_the_same(question)
    assert len(plain) > 10


def test_every_way_to_write_patterns_is_read_as_the_algebra_reads_it() -> None:
    for text in (
        "ASK {}",
        "ask where { <a> a ex:B ; ex:p 1, 2.5 ; , }".replace(" ; , }", " ;; . }"),
        "ASK { ?x ex:p ?y . FILTER(?y > 1) ?y ex:q $x FILTER NOT EXISTS { ?y a <#c> FILTER EXISTS { ?y ex:r ?z } } . }",
        "ASK { ?thisArtifactInstance a ex:B FILTER NOT EXISTS { ?n ex:of ?thisArtifactInstance } }",
        "ASK { ?x ?p 'a'@en, \"b\"^^ex:type, true FILTER regex(str(?x), 'a.*') }",
        "ASK { FILTER NOT EXISTS { <env#it> ex:p ?x } }",
        "ASK { ?x a ?c . # no { comment }\n ?x ex:p -1 . }",
    ):
        question = read_question(f"PREFIX ex: <http://e/x#> {text}", "http://e/doc")
        assert not question.fault
        assert is_plain(question), text
        assert_means_the_same(question)


def test_what_is_not_plain_is_left_to_the_algebra() -> None:
    for inside in (
        "?x ex:p/ex:q ?y",
        "?x ^ex:p ?y",
        "?x ex:p+ ?y",
        "?x !ex:p ?y",
        "?x ex:p [] ",
        "?x ex:p (1 2)",
        "{ ?x ex:p ?y } UNION { ?x ex:q ?y }",
        "?x ex:p ?y MINUS { ?x ex:q ?y }",
        "?x ex:p ?y BIND(1 AS ?z)",
        "VALUES ?x { 1 } ?y ex:p ?x",
        "?x ex:p ?y FILTER(!EXISTS { ?x ex:q ?y })",
        "?x ex:p ?y OPTIONAL { ?x ex:q ?z }",
        "_:b ex:p ?y",
    ):
        question = read_question(f"PREFIX ex: <http://e/x#> ASK {{ {inside} }}", "http://e/doc")
        assert not question.fault, inside
        assert not is_plain(question), inside
        assert plain_findings(question) is None
