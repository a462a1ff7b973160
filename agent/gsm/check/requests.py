"""The requests of tasks: methods, URIs, header fields and bodies that can be sent."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from agent.errors import Finding, Place, ProgramError, closest
from agent.gsm.check.model import Model
from agent.gsm.check.terms import (
    BODY,
    FIELD_NAME,
    FIELD_VALUE,
    HAS_REQUEST,
    HEADERS,
    METHOD,
    REQUEST,
    REQUEST_URI,
)
from agent.gsm.check.texts import inside, offset_of
from agent.messages import FIELD_NAME as FIELD_NAME_SYNTAX
from agent.messages import FRAMING_FIELDS
from agent.n3.load import read_model
from agent.n3.program import Pattern
from agent.rdf.terms import IRI, RDF_FIRST, RDF_NIL, RDF_TYPE, Literal, Term
from agent.vocab import METHODS

_METHODS = ("PUT", "POST", "DELETE", "PATCH")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_TURTLE = frozenset({"text/turtle", "application/n-triples"})
_DELETE = IRI(METHODS + "DELETE")


def faults_of_requests(model: Model) -> Iterator[Finding]:
    """Yield what is wrong with the values that requests have; how many they have is for the shapes."""
    used = {each.triple.object: None for each in model.with_predicate(HAS_REQUEST)}
    called = [each.triple.subject for each in model.with_predicate(RDF_TYPE) if each.triple.object == REQUEST]
    for request in dict.fromkeys([*used, *called]):
        for statement in model.of(request, METHOD):
            yield from _method(model, request, statement, is_task=request in used)
        for statement in model.of(request, REQUEST_URI):
            yield from _uri(model, request, statement)
        yield from _headers(model, request)
        for statement in model.of(request, BODY):
            yield from _body(model, request, statement)


def _method(model: Model, request: Term, statement: Pattern, *, is_task: bool) -> Iterator[Finding]:
    method = statement.triple.object
    if not isinstance(method, IRI):
        return
    name = method.value.removeprefix(METHODS)
    if method.value.startswith(METHODS) and (name in _METHODS or (name == "GET" and not is_task)):
        return
    local = method.value[max(method.value.rfind("#"), method.value.rfind("/")) + 1 :]
    match = closest(local, _METHODS)
    hint = "use httpm:PUT, httpm:POST, httpm:DELETE or httpm:PATCH"
    if match:
        hint = f"did you mean httpm:{match}?"
    elif name == "GET":
        hint = "a task changes something; documents to read are named with ag:source"
    message = f"{model.called(request, 'request')} has {model.name(method)} as method, which no task can use"
    yield model.finding("error", "GSM032", message, statement.place, hint)


def _uri(model: Model, request: Term, statement: Pattern) -> Iterator[Finding]:
    target = statement.triple.object
    fault = _fault_of_uri(target.value, model.name(target)) if isinstance(target, IRI) else ""
    if fault:
        message = f"{model.called(request, 'request')} goes to {model.name(target)}: {fault}"
        hint = "write an http or https address, or a relative one"
        if "password" in fault:
            hint = "name them in the file of MILEPOST_CREDENTIALS, for the origin of the address"
        yield model.finding("error", "GSM033", message, statement.place, hint)


def _fault_of_uri(iri: str, written: str) -> str:
    """Return why no request can go to ``iri``; a relative reference in a file has the scheme of files."""
    if _BROKEN_ESCAPE.search(iri):
        return "a % is not followed by two hexadecimal digits"
    if iri.startswith("file:") and not written.startswith("<file:"):
        return ""
    try:
        parts = urlsplit(iri)
        port = parts.port
    except ValueError as error:
        return str(error).lower()
    if parts.scheme not in {"http", "https"}:
        return f"{parts.scheme}: is no scheme of the Web" if parts.scheme else "it has no scheme"
    if parts.username is not None:
        return "a user name and a password do not belong into an address"
    if not parts.hostname:
        return "it names no host"
    return "its port is 0" if port == 0 else ""


def _headers(model: Model, request: Term) -> Iterator[Finding]:
    for statement in model.of(request, HEADERS):
        head = statement.triple.object
        if head != RDF_NIL and not model.of(head, RDF_FIRST):
            message = f"{model.called(request, 'request')} has header fields that are no list"
            hint = "write http:headers ( [ ... ] ): its range is a list, other software expects one"
            yield model.finding("warning", "GSM035", message, statement.place, hint)
    for node, statement in _header_nodes(model, request):
        if node != request and not model.of(node, FIELD_NAME, FIELD_VALUE):
            message = f"{model.called(request, 'request')} has a header field without name and value"
            hint = "a header field is [ http:fieldName ... ; http:fieldValue ... ]"
            yield model.finding("error", "GSM035", message, statement.place, hint)
        for each in model.of(node, FIELD_NAME):
            name = each.triple.object
            if not isinstance(name, Literal):
                continue
            if not FIELD_NAME_SYNTAX.fullmatch(name.lexical):
                fault = "is no name of a header field"
            elif name.lexical.lower() in FRAMING_FIELDS:
                fault = "is set by the client itself"
            else:
                continue
            message = f"{model.called(request, 'request')}: {name.lexical[:40]!r} {fault}"
            yield model.finding("error", "GSM035", message, each.place, "correct it, or leave it out")
        for each in model.of(node, FIELD_VALUE):
            value = each.triple.object
            if isinstance(value, Literal) and not _VALUE.fullmatch(value.lexical):
                message = f"{model.called(request, 'request')}: a header value holds what no header can hold"
                yield model.finding("error", "GSM035", message, each.place, "write it in one line of ASCII")


def _header_nodes(model: Model, request: Term) -> Iterator[tuple[Term, Pattern]]:
    """Yield the nodes with header fields, and the statement that leads to them: on the request, or in its list."""
    for statement in model.of(request, FIELD_NAME)[:1]:
        yield request, statement
    for statement in model.of(request, HEADERS):
        head = statement.triple.object
        members = model.members(head)
        if not members and head != RDF_NIL:
            members = [head]
        for member in dict.fromkeys(members):
            yield member, statement


def _body(model: Model, request: Term, statement: Pattern) -> Iterator[Finding]:
    body = statement.triple.object
    if not isinstance(body, Literal):
        return
    called = model.called(request, "request")
    if _DELETE in model.objects(request, METHOD):
        message = f"{called} is a DELETE with a body"
        yield model.finding("error", "GSM034", message, statement.places[1], "leave the body out")
        return
    if _media_type(model, request) not in _TURTLE:
        return
    try:
        read_model(body.lexical, source="body", base="http://example.org/")
    except ProgramError as error:
        place = statement.place
        if error.place and error.place.line:
            place = _place_in_body(model, statement, body.lexical, error.place)
        message = f"the body of {called} is not Turtle: {error.message}"
        yield model.finding("error", "GSM034", message, place, error.hint)


def _place_in_body(model: Model, statement: Pattern, text: str, fault: Place) -> Place:
    offset = offset_of(text, fault.line, fault.column)
    source = model.sources[statement.place.source]
    return inside(source, statement.place, offset, fault.end_column - fault.column)


def _media_type(model: Model, request: Term) -> str:
    for node, _ in _header_nodes(model, request):
        names = [
            each.lexical.lower() for each in model.objects(node, FIELD_NAME) if isinstance(each, Literal)
        ]
        if "content-type" in names:
            for value in model.objects(node, FIELD_VALUE):
                if isinstance(value, Literal):
                    return value.lexical.partition(";")[0].strip().lower()
    return ""
