"""The order inside units: requests of ascending rank, equal ranks together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from agent.decide.request import Edge

Ranked = Iterable[tuple[int, Edge]]


def rank_groups(edges: Ranked) -> list[list[int]]:
    """Return the positions of one unit's requests by ascending rank, equal ranks in one group.

    A request that gets several ranks in one unit has the lowest: the more has to wait for it.
    """
    rank_of: dict[int, int] = {}
    for position, edge in edges:
        rank_of[position] = min(edge.rank, rank_of.get(position, edge.rank))
    groups: dict[int, list[int]] = defaultdict(list)
    for position in sorted(rank_of):
        groups[rank_of[position]].append(position)
    return [groups[rank] for rank in sorted(groups)]


def is_last(unit: Ranked) -> bool:
    """Tell whether a unit comes after everything else of its instance (``ag:last``)."""
    return any(edge.last for _, edge in unit)


def own_edges(units: Iterable[Sequence[tuple[int, Edge]]]) -> list[list[tuple[int, Edge]]]:
    """Return what each unit sends itself: what a last unit shares with others goes out with those."""
    units = list(units)
    early = {position for unit in units if not is_last(unit) for position, _ in unit}
    return [
        [(position, edge) for position, edge in unit if position not in early]
        if is_last(unit)
        else list(unit)
        for unit in units
    ]


def orders_agree(units: Iterable[Ranked]) -> bool:
    """Tell whether all requests of the units can be sent in an order that suits every unit."""
    followers: dict[object, list[object]] = defaultdict(list)
    waits_for: dict[object, int] = defaultdict(int)
    for number, unit in enumerate(own_edges(map(list, units))):
        for index, group in enumerate(rank_groups(unit)):
            # One gate between two ranks keeps the graph as small as the units.
            before, after = ("gate", number, index), ("gate", number, index + 1)
            for position in group:
                _connect(before, position, followers, waits_for)
                _connect(position, after, followers, waits_for)
    ready = [node for node in followers if not waits_for[node]]
    passed = 0
    while ready:
        node = ready.pop()
        passed += 1
        for follower in followers.get(node, ()):
            waits_for[follower] -= 1
            if not waits_for[follower]:
                ready.append(follower)
    return passed == len(waits_for)


def _connect(
    before: object, after: object, followers: dict[object, list[object]], waits_for: dict[object, int]
) -> None:
    followers[before].append(after)
    waits_for[before] += 0
    waits_for[after] += 1
