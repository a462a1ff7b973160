"""What the builtins on numbers compute in both numeric modes: one line a case, the whole answer asserted."""

import pytest

from tests.support.builtin_answers import CWM, STRICT, answers, terms

# body, its answers under strict, its answers under cwm (nothing: the same)
CASES: list[tuple[str, str] | tuple[str, str, str]] = [
    # to whole numbers
    ("2.5 math:rounded ?a", '"3"^^xsd:decimal'),
    ("-2.5 math:rounded ?a", '"-2"^^xsd:decimal'),
    ("2.4999999999999999999999 math:rounded ?a", '"2"^^xsd:decimal'),
    ("7 math:rounded ?a", "7"),
    ("-0.3e0 math:rounded ?a", '"-0.0E0"^^xsd:double', '"-0.0"^^xsd:double'),
    ("0.49999999999999994e0 math:rounded ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ('"2.5"^^xsd:float math:rounded ?a', '"3.0E0"^^xsd:float', '"3"^^xsd:float'),
    ('"INF"^^xsd:double math:rounded ?a', '"INF"^^xsd:double'),
    ('"2.5" math:rounded ?a', "", '"3"^^xsd:decimal'),
    ("2.6 math:rounded 3", ":yes"),
    ("2.9 math:floor ?a", "2"),
    ("-2.1 math:floor ?a", "-3"),
    ("-2.1e0 math:floor ?a", "-3"),
    ("1e22 math:floor ?a", "10000000000000000000000"),
    ('"NaN"^^xsd:double math:floor ?a', ""),
    ('"-INF"^^xsd:double math:floor ?a', ""),
    ('" 2.9 " math:floor ?a', "", "2"),
    ("2.1 math:ceiling ?a", "3"),
    ("-2.9 math:ceiling ?a", "-2"),
    ("-0.5 math:ceiling 0", ":yes"),
    ('"INF"^^xsd:double math:ceiling ?a', ""),
    ("(1) math:ceiling ?a", ""),
    (":b math:ceiling ?a", ""),
    # whole quotients, and what makes up the rest
    ("(7 2) math:integerQuotient ?a", "3"),
    ("(-7 2) math:integerQuotient ?a", "-3", "-4"),
    ("(7 -2) math:integerQuotient ?a", "-3", "-4"),
    ("(-7 -2) math:integerQuotient ?a", "3"),
    ("(-6 2) math:integerQuotient ?a", "-3"),
    ("(7.5 0.25) math:integerQuotient ?a", "30"),
    ("(7.5e0 2) math:integerQuotient ?a", "3"),
    ("(-7.5e0 2) math:integerQuotient ?a", "-3", "-4"),
    ("(7 0) math:integerQuotient ?a", ""),
    ("(7e0 0) math:integerQuotient ?a", ""),
    ('("INF"^^xsd:double 2) math:integerQuotient ?a', ""),
    ('("7" "2") math:integerQuotient ?a', "", "3"),
    ("(7 -2) math:remainder ?a", "1", "-1"),
    ("(-7 -2) math:remainder ?a", "-1"),
    ("(2.0 4) math:remainder ?a", '"2"^^xsd:decimal', ""),
    ("(2e0 4) math:remainder ?a", '"2.0E0"^^xsd:double', ""),
    ("(7 0) math:remainder ?a", ""),
    # logarithms
    ("(8 2) math:logarithm ?a", '"3.0E0"^^xsd:double', '"3.0"^^xsd:double'),
    ("(1000 10) math:logarithm ?a", '"3.0E0"^^xsd:double', '"3.0"^^xsd:double'),
    ("(0.25 2) math:logarithm ?a", '"-2.0E0"^^xsd:double', '"-2.0"^^xsd:double'),
    ("(2 4) math:logarithm 0.5", ":yes"),
    ("(8 1) math:logarithm ?a", ""),
    ("(8 0) math:logarithm ?a", ""),
    ("(0 2) math:logarithm ?a", ""),
    ("(-8 2) math:logarithm ?a", ""),
    ('("NaN"^^xsd:double 2) math:logarithm ?a', ""),
    ('(8 "2") math:logarithm ?a', "", '"3.0"^^xsd:double'),
    # angles
    ("0 math:sin ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("?a math:sin 0", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("?a math:sin 1.5", ""),
    ("0 math:cos ?a", '"1.0E0"^^xsd:double', '"1.0"^^xsd:double'),
    ("?a math:cos 1", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("0 math:tan ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("1 math:asin ?a", '"1.5707963267948966E0"^^xsd:double', '"1.5707963267948966"^^xsd:double'),
    ("?a math:asin 0.5", '"4.79425538604203E-1"^^xsd:double', '"0.479425538604203"^^xsd:double'),
    ("2 math:asin ?a", ""),
    ("1 math:acos ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("1 math:atan ?a", '"7.853981633974483E-1"^^xsd:double', '"0.7853981633974483"^^xsd:double'),
    ("(1 -1) math:atan2 ?a", '"2.356194490192345E0"^^xsd:double', '"2.356194490192345"^^xsd:double'),
    ("(1) math:atan2 ?a", ""),
    ("0 math:sinh ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("0 math:cosh ?a", '"1.0E0"^^xsd:double', '"1.0"^^xsd:double'),
    ("100000 math:cosh ?a", ""),
    ("0 math:tanh ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("0 math:asinh ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("1 math:acosh ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("0.5 math:acosh ?a", ""),
    ("0 math:atanh ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("1 math:atanh ?a", ""),
    ("0 math:degrees ?a", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ("3.141592653589793 math:degrees 180", ":yes"),
    ("180 math:radians ?a", '"3.141592653589793E0"^^xsd:double', '"3.141592653589793"^^xsd:double'),
    ("?a math:radians 0", '"0.0E0"^^xsd:double', '"0.0"^^xsd:double'),
    ('"0" math:sin ?a', "", '"0.0"^^xsd:double'),
    ('"NaN"^^xsd:double math:sin ?a', '"NaN"^^xsd:double'),
    ('"INF"^^xsd:double math:sin ?a', ""),
    # what one direction gives, the other one tests
    ("0.3 math:sin ?y . ?x math:asin ?y . ?y math:asin 0.3", ":yes"),
    ("?x math:cos 0.1 . ?x math:cos 0.1", ":yes"),
    ("1 math:sin 0.5", ""),
    ("-1 math:atanh -100", ":yes"),
    ("1.000000082740371e-8 math:asin 0.00000001", ""),
    # a known object is compared by value
    ("(0.1e0 0.2e0) math:sum 0.3", ""),
    ("(0.5e0 0.25e0) math:sum 0.75", ":yes"),
    ('("NaN"^^xsd:double 1) math:sum "NaN"^^xsd:double', ":yes"),
    ('("INF"^^xsd:double 1) math:sum "INF"^^xsd:double', ":yes"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_builtin_on_numbers_gives(case: tuple[str, ...]) -> None:
    body, strict, *cwm = case
    assert (answers(body, STRICT), answers(body, CWM)) == (terms(strict), terms(cwm[0] if cwm else strict))
