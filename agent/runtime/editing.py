"""Changing a few statements of a document on the Web: read, change, write back under If-Match, and once more if need be.

Everything that the change does not mention is sent back as it was read. Whoever changes the document in between
wins: the server refuses our write (412), and the change is made again on what stands there then.
"""

from collections.abc import Callable, Iterable

from agent.decide.request import relative_to
from agent.errors import Place, ProgramError, WorldError
from agent.messages import Headers
from agent.rdf.documents import Content
from agent.rdf.serialise import body_turtle
from agent.rdf.terms import IRI, Term, Triple, document_of
from agent.runtime.advice import UNREACHED, advice_on, unreadable
from agent.runtime.looking import read_outcome
from agent.transport.client import Client, NoReplyError, Reply

TRIES = 8
TURTLE = "text/turtle"

Edit = Callable[[Content], Iterable[Triple] | None]
"""From a document as read to what it shall say, or None if it says it already; it may raise why it must not."""


async def read_content(client: Client, uri: str) -> Content:
    """Return what the document of ``uri`` says; WorldError NET001 or NET002 if it cannot be read."""
    outcome = await read_outcome(client, uri)
    if isinstance(outcome, Content):
        return outcome
    raise unreadable(outcome)


async def edit_document(client: Client, uri: str, edit: Edit) -> bool:
    """Make ``edit`` of the document of ``uri``; return whether anything had to be written.

    WorldError if it cannot be read (NET001, NET002), is refused (NET002) or changes all the time (GSM058);
    ProgramError GSM057 if it cannot be written back without loss; and what ``edit`` raises.
    """
    validators: set[str] = set()
    for _ in range(TRIES):
        content = await read_content(client, uri)
        validators.add(content.etag)
        wanted = edit(content)
        if wanted is None:
            return False
        _check_kept(content)
        body = body_turtle(relative_to(content.document, wanted))
        fields = (("Content-Type", TURTLE), ("If-Match", content.etag))
        reply = await send(client, "PUT", content.document, fields, body)
        if 200 <= reply.status < 300:
            return True
        if reply.status != 412:
            raise refused("PUT", content.document, reply)
    if len(validators) == 1:
        message = f"PUT {document_of(uri)} was refused {TRIES} times: the server answered 412 to the ETag that it gives"
        raise WorldError(
            "NET002", message, hint="Nobody changed the document; the server or a proxy spoils ETags."
        )
    raise WorldError("GSM058", f"{document_of(uri)} was changed by others {TRIES} times in a row")


async def send(client: Client, method: str, uri: str, headers: Headers, body: bytes) -> Reply:
    """Send one request and return the answer; WorldError NET001 if there is none."""
    try:
        return await client.request(method, uri, headers, body)
    except NoReplyError as error:
        raise WorldError("NET001", f"no answer to {method} {uri}: {error.reason}", hint=UNREACHED) from None


def refused(method: str, uri: str, reply: Reply) -> WorldError:
    """Return the error for an answer that says no."""
    said = reply.body[:200].decode("utf-8", "replace").split("\n")[0].strip()
    more = f": {said}" if said and reply.headers.get("content-type", "").startswith("text/plain") else ""
    message = f"{method} {uri} was refused: the server answered {reply.status}{more}"
    return WorldError("NET002", message, hint=advice_on(reply.status))


def with_value(triples: Iterable[Triple], subject: IRI, predicate: IRI, value: Term) -> list[Triple]:
    """Return ``triples`` with ``value`` as the only value of a property."""
    return [*without(triples, subject, predicate), Triple(subject, predicate, value)]


def without(triples: Iterable[Triple], subject: IRI, *predicates: IRI) -> list[Triple]:
    """Return ``triples`` without the values of some properties of ``subject``."""
    return [t for t in triples if not (t.subject == subject and t.predicate in predicates)]


def _check_kept(content: Content) -> None:
    place = Place(content.document)
    if content.tainted:
        raise ProgramError(
            "GSM057", f"a statement could not be read, and would be lost: {content.skipped[0]}", place=place
        )
    # If-Match compares strongly: a weak validator would never match (RFC 9110, section 13.1.1).
    if not content.etag or content.etag.startswith("W/"):
        raise ProgramError(
            "GSM057", "the server gives no strong validator, so a change by others could be lost", place=place
        )
