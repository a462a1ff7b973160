"""Runs: equal keys that stand together in a list, and what stands beside them in another (ADR 0118)."""

from collections.abc import Iterator, Sequence
from itertools import compress, count
from operator import ne


def starts_of(keys: Sequence[int]) -> list[int]:
    """Return the place of the first key of each run in ``keys``, of which there is at least one."""
    return [0, *compress(count(1), map(ne, keys[1:], keys))]


def runs_of(values: Sequence[int], starts: Sequence[int]) -> Iterator[Sequence[int]]:
    """Return what of ``values`` stands beside each of the runs that have these ``starts``."""
    return map(values.__getitem__, map(slice, starts, [*starts[1:], len(values)]))
