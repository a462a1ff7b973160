"""What SPARQL says of terms, for the rules that sentries become (ADR 0119)."""

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

import pyoxigraph as ox

from agent.n3.builtins.kept import can_stand, kept_as
from agent.n3.builtins.registry import Context, function, test
from agent.n3.sparql import tokens_of
from agent.rdf.convert import to_ox
from agent.rdf.terms import XSD_DECIMAL, XSD_INTEGER, ListTerm, Literal, Term
from agent.vocab import AG

MAX_LENGTH = 10_000
MAX_WORDS = 600
MAX_NESTING = 32

_REFUSED = frozenset({"RAND", "UUID", "STRUUID", "BNODE", "NOW", "EXISTS", "SELECT", "{", "}"})
_ROW = ox.BlankNode("row")
_NUMBERS = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]{1,15}"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]{1,12}(?:\.[0-9]{1,6})?"),
}
"""Numbers whose comparison every engine agrees on: no rounding and no overflow comes near them."""

_COMPARISON = re.compile(r"\(?\s*\?v0\s*([<>]=?|!?=)\s*([+-]?[0-9]{1,12}(?:\.[0-9]{1,6})?)\s*\)?", re.ASCII)
_OPERATORS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


@test(AG + "satisfies")
def satisfies(values: Term, condition: Term) -> bool:
    """Tell whether the values, a list or a single one, make a SPARQL expression about ?v0, ?v1 and so on true."""
    if not isinstance(condition, Literal):
        return False
    if isinstance(values, Literal):
        number = _NUMBERS.get(values.datatype)
        comparison = _comparison(condition.lexical) if number is not None else None
        if number is not None and comparison is not None and number.fullmatch(values.lexical):
            compare, other = comparison
            return compare(Decimal(values.lexical), other)
    return _is_true(condition.lexical, values.items if isinstance(values, ListTerm) else (values,))


@test(AG + "isKnownToSparql")
def is_known_to_sparql(term: Term, role: Term) -> bool:
    """Tell whether plain RDF has the term as "subject", "predicate" or "object" of a triple."""
    return isinstance(role, Literal) and can_stand(term, role.lexical)


@function(AG + "isWrittenAs")
def is_written_as(term: Term, context: Context) -> Term | None:
    """Return the literal as the SPARQL engine writes it, if that is spelled otherwise."""
    return kept_as(term) if isinstance(term, Literal) else None


@lru_cache(maxsize=4096)
def _comparison(condition: str) -> tuple[Callable[[Decimal, Decimal], bool], Decimal] | None:
    """Return the operator and the number of a condition that compares one value with a number."""
    found = _COMPARISON.fullmatch(condition)
    return None if found is None else (_OPERATORS[found[1]], Decimal(found[2]))


@lru_cache(maxsize=65_536)
def _is_true(condition: str, values: tuple[Term, ...]) -> bool:
    if not _is_condition(condition):
        return False
    # Values come from a store, as they do when a whole query is asked: it has its own ideas about their spelling.
    try:
        columns = [ox.NamedNode(f"urn:v{position}") for position in range(len(values))]
        store = ox.Store()
        store.extend(
            [ox.Quad(_ROW, column, to_ox(value)) for column, value in zip(columns, values, strict=True)]
        )
        patterns = " ".join(f"?row {column} ?v{position} ." for position, column in enumerate(columns))
        return bool(store.query(f"ASK {{ {patterns} FILTER({condition}\n) }}"))
    except (ValueError, RuntimeError, OSError, SyntaxError):
        return False


@lru_cache(maxsize=4096)
def _is_condition(text: str) -> bool:
    """Tell whether ``text`` may be asked: it is not too large for an engine that recurses, and has no chance in it."""
    if len(text) > MAX_LENGTH:
        return False
    nesting = words = 0
    for token in tokens_of(text):
        nesting += (token.text == "(") - (token.text == ")")
        words += token.kind != "space"
        if token.keyword in _REFUSED or not 0 <= nesting <= MAX_NESTING or words > MAX_WORDS:
            return False
    return nesting == 0
