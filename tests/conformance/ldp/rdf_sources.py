"""Checks of RDF sources, containers among them (LDP 1.0, section 4.3), numbers R15 to R32."""

from urllib.parse import urljoin

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

from tests.conformance.ldp.any_resource import put_back, state_of
from tests.conformance.ldp.checks import RDF_SOURCES, Check, LeftOutError, Subject, check, expect
from tests.conformance.ldp.client import LDP, RDF_TYPE, Answer, send

CHECKS: list[Check] = []
TITLE = "http://purl.org/dc/terms/title"
RELATION = "http://purl.org/dc/terms/relation"
CONSTRAINED_BY = LDP + "constrainedBy"


def put_with(before: Answer, predicate: str, value: str) -> Answer:
    """PUT a state with this one value of a property in place of those it had, under the right If-Match."""
    subject = NamedNode(before.uri)
    kept = [t for t in before.graph() if (t.subject, t.predicate) != (subject, NamedNode(predicate))]
    changed = [*kept, Triple(subject, NamedNode(predicate), Literal(value))]
    body = serialize(changed, format=RdfFormat.TURTLE)
    return put_back(before, body, If_Match=before.headers["etag"])


def _changed_read_only(subject: Subject) -> Answer:
    subject.needs("PUT")
    if not subject.parameters.read_only:
        raise LeftOutError("no property is read-only")
    return put_with(state_of(subject), subject.parameters.read_only, "changed")


def _added_unknown(subject: Subject) -> Answer:
    subject.needs("PUT")
    answer = put_with(state_of(subject), subject.parameters.unknown, "a comment")
    if answer.succeeded:
        raise LeftOutError("the property is stored")
    return answer


def _refused(answer: Answer) -> None:
    expect(400 <= answer.status < 500, f"the status is {answer.status}")


def _constraints_can_be_read(answer: Answer) -> None:
    _refused(answer)
    links = answer.links(CONSTRAINED_BY)
    expect(links, f"Link is {answer.headers.get('link')!r}")
    page = send("GET", links[0].target)
    expect(page.succeeded, f"GET {links[0].target} answers {page.status}")


