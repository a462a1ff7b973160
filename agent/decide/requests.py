"""From bindings of request rules to the set of ground requests of a step.

Whatever cannot be sent is left out here and reported: URIs that are no http IRIs, methods nobody knows,
bodies that are no RDF. What the world put into memory must never stop a step.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from agent.decide.described import Described, Memory, read_described
from agent.decide.request import (
    EDGE_TERMS,
    INSTANCE,
    LAST,
    PRECEDENCE,
    RANK,
    UNIT,
    Annotation,
    Body,
    Edge,
    Request,
    build_request,
    has_flag,
    merge_equal,
)
from agent.errors import Finding
from agent.messages import Headers
from agent.n3.program import RequestRule, RequestTemplate
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.vocab import GSM, METHODS, THIS_BASE

Bindings = Iterable[tuple[RequestRule, Mapping[str, Term]]]

IN_INSTANCE = IRI(GSM + "inArtifactInstance")
UNSAFE_METHODS = frozenset({"PUT", "POST", "DELETE", "PATCH"})
MAX_NESTING = 100

_FIELD_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FIELD_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_OURS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "expect", "trailer"}
)


class _UnusableError(Exception):
    """A request that cannot be sent: ``code`` of the table, and why. Silent for a GET of what is no IRI."""

    def __init__(self, code: str, why: str, *, silent: bool = False) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.silent = silent


def ground_requests(bindings: Bindings, memory: Memory) -> tuple[tuple[Request, ...], tuple[Finding, ...]]:
    """Return the set of requests that the bindings ask for, sorted, and what had to be left out, each once."""
    requests: list[Request] = []
    findings: dict[Finding, None] = {}
    for rule, binding in bindings:
        for template in rule.requests:
            try:
                requests.append(_Grounding(rule, template, binding, memory).request())
            except _UnusableError as unusable:
                if not unusable.silent:
                    finding = Finding(
                        "warning", unusable.code, f"request not sent: {unusable.why}", template.place
                    )
                    findings[finding] = None
    return merge_equal(requests), tuple(findings)


@dataclass(frozen=True, slots=True)
class _Grounding:
    """One template of one rule under one binding."""

    rule: RequestRule
    template: RequestTemplate
    binding: Mapping[str, Term]
    memory: Memory

    def request(self) -> Request:
        """Return the ground request, or raise ``_UnusableError``."""
        described = self._described()
        method = _method(self._value(self.template.method) or described.method)
        target = _target(method, self._value(self.template.uri) or described.uri)
        if method == "GET":
            raise _UnusableError(
                "ASM102", "a GET cannot be decided on the final memory; give its method as a constant"
            )
        body_term = self.template.body if self.template.body is not None else described.body
        body = _body(method, self._value(body_term))
        headers = _checked([*self._headers(), *described.headers])
        annotations = [(_name(predicate), self._bound(value)) for predicate, value in self._annotations()]
        edges = self._edges(target, annotations)
        kept = [pair for pair in annotations if pair[0] not in EDGE_TERMS]
        return build_request(method, target, body, headers, kept, edges)

    def _described(self) -> Described:
        like = self._value(self.template.like)
        if like is None:
            return Described()
        described = read_described(like, self.memory)
        if described.fault:
            raise _UnusableError("ASM104", f"{described.fault} in memory: {_shown(like)}")
        return described

    def _headers(self) -> Iterator[tuple[str, str]]:
        for name, value in self.template.headers:
            match self._bound(name), self._bound(value):
                case Literal(field), Literal(text):
                    yield field, text
                case _:
                    raise _UnusableError("ASM105", "name and value of a header field must be literals")

    def _annotations(self) -> Iterator[tuple[Term, Term]]:
        for predicate, value in self.template.annotations:
            yield self._bound(predicate), value

    def _edges(self, target: str, annotations: list[Annotation]) -> Iterator[Edge]:
        units: list[Term | None] = [value for name, value in annotations if name == UNIT]
        rank = min(_integers(annotations, RANK), default=0)
        precedence = max(_integers(annotations, PRECEDENCE), default=0)
        last = has_flag(annotations, LAST)
        for unit in units or [None]:
            yield Edge(
                self.rule.name, unit, rank, precedence, last, self._instance(target, unit, annotations)
            )

    def _instance(self, target: str, unit: Term | None, annotations: list[Annotation]) -> str:
        """Return the instance a request is made for: as annotated, else that of its unit, else of its target."""
        for name, value in annotations:
            if name == INSTANCE and isinstance(value, IRI):
                return value.value
        for element in (unit, IRI(target)):
            if element is not None:
                owners = sorted(
                    o.value for o in self.memory.objects(element, IN_INSTANCE) if isinstance(o, IRI)
                )
                if owners:
                    return owners[0]
        return ""

    def _value(self, term: Term | None) -> Term | None:
        return None if term is None else self._bound(term)

    def _bound(self, term: Term) -> Term:
        return instantiate(term, self.binding)


def instantiate(term: Term, binding: Mapping[str, Term], depth: int = 0) -> Term:
    """Return the term with its variables replaced, also inside lists and formulas."""
    if depth > MAX_NESTING:
        raise _UnusableError("ASM103", f"a body is nested deeper than {MAX_NESTING} levels")
    match term:
        case Variable(name):
            return binding.get(name, term)
        case ListTerm(items):
            return ListTerm(tuple(instantiate(item, binding, depth + 1) for item in items))
        case Formula(triples):
            return Formula(
                tuple(
                    Triple(*(instantiate(part, binding, depth + 1) for part in triple)) for triple in triples
                )
            )
        case _:
            return term


def _method(term: Term | None) -> str:
    match term:
        case IRI(value) if value.startswith(METHODS):
            name = value.removeprefix(METHODS)
            if name in UNSAFE_METHODS or name == "GET":
                return name
            raise _UnusableError("ASM102", f"the method {name or value} is not supported")
        case _:
            raise _UnusableError("ASM102", f"{_shown(term)} is not a method of the HTTP methods vocabulary")


def _target(method: str, term: Term | None) -> str:
    silent = method == "GET"
    match term:
        case IRI(value) if value.startswith(THIS_BASE):
            raise _UnusableError(
                "ASM101", f"{value} is a relative reference, not a document on the Web", silent=silent
            )
        case IRI(value):
            if not _is_http(value):
                raise _UnusableError("ASM101", f"{value} is not an http or https IRI", silent=silent)
            return value
        case _:
            raise _UnusableError("ASM101", f"{_shown(term)} is not an IRI", silent=silent)


def _is_http(iri: str) -> bool:
    try:
        parts = urlsplit(iri)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _body(method: str, term: Term | None) -> Body:
    if method == "DELETE" and term is not None:
        raise _UnusableError("ASM103", "a DELETE has no body")
    match term:
        case None | Literal():
            return term
        case Formula(triples):
            fault = next((fault for triple in triples if (fault := _fault(triple))), "")
            if fault:
                raise _UnusableError("ASM103", f"the body is not RDF: {fault}")
            return term
        case _:
            raise _UnusableError("ASM103", f"the body {_shown(term)} is neither a formula nor a literal")


def _fault(triple: Triple) -> str:
    """Return what keeps a triple of a body from being written as Turtle, or ""."""
    if isinstance(triple.subject, Literal):
        return f"{_shown(triple.subject)} is a subject"
    if not isinstance(triple.predicate, IRI):
        return f"{_shown(triple.predicate)} is a predicate"
    pending: list[tuple[Term, int]] = [(triple.subject, 0), (triple.object, 0)]
    while pending:
        term, depth = pending.pop()
        match term:
            case ListTerm(items) if depth < MAX_NESTING:
                pending.extend((item, depth + 1) for item in items)
            case ListTerm():
                return f"its lists are nested deeper than {MAX_NESTING} levels"
            case Formula():
                return "it has a formula inside"
            case Variable(name):
                return f"?{name} has no value"
            case _:
                pass
    return ""


def _checked(headers: list[tuple[str, str]]) -> Headers:
    """Return the header fields, sorted; fields that would break the message or belong to it are refused."""
    for name, value in headers:
        if not _FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value):
            raise _UnusableError("ASM105", f"the header field {name!r} is not well-formed")
        if name.lower() in _OURS:
            raise _UnusableError("ASM105", f"the header field {name} is set by the client itself")
    return tuple(sorted(set(headers)))


def _integers(annotations: list[Annotation], predicate: str) -> list[int]:
    """Return the values of an annotation that counts."""
    found = []
    for name, value in annotations:
        if name == predicate:
            if not isinstance(value, Literal) or not _INTEGER.fullmatch(value.lexical):
                raise _UnusableError("ASM106", f"{predicate} needs an integer, not {_shown(value)}")
            found.append(int(value.lexical))
    return found


def _name(predicate: Term) -> str:
    return predicate.value if isinstance(predicate, IRI) else _shown(predicate)


def _shown(term: Term | None) -> str:
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
