"""What a device takes as its state, and what it does not."""

import pytest

from agent.rdf.terms import XSD_DECIMAL, XSD_INTEGER, Literal
from agent.sim.devices import Count, Degrees, Domain, Share


@pytest.mark.parametrize(
    ("domain", "text", "state"),
    [
        (Share(), "1", Literal("1.0", XSD_DECIMAL)),
        (Share(), "0.25", Literal("0.25", XSD_DECIMAL)),
        (Degrees(), "61.5", Literal("61.5", XSD_DECIMAL)),
        (Degrees(), "-4", Literal("-4.0", XSD_DECIMAL)),
        (Count(), "0", Literal("0", XSD_INTEGER)),
        (Count(), "12", Literal("12", XSD_INTEGER)),
    ],
)
def test_a_reading_is_taken_with_its_datatype(domain: Domain, text: str, state: Literal) -> None:
    assert domain.read(text) == state


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        (Share(), "1.1"),
        (Share(), "-0.5"),
        (Degrees(), "--4"),
        (Degrees(), "-"),
        (Degrees(), "hot"),
        (Degrees(), "1e3"),
        (Degrees(), "6" * 21),
        (Count(), "-1"),
        (Count(), "1.0"),
        (Count(), "\N{ARABIC-INDIC DIGIT THREE}"),
        (Count(), "9" * 21),
        (Count(), ""),
    ],
)
def test_anything_else_is_no_reading(domain: Domain, text: str) -> None:
    assert domain.read(text) is None
