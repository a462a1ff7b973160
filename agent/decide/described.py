"""A request described by data (``ag:likeRequest``): method, URI, body and header fields of a resource.

The vocabulary is W3C's "HTTP Vocabulary in RDF": http:mthd, http:requestURI, http:body, and header fields as
http:fieldName and http:fieldValue on the request or on the members of its http:headers.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from agent.decide.request import term_key
from agent.messages import Headers
from agent.rdf.notation import iri_text
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    Formula,
    ListTerm,
    Literal,
    Term,
    put_together,
)
from agent.vocab import GSM, HTTP

METHOD = IRI(HTTP + "mthd")
REQUEST_URI = IRI(HTTP + "requestURI")
BODY = IRI(HTTP + "body")
HEADERS = IRI(HTTP + "headers")
FIELD_NAME = IRI(HTTP + "fieldName")
FIELD_VALUE = IRI(HTTP + "fieldValue")
_THIS = IRI(GSM + "thisArtifactInstance")
_THIS_IN_TEXT = f"<{_THIS.value}>"


class Memory(Protocol):
    """The final memory of a step, as far as requests look into it."""

    def objects(self, subject: Term, predicate: Term, /) -> Iterable[Term]:
        """Return the objects of the triples with this subject and predicate."""
        ...


class Described(Struct, frozen=True):
    """What memory says about a request; ``fault`` tells what makes it unusable, or is ""."""

    method: Term | None = None
    uri: Term | None = None
    body: Term | None = None
    headers: Headers = ()
    fault: str = ""


def read_described(resource: Term, memory: Memory) -> Described:
    """Return the request that ``resource`` describes; two values of one property are a fault, never a choice."""
    methods = _distinct(memory.objects(resource, METHOD))
    uris = _distinct(memory.objects(resource, REQUEST_URI))
    bodies = _distinct(memory.objects(resource, BODY))
    for what, values, least in (("method", methods, 1), ("request URI", uris, 1), ("body", bodies, 0)):
        if not least <= len(values) <= 1:
            count = f"{len(values)} {'bodies' if what == 'body' else what + 's'}" if values else f"no {what}"
            return Described(fault=f"the request has {count}")
    headers: list[tuple[str, str]] = []
    for node in _header_nodes(resource, memory):
        names = _distinct(memory.objects(node, FIELD_NAME))
        values = _distinct(memory.objects(node, FIELD_VALUE))
        if not names and not values and node == resource:
            continue
        match names, values:
            case [Literal(name)], [Literal(value)]:
                headers.append((name, value))
            case _:
                return Described(fault="a header field needs one http:fieldName and one http:fieldValue")
    body = bodies[0] if bodies else None
    return Described(methods[0], uris[0], body, tuple(sorted(set(headers))))


def about_instance(body: Term | None, instance: str) -> Term | None:
    """Return a described body in which ``gsm:thisArtifactInstance`` is replaced by ``instance``, if there is one.

    In a text it has to be written in full, in angle brackets: how a text abbreviates IRIs is its own affair.
    """
    if not instance:
        return body
    match body:
        case Literal(lexical, datatype, language):
            return Literal(lexical.replace(_THIS_IN_TEXT, iri_text(instance)), datatype, language)
        case Formula() | ListTerm():
            return _about(body, IRI(instance))
        case _:
            return body


def _about(whole: Term, instance: IRI) -> Term:
    """Return ``whole`` with the instance put in, also inside lists and formulas."""
    results: list[Term] = []
    pending: list[tuple[Term, bool]] = [(whole, False)]
    while pending:
        part, is_done = pending.pop()
        if is_done:
            put_together(part, results)
        elif isinstance(part, Formula | ListTerm):
            pending.append((part, True))
            inner = (
                part.items
                if isinstance(part, ListTerm)
                else [term for triple in part.triples for term in triple]
            )
            pending += [(term, False) for term in reversed(inner)]
        else:
            results.append(instance if part == _THIS else part)
    return results[0]


def _header_nodes(resource: Term, memory: Memory) -> Iterator[Term]:
    """Yield the nodes that may carry a header field: the request, and the members of its http:headers."""
    yield resource
    for value in _distinct(memory.objects(resource, HEADERS)):
        if isinstance(value, ListTerm):
            yield from value.items
        elif value != RDF_NIL and not _distinct(memory.objects(value, RDF_FIRST)):
            yield value
        else:
            yield from _members(value, memory)


def _members(head: Term, memory: Memory) -> Iterator[Term]:
    """Yield the members of a list in memory; a cell is visited once, so that a cycle ends."""
    seen: set[Term] = set()
    while head != RDF_NIL and head not in seen:
        seen.add(head)
        yield from _distinct(memory.objects(head, RDF_FIRST))
        rests = _distinct(memory.objects(head, RDF_REST))
        head = rests[0] if rests else RDF_NIL


def _distinct(terms: Iterable[Term]) -> list[Term]:
    return sorted(set(terms), key=term_key)
