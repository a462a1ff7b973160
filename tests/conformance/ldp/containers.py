"""Checks of containers (LDP 1.0, sections 5.2 and 5.3), numbers K34 to B59."""

from urllib.parse import urljoin

from pyoxigraph import NamedNode, RdfFormat, Triple, serialize

from tests.conformance.ldp.any_resource import put_back, state_of
from tests.conformance.ldp.checks import Check, Kind, LeftOutError, Subject, check, expect
from tests.conformance.ldp.client import LDP, RDF_TYPE, Answer, send
from tests.conformance.ldp.rdf_sources import RELATION, TITLE

CHECKS: list[Check] = []
CONTAINS = LDP + "contains"
CONTAINER: tuple[Kind, ...] = ("container",)
_TURTLE = f'<> a <http://example.com/ns#Task> ; <{TITLE}> "A task" .'
_JSON = f'{{"@id": "", "{TITLE}": [{{"@value": "A task"}}]}}'
_MODELS = ("BasicContainer", "DirectContainer", "IndirectContainer")


def created(
    subject: Subject, body: str | bytes = _TURTLE, media_type: str = "text/turtle", **headers: str
) -> Answer:
    """POST to the container and expect 201 with a Location; return the answer."""
    subject.needs_post()
    answer = send("POST", subject.container, body, Content_Type=media_type, **headers)
    expect(answer.status == 201, f"POST answers {answer.status} {answer.body[:120].decode()}")
    expect(answer.headers.get("location"), "there is no Location")
    return answer


def location_of(answer: Answer) -> str:
    """Return the URI of what a POST created."""
    return urljoin(answer.uri, answer.headers["location"])


def listed(subject: Subject, prefer: str = "") -> list[str]:
    """Return what the container says that it contains."""
    headers = {"Prefer": prefer} if prefer else {}
    answer = send("GET", subject.container, Accept="text/turtle", **headers)
    expect(answer.succeeded, f"GET of the container answers {answer.status}")
    applied = answer.headers.get("preference-applied")
    expect(not applied or "return=representation" in applied, f"Preference-Applied is {applied!r}")
    return answer.objects(subject.container, CONTAINS)


def is_listed(subject: Subject, made: str) -> None:
    """Expect that the container says that it contains ``made``."""
    expect(made in listed(subject, wish("include", "PreferContainment")), f"{made} is not listed")


def wish(parameter: str, *names: str) -> str:
    """Return the value of a Prefer header (LDP 1.0, section 7.2)."""
    return f'return=representation; {parameter}="{" ".join(LDP + name for name in names)}"'


def deleted(uri: str) -> None:
    """DELETE and expect success."""
    answer = send("DELETE", uri)
    expect(answer.succeeded, f"DELETE answers {answer.status}")


def _container_as_resource(subject: Subject) -> str:
    """Return a resource that was asked for as a plain one, and whose body says that it is a container."""
    body = f'<> a <{LDP}Container>, <{LDP}BasicContainer> ; <{TITLE}> "Looks like a container" .'
    return location_of(created(subject, body, Link=f'<{LDP}Resource>; rel="type"'))


@check(CHECKS, "K34", "MAY", CONTAINER, "4.2.4.6", request="PUT to a new URI in the container", expects="201")
def _(subject: Subject) -> None:
    answer = send("PUT", subject.container + "made-by-put", _TURTLE, Content_Type="text/turtle")
    expect(answer.status == 201, f"the status is {answer.status}")


@check(
    CHECKS,
    "K35",
    "MUST",
    CONTAINER,
    "5.2.3.7",
    request="POST with a relative URI, GET",
    expects="resolved against the new URI",
)
def _(subject: Subject) -> None:
    made = location_of(created(subject, f"<> <{RELATION}> <relatedResource> ."))
    found = send("GET", made, Accept="text/turtle").objects(made, RELATION)
    expect(found == [urljoin(made, "relatedResource")], f"the values are {found}")


@check(
    CHECKS,
    "K36",
    "SHOULD",
    CONTAINER,
    "5.2.1.3",
    request="GET as Turtle",
    expects="no rdf:Bag, rdf:Seq or rdf:List",
)
def _(subject: Subject) -> None:
    collections = {RDF_TYPE.replace("type", name) for name in ("Bag", "Seq", "List")}
    types = {str(triple.object) for triple in state_of(subject).graph() if triple.predicate.value == RDF_TYPE}
    found = sorted(types & {f"<{kind}>" for kind in collections})
    expect(not found, f"it has {found}")


