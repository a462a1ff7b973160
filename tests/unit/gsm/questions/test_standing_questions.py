"""An answer that stands is changed by what it rests on, whatever way it was found."""

from collections.abc import Iterable

import pytest

from agent.gsm.question import read_question
from agent.gsm.questions.standing import StandingQuestions
from agent.gsm.terms import IS_RUNNING
from agent.rdf.terms import IRI, TRUE, XSD_INTEGER, Literal, Triple
from agent.reason.facts import Facts
from agent.reason.join import Numbers
from tests.support.random_questions import INSTANT

INSTANCES = ("http://w/i1", "http://w/i2")
P, Q = IRI("http://w/p"), IRI("http://w/q")
THING = IRI("http://w/model#thing")


class Course:
    """A memory that changes, and one question that stands."""

    def __init__(self, body: str) -> None:
        self._question = read_question(f"PREFIX : <http://w/> ASK {{ {body} }}", "http://w/model")
        assert not self._question.fault
        self._memory = Facts()
        self._standing = StandingQuestions(self._memory)
        self.change(came=[Triple(IRI(instance), IS_RUNNING, TRUE) for instance in INSTANCES])

    def change(self, came: Iterable[Triple] = (), went: Iterable[Triple] = ()) -> list[bool | None]:
        """Change the memory and return the answers for both instances."""
        gained, lost = self._numbers(came), self._numbers(went)
        for fact in lost:
            assert self._memory.remove(*fact)
        for fact in gained:
            assert self._memory.insert(*fact)
        self._standing.change(gained, lost)
        self._standing.begin(INSTANT)
        return [self._standing.holds(self._question, instance) for instance in INSTANCES]

    def _numbers(self, triples: Iterable[Triple]) -> list[Numbers]:
        intern = self._memory.table.intern
        return [(intern(s), intern(p), intern(o)) for s, p, o in triples]


def number(text: str) -> Literal:
    return Literal(text, XSD_INTEGER)


def test_one_triple_makes_it_true_for_all_instances_that_have_the_rest() -> None:
    course = Course("?thisArtifactInstance :p ?d . ?d :q 1")
    assert course.change([Triple(IRI(instance), P, THING) for instance in INSTANCES]) == [False, False]
    assert course.change([Triple(THING, Q, number("1"))]) == [True, True]
    assert course.change(went=[Triple(IRI(INSTANCES[0]), P, THING)]) == [False, True]
    assert course.change(went=[Triple(THING, Q, number("1"))]) == [False, False]


def test_another_solution_takes_the_place_of_one_that_went() -> None:
    course = Course("?d :q ?v FILTER(?v > 3)")
    assert course.change([Triple(THING, Q, number("4")), Triple(THING, Q, number("5"))]) == [True, True]
    assert course.change(went=[Triple(THING, Q, number("4"))]) == [True, True]
    assert course.change(went=[Triple(THING, Q, number("5"))]) == [False, False]


@pytest.mark.parametrize(
    "body",
    [
        "?thisArtifactInstance :p 1",
        "?thisArtifactInstance :p 1 OPTIONAL { ?a :unknown ?b }",
        "?thisArtifactInstance :p 1 FILTER NOT EXISTS { ?thisArtifactInstance :unknown ?b }",
    ],
)
def test_a_number_counts_in_every_spelling_as_long_as_one_is_left(body: str) -> None:
    course = Course(body)
    plain, padded = (Triple(IRI(INSTANCES[0]), P, number(text)) for text in ("1", "01"))
    assert course.change() == [False, False]
    assert course.change([padded]) == [True, False]
    assert course.change([plain]) == [True, False]
    assert course.change(went=[padded]) == [True, False]
    assert course.change([padded], [plain]) == [True, False]
    assert course.change(went=[padded]) == [False, False]


def test_an_instance_that_runs_no_more_and_one_that_begins_to() -> None:
    course = Course("?thisArtifactInstance :p ?d")
    running = Triple(IRI(INSTANCES[0]), IS_RUNNING, TRUE)
    has = [Triple(IRI(instance), P, THING) for instance in INSTANCES]
    assert course.change(has, [running]) == [False, True]
    assert course.change([running]) == [True, True]


def test_what_is_absent_may_come_and_go() -> None:
    course = Course(
        "?thisArtifactInstance :p ?d FILTER NOT EXISTS { ?d :q ?v FILTER NOT EXISTS { ?v :p :pardon } }"
    )
    pardon = Triple(THING, P, IRI("http://w/pardon"))
    assert course.change([Triple(IRI(INSTANCES[0]), P, THING)]) == [True, False]
    assert course.change([Triple(THING, Q, THING)]) == [False, False]
    assert course.change([pardon]) == [True, False]
    assert course.change([Triple(IRI(INSTANCES[1]), P, THING)], [pardon]) == [False, False]
    assert course.change(went=[Triple(THING, Q, THING)]) == [True, True]


def test_a_question_that_may_read_anything_follows_every_change() -> None:
    course = Course("?a ?b <#thing> FILTER NOT EXISTS { ?a :q ?c }")
    assert course.change([Triple(IRI("http://w/a"), IRI("http://w/any"), THING)]) == [True, True]
    assert course.change([Triple(IRI("http://w/a"), Q, THING)]) == [False, False]
    assert course.change(went=[Triple(IRI("http://w/a"), Q, THING)]) == [True, True]


def test_a_question_about_documents_is_not_for_it() -> None:
    assert Course("GRAPH <doc> { ?a :p ?b }").change() == [None, None]
