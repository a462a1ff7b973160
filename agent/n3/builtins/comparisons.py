"""``math:`` conditions: both sides are read as numbers whatever their datatype; what is no number does not hold.

The order is that of the values after promotion. NaN is less than, equal to and greater than nothing, and
``notLessThan`` and ``notGreaterThan`` mean "greater or equal" and "less or equal", so they do not hold for it either.
Both numeric modes agree here. Source: cwm's math vocabulary, XPath and XQuery Functions 3.1, section 4.3.
"""

from collections.abc import Container

from agent.n3.builtins.numbers import compare, read_number
from agent.n3.builtins.registry import test
from agent.rdf.terms import Literal, Term
from agent.vocab import MATH


def _compares(left: Term, right: Term, wanted: Container[int | None]) -> bool:
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return False
    a, b = read_number(left), read_number(right)
    return a is not None and b is not None and compare(a, b) in wanted


@test(MATH + "lessThan")
def less_than(left: Term, right: Term) -> bool:
    """Hold if the subject is the smaller number."""
    return _compares(left, right, (-1,))


@test(MATH + "greaterThan")
def greater_than(left: Term, right: Term) -> bool:
    """Hold if the subject is the greater number."""
    return _compares(left, right, (1,))


@test(MATH + "notLessThan")
def not_less_than(left: Term, right: Term) -> bool:
    """Hold if the subject is the greater number or both are equal."""
    return _compares(left, right, (0, 1))


@test(MATH + "notGreaterThan")
def not_greater_than(left: Term, right: Term) -> bool:
    """Hold if the subject is the smaller number or both are equal."""
    return _compares(left, right, (-1, 0))


@test(MATH + "equalTo")
def equal_to(left: Term, right: Term) -> bool:
    """Hold if both numbers have the same value, like 1 and 1.0."""
    return _compares(left, right, (0,))


@test(MATH + "notEqualTo")
def not_equal_to(left: Term, right: Term) -> bool:
    """Hold if both are numbers of different value; NaN differs from every number, itself included."""
    return _compares(left, right, (-1, 1, None))
