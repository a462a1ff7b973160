"""One unsafe request of a step: what it is, what makes it equal to another, what it clashes with.

Three notions of equality, from narrow to wide (paper section 3.6; ADR 0002):

* ``key``: the same request, annotations included. Equal requests are one request.
* ``canonical``: the same bytes on the wire. PUT, DELETE and PATCH that agree here go out once.
* ``entity`` and method: the same update of the document. Anything else on one document is a clash.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from agent.decide.texts import TermTexts, identity_text, wire_text
from agent.messages import Headers
from agent.rdf.canonical import canonical as canonical_triples
from agent.rdf.serialise import term_text
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple
from agent.vocab import AG, THIS_BASE

UNIT = AG + "unit"
RANK = AG + "rank"
PRECEDENCE = AG + "precedence"
LAST = AG + "last"
KEEP = AG + "keep"
CREATE_ONLY = AG + "createOnly"
INSTANCE = AG + "instance"

EDGE_TERMS = frozenset({UNIT, RANK, PRECEDENCE, LAST})
"""Annotations that say how a rule wants the request treated; they are no part of its identity."""

MERGED_ON_THE_WIRE = frozenset({"PUT", "DELETE", "PATCH"})

Annotation = tuple[str, Term]
Body = Formula | Literal | None


@dataclass(frozen=True, slots=True)
class Edge:
    """What one rule says about a request: unit (nothing: a unit of its own), rank, precedence, last.

    ``instance`` is the workflow instance that the request is made for, or "". ``binding`` are the values of the rule's
    variables, of some instance of the rule where several say the same.
    """

    rule: str
    unit: Term | None = None
    rank: int = 0
    precedence: int = 0
    last: bool = False
    instance: str = ""
    binding: Mapping[str, Term] | None = field(default=None, compare=False)


class Request(Struct, frozen=True):
    """A ground unsafe request; build it by ``build_request``, which fills in the three texts.

    ``uri`` has no fragment, ``target`` is the URI as the rule wrote it; ``annotations`` are sorted pairs. ``wire`` is
    the text of a formula body if it is known already.
    """

    method: str
    uri: str
    target: str
    body: Body
    headers: Headers
    annotations: tuple[Annotation, ...]
    edges: tuple[Edge, ...]
    entity: str
    canonical: str
    key: str
    wire: str | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the names of the rules that ask for the request, sorted."""
        return tuple(sorted({edge.rule for edge in self.edges}))

    @property
    def instances(self) -> tuple[str, ...]:
        """Return the workflow instances that the request is made for, sorted."""
        return tuple(sorted({edge.instance for edge in self.edges if edge.instance}))

    @property
    def creates_only(self) -> bool:
        """Tell whether the request must leave an existing document alone (``ag:createOnly``)."""
        return self.method == "PUT" and has_flag(self.annotations, CREATE_ONLY)

    @property
    def keeps(self) -> bool:
        """Tell whether the request keeps what its body does not mention (``ag:keep``).

        Of two equal PUTs of which one creates and one keeps, creating is the more careful: it wins.
        """
        return self.method == "PUT" and not self.creates_only and has_flag(self.annotations, KEEP)

    def clashes_with(self, other: "Request") -> bool:
        """Tell whether both are different updates of one document; a POST is no update of its target."""
        return (
            self.uri == other.uri
            and "POST" not in {self.method, other.method}
            and (self.method, self.entity) != (other.method, other.entity)
        )


def build_request(
    method: str,
    target: str,
    body: Body,
    headers: Headers,
    annotations: Iterable[Annotation],
    edges: Iterable[Edge],
    texts: TermTexts | None = None,
) -> Request:
    """Return the request with its texts for comparing; ``target`` may have a fragment. ``texts`` saves work."""
    uri = target.partition("#")[0]
    wire, entity = _body_texts(method, uri, body, headers, texts or TermTexts())
    fields = "\n".join([f"{name.lower()}: {value}" for name, value in sorted(headers)])
    # A DELETE sorts before everything else: among equals it is the one that wins a clash.
    canonical = f"{int(method != 'DELETE')} {uri}\n{method}\n{entity}\n{fields}"
    pairs = tuple(annotations)
    if len(pairs) > 1:
        pairs = tuple(sorted(set(pairs), key=_annotation_text))
    return Request(
        method=method,
        uri=uri,
        target=target,
        body=body,
        headers=headers,
        annotations=pairs,
        edges=sorted_edges(edges),
        entity=entity,
        canonical=canonical,
        key=_key(canonical, pairs),
        wire=wire,
    )