@check(
    CHECKS,
    "K37",
    "SHOULD",
    CONTAINER,
    "5.2.1.5",
    request="GET with Prefer: containment, minimal, without containment",
    expects="members, none, none; Preference-Applied says return=representation",
)
def _(subject: Subject) -> None:
    created(subject)
    expect(listed(subject, wish("include", "PreferContainment")), "no members when they are preferred")
    expect(not listed(subject, wish("include", "PreferMinimalContainer")), "members in the minimal container")
    expect(not listed(subject, wish("omit", "PreferContainment")), "members that were to be left out")


@check(CHECKS, "K38", "MUST", CONTAINER, "5.2.3.1", request="POST Turtle", expects="201 with Location")
def _(subject: Subject) -> None:
    created(subject)


@check(
    CHECKS,
    "K39",
    "MUST",
    CONTAINER,
    "5.2.3.2",
    request="POST, GET the container",
    expects="it contains the new resource",
)
def _(subject: Subject) -> None:
    is_listed(subject, location_of(created(subject)))


@check(
    CHECKS,
    "K40",
    "MUST",
    CONTAINER,
    "5.2.3.4",
    request="POST to a resource that only its body calls a container",
    expects="not 201",
)
def _(subject: Subject) -> None:
    answer = send("POST", _container_as_resource(subject), _TURTLE, Content_Type="text/turtle")
    expect(answer.status != 201, "a member was created")


@check(
    CHECKS,
    "K41",
    "MUST",
    CONTAINER,
    "5.2.3.4",
    request="OPTIONS of a resource that only its body calls a container",
    expects="no type Link to a container",
)
def _(subject: Subject) -> None:
    answer = send("OPTIONS", _container_as_resource(subject))
    expect(answer.succeeded, f"the status is {answer.status}")
    kinds = [kind for kind in _MODELS if answer.is_typed(kind)]
    expect(not kinds, f"it is typed {kinds}")


@check(CHECKS, "K42", "MUST", CONTAINER, "5.2.3.5", request="POST text/turtle", expects="201")
def _(subject: Subject) -> None:
    created(subject, media_type="text/turtle")


@check(
    CHECKS,
    "K43",
    "SHOULD",
    CONTAINER,
    "5.2.3.6",
    request="POST Turtle under the name of another media type",
    expects="415, or a resource that is not RDF",
)
def _(subject: Subject) -> None:
    subject.needs_post()
    answer = send("POST", subject.container, _TURTLE, Content_Type="text/this-is-not-turtle")
    if answer.status == 415:
        return
    expect(answer.status == 201, f"the status is {answer.status}")
    made = send("GET", location_of(answer))
    expect(made.media_type != "text/turtle", "it was read as Turtle")
    expect(not made.is_typed("RDFSource"), "it is typed ldp:RDFSource")


@check(
    CHECKS,
    "K44",
    "MUST",
    CONTAINER,
    "5.2.3.7",
    request="POST statements about <>, GET",
    expects="they are about the new URI",
)
def _(subject: Subject) -> None:
    made = location_of(created(subject))
    found = send("GET", made, Accept="text/turtle").objects(made, TITLE)
    expect(found == ["A task"], f"the titles are {found}")


@check(
    CHECKS, "K45", "SHOULD", CONTAINER, "5.2.3.8", request="POST without Slug", expects="201 with Location"
)
def _(subject: Subject) -> None:
    created(subject)


@check(CHECKS, "K46", "SHOULD", CONTAINER, "5.2.3.9", request="POST of one triple", expects="201")
def _(subject: Subject) -> None:
    created(subject, f'<> <{TITLE}> "Only a title" .')


def _another_name(subject: Subject, **headers: str) -> None:
    first = location_of(created(subject, **headers))
    deleted(first)
    second = location_of(created(subject, **headers))
    expect(first != second, f"{first} was given out again")


