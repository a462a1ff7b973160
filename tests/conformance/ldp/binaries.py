"""Checks of resources that are no RDF (LDP 1.0, sections 4.4 and 5.2), numbers N73 to N80."""

import struct
import zlib

from tests.conformance.ldp.any_resource import has_tag
from tests.conformance.ldp.checks import Check, Kind, Subject, check, expect
from tests.conformance.ldp.client import Answer, send
from tests.conformance.ldp.containers import created, deleted, is_listed, location_of

CHECKS: list[Check] = []
BINARY: tuple[Kind, ...] = ("binary",)
PNG_TYPE = "image/png"


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\x00\xff"))
    + _chunk(b"IEND", b"")
)
"""A picture of one white point."""


def _picture(subject: Subject) -> Answer:
    return created(subject, PNG, PNG_TYPE, Slug="picture")


def _description(answer: Answer, of: str) -> str:
    """Return the resource that describes the binary ``of``, as a Link of the answer says."""
    found = [link.target for link in answer.links("describedby") if link.context == of]
    expect(len(found) == 1, f"Link is {answer.headers.get('link')!r}")
    return found[0]


def _described_picture(subject: Subject) -> tuple[str, str]:
    """Make a picture and return it and what describes it."""
    answer = _picture(subject)
    made = location_of(answer)
    return made, _description(answer, made)


def _is_rdf_with_tag(uri: str) -> None:
    answer = send("GET", uri, Accept="text/turtle")
    expect(answer.status == 200, f"the description answers {answer.status}")
    expect(answer.media_type == "text/turtle", f"the description is {answer.media_type!r}")
    answer.graph()
    has_tag(answer)


def _is_the_picture(answer: Answer) -> None:
    expect(answer.status == 200, f"the status is {answer.status}")
    expect(answer.media_type == PNG_TYPE, f"the type is {answer.media_type!r}")
    expect(answer.body == PNG, f"other bytes came, {len(answer.body)} in place of {len(PNG)}")


@check(
    CHECKS,
    "N73",
    "MAY",
    BINARY,
    "5.2.3.3",
    request="POST of a picture with Slug",
    expects="201 with Location",
)
def _(subject: Subject) -> None:
    _picture(subject)


@check(
    CHECKS,
    "N74",
    "MAY",
    BINARY,
    "5.2.3.3",
    request="POST of a picture, GET the container",
    expects="it contains the picture",
)
def _(subject: Subject) -> None:
    is_listed(subject, location_of(_picture(subject)))


@check(
    CHECKS,
    "N75",
    "MAY",
    BINARY,
    "5.2.3.6",
    request="POST of a picture, GET it",
    expects="the same bytes and type, an entity tag",
)
def _(subject: Subject) -> None:
    answer = send("GET", location_of(_picture(subject)), Accept=PNG_TYPE)
    _is_the_picture(answer)
    has_tag(answer)


@check(
    CHECKS,
    "N76",
    "MAY",
    BINARY,
    "5.2.3.12",
    request="POST of a picture, GET what describes it, GET it",
    expects="a describedby Link on the 201; Turtle with an entity tag; the same bytes",
)
def _(subject: Subject) -> None:
    made, description = _described_picture(subject)
    _is_rdf_with_tag(description)
    _is_the_picture(send("GET", made, Accept=PNG_TYPE))


@check(
    CHECKS,
    "N77",
    "MAY",
    BINARY,
    "4.4.1.2",
    request="GET of a picture",
    expects="a type Link to ldp:NonRDFSource",
)
def _(subject: Subject) -> None:
    answer = send("GET", location_of(_picture(subject)))
    expect(answer.is_typed("NonRDFSource"), f"Link is {answer.headers.get('link')!r}")


@check(
    CHECKS,
    "N78",
    "MAY",
    BINARY,
    "5.2.3.12",
    request="POST of a picture, GET it, GET what describes it",
    expects="the describedby Link of the 201 on the GET too; Turtle with an entity tag",
)
def _(subject: Subject) -> None:
    made, description = _described_picture(subject)
    expect(_description(send("GET", made), made) == description, "GET links to another description")
    _is_rdf_with_tag(description)


@check(
    CHECKS,
    "N79",
    "MUST",
    BINARY,
    "5.2.5.2",
    request="DELETE of a picture, GET what described it",
    expects="404 or 410",
)
def _(subject: Subject) -> None:
    made, description = _described_picture(subject)
    deleted(made)
    after = send("GET", description)
    expect(after.status in {404, 410}, f"the status is {after.status}")


@check(
    CHECKS,
    "N80",
    "MUST",
    BINARY,
    "5.2.8.1",
    request="OPTIONS of a picture",
    expects="the describedby Link of the 201",
)
def _(subject: Subject) -> None:
    made, description = _described_picture(subject)
    expect(_description(send("OPTIONS", made), made) == description, "OPTIONS links to another description")
