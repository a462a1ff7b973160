"""The parser reports each faulty statement once, and none that is in order, however they are mixed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import ProgramError
from agent.n3.parser import parse
from agent.n3.problems import MAX_ERRORS
from tests.support.depth import depth

PREFIX = "@prefix ex: <http://example.org/ns#> ."
GOOD = (
    "ex:a ex:b ex:c .",
    "<a> ex:b 'a dot . in a text', 1.5 .",
    "_:x ex:b [ ex:c ( 1 2 ) ] .",
    "{ ?x ex:b ?y . ?y ex:b ?z } => { ?x ex:b ?z } .",
    "ex:a ex:b ex:c ;\n  ex:d ex:e .",
    "@prefix more: <http://example.org/more#> .",
    "# only a remark, with a . in it",
    "ex:a ex:b { ex:c ex:d ( ex:e ) . } .",
)
FAULTY = (
    "ex:a ex:b .",
    "ex:a ex:b ( ex:c .",
    "ex:a ex:b [ ex:c ex:d .",
    "ex:a ex:b ( [ ex:c ( 1 2 .",
    "ex:a ex:b 'no end .",
    "ex:a ex:b <no-end .",
    "ex:a ex:b word .",
    "ex:a ex:b ex:c ex:d .",
    "ex:a ex:b ~ .",
    "ex:a ex:b 'x' @en .",
    "{ ex:a ex:b ) } => { ex:c ex:d ex:e } .",
)


@given(st.lists(st.sampled_from(GOOD + FAULTY), max_size=30))
@settings(max_examples=depth(150, 5000))
def test_each_faulty_statement_is_reported_on_its_line_and_no_other(statements: list[str]) -> None:
    lines, faulty = [PREFIX], []
    for statement in statements:
        if statement in FAULTY:
            faulty.append(len(lines) + 1)
        lines += statement.split("\n")

    assert _reported("\n".join(lines)) == faulty[:MAX_ERRORS]


def _reported(text: str) -> list[int]:
    """Return the lines of the errors of ``text``."""
    try:
        parse(text, source="test.n3", base="http://example.org/")
    except ProgramError as error:
        return [each.place.line for each in (error, *error.others) if each.place]
    return []
