"""One order for all terms, which depends on nothing but the terms."""

from decimal import Decimal
from typing import TypeAlias

from agent.n3.builtins.numbers import read_typed_number
from agent.rdf.terms import IRI, RDF_NIL, BlankNode, Formula, ListTerm, Literal, Term, Variable

Part: TypeAlias = tuple[int | Decimal | float | str, ...]

MOST_PARTS = 100_000
_END, _BLANK_NODE, _IRI, _NUMBER, _NOT_A_NUMBER, _LITERAL, _LIST, _FORMULA, _VARIABLE = range(9)


def sort_key(term: Term) -> tuple[Part, ...] | None:
    """Return what ``term`` is sorted by, the same for equal terms only; nothing if it has too many parts.

    Blank nodes come first, then IRIs, numbers by value (NaN behind them), other literals by their characters, lists
    member by member, and formulas, in an order of their own. Numbers of the same value go by datatype and characters.
    """
    parts: list[Part] = []
    pending: list[Term | Part] = [term]
    while pending:
        part = pending.pop()
        if len(parts) > MOST_PARTS:
            return None
        match part:
            case ListTerm(items):
                parts.append((_LIST,))
                pending += [(_END,), *reversed(items)]
            case Formula():
                parts.append((_FORMULA, part.digest))
            case IRI() | BlankNode() | Literal() | Variable():
                parts += _atom(part)
            case _:
                parts.append(part)
    return tuple(parts)


def _atom(term: IRI | BlankNode | Literal | Variable) -> list[Part]:
    match term:
        case IRI(value):
            return [(_LIST,), (_END,)] if term == RDF_NIL else [(_IRI, value)]
        case BlankNode(label, scope):
            return [(_BLANK_NODE, scope, label)]
        case Variable(name):
            return [(_VARIABLE, name)]
        case Literal(lexical, datatype, language):
            number = read_typed_number(term, plain_too=False)
            if number is None:
                return [(_LITERAL, lexical, language, datatype)]
            if number.value != number.value:
                return [(_NOT_A_NUMBER, datatype, lexical)]
            return [(_NUMBER, number.value, datatype, lexical)]
