"""``math:`` functions: arithmetic with the promotion rules of XPath (Functions and Operators 3.1, section 4.2).

Integers stay integers of any size up to ``MAX_DIGITS`` digits, decimals are exact, xsd:float and xsd:double are
IEEE 754. The result has the highest type of the inputs; integer division gives a decimal. Inputs need a numeric
datatype under ``strict``; under ``cwm`` plain strings that spell a number count too, and doubles are written short.
Whatever has no value (division by zero of exact numbers, the root of a negative number) or is too large does not hold.
"""

import math
import operator
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from agent.n3.builtins.numbers import (
    EXACT,
    MAX_DIGITS,
    QUOTIENT,
    Kind,
    Number,
    Value,
    as_decimal,
    number_literal,
    promote,
    read_typed_number,
)
from agent.n3.builtins.registry import OBJECT, SUBJECT, Context, function, relation, same_value
from agent.rdf.terms import ListTerm, Literal, Term
from agent.vocab import MATH


def _number(term: Term, context: Context) -> Number | None:
    if not isinstance(term, Literal):
        return None
    return read_typed_number(term, plain_too=context.numeric == "cwm")


def _operands(subject: Term, context: Context, count: int | None = None) -> list[Number] | None:
    """Return the numbers of the list ``subject``, or nothing if one is none or there are not ``count``."""
    if not isinstance(subject, ListTerm) or (count is not None and len(subject.items) != count):
        return None
    numbers = [number for item in subject.items if (number := _number(item, context)) is not None]
    return numbers if len(numbers) == len(subject.items) else None


def _literal(value: Value, kind: Kind, context: Context) -> Term | None:
    return number_literal(value, kind, python_doubles=context.numeric == "cwm")


def _fold(
    subject: Term,
    context: Context,
    exact: Callable[[Decimal, Decimal], Decimal],
    plain: Callable[[Any, Any], Any],
    start: int,
) -> Term | None:
    """Return the result of combining all numbers of the list ``subject`` from the left."""
    numbers = _operands(subject, context)
    if numbers is None:
        return None
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
    return _literal(total, kind, context)


def _is_huge(value: Value) -> bool:
    """Tell whether ``value`` is beyond ``MAX_DIGITS`` digits, without writing it."""
    if isinstance(value, int):
        return value.bit_length() > 3.3 * MAX_DIGITS
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        return not isinstance(exponent, int) or len(digits) + abs(exponent) > MAX_DIGITS
    return False


@function(MATH + "sum", lists=SUBJECT, numeric=True)
def total(subject: Term, context: Context) -> Term | None:
    """Return the sum of a list of numbers; the empty list gives 0."""
    return _fold(subject, context, EXACT.add, operator.add, 0)


@function(MATH + "product", lists=SUBJECT, numeric=True)
def product(subject: Term, context: Context) -> Term | None:
    """Return the product of a list of numbers; the empty list gives 1."""
    return _fold(subject, context, EXACT.multiply, operator.mul, 1)


@function(MATH + "difference", lists=SUBJECT, numeric=True)
def difference(subject: Term, context: Context) -> Term | None:
    """Return the first minus the second of a list of two numbers."""
    numbers = _operands(subject, context, 2)
    if numbers is None:
        return None
    kind, (a, b) = promote(numbers)
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return _literal(EXACT.subtract(a, b), kind, context)
    return _literal(a - b, kind, context)  # type: ignore[operator]  # promotion made both the same type


@function(MATH + "quotient", lists=SUBJECT, numeric=True)
def quotient(subject: Term, context: Context) -> Term | None:
    """Return the first through the second of a list of two numbers: of exact ones a decimal of 34 digits.

    Division of exact numbers by zero does not hold; of binary ones it gives an infinity or NaN.
    """
    numbers = _operands(subject, context, 2)
    if numbers is None:
        return None
    kind, (a, b) = promote(numbers, Kind.DECIMAL)
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return None if b == 0 else _literal(QUOTIENT.divide(a, b), kind, context)
    return _literal(_binary_quotient(float(a), float(b)), kind, context)


