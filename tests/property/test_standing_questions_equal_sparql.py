"""Questions that are asked again only when what they read has changed have the answers of a new evaluation."""

import random

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import Question, read_question
from agent.gsm.questions.standing import StandingQuestions
from agent.rdf.terms import Triple
from agent.reason.facts import Facts
from tests.support.depth import depth
from tests.support.random_questions import INSTANCES, Drawing, draw_memory

INSTANTS = ("2026-01-05T12:00:00.000Z", "2026-01-05T12:00:01.000Z")


def evaluated(memory: Facts, question: Question, instance: str, instant: str) -> bool | str:
    try:
        return Evaluation(memory, {}, instant).holds(question, instance)
    except (ValueError, RuntimeError, SyntaxError) as error:
        return str(error)


def stood(standing: StandingQuestions, question: Question, instance: str, instant: str) -> bool | str:
    try:
        return standing.holds(question, instance, instant)
    except (ValueError, RuntimeError, SyntaxError) as error:
        return str(error)


def put(memory: Facts, triples: set[Triple]) -> None:
    for triple in triples:
        memory.add(triple)


def take(memory: Facts, triples: set[Triple]) -> None:
    for triple in triples:
        memory.remove(*(memory.table.intern(term) for term in triple))


def test_answers_stay_true_while_the_memory_changes() -> None:
    chance = random.Random(8)
    for _ in range(depth(25, 1500)):
        drawn = [read_question(Drawing(chance).query(), "http://e/doc") for _ in range(5)]
        questions = [question for question in drawn if not question.fault]
        memory = Facts()
        standing = StandingQuestions(memory)
        now: set[Triple] = set()
        for _ in range(6):
            pool = set(draw_memory(chance))
            removed = set(chance.sample(sorted(now, key=repr), chance.randint(0, min(4, len(now)))))
            added = set(
                chance.sample(sorted(pool - now, key=repr), chance.randint(0, min(9, len(pool - now))))
            )
            now = (now - removed) | added
            put(memory, added)
            take(memory, removed)
            standing.change(added, removed)
            instant = chance.choice(INSTANTS)
            for question in chance.sample(questions, min(3, len(questions))):
                for instance in (*INSTANCES[:2], *(["no IRI"] if question.is_relative else [])):
                    assert stood(standing, question, instance, instant) == evaluated(
                        memory, question, instance, instant
                    ), (question.text, now)
