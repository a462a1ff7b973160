"""``math:`` conditions: both sides are read as numbers whatever their datatype; what is no number does not hold.

The order is that of the values after promotion. NaN is less than, equal to and greater than nothing, and
``notLessThan`` and ``notGreaterThan`` mean "greater or equal" and "less or equal", so they do not hold for it either.
Both numeric modes agree here. Both sides must be known. Texts that are no numbers are noted in the tally of misreadings. Source: cwm's math vocabulary, XPath and XQuery Functions 3.1, section 4.3.
"""

from collections.abc import Container, Iterable

from agent.n3.builtins.numbers import compare, read_number
from agent.n3.builtins.registry import BOTH, Context, relation
from agent.rdf.terms import Literal, Term
from agent.vocab import MATH


def _compared(
    subject: Term | None, object_: Term | None, wanted: Container[int | None], name: str, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Return the pair if both are numbers that compare as ``wanted``; note texts that are none for ``math:name``."""
    if not isinstance(subject, Literal) or not isinstance(object_, Literal):
        return ()
    a, b = read_number(subject), read_number(object_)
    if a is not None and b is not None:
        return ((subject, object_),) if compare(a, b) in wanted else ()
    for literal, number in ((subject, a), (object_, b)):
        if number is None:
            context.misreadings.note("math:" + name, literal)
    return ()


@relation(MATH + "lessThan", BOTH)
def less_than(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Hold if the subject is the smaller number."""
    return _compared(subject, object_, (-1,), "lessThan", context)


@relation(MATH + "greaterThan", BOTH)
def greater_than(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Hold if the subject is the greater number."""
    return _compared(subject, object_, (1,), "greaterThan", context)


@relation(MATH + "notLessThan", BOTH)
def not_less_than(
    subject: Term | None, object_: Term | None, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Hold if the subject is the greater number or both are equal."""
    return _compared(subject, object_, (0, 1), "notLessThan", context)


@relation(MATH + "notGreaterThan", BOTH)
def not_greater_than(
    subject: Term | None, object_: Term | None, context: Context
) -> Iterable[tuple[Term, Term]]:
    """Hold if the subject is the smaller number or both are equal."""
    return _compared(subject, object_, (-1, 0), "notGreaterThan", context)


@relation(MATH + "equalTo", BOTH)
def equal_to(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Hold if both numbers have the same value, like 1 and 1.0."""
    return _compared(subject, object_, (0,), "equalTo", context)


@relation(MATH + "notEqualTo", BOTH)
def not_equal_to(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    """Hold if both are numbers of different value; NaN differs from every number, itself included."""
    return _compared(subject, object_, (-1, 1, None), "notEqualTo", context)
