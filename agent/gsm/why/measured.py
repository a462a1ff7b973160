"""By how much a comparison fails: two values and an operator in, a remark for people out."""

from decimal import Decimal, InvalidOperation

from agent.gsm.why.naming import NUMERIC, cut_short, duration, value_text
from agent.gsm.why.snapshot import seconds_of
from agent.rdf.terms import IRI, XSD_DATETIME, XSD_STRING, BlankNode, Literal, Term

_LONGEST_NUMBER = 60
_MOST_DIGITS = 400
"""Numbers beyond those of an xsd:double are not subtracted."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


def turned(operator: str) -> str:
    """Return the operator that says the same with its sides exchanged."""
    return _TURNED[operator]


def miss(value: Term, operator: str, wanted: Term) -> tuple[str, float]:
    """Return why ``value operator wanted`` does not hold, and a distance to sort by; values that fit in no way come last."""
    if _kind(value) != _kind(wanted):
        if operator in {"=", "!="} and not {_kind(value), _kind(wanted)} <= {"a number", "text"}:
            return f"is {_kind(value)}, not {_kind(wanted)}", float("inf")
        return f"can't be compared with {_kind(wanted)} (it is {_kind(value).removeprefix('a ')})", float(
            "inf"
        )
    one, other = _number(value), _number(wanted)
    if one is not None and other is not None:
        return _apart(one, operator, other, _span(value))
    if _kind(value) == "a time":
        return "has no time zone, so it can't be compared", float("inf")
    if operator == "!=":
        return "is the same", 0.0
    if operator == "=":
        return f"is not {value_text(wanted)}", 1.0
    return f"is not {operator} {value_text(wanted)}", 1.0


def _apart(one: Decimal, operator: str, other: Decimal, span: str) -> tuple[str, float]:
    if not (one.is_finite() and other.is_finite()):
        return "is not a finite number", float("inf")
    gap = abs(one - other)
    words = ("early", "late") if span else ("low", "high")
    if operator == "!=":
        return "is the same", 0.0
    if not gap:
        return f"is just the limit; it has to be {'above' if operator[0] == '>' else 'below'}", 0.0
    size = duration(float(gap)) if span else plain(gap)
    if operator == "=":
        return f"differs by {size}", float(gap)
    return f"too {words[0] if operator[0] == '>' else words[1]} by {size}", float(gap)


def plain(number: Decimal) -> str:
    """Return ``number`` without an exponent where that is short."""
    text = f"{number.normalize():f}" if abs(number.adjusted()) < 20 else ""
    return text if 0 < len(text) <= 20 else f"{number:.6g}"


def _kind(term: Term) -> str:
    match term:
        case Literal(_, datatype) if datatype in NUMERIC:
            return "a number"
        case Literal(_, datatype) if datatype == XSD_DATETIME:
            return "a time"
        case Literal(_, datatype, language) if datatype == XSD_STRING or language:
            return "text"
        case Literal(_, datatype):
            return f"a {cut_short(datatype.rpartition('#')[2] or datatype, 30)}"
        case IRI() | BlankNode():
            return "a thing"
        case _:
            return "something else"


def _span(term: Term) -> str:
    return "time" if _kind(term) == "a time" else ""


def _number(term: Term) -> Decimal | None:
    """Return a number, or a time in seconds; None for all else."""
    if not isinstance(term, Literal) or len(term.lexical) > _LONGEST_NUMBER:
        return None
    if term.datatype == XSD_DATETIME:
        seconds = seconds_of(term.lexical)
        return None if seconds is None else Decimal(str(seconds))
    try:
        number = Decimal(term.lexical.strip()) if term.datatype in NUMERIC else None
    except InvalidOperation:
        return None
    return (
        None
        if number is not None and number.is_finite() and abs(number.adjusted()) > _MOST_DIGITS
        else number
    )
