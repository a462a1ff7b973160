"""A filter of paths rules nothing out that was added, and nearly all else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.paths import slash_twin
from ldp_server.storage.path_filter import PathFilter

PATHS = st.lists(st.from_regex(r"/|(/[ab]{1,2}){1,3}/?", fullmatch=True), min_size=1, max_size=20)


@given(PATHS)
def test_neither_a_path_that_was_added_nor_its_slash_twin_is_ruled_out(paths: list[str]) -> None:
    known = PathFilter(0)
    for path in paths:
        known.add(path)
    assert not any(known.rules_out(path) or known.rules_out(slash_twin(path)) for path in paths)


@pytest.mark.parametrize(("added", "most"), [(0, 0), (10_000, 250), (200_000, 900)])
def test_of_ten_thousand_other_paths_few_are_not_ruled_out(added: int, most: int) -> None:
    known = PathFilter(added)
    for number in range(added):
        known.add(f"/there/{number}")
    unsure = [number for number in range(10_000) if not known.rules_out(f"/elsewhere/{number}")]
    assert len(unsure) <= most
