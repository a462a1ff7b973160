"""``math:`` functions of angles, in radians, and hyperbolic ones: inputs are made doubles, results are xsd:double.

Each goes both ways: from a known object the subject is computed by the inverse, of several the principal one
(``0 math:cos ?x`` gives 1, ``?x math:cos 0`` gives half of pi). With both known either direction may show that they
belong together; results are compared by value. Outside of its domain, and where a finite
number is too great for it, a function does not hold. Inputs are those of arithmetic in both numeric modes.
Sources: cwm's math vocabulary; EYE for radians, asinh, acosh and atanh; XPath Functions 3.1, section 4.8.
"""

import math

from agent.n3.builtins.numbers import Kind, Number, promote
from agent.n3.builtins.operands import OfDouble, OfNumber, as_double, both_ways, of_numbers, written
from agent.n3.builtins.registry import Context
from agent.rdf.terms import Term


def _double(compute: OfDouble) -> OfNumber:
    return lambda number, context: as_double(number, compute, context)


@both_ways("sin", _double(math.asin))
def sine(number: Number, context: Context) -> Term | None:
    """Return the sine of an angle."""
    return as_double(number, math.sin, context)


@both_ways("cos", _double(math.acos))
def cosine(number: Number, context: Context) -> Term | None:
    """Return the cosine of an angle."""
    return as_double(number, math.cos, context)


@both_ways("tan", _double(math.atan))
def tangent(number: Number, context: Context) -> Term | None:
    """Return the tangent of an angle."""
    return as_double(number, math.tan, context)


@both_ways("asin", _double(math.sin))
def arc_sine(number: Number, context: Context) -> Term | None:
    """Return the angle from -pi/2 to pi/2 with this sine."""
    return as_double(number, math.asin, context)


@both_ways("acos", _double(math.cos))
def arc_cosine(number: Number, context: Context) -> Term | None:
    """Return the angle from 0 to pi with this cosine."""
    return as_double(number, math.acos, context)


@both_ways("atan", _double(math.tan))
def arc_tangent(number: Number, context: Context) -> Term | None:
    """Return the angle between -pi/2 and pi/2 with this tangent."""
    return as_double(number, math.atan, context)


@both_ways("sinh", _double(math.asinh))
def hyperbolic_sine(number: Number, context: Context) -> Term | None:
    """Return the hyperbolic sine."""
    return as_double(number, math.sinh, context)


@both_ways("cosh", _double(math.acosh))
def hyperbolic_cosine(number: Number, context: Context) -> Term | None:
    """Return the hyperbolic cosine."""
    return as_double(number, math.cosh, context)


@both_ways("tanh", _double(math.atanh))
def hyperbolic_tangent(number: Number, context: Context) -> Term | None:
    """Return the hyperbolic tangent."""
    return as_double(number, math.tanh, context)


@both_ways("asinh", _double(math.sinh))
def area_sine(number: Number, context: Context) -> Term | None:
    """Return the number with this hyperbolic sine."""
    return as_double(number, math.asinh, context)


@both_ways("acosh", _double(math.cosh))
def area_cosine(number: Number, context: Context) -> Term | None:
    """Return the number of zero or more with this hyperbolic cosine."""
    return as_double(number, math.acosh, context)


@both_ways("atanh", _double(math.tanh))
def area_tangent(number: Number, context: Context) -> Term | None:
    """Return the number with this hyperbolic tangent."""
    return as_double(number, math.atanh, context)


@both_ways("degrees", _double(math.radians))
def degrees(number: Number, context: Context) -> Term | None:
    """Return the angle in degrees."""
    return as_double(number, math.degrees, context)


@both_ways("radians", _double(math.degrees))
def radians(number: Number, context: Context) -> Term | None:
    """Return the angle of so many degrees."""
    return as_double(number, math.radians, context)


@of_numbers("atan2", 2)
def arc_tangent_of_two(numbers: list[Number], context: Context) -> Term | None:
    """Return the angle from -pi to pi of the point whose y is the first and whose x the second of a list of two numbers."""
    _, (y, x) = promote(numbers, Kind.DOUBLE)
    return written(math.atan2(float(y), float(x)), Kind.DOUBLE, context)
