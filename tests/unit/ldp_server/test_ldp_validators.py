"""Entity tags and preconditions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.validators import Precondition, Tags, entity_tag, read_tags


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        (None, None),
        ("*", Tags(any_state=True)),
        (' "1-ttl" ', Tags(tags=(("1-ttl", False),))),
        ('"1-ttl", W/"2-nt",,"x,y"', Tags(tags=(("1-ttl", False), ("2-nt", True), ("x,y", False)))),
        ("*, *", Tags(any_state=True)),
        ('"1-ttl", *', Tags(any_state=True)),
        ("*x", Tags()),
        ('"1-ttl""2-ttl"', Tags()),
        ("1-ttl", Tags()),
        ("", Tags()),
    ],
)
def test_tags_are_read(header: str | None, tags: Tags | None) -> None:
    assert read_tags(header) == tags


@pytest.mark.parametrize(
    ("if_match", "if_none_match", "version", "holds"),
    [
        (None, None, None, True),
        (None, None, 7, True),
        ("*", None, 7, True),
        ("*", None, None, False),
        ('"7-ttl"', None, 7, True),
        ('"7-jsonld"', None, 7, True),
        ('"6-ttl", "7-rdf"', None, 7, True),
        ('"6-ttl"', None, 7, False),
        ('"7-ttl"', None, None, False),
        ('W/"7-ttl"', None, 7, False),
        ('"07-ttl"', None, 7, False),
        ('"7-png"', None, 7, False),
        ("rubbish", None, 7, False),
        (None, "*", None, True),
        (None, "*", 7, False),
        (None, "*, *", 7, False),
        (None, '"7-nt"', 7, False),
        (None, 'W/"7-nt"', 7, False),
        (None, '"6-nt"', 7, True),
        ('"7-ttl"', "*", 7, False),
    ],
)
def test_a_precondition_holds_or_not(
    if_match: str | None, if_none_match: str | None, version: int | None, holds: bool
) -> None:
    precondition = Precondition(read_tags(if_match), read_tags(if_none_match))
    assert precondition.holds(version) is holds


def test_a_tag_on_get_is_compared_with_its_syntax() -> None:
    held = read_tags('W/"7-ttl"')
    assert held is not None
    assert held.names_tag(entity_tag(7, "ttl"))
    assert not held.names_tag(entity_tag(7, "jsonld"))


@given(st.text(max_size=40))
def test_no_header_breaks_the_reading_of_tags(header: str) -> None:
    tags = read_tags(header)
    assert tags is not None
    assert not tags.any_state or "*" in [part.strip() for part in header.split(",")]