def merge_equal(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Return the set of the requests, sorted by ``key``: equal ones merge and keep all their edges.

    PUT, DELETE and PATCH that differ in annotations only merge too, and keep all annotations.
    """
    merged: dict[str, Request] = {}
    for request in requests:
        identity = request.canonical if request.method in MERGED_ON_THE_WIRE else request.key
        known = merged.get(identity)
        merged[identity] = request if known is None else _merge(known, request)
    return tuple(sorted(merged.values(), key=lambda request: request.key))


def has_flag(annotations: Iterable[Annotation], predicate: str) -> bool:
    """Tell whether an annotation ``predicate true`` is among the pairs."""
    return any(name == predicate and is_true(value) for name, value in annotations)


def term_key(term: Term) -> str:
    """Return a text that tells any two terms apart, for sorting."""
    return term_text(term, _scoped)


def sorted_edges(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return the distinct edges in a fixed order."""
    edges = tuple(edges)
    if len(edges) == 1:
        return edges
    return tuple(sorted(set(edges), key=_edge_key))


def is_true(term: Term) -> bool:
    """Tell whether a term is a literal that says true."""
    return isinstance(term, Literal) and term.lexical in {"true", "1"}


def _scoped(node: Term) -> str:
    return f"_:{node.label}@{node.scope}" if isinstance(node, BlankNode) else ""


def _annotation_text(annotation: Annotation) -> str:
    return f"{annotation[0]} {term_key(annotation[1])}"


def _edge_key(edge: Edge) -> tuple[str, str, int, int, bool, str]:
    unit = "" if edge.unit is None else term_key(edge.unit)
    return edge.rule, unit, edge.rank, edge.precedence, edge.last, edge.instance


def _merge(one: Request, other: Request) -> Request:
    annotations = tuple(sorted({*one.annotations, *other.annotations}, key=_annotation_text))
    chosen = min(one, other, key=_written)
    return replace(
        chosen,
        target=min(one.target, other.target),
        annotations=annotations,
        edges=sorted_edges((*one.edges, *other.edges)),
        key=_key(one.canonical, annotations),
    )


def _written(request: Request) -> str:
    return request.wire or ("" if request.body is None else term_key(request.body))


def _key(canonical: str, annotations: tuple[Annotation, ...]) -> str:
    return "\n".join([canonical, *map(_annotation_text, annotations)])


def _body_texts(
    method: str, uri: str, body: Body, headers: Headers, texts: TermTexts
) -> tuple[str | None, str]:
    """Return the text of a formula for the wire, if it is cheap, and the text by which bodies are compared.

    The latter is the same up to blank node names and has the media type where the rule gives one. A posted body names
    the document that it becomes, not the one that it is sent to.
    """
    media_type = next((value for name, value in headers if name.lower() == "content-type"), "")
    match body:
        case Formula(triples):
            rows = texts.body(triples)
            if rows is not None:
                identity = identity_text(rows, None if method == "POST" else uri)
                return wire_text(rows), f"{media_type}\n{identity}"
            meant = triples if method == "POST" else tuple(relative_to(uri, triples))
            return None, f"{media_type}\n{canonical_triples(meant)}"
        case Literal("", _, _) | None:
            return None, ""
        case Literal(lexical, datatype, language):
            return None, f"{media_type}\n{datatype}@{language}\n{lexical}"


def relative_to(uri: str, triples: Iterable[Triple]) -> Iterable[Triple]:
    """Yield the triples with the IRIs of the document ``uri`` as references to "this document"."""
    for triple in triples:
        yield Triple(*(_relative(uri, term) for term in triple))


def _relative(uri: str, term: Term) -> Term:
    match term:
        case IRI(value) if value == uri or value.startswith(uri + "#"):
            return IRI(THIS_BASE + value[len(uri) :])
        case ListTerm(items):
            return ListTerm(tuple(_relative(uri, item) for item in items))
        case _:
            return term
