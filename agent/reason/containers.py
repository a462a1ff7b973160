"""The containers in the indexes of a memory: tuples while there is little in them, else sets (ADR 0118)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TypeAlias

from agent.rdf.runs import runs_of, starts_of

Container: TypeAlias = tuple[int, ...] | set[int]
"""Numbers of terms, each once: a tuple while there are few, else a set. Rely on ``in``, ``len`` and iteration alone."""

NOTHING: tuple[int, ...] = ()

# Most memory goes into keys with one value, and a tuple takes a fifth of a set.
MOST_IN_TUPLE = 8
_FEW_IN_SET = 4


def put(index: dict[int, Container], key: int, value: int) -> None:
    """Put ``value``, which is not there yet, to what ``key`` has."""
    known = index.get(key)
    if known is None:
        index[key] = (value,)
    elif isinstance(known, set):
        known.add(value)
    elif len(known) < MOST_IN_TUPLE:
        index[key] = (*known, value)
    else:
        index[key] = {*known, value}


def put_more(index: dict[int, Container], key: int, known: tuple[int, ...], values: Collection[int]) -> None:
    """Put ``values``, none of which is there yet, to what ``key`` has, which is ``known``."""
    if len(values) + len(known) <= MOST_IN_TUPLE:
        index[key] = (*known, *values)
    else:
        index[key] = {*known, *values}


def put_all(index: dict[int, Container], keys: Sequence[int], values: Sequence[int]) -> None:
    """Put values, one for each of ``keys``, as ``put`` does; a call for each takes half as long again."""
    different = set(keys)
    if len(different) == len(keys) and index.keys().isdisjoint(different):
        index.update(zip(keys, zip(values, strict=True), strict=True))
        return
    if 2 * len(different) < len(keys):
        starts = starts_of(keys)
        if len(starts) == len(different) and index.keys().isdisjoint(different):
            _put_runs(index, keys, values, starts)
        else:
            _put_many(index, keys, values)
        return
    find = index.get
    for key, value in zip(keys, values, strict=True):
        known = find(key)
        if known is None:
            index[key] = (value,)
        elif isinstance(known, set):
            known.add(value)
        elif len(known) < MOST_IN_TUPLE:
            index[key] = (*known, value)
        else:
            index[key] = {*known, value}


def _put_runs(
    index: dict[int, Container], keys: Sequence[int], values: Sequence[int], starts: Sequence[int]
) -> None:
    """Put values as ``put_all`` does where those of a key, which has none yet, stand together, from each of ``starts`` on."""
    runs = runs_of(values, starts)
    containers = (tuple(run) if len(run) <= MOST_IN_TUPLE else set(run) for run in runs)
    index.update(zip(map(keys.__getitem__, starts), containers, strict=True))


def _put_many(index: dict[int, Container], keys: Sequence[int], values: Sequence[int]) -> None:
    """Put values as ``put_all`` does where keys come several times: a tuple is not copied for each of its values."""
    news: defaultdict[int, list[int]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        news[key].append(value)
    for key, new in news.items():
        known = index.get(key, NOTHING)
        if isinstance(known, set):
            known.update(new)
        else:
            put_more(index, key, known, new)


def take(index: dict[int, Container], key: int, value: int) -> None:
    """Take ``value``, which is there, out of what ``key`` has; a key with nothing left goes."""
    values = index[key]
    if isinstance(values, set):
        values.discard(value)
        if len(values) <= _FEW_IN_SET:
            index[key] = tuple(values)
    elif len(values) == 1:
        del index[key]
    else:
        at = values.index(value)
        index[key] = values[:at] + values[at + 1 :]


def common(some: Container, others: Container) -> Container:
    """Return what is in both containers."""
    if isinstance(some, set) and isinstance(others, set):
        return some & others
    if len(some) > len(others):
        some, others = others, some
    return tuple([value for value in some if value in others])


def without(some: Container, others: Container) -> Container:
    """Return what is in ``some`` and not in ``others``."""
    if isinstance(some, set):
        return some.difference(others)
    return tuple([value for value in some if value not in others])
