"""``math:`` functions to whole numbers, as XPath defines them (Functions and Operators 3.1, section 4.4).

Inputs are those of arithmetic in both numeric modes; the subject must be known, a known object is compared by value.
Sources: cwm's math vocabulary for ``rounded``, the W3C community group's for ``floor`` and ``ceiling``.
"""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from agent.n3.builtins.numbers import EXACT, Kind, Number, Value
from agent.n3.builtins.operands import of_number, written
from agent.n3.builtins.registry import Context
from agent.rdf.terms import Term


def _whole(value: Value, *, up: bool) -> int | None:
    """Return the next integer above or below ``value``; infinities and NaN have none."""
    if isinstance(value, int):
        return value
    if isinstance(value, Decimal):
        return int(value.to_integral_value(ROUND_CEILING if up else ROUND_FLOOR, EXACT))
    if not math.isfinite(value):
        return None
    return math.ceil(value) if up else math.floor(value)


@of_number("floor")
def floor(number: Number, context: Context) -> Term | None:
    """Return the greatest integer that is not greater, an xsd:integer; infinities and NaN do not hold."""
    whole = _whole(number.value, up=False)
    return None if whole is None else written(whole, Kind.INTEGER, context)


@of_number("ceiling")
def ceiling(number: Number, context: Context) -> Term | None:
    """Return the smallest integer that is not smaller, an xsd:integer; infinities and NaN do not hold."""
    whole = _whole(number.value, up=True)
    return None if whole is None else written(whole, Kind.INTEGER, context)


@of_number("rounded")
def rounded(number: Number, context: Context) -> Term | None:
    """Return the nearest whole number in the type of the input, of two the greater: 2.5 gives 3.0 and -2.5 gives -2.0.

    Infinities and NaN stay what they are, and so does the sign of a zero.
    """
    value = number.value
    below = _whole(value, up=False)
    if below is None or isinstance(value, int):
        return written(value, number.kind, context)
    if isinstance(value, Decimal):
        up = EXACT.subtract(value, Decimal(below)) >= Decimal("0.5")
        return written(Decimal(below + up), number.kind, context)
    return written(math.copysign(below + (value - below >= 0.5), value), number.kind, context)
