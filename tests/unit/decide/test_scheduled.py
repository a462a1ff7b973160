"""Tasks become entries of queues under names that follow from what they are."""

from agent.decide.request import Request
from agent.decide.requests import ground_requests
from agent.decide.scheduled import FOR_STAGE_INSTANCE, through_schedulers
from agent.rdf.terms import IRI, TRUE, XSD_INTEGER, Formula, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.vocab import AG, GSM, HTTP, METHODS, SCHED
from tests.support.asked import E, bound, iri, memory, template

QUEUE = IRI("http://example.org/queue/")


def _facts(
    *,
    activation: str = "1",
    run: str = "r1",
    service: str = "device",
    body: Term = Literal("go"),  # noqa: B008  a value
    uri: str = "device",
) -> Facts:
    return memory(
        Triple(iri("task"), IRI(HTTP + "mthd"), IRI(METHODS + "POST")),
        Triple(iri("task"), IRI(HTTP + "requestURI"), iri(uri)),
        Triple(iri("task"), IRI(HTTP + "body"), body),
        Triple(iri("s"), IRI(GSM + "inArtifactInstance"), iri("a")),
        Triple(iri("s"), IRI(GSM + "isInstanceOf"), iri("S")),
        Triple(iri("s"), IRI(AG + "activation"), Literal(activation, XSD_INTEGER)),
        Triple(iri("a"), IRI(AG + "run"), Literal(run)),
        Triple(iri("scheduler"), IRI(SCHED + "forService"), iri(service)),
        Triple(iri("scheduler"), IRI(SCHED + "queue"), QUEUE),
    )


def _sent(facts: Facts, stage: str = "s") -> Request:
    task = template(
        None,
        None,
        like=iri("task"),
        annotations=((FOR_STAGE_INSTANCE, iri(stage)), (AG + "unit", iri(stage))),
    )
    requests, findings = ground_requests([bound(task)], facts)
    assert findings == ()
    [request] = through_schedulers(requests, facts)
    return request


def test_an_entry_is_created_only_and_keeps_what_rules_say_of_the_task() -> None:
    request = _sent(_facts())
    assert request.method == "PUT"
    assert request.uri.startswith(QUEUE.value)
    assert request.creates_only
    assert request.headers == (("Prefer", "respond-async"),)
    assert [edge.unit for edge in request.edges] == [iri("s")]
    assert request.instances == (E + "a",)
    assert (FOR_STAGE_INSTANCE, iri("s")) in request.annotations
    assert (AG + "createOnly", TRUE) in request.annotations


def test_the_name_of_an_entry_is_the_same_for_the_same_task_and_no_other() -> None:
    same = {_sent(_facts()).uri for _ in range(3)}
    others = {
        _sent(_facts(activation="2")).uri,
        _sent(_facts(run="r2")).uri,
        _sent(_facts(body=Literal("stop"))).uri,
        _sent(_facts(), "other").uri,
        _sent(_facts(uri="device/part")).uri,
    }
    assert len(same) == 1
    assert len(same | others) == 6


def test_of_several_schedulers_of_a_service_the_queue_that_comes_first_by_name_is_taken() -> None:
    facts = _facts()
    for name in ("c", "a", "b"):
        facts.add(Triple(iri(name), IRI(SCHED + "forService"), iri("device")))
        facts.add(Triple(iri(name), IRI(SCHED + "queue"), IRI(f"http://example.org/{name}/")))
    assert _sent(facts).uri.startswith("http://example.org/a/")


def test_a_body_of_triples_waits_as_the_text_that_would_have_been_sent() -> None:
    about_this = Formula((Triple(iri("x"), iri("about"), IRI(GSM + "thisArtifactInstance")),))
    request = _sent(_facts(body=about_this))
    assert isinstance(request.body, Formula)
    bodies = [t.object for t in request.body.triples if t.predicate == IRI(HTTP + "body")]
    assert bodies == [Literal(f"<{E}x> <{E}about> <{E}a> .\n")]


def test_only_what_lies_at_or_below_the_service_is_scheduled() -> None:
    uris = {
        uri: _sent(_facts(uri=uri)).uri.startswith(QUEUE.value)
        for uri in (
            "device",
            "device/part",
            "device?x=1",
            "device-2",
            "device/../other",
            "device/%2e%2E/other",
            "dev",
        )
    }
    assert uris == {
        "device": True,
        "device/part": True,
        "device?x=1": True,
        "device-2": False,
        "device/../other": False,
        "device/%2e%2E/other": False,
        "dev": False,
    }
