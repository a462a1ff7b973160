"""What goes on the wire for a request: header fields and bytes, or the reason why it cannot go.

``ag:keep`` (ADR 0004): the body replaces, in the document as
read in this step, the values of the (subject, predicate) pairs that it mentions; rdf:type is added to. All else is
sent back, under If-Match. ``ag:createOnly`` sends If-None-Match: * (RFC 9110, section 13.1.2).
"""

import json
import re
from collections.abc import Iterable
from urllib.parse import urljoin

from msgspec import Struct

from agent.decide.request import Request, relative_to
from agent.messages import Headers
from agent.rdf.documents import Content, Failed, Gone, Outcome
from agent.rdf.serialise import body_turtle
from agent.rdf.terms import IRI, RDF_TYPE, Formula, ListTerm, Literal, Term, Triple
from agent.vocab import THIS_BASE

TURTLE = "text/turtle"
_MEDIA_TYPE = re.compile(r"(?:^|/)((?:text|application)/[a-z0-9.+-]+)(?:#Resource)?$")


class Entity(Struct, frozen=True):
    """Header fields and body of a request, complete but for credentials; ``caution`` says what is not guarded."""

    headers: Headers
    body: bytes | None
    caution: str = ""


class Refusal(Struct, frozen=True):
    """The reason why a request cannot be sent in this step."""

    reason: str


def render(request: Request, snapshot: Outcome | None) -> Entity | Refusal:
    """Return what to send for ``request``; ``snapshot`` is the outcome of its document in this step, if read."""
    if request.keeps:
        return _kept(request, snapshot)
    media_type, body = (TURTLE, request.wire.encode()) if request.wire is not None else _plain(request.body)
    headers = request.headers
    if body:
        headers = _with(headers, "Content-Type", media_type)
    if request.creates_only:
        headers = _with(headers, "If-None-Match", "*")
    return Entity(headers, body)


def _plain(body: Formula | Literal | None) -> tuple[str, bytes | None]:
    """Return media type and bytes of a body; no body and an empty one are told apart."""
    match body:
        case None:
            return "", None
        case Formula(triples):
            return TURTLE, body_turtle(triples)
        case Literal(lexical, datatype):
            return _media_type(lexical, datatype), lexical.encode()


def _media_type(lexical: str, datatype: str) -> str:
    """Return the media type of a literal body: that of its datatype, else JSON-LD if it reads as JSON, else text."""
    typed = _MEDIA_TYPE.search(datatype)
    if typed:
        return typed[1]
    if lexical.lstrip()[:1] in {"{", "["}:
        try:
            json.loads(lexical)
        except (ValueError, RecursionError):
            return "text/plain"
        return "application/ld+json"
    return "text/plain"


def _kept(request: Request, snapshot: Outcome | None) -> Entity | Refusal:
    if not isinstance(request.body, Formula):
        return Refusal("ag:keep needs a formula as body")
    match snapshot:
        case Content() if snapshot.tainted:
            return Refusal("ag:keep: some statements of the document could not be read, and would be lost")
        case Content(triples=triples, etag=etag):
            merged = merge(request.uri, triples, request.body.triples)
        case Gone():
            return Refusal("ag:keep: there is no such document")
        case Failed(reason=reason):
            return Refusal(f"ag:keep: the document could not be read in this step ({reason})")
        case None:
            return Refusal("ag:keep: the document was not read in this step")
    headers = _with(request.headers, "Content-Type", TURTLE)
    body = body_turtle(tuple(relative_to(request.uri, merged)))
    # If-Match compares strongly: a weak validator would never match (RFC 9110, section 13.1.1).
    if not etag or etag.startswith("W/"):
        return Entity(
            headers, body, "the server gives no strong validator, so a change by others can be lost"
        )
    return Entity(_with(headers, "If-Match", etag), body)


def merge(uri: str, known: Iterable[Triple], body: Iterable[Triple]) -> tuple[Triple, ...]:
    """Return the document ``uri`` after an ``ag:keep`` write, with absolute IRIs.

    ``known`` is the document as read; ``body`` may name things by absolute IRIs or below ``THIS_BASE``.
    """
    said = [Triple(*(_resolved(uri, term) for term in triple)) for triple in body]
    replaced = {(triple.subject, triple.predicate) for triple in said if triple.predicate != RDF_TYPE}
    kept = [triple for triple in known if (triple.subject, triple.predicate) not in replaced]
    return tuple(dict.fromkeys([*kept, *said]))


def _resolved(uri: str, term: Term) -> Term:
    match term:
        case IRI(value) if value.startswith(THIS_BASE):
            return IRI(urljoin(uri, value[len(THIS_BASE) :]))
        case ListTerm(items):
            return ListTerm(tuple(_resolved(uri, item) for item in items))
        case _:
            return term


def _with(headers: Headers, name: str, value: str) -> Headers:
    """Return the header fields with one more, unless the rule gives it itself."""
    if any(field.lower() == name.lower() for field, _ in headers):
        return headers
    return tuple(sorted((*headers, (name, value))))
