"""Bundled files are found by their names in the checkout."""

import pytest

from agent.errors import BugError
from agent.resources import bundled, bundled_names, read_bundled


def test_a_bundled_file_reads_like_the_file_of_the_checkout() -> None:
    names = bundled_names("rules", ".ttl") + bundled_names("rules", ".n3")

    assert names
    assert all(read_bundled(name) == bundled(name).read_text("utf-8") for name in names)


def test_names_of_a_folder_are_sorted_and_keep_the_whole_path() -> None:
    names = bundled_names("rules", "")

    assert list(names) == sorted(names)
    assert all(name.startswith("rules/") and bundled(name).is_file() for name in names)


def test_a_missing_bundled_file_is_a_damaged_installation() -> None:
    with pytest.raises(BugError, match=r"rules/nothing\.n3 is missing") as raised:
        bundled("rules/nothing.n3")

    assert raised.value.code == "BUG002"
