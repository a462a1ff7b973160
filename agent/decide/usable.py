"""What can be sent: methods, URIs, bodies and header fields that make a request, and why others do not."""

import re
from urllib.parse import urlsplit

from agent.decide.request import Body
from agent.messages import FIELD_NAME, FRAMING_FIELDS, Headers
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.vocab import METHODS, THIS_BASE

UNSAFE_METHODS = frozenset({"PUT", "POST", "DELETE", "PATCH"})
MAX_NESTING = 100

_FIELD_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_PLAIN_HTTP = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*(?::[1-9][0-9]{0,3})?(?:[/?#]|$)")


class UnusableError(Exception):
    """A request that cannot be sent: ``code`` of the table, and why. Silent for a GET of what is no IRI."""

    def __init__(self, code: str, why: str, *, silent: bool = False) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.silent = silent


def usable_method(term: Term | None) -> str:
    """Return the name of a method; GET passes, what to do with it is for the caller."""
    match term:
        case IRI(value) if value.startswith(METHODS):
            name = value.removeprefix(METHODS)
            if name in UNSAFE_METHODS or name == "GET":
                return name
            raise UnusableError("ASM102", f"the method {name or value} is not supported")
        case _:
            raise UnusableError("ASM102", f"{shown(term)} is not a method of the HTTP methods vocabulary")


def usable_target(method: str, term: Term | None) -> str:
    """Return the request URI, with its fragment."""
    silent = method == "GET"
    match term:
        case IRI(value) if value.startswith(THIS_BASE):
            raise UnusableError(
                "ASM101", f"{value} is a relative reference, not a document on the Web", silent=silent
            )
        case IRI(value):
            if not _is_http(value):
                raise UnusableError("ASM101", f"{value} is not an http or https IRI", silent=silent)
            return value
        case _:
            raise UnusableError("ASM101", f"{shown(term)} is not an IRI", silent=silent)


def usable_body(method: str, term: Term | None) -> Body:
    """Return the body of a request with this method."""
    if term is None:
        return None
    if method == "DELETE":
        raise UnusableError("ASM103", "a DELETE has no body")
    match term:
        case Literal():
            return term
        case Formula(triples):
            fault = next((fault for triple in triples if (fault := _fault(triple))), "")
            if fault:
                raise UnusableError("ASM103", f"the body is not RDF: {fault}")
            return term
        case _:
            raise UnusableError("ASM103", f"the body {shown(term)} is neither a formula nor a literal")


def usable_headers(headers: list[tuple[str, str]]) -> Headers:
    """Return the header fields, sorted; fields that would break the message or belong to it are refused."""
    for name, value in headers:
        if not FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value):
            raise UnusableError("ASM105", f"the header field {name!r} is not well-formed")
        if name.lower() in FRAMING_FIELDS:
            raise UnusableError("ASM105", f"the header field {name} is set by the client itself")
    return tuple(sorted(set(headers)))


def usable_integer(name: str, value: Term) -> int:
    """Return the integer that the annotation ``name`` has."""
    if not isinstance(value, Literal) or not _INTEGER.fullmatch(value.lexical):
        raise UnusableError("ASM106", f"{name} needs an integer, not {shown(value)}")
    return int(value.lexical)


def shown(term: Term | None) -> str:
    """Return a short text for a term, for people."""
    match term:
        case None:
            return "nothing"
        case IRI(value):
            return value
        case Literal(lexical):
            return f'"{lexical[:60]}"'
        case BlankNode():
            return "a blank node"
        case Variable(name):
            return f"?{name}"
        case ListTerm():
            return "a list"
        case Formula():
            return "a formula"


def _is_http(iri: str) -> bool:
    if _PLAIN_HTTP.match(iri):
        return True
    try:
        parts = urlsplit(iri)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _fault(triple: Triple) -> str:
    """Return what keeps a triple of a body from being written as Turtle, or ""."""
    if isinstance(triple.subject, Literal):
        return f"{shown(triple.subject)} is a subject"
    if not isinstance(triple.predicate, IRI):
        return f"{shown(triple.predicate)} is a predicate"
    return _nesting_fault(triple.subject) or _nesting_fault(triple.object)


def _nesting_fault(term: Term) -> str:
    pending: list[tuple[Term, int]] = [(term, 0)]
    while pending:
        inner, depth = pending.pop()
        match inner:
            case IRI() | Literal() | BlankNode():
                pass
            case ListTerm(items) if depth < MAX_NESTING:
                pending.extend((item, depth + 1) for item in items)
            case ListTerm():
                return f"its lists are nested deeper than {MAX_NESTING} levels"
            case Formula():
                return "it has a formula inside"
            case Variable(name):
                return f"?{name} has no value"
    return ""
