"""Header fields made to be slow to read take no longer than others of their length.

Each is sixty times as long as the server takes in one line. A reader that goes back at every character would need half an hour for one.
"""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.faults import Problem
from ldp_server.links import asks_for_rdf
from ldp_server.names import read_slug
from ldp_server.negotiation import MediaType, _split_at_commas, choose_syntax, is_acceptable, read_media_type
from ldp_server.preferences import NO_PREFERENCES, read_preferences
from ldp_server.ranges import read_range
from ldp_server.syntaxes import JSON_LD, TURTLE
from ldp_server.validators import Tags, read_tags

LENGTH = 1 << 19
BLANKS = " " * LENGTH


def long(unit: str) -> str:
    return unit * (LENGTH // len(unit))


@pytest.mark.parametrize(
    ("reading", "found"),
    [
        (lambda: read_range(f"bytes=-{BLANKS}x", 9), None),
        (lambda: read_range(f"bytes={BLANKS}x", 9), None),
        (lambda: read_range(f"bytes{BLANKS}=1{BLANKS}-{BLANKS}2{BLANKS}", 9), (1, 2)),
        (lambda: read_media_type(f'a/b;q={BLANKS}"'), MediaType("a/b")),
        (lambda: read_media_type(f"a{BLANKS}/{BLANKS}b;{BLANKS}q"), MediaType("a/b")),
        (lambda: read_media_type(long("a/b;")), MediaType("a/b")),
        (lambda: is_acceptable("image/png", 'a/b;q="' + long('\\"')), False),
        (lambda: is_acceptable("image/png", long('"\\') + ",image/png"), True),
        (lambda: choose_syntax(long('"\\"') + ", application/ld+json"), JSON_LD),
        (lambda: choose_syntax(long('"')), TURTLE),
        (lambda: asks_for_rdf([long("<")]), None),
        (lambda: asks_for_rdf([long("<a>;")]), None),
        (lambda: asks_for_rdf([long('<a>;b="\\')]), None),
        (lambda: asks_for_rdf([long("<a>; rel=")]), None),
        (lambda: asks_for_rdf([f"<a>{BLANKS};{BLANKS}rel{BLANKS}={BLANKS}<"]), None),
        (lambda: read_tags(long(", ") + "x"), Tags()),
        (lambda: read_tags(long('W/"')), Tags()),
        (lambda: read_preferences([long('="')]), NO_PREFERENCES),
        (lambda: read_slug(long("%")), ""),
    ],
)
def test_a_header_made_to_be_slow_is_read_as_fast_as_any(
    reading: Callable[[], object], found: object
) -> None:
    assert reading() == found


# The same is read as by plain expressions, which go back.

PLAIN_RANGE = re.compile(r"bytes\s*=\s*([0-9]{0,18})\s*-\s*([0-9]{0,18})\s*", re.IGNORECASE)
PLAIN_SPLIT = re.compile(r'"(?:[^"\\]|\\.)*"|,')


@given(st.text(alphabet="12- \tx", max_size=12), st.sampled_from(["bytes=", "BYTES =", "bytes \t= "]))
def test_a_range_is_read_as_by_a_plain_expression(text: str, begins: str) -> None:
    match = PLAIN_RANGE.fullmatch(begins + text)
    try:
        found = read_range(begins + text, 10**18)
    except Problem:
        assert match is not None
        return
    first, last = (match[1], match[2]) if match else ("", "")
    is_one = bool(first or last) and not (first and last and int(first) > int(last))
    assert (found is not None) is is_one
    if found is not None and first:
        assert found == (int(first), int(last or 10**18 - 1))


@given(st.text(alphabet='a,"= ;/', max_size=30))
def test_an_accept_header_is_parted_as_by_a_plain_expression(text: str) -> None:
    parted = PLAIN_SPLIT.sub(lambda match: "\n" if match[0] == "," else match[0], text)
    assert _split_at_commas(text) == parted.split("\n")
