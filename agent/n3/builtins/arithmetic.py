"""``math:`` functions: arithmetic with the promotion rules of XPath (Functions and Operators 3.1, section 4.2).

Integers stay integers of any size up to ``MAX_DIGITS`` digits, decimals are exact, xsd:float and xsd:double are
IEEE 754. The result has the highest type of the inputs; integer division gives a decimal. Inputs need a numeric
datatype under ``strict``; under ``cwm`` plain strings that spell a number count too, and doubles are written short.
Whatever has no value (division by zero of exact numbers, the root of a negative number) or is too large does not hold.
The subject must be known; a known object is compared with the result by value. Source: cwm's math vocabulary.
"""

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from agent.n3.builtins.numbers import EXACT, MAX_DIGITS, QUOTIENT, Kind, Number, Value, as_decimal, promote
from agent.n3.builtins.operands import as_double, both_ways, of_number, of_numbers, written
from agent.n3.builtins.registry import Context
from agent.rdf.terms import Term


def _fold(
    numbers: list[Number],
    context: Context,
    exact: Callable[[Decimal, Decimal], Decimal],
    plain: Callable[[Any, Any], Any],
    start: int,
) -> Term | None:
    """Return the result of combining all numbers from the left."""
    kind, values = promote([Number(start, Kind.INTEGER), *numbers])
    total = values[0]
    for value in values[1:]:
        total = (
            exact(total, value)
            if isinstance(total, Decimal) and isinstance(value, Decimal)
            else plain(total, value)
        )
        if _is_huge(total):
            return None
    return written(total, kind, context)


def _is_huge(value: Value) -> bool:
    """Tell whether ``value`` is beyond ``MAX_DIGITS`` digits, without writing it."""
    if isinstance(value, int):
        return value.bit_length() > 3.3 * MAX_DIGITS
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        return not isinstance(exponent, int) or len(digits) + abs(exponent) > MAX_DIGITS
    return False


@of_numbers("sum")
def total(numbers: list[Number], context: Context) -> Term | None:
    """Return the sum of a list of numbers; the empty list gives 0."""
    return _fold(numbers, context, EXACT.add, operator.add, 0)


@of_numbers("product")
def product(numbers: list[Number], context: Context) -> Term | None:
    """Return the product of a list of numbers; the empty list gives 1."""
    return _fold(numbers, context, EXACT.multiply, operator.mul, 1)


@of_numbers("difference", 2)
def difference(numbers: list[Number], context: Context) -> Term | None:
    """Return the first minus the second of a list of two numbers."""
    kind, (a, b) = promote(numbers)
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return written(EXACT.subtract(a, b), kind, context)
    return written(a - b, kind, context)  # type: ignore[operator]  # promotion made both the same type


@of_numbers("quotient", 2)
def quotient(numbers: list[Number], context: Context) -> Term | None:
    """Return the first through the second of a list of two numbers: of exact ones a decimal of 34 digits.

    Division of exact numbers by zero does not hold; of binary ones it gives an infinity or NaN.
    """
    kind, (a, b) = promote(numbers, Kind.DECIMAL)
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return None if b == 0 else written(QUOTIENT.divide(a, b), kind, context)
    return written(_binary_quotient(float(a), float(b)), kind, context)


def _binary_quotient(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


@of_numbers("integerQuotient", 2)
def integer_quotient(numbers: list[Number], context: Context) -> Term | None:
    """Return how many times the second of a list of two numbers goes into the first, an xsd:integer.

    What is left over is dropped: the quotient goes towards zero under ``strict`` (XPath idiv) and down under
    ``cwm``, so that quotient and ``math:remainder`` make up the first number in both. Division by zero does not hold.
    """
    kind, (a, b) = promote(numbers)
    if b == 0:
        return None
    if kind <= Kind.DECIMAL:
        top, bottom = as_decimal(a).as_integer_ratio(), as_decimal(b).as_integer_ratio()
        whole, rest = divmod(top[0] * bottom[1], bottom[0] * top[1])
    else:
        ratio = float(a) / float(b)
        if not math.isfinite(ratio):
            return None
        whole, rest = math.floor(ratio), int(ratio != math.floor(ratio))
    if rest and whole < 0 and context.numeric == "strict":
        whole += 1
    return written(whole, Kind.INTEGER, context)


@of_numbers("remainder", 2)
def remainder(numbers: list[Number], context: Context) -> Term | None:
    """Return what division of the first by the second of a list of two numbers leaves.

    Under ``strict`` it has the sign of the first (XPath mod), under ``cwm`` that of the second, and both must be
    integers. Division by zero does not hold for exact numbers and gives NaN for binary ones.
    """
    kind, (a, b) = promote(numbers)
    if context.numeric == "cwm":
        return written(a % b, kind, context) if isinstance(a, int) and isinstance(b, int) and b else None
    if b == 0 and kind <= Kind.DECIMAL:
        return None
    if isinstance(a, float) and isinstance(b, float):
        rest: Value = math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)
    elif isinstance(a, Decimal) and isinstance(b, Decimal):
        rest = EXACT.remainder(a, b)
    else:
        rest = abs(int(a)) % abs(int(b)) * (-1 if a < 0 else 1)
    return written(rest, kind, context)


