"""Questions that are asked again only when what they read has changed have the answers of a new evaluation."""

import random

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import Question, read_question
from agent.gsm.questions.standing import StandingQuestions
from agent.gsm.terms import IS_RUNNING
from agent.rdf.terms import IRI, TRUE, XSD_DATETIME, Literal, Triple
from agent.reason.facts import Facts
from agent.reason.join import Numbers
from agent.vocab import AG
from tests.support.depth import depth
from tests.support.random_questions import INSTANCES, INSTANT, Drawing, draw_memory

INSTANTS = ("2026-01-05T12:00:00.000Z", "2026-01-05T12:00:01.000Z")


def evaluated(memory: Facts, question: Question, instance: str, instant: str) -> bool | str:
    try:
        return Evaluation(memory, {}, instant).holds(question, instance)
    except (ValueError, RuntimeError, SyntaxError) as error:
        return str(error)


def stood(standing: StandingQuestions, question: Question, instance: str) -> bool | str | None:
    try:
        return standing.holds(question, instance)
    except (ValueError, RuntimeError, SyntaxError) as error:
        return str(error)


def moment(instant: str) -> Triple:
    return Triple(IRI(AG + "thisStep"), IRI(AG + "instant"), Literal(instant, XSD_DATETIME))


def changed(memory: Facts, added: set[Triple], removed: set[Triple]) -> tuple[list[Numbers], list[Numbers]]:
    """Change ``memory`` and return what came and went as numbers."""
    intern = memory.table.intern
    came, went = ([(intern(s), intern(p), intern(o)) for s, p, o in found] for found in (added, removed))
    for fact in went:
        assert memory.remove(*fact)
    for fact in came:
        assert memory.insert(*fact)
    return came, went


def test_answers_stay_true_while_the_memory_changes() -> None:
    chance = random.Random(8)
    for _ in range(depth(25, 1500)):
        drawn = [read_question(Drawing(chance).query(), "http://e/doc") for _ in range(5)]
        questions = [question for question in drawn if not question.fault]
        memory = Facts()
        standing = StandingQuestions(memory)
        now: set[Triple] = set()
        instant = INSTANTS[0]
        for _ in range(8):
            pool = set(draw_memory(chance)) - {moment(INSTANT)}
            removed = set(chance.sample(sorted(now, key=repr), chance.randint(0, min(4, len(now)))))
            added = set(
                chance.sample(sorted(pool - now, key=repr), chance.randint(0, min(9, len(pool - now))))
            )
            removed.add(moment(instant))
            instant = chance.choice(INSTANTS)
            added.add(moment(instant))
            both = added & removed
            came, went = changed(memory, added - now, (removed - both) & now)
            now = (now - removed) | added
            assert set(memory) == now
            standing.change(came, went)
            standing.begin(instant)
            for question in chance.sample(questions, min(3, len(questions))):
                for instance in (*INSTANCES[:2], *(["no IRI"] if question.is_relative else [])):
                    is_running = Triple(IRI(instance), IS_RUNNING, TRUE) in now
                    if is_running or not question.is_relative or instance == "no IRI":
                        assert stood(standing, question, instance) == evaluated(
                            memory, question, instance, instant
                        ), (question.text, now)
