"""SPARQL text as a sentry: what is refused, what it depends on, how the instance gets in."""

import re

import pyoxigraph as ox
import pytest

from agent.gsm.question import read_question
from agent.n3.sparql import tokens_of

BASE = "http://w/model"
ME = "http://w/s/i1#it"
INSTANT = "2024-05-06T07:08:09.000Z"


def holds(text: str, data: str) -> bool:
    question = read_question(text, BASE)
    assert question.fault == ""
    store = ox.Store()
    store.load(data.encode(), format=ox.RdfFormat.TURTLE, base_iri="http://w/data")
    answer = store.query(question.asked(ME, INSTANT), base_iri=BASE, prefixes=dict(question.prefixes))
    return bool(answer)


MINE = f"<{ME}> <http://e/p> 1 ."
OTHERS = "<http://w/s/i2#it> <http://e/p> 1 ."


@pytest.mark.parametrize(
    "text",
    [
        "ASK { ?thisArtifactInstance <http://e/p> 1 }",
        "ASK { gsm:thisArtifactInstance <http://e/p> 1 }",
        "PREFIX g: <http://purl.org/gsm/vocab#> ASK { g:thisArtifactInstance <http://e/p> 1 }",
        "ASK { $thisArtifactInstance <http://e/p> ?x FILTER (?x > 0 && bound(?thisArtifactInstance)) }",
        "ASK { FILTER EXISTS { ?thisArtifactInstance <http://e/p> 1 } }",
        "ASK { ?s <http://e/p> 1 FILTER (?s = ?thisArtifactInstance) }",
        "ASK { { SELECT ?thisArtifactInstance WHERE { ?thisArtifactInstance <http://e/p> 1 } } }",
        """ASK { { SELECT ?thisArtifactInstance (COUNT(*) AS ?n) WHERE { ?thisArtifactInstance <http://e/p> ?x }
            GROUP BY ?thisArtifactInstance } FILTER (?n = 1) }""",
        "ASK { OPTIONAL { ?thisArtifactInstance <http://e/p> ?x } FILTER (bound(?x)) }",
        "ASK { { ?thisArtifactInstance <http://e/q> 1 } UNION { ?thisArtifactInstance <http://e/p> 1 } }",
    ],
)
def test_the_instance_reaches_every_part_of_a_query(text: str) -> None:
    assert holds(text, MINE)
    assert not holds(text, OTHERS)


def test_strings_and_comments_are_left_alone() -> None:
    text = 'ASK { # ?thisArtifactInstance NOW() \n ?s <http://e/p> "?thisArtifactInstance <NOW()>" }'
    assert holds(text, '<a> <http://e/p> "?thisArtifactInstance <NOW()>" .')


def test_tokens_put_together_are_the_text() -> None:
    text = "PREFIX : <#> ASK { :a.b <x> '''it's'''@en , \"\\\"\" ; :c\\,d 1.5e3 . ?x<?y }"
    assert "".join(token.text for token in tokens_of(text)) == text


def test_now_is_the_instant_of_the_step() -> None:
    text = "ASK { ?s <http://e/since> ?t FILTER (?t < NOW()) }"
    early, late = (f'<a> <http://e/since> "{day}T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .'
                   for day in ("2024-05-06", "2024-05-07"))  # fmt: skip
    assert holds(text, early)
    assert not holds(text, late)
    assert read_question(text, BASE).reads_time


