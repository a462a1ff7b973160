"""Sources that are described as queries to SPARQL endpoints, in every place that may name one."""

import pytest

from agent.rdf.endpoints import construct_uri
from tests.support.gsm import CONTAINER, single, small_world, status
from tests.support.world import FakeWorld

ENDPOINT = "http://w/sparql"
QUERY = "CONSTRUCT { ?room <http://e/warm> true } WHERE { ?room <http://e/celsius> ?t FILTER (?t > 25) }"
RESULT = construct_uri(ENDPOINT, QUERY)
SOURCE = f'a ag:SparqlSource ; ag:endpoint <{ENDPOINT}> ; ag:construct "{QUERY}"'
MODEL = """<#r> a gsm:Stage ; gsm:hasChildStage <#cool> , <#rest> .
    <#cool> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#some> ] .
    <#rest> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#none> ] .
    <#some> ag:ask "ASK { ?room <http://e/warm> true }" .
    <#none> ag:ask "ASK { FILTER NOT EXISTS { ?room <http://e/warm> true } }" ."""
IN_MODEL = f"<#r> ag:source <#readings> . <#readings> {SOURCE} ."


def opened(world: FakeWorld) -> set[str]:
    """Set up, take a step, and return which stages opened."""
    for _ in range(2):
        assert world.step(single("i1")).failure is None
    return {name for name, state in status(world).items() if state == "active"} - {"r"}


@pytest.mark.parametrize(
    "place",
    [
        IN_MODEL,
        f"<#cool> ag:source [ {SOURCE} ] .",
        f"<#some> ag:source [ {SOURCE} ] .",
        f"<#none> ag:dependsOn [ {SOURCE} ] .",
        "<#r> ag:source </described#readings> . <http://w/no> <http://e/p> <#some> .",
    ],
)
@pytest.mark.parametrize(("answer", "stage"), [("", "rest"), ("<#x> <http://e/warm> true .", "cool")])
def test_the_answer_of_an_endpoint_is_read_wherever_the_source_is_named(
    place: str, answer: str, stage: str
) -> None:
    world = small_world(MODEL + place)
    world.put(
        "http://w/described", f"@prefix ag: <https://w3id.org/milepost/agent#> . <#readings> {SOURCE} ."
    )
    world.put(RESULT, answer)
    assert opened(world) == {stage}


def test_an_instance_may_name_an_endpoint_for_itself() -> None:
    world = small_world(MODEL)
    page = world.pages[f"{CONTAINER}i1"].body.decode()
    world.put(f"{CONTAINER}i1", f"{page} <#it> ag:source [ {SOURCE} ] .")
    world.put(RESULT, "<#x> <http://e/warm> true .")
    assert opened(world) == {"cool"}


@pytest.mark.parametrize(
    "source",
    [
        SOURCE,
        f"a ag:SparqlSource ; ag:endpoint <{ENDPOINT}>",
        f'a ag:SparqlSource ; ag:construct "{QUERY}"',
        f'a ag:SparqlSource ; ag:endpoint <urn:x> ; ag:construct "{QUERY}"',
        f'a ag:SparqlSource ; ag:endpoint "{ENDPOINT}" ; ag:construct "{QUERY}"',
        f'ag:endpoint <{ENDPOINT}> ; ag:construct "{QUERY}"',
    ],
)
@pytest.mark.parametrize("place", ["<#r> ag:source [ {} ] .", "<#none> ag:dependsOn [ {} ] ."])
def test_a_source_that_fails_or_cannot_be_asked_is_no_absence(place: str, source: str) -> None:
    world = small_world(MODEL + place.format(source))
    world.get_faults[RESULT] = "the SPARQL endpoint answered 500"
    assert opened(world) == set()


@pytest.mark.parametrize("source", ["<urn:x>", '"http://w/env"'])
def test_a_source_that_is_no_document_is_no_absence(source: str) -> None:
    assert opened(small_world(f"{MODEL} <#r> ag:source {source} .")) == set()


def test_people_are_told_what_is_not_known() -> None:
    world = small_world(MODEL + IN_MODEL)
    world.get_faults[RESULT] = 503
    world.step(single("i1"))
    reasons = {value.reason for value in world.step(single("i1")).sentries}
    assert reasons == {f"not known: {ENDPOINT} asked {QUERY[:60]}..."}


def test_what_an_endpoint_says_about_a_workflow_does_not_count() -> None:
    world = small_world(MODEL + IN_MODEL)
    world.put(
        RESULT,
        f"""@prefix gsm: <http://purl.org/gsm/vocab#> . <http://w/model#some> <http://www.w3.org/2005/sparql-results#boolean>
        true . <{CONTAINER}i1#it> gsm:hasState gsm:inactive . <http://w/x> <http://e/warm> false .""",
    )
    assert opened(world) == {"rest"}
