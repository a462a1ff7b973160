"""Numbers of literals: reading, promoting, comparing and writing (XPath and XQuery Functions 3.1, section 4).

Integers and decimals are exact, xsd:float and xsd:double are IEEE 754. Every number is bounded by ``MAX_DIGITS``
decimal digits, so that no input makes the arithmetic hang: what is larger is no number for us.
"""

import math
import re
import struct
from decimal import Context as DecimalContext
from decimal import Decimal
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from agent.rdf.terms import XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING, Literal
from agent.vocab import XSD

MAX_DIGITS = 4000
XSD_FLOAT = XSD + "float"

# Division alone cannot be exact; 34 digits are those of the IEEE 754 decimal128 format.
QUOTIENT = DecimalContext(prec=34)
EXACT = DecimalContext(prec=2 * MAX_DIGITS + 2)

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN")
_BLANK = " \t\r\n"


class Kind(IntEnum):
    """The numeric types in the order of promotion."""

    INTEGER = 0
    DECIMAL = 1
    FLOAT = 2
    DOUBLE = 3


_KIND_OF_DATATYPE = {
    XSD_DECIMAL: Kind.DECIMAL,
    XSD_FLOAT: Kind.FLOAT,
    XSD_DOUBLE: Kind.DOUBLE,
    **{
        XSD + name: Kind.INTEGER
        for name in (
            "integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger",
            "nonPositiveInteger", "negativeInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte",
        )
    },
}  # fmt: skip
_DATATYPE_OF_KIND = {
    Kind.INTEGER: XSD_INTEGER,
    Kind.DECIMAL: XSD_DECIMAL,
    Kind.FLOAT: XSD_FLOAT,
    Kind.DOUBLE: XSD_DOUBLE,
}

Value: TypeAlias = int | Decimal | float


class Number(NamedTuple):
    """A number and its type: an int, a Decimal, or a float for both binary types."""

    value: Value
    kind: Kind


def read_number(literal: Literal) -> Number | None:
    """Return the number that the characters of ``literal`` spell, whatever its datatype, else nothing.

    A numeric datatype decides the type; with any other the spelling does: ``2`` is an integer, ``2.5`` a decimal,
    ``2e0`` a double. White space around the number does not count.
    """
    text = literal.lexical.strip(_BLANK)
    kind = _KIND_OF_DATATYPE.get(literal.datatype)
    if kind is None:
        kind = _kind_of_spelling(text)
    if kind is None or len(text) > MAX_DIGITS:
        return None
    if kind is Kind.INTEGER:
        return Number(int(text), kind) if _INTEGER.fullmatch(text) else None
    if kind is Kind.DECIMAL:
        return Number(Decimal(text), kind) if _DECIMAL.fullmatch(text) else None
    if not _DOUBLE.fullmatch(text):
        return None
    return Number(_rounded(float(text.replace("INF", "inf")), kind), kind)


def read_typed_number(literal: Literal, *, plain_too: bool) -> Number | None:
    """Return the number of a literal with a numeric datatype; with ``plain_too`` also of a plain one."""
    if literal.datatype in _KIND_OF_DATATYPE or (plain_too and literal.datatype == XSD_STRING):
        return read_number(literal)
    return None


def _kind_of_spelling(text: str) -> Kind | None:
    if _INTEGER.fullmatch(text):
        return Kind.INTEGER
    if _DECIMAL.fullmatch(text):
        return Kind.DECIMAL
    return Kind.DOUBLE if _DOUBLE.fullmatch(text) else None


def _rounded(value: float, kind: Kind) -> float:
    """Return ``value`` in the precision of ``kind``."""
    if kind is Kind.DOUBLE:
        return value
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return single


def _as_float(value: Value) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def promote(numbers: list[Number], at_least: Kind = Kind.INTEGER) -> tuple[Kind, list[Value]]:
    """Return the common type of ``numbers`` and their values in it."""
    kind = max([at_least, *(number.kind for number in numbers)])
    if kind is Kind.INTEGER:
        return kind, [number.value for number in numbers]
    if kind is Kind.DECIMAL:
        return kind, [as_decimal(number.value) for number in numbers]
    return kind, [_rounded(_as_float(number.value), kind) for number in numbers]


def as_decimal(value: Value) -> Decimal:
    """Return an exact or binary ``value`` as the decimal of exactly that value."""
    return value if isinstance(value, Decimal) else EXACT.create_decimal(value)


def same_number(left: Number, right: Number) -> bool:
    """Tell whether both are equal after promotion; NaN is equal to nothing."""
    return compare(left, right) == 0


def compare(left: Number, right: Number) -> int | None:
    """Return -1, 0 or 1 as ``left`` is less than, equal to or greater than ``right``; nothing if one is NaN."""
    _, (a, b) = promote([left, right])
    if a == b:
        return 0
    if a < b:
        return -1
    return 1 if a > b else None


def number_literal(value: Value, kind: Kind, *, python_doubles: bool) -> Literal | None:
    """Return the literal of ``value`` in the canonical form of XSD 1.1, or nothing if it is too large.

    With ``python_doubles`` binary numbers are written the way cwm does: ``1.5`` where XSD says ``1.5E0``.
    """
    datatype = _DATATYPE_OF_KIND[kind]
    if isinstance(value, int):
        # 3.3 bits make a digit; asked first because writing a huge integer is slow and refused by Python.
        return Literal(str(value), datatype) if value.bit_length() < 3.3 * MAX_DIGITS else None
    if isinstance(value, Decimal):
        return _decimal_literal(value)
    return Literal(_double_text(_rounded(value, kind), kind, python_doubles=python_doubles), datatype)


def _decimal_literal(value: Decimal) -> Literal | None:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or len(digits) + abs(exponent) > MAX_DIGITS:
        return None
    return Literal(_decimal_text(value), XSD_DECIMAL)


def _decimal_text(value: Decimal) -> str:
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _double_text(value: float, kind: Kind, *, python_doubles: bool) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    shortest = _shortest(value, kind)
    if python_doubles:
        return shortest
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return sign + "0.0E0"
    _, digits, exponent = Decimal(shortest).normalize().as_tuple()
    assert isinstance(exponent, int)  # noqa: S101  infinities and NaN were written above
    text = "".join(map(str, digits))
    return f"{sign}{text[0]}.{text[1:] or '0'}E{exponent + len(text) - 1}"


def spelled(number: Number) -> str:
    """Return the characters that XPath casts ``number`` to (Functions and Operators 3.1, section 19.1.2.2).

    Exact numbers are canonical; binary ones from 0.000001 up to a million are written without an exponent.
    """
    value, kind = number.value, number.kind
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return _decimal_text(value)
    if value == 0 or 1e-6 <= abs(value) < 1e6:
        text = _decimal_text(Decimal(_shortest(value, kind)))
        return "-0" if value == 0 and math.copysign(1.0, value) < 0 else text
    return _double_text(value, kind, python_doubles=False)


def _shortest(value: float, kind: Kind) -> str:
    """Return the shortest decimal text that reads back as ``value`` in the precision of ``kind``."""
    if kind is Kind.FLOAT:
        for precision in range(1, 10):
            text = f"{value:.{precision}g}"
            if _rounded(float(text), kind) == value:
                return text
    return repr(value)