def test_relative_references_are_relative_to_the_model() -> None:
    assert holds(
        "ASK { </env#x> <http://e/p> <#here> }", "<http://w/env#x> <http://e/p> <http://w/model#here> ."
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1:1: a sentry is an ASK query, this one is none"),
        ("SELECT * { ?s ?p ?o }", "1:1: a sentry is an ASK query, this one is SELECT"),
        ("ASK { ?s e:p 1 }", "1:10: the prefix e: is not declared; add PREFIX e: <...>"),
        ("ASK {\n  ?s ?p ", "2:9: the query ends too early"),
        ("ASK {\n ?s <p> }", "2:10: expected OPTIONAL"),
        ("ASK { FILTER (RAND() < 0.5) }", "1:15: RAND() would give another answer each time"),
        ("ASK { BIND (uuid() AS ?x) }", "1:13: UUID() would give another answer each time"),
        (
            "ASK { SERVICE <http://x/> { ?s ?p ?o } }",
            "1:7: SERVICE would ask the Web while deciding; name the endpoint with ag:source",
        ),
        (
            "ASK { BIND (1 AS ?thisArtifactInstance) }",
            "?thisArtifactInstance is the instance that asks, the query may not give it a value",
        ),
        (
            "ASK { VALUES ?thisArtifactInstance { <a> } }",
            "?thisArtifactInstance is the instance that asks, the query may not give it a value",
        ),
    ],
)
def test_a_faulty_query_says_where_and_why(text: str, fault: str) -> None:
    assert read_question(text, BASE).fault == fault


@pytest.mark.parametrize("part", [("{", "}"), ("[ <p> ", " ]"), ("( ", " )"), ("{ FILTER (! ", "true) }")])
@pytest.mark.parametrize("times", [40, 1_000, 100_000])
def test_a_query_that_is_nested_without_end_is_refused(part: tuple[str, str], times: int) -> None:
    opening, closing = part
    fault = read_question("ASK { " + opening * times + closing * times + " }", BASE).fault
    assert re.search(r"nested deeper than 32 levels|longer than 10000 characters|more than 600 words", fault)


@pytest.mark.parametrize(
    ("text", "negates"),
    [
        ("ASK { ?s ?p ?o }", False),
        ("ASK { ?s <p>+/^<q>|!<r> ?o FILTER (?o > 3) }", False),
        ("ASK { { ?s <p> ?o } UNION { ?s <q> ?o } }", False),
        ("ASK { FILTER EXISTS { ?s <p> ?o } }", False),
        ("ASK { { SELECT DISTINCT ?s WHERE { ?s <p> ?o } } }", False),
        ("ASK { FILTER NOT EXISTS { ?s <p> ?o } }", True),
        ("ASK { FILTER (!EXISTS { ?s <p> ?o }) }", True),
        ("ASK { ?s <p> ?o MINUS { ?s <q> ?o } }", True),
        ("ASK { ?s <p> ?o OPTIONAL { ?s <q> ?x } FILTER (!bound(?x)) }", True),
        ("ASK { { SELECT (COUNT(*) AS ?n) WHERE { ?s <p> ?o } } FILTER (?n < 3) }", True),
        ("ASK { { SELECT ?s WHERE { ?s <p> ?o } LIMIT 1 } ?s <q> 1 }", True),
        ("ASK { FILTER EXISTS { ?s <p> ?o MINUS { ?s <q> ?o } } }", True),
    ],
)
def test_negation_is_found_where_more_data_could_turn_the_answer(text: str, negates: bool) -> None:
    assert read_question(text, BASE).negates is negates


def test_sources_are_subjects_graphs_and_from_documents() -> None:
    text = """ASK FROM <http://f/d> { <http://a/x#it> <http://no/p> <http://no/o> . ?s <q> 1 .
        FILTER NOT EXISTS { <http://b/y> <p> ?z } GRAPH <http://g/h> { </env#x> ?p gsm:thisArtifactInstance }
        gsm:thisArtifactInstance <p> <http://no/way> . <urn:x> <p> 1 }"""
    expected = {"http://f/d", "http://a/x", "http://b/y", "http://g/h", "http://w/env"}
    assert read_question(text, BASE).sources == expected


def test_an_instance_that_is_no_iri_cannot_ask() -> None:
    with pytest.raises(ValueError, match="not an IRI"):
        read_question("ASK { ?thisArtifactInstance ?p ?o }", BASE).asked("http://w/> <x", INSTANT)
