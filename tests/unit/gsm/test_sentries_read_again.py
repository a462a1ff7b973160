"""Sentries are read again when, and only when, what they were read from has changed."""

import random

from agent.gsm.sentries import Sentries
from agent.gsm.sentry import read_sentry
from agent.gsm.terms import ASK, BOOLEAN, DEPENDS_ON, IN_ARTIFACT_INSTANCE, SPIN_WHERE, THIS_INSTANCE
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, TRUE, BlankNode, Literal, Triple
from agent.reason.facts import Facts
from agent.vocab import GSM, SP

NODE, PATTERN, CELL = IRI("http://w/m#s"), IRI("http://w/m#p"), IRI("http://w/m#l")
TRIPLES = [
    Triple(NODE, ASK, Literal("ASK { <http://w/a> ?p ?o }")),
    Triple(NODE, DEPENDS_ON, IRI("http://w/b")),
    Triple(NODE, BOOLEAN, TRUE),
    Triple(NODE, SPIN_WHERE, CELL),
    Triple(CELL, RDF_FIRST, PATTERN),
    Triple(CELL, RDF_REST, RDF_NIL),
    *(
        Triple(PATTERN, IRI(SP + part), IRI(f"http://w/{part}"))
        for part in ("subject", "predicate", "object")
    ),
    Triple(PATTERN, BOOLEAN, TRUE),
    Triple(PATTERN, IN_ARTIFACT_INSTANCE, THIS_INSTANCE),
    Triple(PATTERN, IRI(GSM + "hasState"), BlankNode("x", "http://w/m")),
    Triple(PATTERN, IRI(GSM + "hasStatus"), IRI("http://w/y")),
]


def flip(facts: Facts, triple: Triple) -> None:
    """Put ``triple`` into memory, or take it out if it is there."""
    if not facts.add(triple):
        subject, predicate, object_ = map(facts.table.intern, triple)
        facts.remove(subject, predicate, object_)


def test_a_sentry_is_always_as_it_stands_in_memory() -> None:
    chance, facts = random.Random(0), Facts()
    sentries = Sentries(facts)
    for step in range(600):
        flip(facts, chance.choice(TRIPLES))
        assert sentries.read(NODE) == read_sentry(facts, NODE), step


def test_a_sentry_is_the_same_object_while_other_things_change_and_when_a_change_is_taken_back() -> None:
    facts = Facts()
    for triple in TRIPLES:
        facts.add(triple)
    sentries = Sentries(facts)
    first = sentries.read(NODE)
    flip(facts, Triple(IRI("http://w/other"), BOOLEAN, TRUE))
    unconcerned = sentries.read(NODE)
    flip(facts, TRIPLES[1])
    changed = sentries.read(NODE)
    flip(facts, TRIPLES[1])

    assert (unconcerned is first, sentries.read(NODE) is first) == (True, True)
    assert changed.depends_on == frozenset() != first.depends_on