def _binary_quotient(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


@function(MATH + "remainder", lists=SUBJECT, numeric=True)
def remainder(subject: Term, context: Context) -> Term | None:
    """Return what division of the first by the second of a list of two numbers leaves.

    It has the sign of the first under ``strict`` (XPath) and that of the second under ``cwm``. Division by zero
    does not hold for exact numbers and gives NaN for binary ones.
    """
    numbers = _operands(subject, context, 2)
    if numbers is None:
        return None
    kind, (a, b) = promote(numbers)
    if b == 0 and kind <= Kind.DECIMAL:
        return None
    if isinstance(a, float) and isinstance(b, float):
        rest: Value = math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)
    elif isinstance(a, Decimal) and isinstance(b, Decimal):
        rest = EXACT.remainder(a, b)
    else:
        rest = abs(int(a)) % abs(int(b)) * (-1 if a < 0 else 1)
    if context.numeric == "cwm" and rest != 0 and (rest < 0) != (b < 0):
        rest += b  # type: ignore[operator]  # promotion made both the same type
    return _literal(rest, kind, context)


@function(MATH + "exponentiation", lists=SUBJECT, numeric=True)
def exponentiation(subject: Term, context: Context) -> Term | None:
    """Return the first to the power of the second of a list of two numbers.

    Exact numbers to a whole power of zero or more stay exact; anything else is computed as doubles. A complex or
    infinite result of finite numbers does not hold.
    """
    numbers = _operands(subject, context, 2)
    if numbers is None:
        return None
    base, power = numbers
    if power.kind is Kind.INTEGER and power.value >= 0 and base.kind <= Kind.DECIMAL:
        return _exact_power(base, int(power.value), context)
    kind, (a, b) = promote(numbers, Kind.FLOAT if base.kind is Kind.FLOAT else Kind.DOUBLE)
    try:
        return _literal(math.pow(a, b), kind, context)
    except (ValueError, OverflowError):
        return None


def _exact_power(base: Number, power: int, context: Context) -> Term | None:
    if base.value == 0 or abs(base.value) == 1:
        odd = power % 2 == 1
        return _literal(base.value if odd else int(power == 0 or base.value != 0), base.kind, context)
    _, digits, exponent = as_decimal(base.value).as_tuple()
    # The size of the result is known before it is computed: a power of a billion must not be tried.
    if (
        not isinstance(exponent, int)
        or (len(digits) + abs(exponent) - 1) * power > MAX_DIGITS
        or power > 4 * MAX_DIGITS
    ):
        return None
    if isinstance(base.value, int):
        return _literal(base.value**power, base.kind, context)
    mantissa = int("".join(map(str, digits))) * (-1 if base.value < 0 else 1)
    return _literal(Decimal(mantissa**power).scaleb(exponent * power, EXACT), base.kind, context)


@function(MATH + "sqrt", numeric=True)
def square_root(subject: Term, context: Context) -> Term | None:
    """Return the square root as xsd:double; that of a negative number does not hold."""
    number = _number(subject, context)
    if number is None or number.value < 0:
        return None
    _, (value,) = promote([number], Kind.DOUBLE)
    return _literal(math.sqrt(value), Kind.DOUBLE, context)


@function(MATH + "absoluteValue", numeric=True)
def absolute_value(subject: Term, context: Context) -> Term | None:
    """Return the number without its sign, in its own type."""
    number = _number(subject, context)
    if number is None:
        return None
    value = number.value
    return _literal(value.copy_abs() if isinstance(value, Decimal) else abs(value), number.kind, context)


@relation(MATH + "negation", SUBJECT, OBJECT, waits=True)
def negation(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Relate a number to the same with the other sign; one known side is enough."""
    known = subject if subject is not None else object_
    number = _number(known, context) if known is not None else None
    if known is None or number is None:
        return
    value = number.value
    opposite = _literal(value.copy_negate() if isinstance(value, Decimal) else -value, number.kind, context)
    if opposite is None:
        return
    if subject is None:
        yield opposite, known
    elif object_ is None:
        yield known, opposite
    elif same_value(opposite, object_):
        yield known, object_
