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

    A unit with ``ag:last`` puts no order on requests of other units and is left out.
    """
    followers: dict[object, list[object]] = defaultdict(list)
    waits_for: dict[object, int] = defaultdict(int)
    for number, unit in enumerate(units):
        edges = list(unit)
        if any(edge.last for _, edge in edges):
            continue
        groups = rank_groups(edges)
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


def _connect(
    before: object, after: object, followers: dict[object, list[object]], waits_for: dict[object, int]
) -> None:
    followers[before].append(after)
    waits_for[before] += 0
    waits_for[after] += 1
