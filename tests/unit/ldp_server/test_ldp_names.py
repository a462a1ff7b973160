"""Slug headers become safe names, and taken names get a number."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.names import candidate_names, read_slug


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (None, ""),
        ("", ""),
        ("report", "report"),
        ("My Report", "My-Report"),
        ("Zo\u00eb", "Zoe"),
        ("Zo%C3%AB", "Zoe"),
        ("x/", "x"),
        ("a/../b", "a-..-b"),
        ("..", ""),
        (".hidden", "hidden"),
        ("../../etc/passwd", "etc-passwd"),
        ("a?b#c%d", "a-b-c-d"),
        ("notes.acl", "notes"),
        ("a.meta.ACL", "a"),
        (".acl", "acl"),
        ("\u4e2d\u6587", ""),
        ("a" * 300, "a" * 128),
        ("\udcff", ""),
    ],
)
def test_a_slug_is_made_safe(header: str | None, name: str) -> None:
    assert read_slug(header) == name


@given(st.text(max_size=200))
def test_every_slug_gives_a_name_that_can_stand_in_a_path(header: str) -> None:
    name = read_slug(header)
    assert len(name) <= 128
    assert all(character.isascii() and (character.isalnum() or character in "._~-") for character in name)
    assert not name.startswith(".")
    assert not name.lower().endswith((".acl", ".meta"))


def test_candidates_are_the_slug_then_numbers_never_given_before() -> None:
    assert list(islice(candidate_names("a", 4), 3)) == [("a", 4), ("a-5", 5), ("a-6", 6)]
    assert list(islice(candidate_names("", 0), 3)) == [("1", 1), ("2", 2), ("3", 3)]