@of_numbers("exponentiation", 2)
def exponentiation(numbers: list[Number], context: Context) -> Term | None:
    """Return the first to the power of the second of a list of two numbers.

    Exact numbers to a whole power of zero or more stay exact; anything else is computed as doubles. A complex or
    infinite result of finite numbers does not hold.
    """
    base, power = numbers
    if power.kind is Kind.INTEGER and power.value >= 0 and base.kind <= Kind.DECIMAL:
        return _exact_power(base, int(power.value), context)
    kind, (a, b) = promote(numbers, Kind.FLOAT if base.kind is Kind.FLOAT else Kind.DOUBLE)
    try:
        return written(math.pow(a, b), kind, context)
    except (ValueError, OverflowError):
        return None


def _exact_power(base: Number, power: int, context: Context) -> Term | None:
    if base.value == 0 or abs(base.value) == 1:
        odd = power % 2 == 1
        return written(base.value if odd else int(power == 0 or base.value != 0), base.kind, context)
    _, digits, exponent = as_decimal(base.value).as_tuple()
    # The size of the result is known before it is computed: a power of a billion must not be tried.
    if (
        not isinstance(exponent, int)
        or (len(digits) + abs(exponent) - 1) * power > MAX_DIGITS
        or power > 4 * MAX_DIGITS
    ):
        return None
    if isinstance(base.value, int):
        return written(base.value**power, base.kind, context)
    mantissa = int("".join(map(str, digits))) * (-1 if base.value < 0 else 1)
    return written(Decimal(mantissa**power).scaleb(exponent * power, EXACT), base.kind, context)


@of_numbers("logarithm", 2)
def logarithm(numbers: list[Number], context: Context) -> Term | None:
    """Return the logarithm of the first to the base of the second of a list of two numbers, an xsd:double.

    Both must be positive, the base not 1. A whole power of the base gives a whole number. Source: EYE.
    """
    _, (a, b) = promote(numbers, Kind.DOUBLE)
    value, base = float(a), float(b)
    if not (value > 0 and base > 0 and base != 1 and math.isfinite(base)):
        return None
    result = math.log(value) / math.log(base)
    if math.isfinite(result) and _is_power(value, base, round(result)):
        result = float(round(result))
    return written(result, Kind.DOUBLE, context)


def _is_power(value: float, base: float, power: int) -> bool:
    try:
        return base**power == value
    except OverflowError:
        return False


@of_number("sqrt")
def square_root(number: Number, context: Context) -> Term | None:
    """Return the square root as xsd:double; that of a negative number does not hold. Source: Linked Data-Fu."""
    return as_double(number, math.sqrt, context)


@of_number("absoluteValue")
def absolute_value(number: Number, context: Context) -> Term | None:
    """Return the number without its sign, in its own type."""
    value = number.value
    return written(value.copy_abs() if isinstance(value, Decimal) else abs(value), number.kind, context)


def _opposite(number: Number, context: Context) -> Term | None:
    value = number.value
    return written(value.copy_negate() if isinstance(value, Decimal) else -value, number.kind, context)


@both_ways("negation", _opposite)
def negation(number: Number, context: Context) -> Term | None:
    """Return the number with the other sign, in its own type; subject and object give each other."""
    return _opposite(number, context)
