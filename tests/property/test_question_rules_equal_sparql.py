"""A question answered by rules has the answer that the SPARQL engine gives, for every instance."""

import random
from collections.abc import Iterable

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import Question, read_question
from agent.gsm.questions.answers import Answers
from agent.gsm.questions.reads import predicates_of
from agent.gsm.questions.rules import HOLDS, HOLDS_FOR, QuestionRules, rules_of
from agent.gsm.terms import IS_RUNNING
from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.rdf.terms import IRI, TRUE, XSD_DATETIME, XSD_DECIMAL, Formula, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.vocab import AG
from tests.support.depth import depth
from tests.support.example_sentries import example_questions
from tests.support.random_questions import INSTANCES, INSTANT, Drawing, draw_memory


def answers_by_rules(rules: QuestionRules, memory: Iterable[Triple]) -> dict[str, bool]:
    reasoner = Reasoner(Program(tuple(memory), rules.all), Context(INSTANT))
    reasoner.finish()
    if not rules.is_relative:
        return dict.fromkeys(INSTANCES, Triple(rules.name, HOLDS, TRUE) in reasoner.facts)
    return {
        instance: Triple(rules.name, HOLDS_FOR, IRI(instance)) in reasoner.facts for instance in INSTANCES
    }


def answers_by_sparql(question: Question, memory: Iterable[Triple]) -> dict[str, bool]:
    facts = Facts()
    for triple in memory:
        facts.add(triple)
    evaluation = Evaluation(facts, {}, INSTANT)
    return {instance: evaluation.holds(question, instance) for instance in INSTANCES}


def test_rules_answer_random_questions_like_sparql() -> None:
    chance = random.Random(20_261_128)
    covered = 0
    wanted = depth(150, 10_000)
    for _ in range(wanted):
        question = read_question(Drawing(chance).query(), "http://e/doc")
        rules = rules_of(question)
        if question.fault or rules is None:
            continue
        covered += 1
        for _ in range(2):
            memory = draw_memory(chance)
            assert answers_by_rules(rules, memory) == answers_by_sparql(question, memory), (
                question.text,
                memory,
            )
    assert covered > wanted / 2


def test_answers_of_a_search_are_those_of_sparql_too() -> None:
    chance = random.Random(20_261_129)
    for _ in range(depth(20, 2000)):
        drawn = [read_question(Drawing(chance).query(), "http://e/doc") for _ in range(4)]
        questions = [question for question in drawn if not question.fault]
        memory = Facts()
        for triple in draw_memory(chance):
            memory.add(triple)
        before = set(memory)
        answers = Answers(memory, questions, INSTANT)
        evaluation = Evaluation(memory, {}, INSTANT)

        for question in questions:
            for instance in INSTANCES:
                answer = answers.holds(question, instance)
                assert answer in {None, evaluation.holds(question, instance)}, (question.text, before)
                assert (answer is None) == (rules_of(question) is None)
        assert set(memory) == before


def memory_near(question: Question, rules: QuestionRules, chance: random.Random) -> list[Triple]:
    """Return a memory of the terms that ``question`` names, with what it reads about them."""
    reads = sorted(predicates_of(question) or ())
    triples = [pattern.triple for rule in rules.conclusions for pattern in rule.body]
    for triple in triples:
        triples += triple.object.triples if isinstance(triple.object, Formula) else ()
    named = {term for triple in triples for term in triple if isinstance(term, IRI | Literal)}
    terms: list[Term] = [*sorted(named, key=repr), *map(IRI, INSTANCES), Literal("0.1", XSD_DECIMAL)]
    given = [Triple(IRI(instance), IS_RUNNING, TRUE) for instance in INSTANCES]
    given.append(Triple(IRI(AG + "thisStep"), IRI(AG + "instant"), Literal(INSTANT, XSD_DATETIME)))
    subjects = [term for term in terms if isinstance(term, IRI)]
    return given + [
        Triple(chance.choice(subjects), IRI(predicate), chance.choice(terms))
        for predicate in reads
        for _ in range(chance.randrange(2 * len(terms)))
    ]


def test_rules_answer_the_sentries_of_the_examples_like_sparql() -> None:
    chance = random.Random(6)
    seen = set()
    for question in example_questions():
        rules = rules_of(question)
        assert rules is not None
        for _ in range(depth(3, 50)):
            memory = memory_near(question, rules, chance)
            answers = answers_by_rules(rules, memory)
            assert answers == answers_by_sparql(question, memory), (question.text, memory)
            seen |= set(answers.values())
    assert seen == {True, False}
