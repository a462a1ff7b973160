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


def orders_agree(units: Sequence[Ranked]) -> bool:
    """Tell whether all requests of the units can be sent in an order that suits every unit.

    What a unit with ``ag:last`` shares with other units goes out with those; only the rest has an order in it.
    """
    followers: dict[object, list[object]] = defaultdict(list)
    waits_for: dict[object, int] = defaultdict(int)
    for number, groups in enumerate(_orders(list(map(list, units)))):
        for index, group in enumerate(groups):
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


def _orders(units: Sequence[Sequence[tuple[int, Edge]]]) -> list[list[list[int]]]:
    """Return the ranks of each unit, without what the last ones share with others."""
    is_last = [any(edge.last for _, edge in unit) for unit in units]
    early = {position for unit, last in zip(units, is_last, strict=True) if not last for position, _ in unit}
    return [
        rank_groups((position, edge) for position, edge in unit if not (last and position in early))
        for unit, last in zip(units, is_last, strict=True)
    ]


def _connect(
    before: object, after: object, followers: dict[object, list[object]], waits_for: dict[object, int]
) -> None:
    followers[before].append(after)
    waits_for[before] += 0
    waits_for[after] += 1
