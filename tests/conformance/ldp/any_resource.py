"""Checks of every kind of resource (LDP 1.0, section 4.2), numbers C2 to C14."""

import re

from tests.conformance.ldp.checks import EVERY_KIND, Check, LeftOutError, Subject, check, expect
from tests.conformance.ldp.client import Answer, send

CHECKS: list[Check] = []
_TAG = re.compile(r'(W/)?"[\x21\x23-\x7e\x80-\xff]*"')
NO_SUCH_TAG = '"no-state-ever-had-this-tag"'


def state_of(subject: Subject) -> Answer:
    """Return the resource: RDF as Turtle, a binary as it is."""
    accept = "*/*" if subject.kind == "binary" else "text/turtle"
    answer = send("GET", subject.uri, Accept=accept)
    expect(answer.succeeded, f"GET answers {answer.status}")
    return answer


def put_back(answer: Answer, body: bytes | str | None = None, /, **headers: str) -> Answer:
    """PUT what a GET answered, or ``body`` in its place, with the media type that the GET had."""
    kept = answer.body if body is None else body
    return send("PUT", answer.uri, kept, Content_Type=answer.headers.get("content-type", ""), **headers)


def has_tag(answer: Answer) -> None:
    """Expect success and a well-formed entity tag."""
    expect(answer.succeeded, f"the status is {answer.status}")
    tag = answer.headers.get("etag", "")
    expect(_TAG.fullmatch(tag), f"the ETag is {tag!r}")


@check(CHECKS, "C2", "MUST", EVERY_KIND, "4.2.1.3", request="GET", expects="success with an entity tag")
def _(subject: Subject) -> None:
    has_tag(state_of(subject))


@check(CHECKS, "C3", "MUST", EVERY_KIND, "4.2.1.3", request="HEAD", expects="success with an entity tag")
def _(subject: Subject) -> None:
    has_tag(send("HEAD", subject.uri))


@check(CHECKS, "C4", "MUST", EVERY_KIND, "4.2.1.4", request="GET", expects="a type Link to ldp:Resource")
def _(subject: Subject) -> None:
    answer = state_of(subject)
    expect(answer.is_typed("Resource"), f"Link is {answer.headers.get('link')!r}")


@check(CHECKS, "C5", "MUST", ("binary",), "4.2.2.1", request="OPTIONS, GET", expects="GET in Allow; success")
def _(subject: Subject) -> None:
    expect("GET" in subject.allowed, "Allow on OPTIONS does not name GET")
    state_of(subject)


@check(
    CHECKS,
    "C6",
    "MUST",
    EVERY_KIND,
    "4.2.2.2",
    request="GET",
    expects="Allow; Accept-Patch where PATCH is allowed, Accept-Post where POST is",
)
def _(subject: Subject) -> None:
    answer = state_of(subject)
    expect(answer.allowed, "there is no Allow")
    for method, header in (("PATCH", "accept-patch"), ("POST", "accept-post")):
        if method in answer.allowed:
            expect(answer.headers.get(header), f"{method} is allowed, and there is no {header}")


@check(
    CHECKS,
    "C7",
    "SHOULD",
    EVERY_KIND,
    "4.2.4.5",
    request="PUT of the same state, no If-Match",
    expects="a refusal",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    answer = put_back(state_of(subject))
    expect(not answer.succeeded, f"the status is {answer.status}")


@check(
    CHECKS,
    "C8",
    "MUST",
    EVERY_KIND,
    "4.2.4.5",
    request="PUT of the same state with a wrong If-Match",
    expects="412",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    answer = put_back(state_of(subject), If_Match=NO_SUCH_TAG)
    expect(answer.status == 412, f"the status is {answer.status}")


@check(
    CHECKS,
    "C9",
    "MUST",
    EVERY_KIND,
    "4.2.4.5",
    request="PUT with the right If-Match, then without",
    expects="success, then 428",
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    before = state_of(subject)
    first = put_back(before, If_Match=before.headers["etag"])
    if not first.succeeded:
        raise LeftOutError(f"PUT with the right If-Match answers {first.status}")
    second = put_back(before)
    if second.succeeded:
        raise LeftOutError("PUT without If-Match is accepted")
    expect(second.status == 428, f"the status is {second.status}")


@check(
    CHECKS, "C10", "MUST", EVERY_KIND, "4.2.4.5", request="PUT with If-Match on an older state", expects="412"
)
def _(subject: Subject) -> None:
    subject.needs("PUT")
    before = state_of(subject)
    tag = before.headers["etag"]
    answer = put_back(before, If_Match=f'{tag[:-1]}-older"')
    expect(answer.status == 412, f"the status is {answer.status}")


@check(
    CHECKS, "C11", "MUST", EVERY_KIND, "4.2.6.1", request="OPTIONS, HEAD", expects="HEAD in Allow; success"
)
def _(subject: Subject) -> None:
    expect("HEAD" in subject.allowed, "Allow on OPTIONS does not name HEAD")
    answer = send("HEAD", subject.uri)
    expect(answer.succeeded, f"the status is {answer.status}")


@check(
    CHECKS,
    "C12",
    "MUST",
    EVERY_KIND,
    "4.2.7.1",
    request="OPTIONS",
    expects="Accept-Patch where PATCH is allowed",
)
def _(subject: Subject) -> None:
    answer = send("OPTIONS", subject.uri)
    if "PATCH" in answer.allowed:
        expect(answer.headers.get("accept-patch"), "there is no Accept-Patch")


@check(CHECKS, "C13", "MUST", EVERY_KIND, "4.2.8.1", request="OPTIONS", expects="success")
def _(subject: Subject) -> None:
    answer = send("OPTIONS", subject.uri)
    expect(answer.succeeded, f"the status is {answer.status}")


@check(CHECKS, "C14", "MUST", EVERY_KIND, "4.2.8.2", request="OPTIONS", expects="success with Allow")
def _(subject: Subject) -> None:
    answer = send("OPTIONS", subject.uri)
    expect(answer.succeeded, f"the status is {answer.status}")
    expect(answer.allowed, "there is no Allow")