@check(
    CHECKS,
    "K47",
    "SHOULD",
    CONTAINER,
    "5.2.3.11",
    request="POST with Slug, DELETE, POST with the same Slug",
    expects="another URI",
)
def _(subject: Subject) -> None:
    _another_name(subject, Slug="uritest")


@check(CHECKS, "K48", "SHOULD", CONTAINER, "5.2.3.11", request="POST, DELETE, POST", expects="another URI")
def _(subject: Subject) -> None:
    _another_name(subject)


@check(
    CHECKS,
    "K49",
    "MUST",
    CONTAINER,
    "5.2.3.13",
    request="OPTIONS",
    expects="Accept-Post where POST is allowed",
)
def _(subject: Subject) -> None:
    answer = send("OPTIONS", subject.uri)
    if "POST" in answer.allowed:
        expect(answer.headers.get("accept-post"), "there is no Accept-Post")


@check(
    CHECKS,
    "K50",
    "SHOULD",
    CONTAINER,
    "5.2.4.1",
    request="PUT with one more ldp:contains",
    expects="a refusal",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    before = state_of(subject)
    more = Triple(NamedNode(subject.uri), NamedNode(CONTAINS), NamedNode(subject.uri + "never-made"))
    body = serialize([*before.graph(), more], format=RdfFormat.TURTLE)
    answer = put_back(before, body, If_Match=before.headers["etag"])
    expect(not answer.succeeded, f"the status is {answer.status}")


@check(
    CHECKS,
    "K51",
    "SHOULD",
    CONTAINER,
    "5.2.4.2",
    request="PUT to a new URI, DELETE, PUT again",
    expects="the last is refused",
)
def _(subject: Subject) -> None:
    uri = subject.container + "put-and-deleted"
    first = send("PUT", uri, _TURTLE, Content_Type="text/turtle")
    if not first.succeeded:
        raise LeftOutError(f"PUT to a new URI answers {first.status}")
    deleted(uri)
    again = send("PUT", uri, _TURTLE, Content_Type="text/turtle")
    expect(not again.succeeded, f"the status is {again.status}")


@check(
    CHECKS,
    "K52",
    "MUST",
    CONTAINER,
    "5.2.5.1",
    request="POST, DELETE, GET the container",
    expects="the member is gone",
)
def _(subject: Subject) -> None:
    made = location_of(created(subject))
    deleted(made)
    expect(made not in listed(subject), f"{made} is still listed")


@check(CHECKS, "K53", "SHOULD", CONTAINER, "5.2.7.1", request="OPTIONS", expects="PATCH in Allow")
def _(subject: Subject) -> None:
    answer = send("OPTIONS", subject.uri)
    expect("PATCH" in answer.allowed, f"Allow is {sorted(answer.allowed)}")


@check(
    CHECKS, "K54", "MAY", CONTAINER, "5.2.1.2", request="GET as Turtle", expects="one type is ldp:Container"
)
def _(subject: Subject) -> None:
    types = state_of(subject).objects(subject.uri, RDF_TYPE)
    expect(LDP + "Container" in types, f"the types are {types}")


@check(CHECKS, "K55", "MAY", CONTAINER, "5.2.3.10", request="POST with Slug", expects="the slug in Location")
def _(subject: Subject) -> None:
    made = location_of(created(subject, Slug="qwerty"))
    expect("qwerty" in made.lower(), f"Location is {made}")


@check(
    CHECKS,
    "K56",
    "MUST",
    CONTAINER,
    "5.2.3.14",
    request="POST JSON-LD, GET as Turtle",
    expects="201; an RDF source in Turtle",
)
def _(subject: Subject) -> None:
    made = location_of(created(subject, _JSON, "application/ld+json"))
    answer = send("GET", made, Accept="text/turtle")
    expect(answer.media_type == "text/turtle", f"the type is {answer.media_type!r}")
    expect(answer.objects(made, TITLE) == ["A task"], "the title is lost")
    expect(not answer.is_typed("NonRDFSource"), "it is typed ldp:NonRDFSource")


@check(
    CHECKS, "B59", "MUST", CONTAINER, "5.3.1.1", request="GET", expects="a type Link to ldp:BasicContainer"
)
def _(subject: Subject) -> None:
    answer = state_of(subject)
    expect(answer.is_typed("BasicContainer"), f"Link is {answer.headers.get('link')!r}")
