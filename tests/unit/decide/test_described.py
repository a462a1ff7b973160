"""ag:likeRequest takes method, URI, body and header fields from memory."""

import pytest

from agent.decide.requests import ground_requests
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_REST, BlankNode, Literal, Term, Triple
from agent.vocab import HTTP, METHODS
from tests.support.asked import E, bound, iri, memory, template

R = iri("task")
JSON_LD = '{"http://schema.org/text":"A"}'


def http(name: str, value: Term, subject: Term = R) -> Triple:
    return Triple(subject, IRI(HTTP + name), value)


POST = http("mthd", IRI(METHODS + "POST"))
TO_DEVICE = http("requestURI", iri("device"))
LIKE = template(None, None, like=R)


def test_a_task_is_read_from_memory() -> None:
    facts = memory(POST, TO_DEVICE, http("body", Literal(JSON_LD)))
    requests, findings = ground_requests([bound(LIKE)], facts)
    assert [(r.method, r.uri, r.body, r.headers) for r in requests] == [
        ("POST", E + "device", Literal(JSON_LD), ())
    ]
    assert findings == ()


def test_a_task_without_a_body_is_a_task() -> None:
    (request,), _ = ground_requests([bound(LIKE)], memory(POST, TO_DEVICE))
    assert request.body is None


def test_header_fields_come_from_the_request_and_from_its_list_of_headers() -> None:
    cell, node, loose = BlankNode("c"), BlankNode("n"), BlankNode("l")
    facts = memory(
        POST,
        TO_DEVICE,
        http("fieldName", Literal("Slug")),
        http("fieldValue", Literal("a")),
        http("headers", cell),
        http("headers", loose),
        Triple(cell, RDF_FIRST, node),
        Triple(cell, RDF_REST, RDF_NIL),
        http("fieldName", Literal("Content-Type"), node),
        http("fieldValue", Literal("text/turtle"), node),
        http("fieldName", Literal("Prefer"), loose),
        http("fieldValue", Literal("wait=1"), loose),
    )
    (request,), _ = ground_requests([bound(LIKE)], facts)
    assert request.headers == (("Content-Type", "text/turtle"), ("Prefer", "wait=1"), ("Slug", "a"))


def test_a_list_of_headers_that_bites_its_tail_ends() -> None:
    cell, node = BlankNode("c"), BlankNode("n")
    facts = memory(
        POST,
        TO_DEVICE,
        http("headers", cell),
        Triple(cell, RDF_FIRST, node),
        Triple(cell, RDF_REST, cell),
        http("fieldName", Literal("Slug"), node),
        http("fieldValue", Literal("a"), node),
    )
    (request,), _ = ground_requests([bound(LIKE)], facts)
    assert request.headers == (("Slug", "a"),)


@pytest.mark.parametrize(
    ("triples", "why"),
    [
        ([TO_DEVICE], "the request has no method"),
        ([POST], "the request has no request URI"),
        ([POST, TO_DEVICE, http("requestURI", iri("other"))], "the request has 2 request URIs"),
        (
            [POST, TO_DEVICE, http("body", Literal("a")), http("body", Literal("b"))],
            "the request has 2 bodies",
        ),
        (
            [POST, TO_DEVICE, http("fieldName", Literal("Slug"))],
            "a header field needs one http:fieldName and one http:fieldValue",
        ),
    ],
)
def test_two_values_are_named_and_never_chosen_from(triples: list[Triple], why: str) -> None:
    requests, findings = ground_requests([bound(LIKE)], memory(*triples))
    assert requests == ()
    assert [(f.code, f.message) for f in findings] == [
        ("ASM104", f"request not sent: {E}task: {why} in memory")
    ]