@check(
    CHECKS,
    "R15",
    "MUST",
    RDF_SOURCES,
    "4.2.1.5",
    request="PUT with a relative URI, GET",
    expects="resolved against the request URI",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    before = state_of(subject)
    body = before.body + f"\n<> <{RELATION}> <relatedResource> .\n".encode()
    answer = put_back(before, body, If_Match=before.headers["etag"])
    expect(answer.succeeded, f"PUT answers {answer.status}")
    found = state_of(subject).objects(subject.uri, RELATION)
    expect(urljoin(subject.uri, "relatedResource") in found, f"the values are {found}")


def _title_is_replaced(subject: Subject, answer: Answer, title: str) -> None:
    expect(answer.succeeded, f"PUT answers {answer.status}")
    found = state_of(subject).objects(subject.uri, TITLE)
    expect(found == [title], f"the titles are {found}")


@check(
    CHECKS,
    "R16",
    "MUST",
    RDF_SOURCES,
    "4.2.4.1",
    request="PUT with another title, GET",
    expects="that title alone, if PUT succeeds",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    answer = put_with(state_of(subject), TITLE, "Another title")
    if not answer.succeeded:
        raise LeftOutError(f"PUT answers {answer.status}")
    _title_is_replaced(subject, answer, "Another title")


@check(
    CHECKS,
    "R17",
    "MUST",
    RDF_SOURCES,
    "4.2.4.2",
    request="PUT with another title, GET",
    expects="that title alone",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    _title_is_replaced(
        subject, put_with(state_of(subject), TITLE, "A title of its own"), "A title of its own"
    )


@check(
    CHECKS, "R18", "MUST", RDF_SOURCES, "4.3.1.4", request="GET as Turtle", expects="200, Turtle that parses"
)
def _(subject: Subject) -> None:
    expect("GET" in subject.allowed, "Allow on OPTIONS does not name GET")
    answer = state_of(subject)
    expect((answer.status, answer.media_type) == (200, "text/turtle"), f"{answer.status} {answer.media_type}")
    answer.graph()


@check(
    CHECKS,
    "R19",
    "SHOULD",
    RDF_SOURCES,
    "4.3.1.2",
    request="GET as Turtle",
    expects="the resource has a type",
)
def _(subject: Subject) -> None:
    expect(state_of(subject).objects(subject.uri, RDF_TYPE), "there is no rdf:type")


@check(
    CHECKS, "R20", "MAY", RDF_SOURCES, "4.3.1.3", request="GET as Turtle", expects="one type is ldp:RDFSource"
)
def _(subject: Subject) -> None:
    types = state_of(subject).objects(subject.uri, RDF_TYPE)
    expect(LDP + "RDFSource" in types, f"the types are {types}")


@check(
    CHECKS,
    "R24",
    "MUST",
    RDF_SOURCES,
    "4.3.2.1",
    request="GET with Accept of Turtle, alone and above JSON",
    expects="Turtle",
)
def _(subject: Subject) -> None:
    for accept in ("text/turtle", "text/turtle;q=0.9,application/json;q=0.8"):
        answer = send("GET", subject.uri, Accept=accept)
        expect(answer.succeeded, f"{accept}: the status is {answer.status}")
        expect(answer.media_type == "text/turtle", f"{accept}: the type is {answer.media_type}")


@check(CHECKS, "R25", "SHOULD", RDF_SOURCES, "4.3.2.2", request="GET with Accept */*", expects="Turtle")
def _(subject: Subject) -> None:
    answer = send("GET", subject.uri, Accept="*/*")
    expect(answer.succeeded, f"the status is {answer.status}")
    expect(answer.media_type == "text/turtle", f"the type is {answer.media_type}")


@check(
    CHECKS,
    "R26",
    "MUST",
    RDF_SOURCES,
    "4.3.2.3",
    request="GET as JSON-LD",
    expects="exactly that Content-Type, and the same triples",
)
def _(subject: Subject) -> None:
    answer = send("GET", subject.uri, Accept="application/ld+json, application/json;q=0.5")
    expect(answer.succeeded, f"the status is {answer.status}")
    kind = answer.headers.get("content-type")
    expect(kind in {"application/ld+json", "application/json"}, f"the Content-Type is {kind!r}")
    expect(answer.graph() == state_of(subject).graph(), "the triples are not those of Turtle")


@check(
    CHECKS,
    "R27",
    "MUST",
    RDF_SOURCES,
    "4.2.1.6",
    request="PUT that changes a read-only property",
    expects="4xx with a constrainedBy Link that can be read",
)
def _(subject: Subject) -> None:
    _constraints_can_be_read(_changed_read_only(subject))


@check(
    CHECKS,
    "R28",
    "MUST",
    RDF_SOURCES,
    "4.2.1.6",
    request="PUT that adds a property the server may not know",
    expects="success, or 4xx with a constrainedBy Link that can be read",
)
def _(subject: Subject) -> None:
    _constraints_can_be_read(_added_unknown(subject))


@check(
    CHECKS,
    "R29",
    "MUST",
    RDF_SOURCES,
    "4.2.4.3",
    request="PUT that changes a read-only property",
    expects="4xx",
)
def _(subject: Subject) -> None:
    _refused(_changed_read_only(subject))


@check(
    CHECKS,
    "R30",
    "SHOULD",
    RDF_SOURCES,
    "4.2.4.3",
    request="PUT that changes a read-only property",
    expects="a body",
)
def _(subject: Subject) -> None:
    answer = _changed_read_only(subject)
    _refused(answer)
    expect(answer.body, "the body is empty")


@check(
    CHECKS,
    "R31",
    "MUST",
    RDF_SOURCES,
    "4.2.4.4",
    request="PUT that adds a property the server may not know",
    expects="success or 4xx",
)
def _(subject: Subject) -> None:
    _refused(_added_unknown(subject))


@check(
    CHECKS,
    "R32",
    "SHOULD",
    RDF_SOURCES,
    "4.2.4.4",
    request="PUT that adds a property the server may not know",
    expects="success, or a body",
)
def _(subject: Subject) -> None:
    expect(_added_unknown(subject).body, "the body is empty")
