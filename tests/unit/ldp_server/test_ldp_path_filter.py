"""A filter of paths rules nothing out that was added, and nearly all else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_server.paths import slash_twin
from ldp_server.storage.path_filter import PathFilter

PATHS = st.lists(st.from_regex(r"/|(/[ab]{1,2}){1,3}/?", fullmatch=True), min_size=1, max_size=20)


@given(PATHS, PATHS)
def test_neither_a_path_that_was_added_nor_its_slash_twin_is_ruled_out(
    first: list[str], later: list[str]
) -> None:
    known = PathFilter()
    known.fill(len(first), first)
    for path in later:
        known.add(path)
    assert not any(known.rules_out(path) or known.rules_out(slash_twin(path)) for path in [*first, *later])


def ruled_out(known: PathFilter) -> int:
    """Return how many of ten thousand paths that were not added are ruled out."""
    return sum(known.rules_out(f"/elsewhere/{number}") for number in range(10_000))


@pytest.mark.parametrize(("held", "least"), [(0, 10_000), (10_000, 9_800), (200_000, 9_200)])
def test_of_ten_thousand_other_paths_nearly_all_are_ruled_out(held: int, least: int) -> None:
    known = PathFilter()
    known.fill(held, (f"/there/{number}" for number in range(held)))
    assert ruled_out(known) >= least
    assert not known.is_full


def test_a_full_filter_rules_out_less_until_it_is_filled_anew() -> None:
    known = PathFilter()
    added = 0
    while not known.is_full:
        known.add(f"/there/{added}")
        added += 1
    assert added == 131_072
    assert 8_500 < ruled_out(known) < 9_200
    known.fill(1, ["/there/0"])
    assert ruled_out(known) > 9_990
    assert not known.rules_out("/there/0")
    assert not known.is_full
