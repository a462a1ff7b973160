"""How the SPARQL engine keeps terms: plain RDF only, and numbers, truth values and times by value.

``"01"`` and ``"1"`` are one integer to it, and ``"5"^^xsd:int`` is the integer 5.
"""

import re
from functools import lru_cache

import pyoxigraph as ox

from agent.rdf.convert import from_ox, to_ox
from agent.rdf.terms import IRI, XSD_BOOLEAN, XSD_INTEGER, XSD_STRING, BlankNode, Literal, Term
from agent.vocab import AG, XSD

QUESTION = AG + "question-"
"""Begins the predicates that questions use among themselves: no pattern with a variable as predicate sees them."""

_CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_NODE = ox.BlankNode("node")


def is_kept_by_value(literal: Literal) -> bool:
    """Tell whether the engine may give ``literal`` back in another spelling."""
    return literal.datatype.startswith(XSD) and literal.datatype != XSD_STRING


def kept_as(literal: Literal) -> Term | None:
    """Return ``literal`` as the engine gives it back if that is another term, else nothing."""
    if not is_kept_by_value(literal):
        return None
    if literal.datatype == XSD_INTEGER and _CANONICAL_INTEGER.fullmatch(literal.lexical):
        return None
    if literal.datatype == XSD_BOOLEAN and literal.lexical in {"true", "false"}:
        return None
    kept = _kept(literal.lexical, literal.datatype)
    return None if kept == literal else kept


def can_stand(term: Term, role: str) -> bool:
    """Tell whether plain RDF has ``term`` as "subject", "predicate" or "object" of a triple."""
    match term:
        case IRI(value):
            return _is_plain_iri(value) and not (role == "predicate" and value.startswith(QUESTION))
        case BlankNode():
            return role in {"subject", "object"}
        case Literal(lexical, datatype, language):
            return role == "object" and _is_plain_literal(lexical, datatype, language)
        case _:
            return False


@lru_cache(maxsize=65_536)
def _is_plain_iri(value: str) -> bool:
    try:
        ox.NamedNode(value)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=65_536)
def _is_plain_literal(lexical: str, datatype: str, language: str) -> bool:
    try:
        to_ox(Literal(lexical, datatype, language))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=65_536)
def _kept(lexical: str, datatype: str) -> Term | None:
    """Return a literal as the engine gives it back, or nothing if it cannot hold it."""
    try:
        literal = ox.Literal(lexical, datatype=ox.NamedNode(datatype))
    except ValueError:
        return None
    store = ox.Store()
    store.add(ox.Quad(_NODE, ox.NamedNode(QUESTION), literal))
    kept = next(iter(store)).object
    return from_ox(kept, "", {}) if isinstance(kept, ox.Literal) else None
