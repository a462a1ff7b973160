"""Requests, templates and bindings in one line each, for tests of what a step decides."""

from collections.abc import Mapping

from agent.decide.request import Annotation, Body, Edge, Request, build_request
from agent.errors import Place
from agent.n3.program import RequestRule, RequestTemplate
from agent.rdf.terms import IRI, XSD_INTEGER, Formula, Literal, Term, Triple
from agent.reason.facts import Facts
from agent.vocab import METHODS

E = "http://e.example/"
PLACE = Place("rules.n3", 1, 1)


def iri(name: str) -> IRI:
    """Return an IRI of the example namespace."""
    return IRI(E + name)


def number(value: int) -> Literal:
    """Return an xsd:integer."""
    return Literal(str(value), XSD_INTEGER)


def says(*objects: Term, subject: Term | None = None) -> Formula:
    """Return a body that gives its subject (``s`` if not said) the values as ``p``."""
    return Formula(tuple(Triple(subject or iri("s"), iri("p"), value) for value in objects))


def asked(
    method: str,
    uri: str,
    body: Body = None,
    *edges: Edge,
    annotations: tuple[Annotation, ...] = (),
    headers: tuple[tuple[str, str], ...] = (),
) -> Request:
    """Return a ground request; without edges it is of one rule, in no unit."""
    return build_request(method, E + uri, body, headers, annotations, edges or (Edge("rules.n3:1"),))


def edge(
    unit: str | None = None,
    rank: int = 0,
    precedence: int = 0,
    *,
    rule: str = "rules.n3:1",
    last: bool = False,
    instance: str = "",
) -> Edge:
    """Return an edge whose unit is an IRI of the example namespace."""
    return Edge(rule, None if unit is None else iri(unit), rank, precedence, last, instance)


def template(
    method: Term | str | None = "PUT",
    uri: Term | str | None = "d",
    body: Term | None = None,
    *,
    headers: tuple[tuple[Term, Term], ...] = (),
    annotations: tuple[tuple[str, Term], ...] = (),
    like: Term | None = None,
) -> RequestTemplate:
    """Return a request template; texts are local names of methods and example documents."""
    return RequestTemplate(
        node=iri("node"),
        method=IRI(METHODS + method) if isinstance(method, str) else method,
        uri=iri(uri) if isinstance(uri, str) else uri,
        body=body,
        headers=headers,
        annotations=tuple((IRI(name), value) for name, value in annotations),
        like=like,
        place=PLACE,
    )


def bound(
    *templates: RequestTemplate, name: str = "rules.n3:1", **values: Term
) -> tuple[RequestRule, Mapping[str, Term]]:
    """Return a rule with these templates and one binding of it."""
    return RequestRule(name, (), templates, PLACE, is_retrieval=False), values


def memory(*triples: Triple) -> Facts:
    """Return a memory with these triples."""
    facts = Facts()
    for triple in triples:
        facts.add(triple)
    return facts
