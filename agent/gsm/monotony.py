"""What a SPARQL query depends on: the documents it names, and whether more data can make it false.

rdflib's algebra is read here, never evaluated. What it cannot parse counts as a query with negation: then a source
that failed makes the sentry unknown, which is the careful side.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from rdflib import URIRef
from rdflib.plugins.sparql.parserutils import CompValue

from agent.gsm.algebra import algebra_of
from agent.gsm.terms import THIS_INSTANCE
from agent.rdf.terms import document_of

_NEGATIONS = frozenset(
    {
        # the algebra's names
        *("Minus", "LeftJoin", "Builtin_NOTEXISTS", "AggregateJoin", "Group", "Slice"),
        # the syntax's names, which stay inside EXISTS
        *("MinusGraphPattern", "OptionalGraphPattern", "LimitOffsetClauses", "GroupClause", "HavingClause"),
    }
)
_TURNING = frozenset({"UnaryNot", "RelationalExpression", "Builtin_IF", "Builtin_COALESCE"})
"""Expressions that can be true because something inside them is false."""


class Findings(Struct, frozen=True):
    """``negates``: more data can make the query false. ``sources``: documents of the IRIs that it asks about."""

    negates: bool
    sources: frozenset[str] = frozenset()


def examine(text: str, base: str, prefixes: Mapping[str, str]) -> Findings:
    """Return what the query ``text``, which has no fault, depends on."""
    algebra = algebra_of(text, base, prefixes)
    if algebra is None:
        return Findings(negates=True)
    negates = False
    sources: set[str] = set()
    for node, turned in _nodes(algebra):
        name = node.name
        negates |= (
            name in _NEGATIONS or name.startswith("Aggregate_") or (turned and name == "Builtin_EXISTS")
        )
        sources.update(document_of(iri) for iri in map(str, _named(node)) if _is_source(iri))
    return Findings(negates, frozenset(sources))


def _is_source(iri: str) -> bool:
    return iri != THIS_INSTANCE.value and iri.startswith(("http://", "https://"))


def _nodes(root: object) -> Iterator[tuple[CompValue, bool]]:
    """Yield every node below ``root``, and whether it stands inside an expression of ``_TURNING``."""
    pending: list[tuple[object, bool]] = [(root, False)]
    while pending:
        value, turned = pending.pop()
        if isinstance(value, CompValue):
            yield value, turned
            inside = turned or value.name in _TURNING
            pending += [(part, inside) for key, part in value.items() if key != "_vars"]
            # rdflib keeps the algebra of EXISTS beside the syntax, and leaves the syntax without its filters.
            pending.append((vars(value).get("graph"), inside))
        elif isinstance(value, list | tuple | set):
            pending += [(part, turned) for part in value]


def _named(node: CompValue) -> Iterator[URIRef]:
    """Yield the IRIs that a node names as something to read: subjects, graphs and FROM documents."""
    for triple in node.get("triples") or ():
        flat = list(triple)
        subjects = flat[:1] if len(flat) == 3 else flat[::3]
        yield from (subject for subject in subjects if isinstance(subject, URIRef))
    if node.name in {"Graph", "GraphGraphPattern"} and isinstance(node.term, URIRef):
        yield node.term
    if node.name == "DatasetClause":
        yield from (iri for key in ("default", "named") if isinstance(iri := node.get(key), URIRef))
