"""Names for nodes that have none, found from what is said about them, the same whatever they were called before.

Nodes are told apart by the lines they stand in (colour refinement). Where that leaves several alike, each is tried as
the first and the smallest text wins; nodes that may change places without changing the lines are tried once. Parts
that share no node are named apart from one another, so that many equal parts cost no more than their number.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct

Node: TypeAlias = Hashable
Colours: TypeAlias = Mapping[Node, int]


class Line(NamedTuple):
    """One line about some nodes: its text, cut where they stand."""

    pieces: tuple[str, ...]
    nodes: tuple[Node, ...]

    def filled(self, names: Colours) -> str:
        """Return the text with the nodes named by number."""
        named = [f"_:c{names[node]}{piece}" for node, piece in zip(self.nodes, self.pieces[1:], strict=True)]
        return self.pieces[0] + "".join(named)


class _TooHardError(Exception):
    """The search for names passed its bound."""


class _Effort(Struct):
    """What the search may still spend: names tried in each part, and nodes looked at in all."""

    trials: int
    visits: float

    def look_at(self, nodes: int) -> None:
        """Spend ``nodes``; _TooHardError when there are no more."""
        self.visits -= nodes
        if self.visits < 0:
            raise _TooHardError


def named_lines(
    lines: Iterable[Line], most_trials: int, most_visits: float = math.inf
) -> tuple[list[str], dict[Node, int]]:
    """Return the texts of ``lines``, sorted and without repetitions, and the number of each node in them.

    Beyond ``most_trials`` namings of a part that are alike, or ``most_visits`` nodes looked at, two sets of lines
    that differ only in the identity of their nodes may get different texts; different sets never get the same.
    """
    effort = _Effort(most_trials, most_visits)
    distinct = list(dict.fromkeys(lines))
    texts = [line.pieces[0] for line in distinct if not line.nodes]
    found = [_best_names(part, effort) for part in _parts([line for line in distinct if line.nodes])]
    numbers: dict[Node, int] = {}
    for _, part, names in sorted(found, key=lambda each: each[0]):
        first_free = len(numbers)
        shifted = {node: number + first_free for node, number in names.items()}
        texts += [line.filled(shifted) for line in part]
        numbers.update(shifted)
    return sorted(texts), numbers


def _parts(lines: list[Line]) -> list[list[Line]]:
    """Return ``lines`` in groups that share no blank node."""
    parent: dict[Node, Node] = {}

    def root(node: Node) -> Node:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for line in lines:
        for node in line.nodes:
            parent[root(node)] = root(line.nodes[0])
    groups: dict[Node, list[Line]] = defaultdict(list)
    for line in lines:
        groups[root(line.nodes[0])].append(line)
    return list(groups.values())


def _best_names(part: list[Line], effort: _Effort) -> tuple[str, list[Line], Colours]:
    """Return the smallest text of ``part``, the part itself, and the numbers that give that text."""
    try:
        found = _searched(part, effort)
    except _TooHardError:
        in_order: dict[Node, int] = {}
        for line in part:
            for node in line.nodes:
                in_order.setdefault(node, len(in_order))
        found = [(_text(part, in_order), in_order)]
    text, names = min(found, key=lambda each: each[0])
    return text, part, names


def _text(part: list[Line], names: Colours) -> str:
    return "\n".join(sorted(line.filled(names) for line in part))


def _searched(part: list[Line], effort: _Effort) -> list[tuple[str, Colours]]:
    """Return the texts of the namings that cannot be told apart, with the names that give them."""
    around: dict[Node, list[Line]] = defaultdict(list)
    for line in part:
        for node in dict.fromkeys(line.nodes):
            around[node].append(line)
    found: list[tuple[str, Colours]] = []
    pending: list[Colours] = [dict.fromkeys(around, 0)]
    while pending and len(found) < effort.trials:
        colours = _refined(pending.pop(), around, effort)
        tied = _first_tie(colours)
        if tied:
            pending += _told_apart(colours, tied, _not_interchangeable(tied, around, part, effort))
            continue
        effort.look_at(len(part))
        found.append((_text(part, colours), colours))
    return found


def _refined(colours: Colours, around: Mapping[Node, list[Line]], effort: _Effort) -> Colours:
    """Return the coarsest colours that tell apart whatever ``colours`` and the lines tell apart, as ranks."""
    count = 0
    while True:
        effort.look_at(len(around))
        described = {
            node: (colours[node], sorted((line.pieces, _seen_from(node, line, colours)) for line in lines))
            for node, lines in around.items()
        }
        ranked = sorted(described, key=described.__getitem__)
        ranks: dict[Node, int] = {}
        rank = -1
        for index, node in enumerate(ranked):
            if not index or described[ranked[index - 1]] != described[node]:
                rank += 1
            ranks[node] = rank
        if rank + 1 == count:
            return ranks
        colours, count = ranks, rank + 1


def _seen_from(node: Node, line: Line, colours: Colours) -> tuple[int, ...]:
    return tuple(-1 if each == node else colours[each] for each in line.nodes)


def _first_tie(colours: Colours) -> list[Node]:
    """Return the nodes of the lowest colour that several have, or none."""
    classes: dict[int, list[Node]] = defaultdict(list)
    for node, colour in colours.items():
        classes[colour].append(node)
    return next((classes[colour] for colour in sorted(classes) if len(classes[colour]) > 1), [])


def _told_apart(colours: Colours, tied: list[Node], chosen: list[Node]) -> list[Colours]:
    """Return the colourings to try next: each of ``chosen`` first, or any order of ``tied`` if all are alike."""
    if len(chosen) == 1:
        order = {node: number for number, node in enumerate(tied)}
        return [{node: colour * len(tied) + order.get(node, 0) for node, colour in colours.items()}]
    return [{each: 2 * colour + (each != node) for each, colour in colours.items()} for node in chosen]


def _not_interchangeable(
    tied: list[Node], around: Mapping[Node, list[Line]], part: list[Line], effort: _Effort
) -> list[Node]:
    """Return one node of each group of ``tied`` whose members may change places."""
    known = set(part)
    chosen: list[Node] = []
    for node in tied:
        effort.look_at(len(chosen))
        if not any(_may_swap(node, other, around, known) for other in chosen):
            chosen.append(node)
    return chosen


def _may_swap(one: Node, other: Node, around: Mapping[Node, list[Line]], known: set[Line]) -> bool:
    swap = {one: other, other: one}
    return all(
        Line(line.pieces, tuple(swap.get(node, node) for node in line.nodes)) in known
        for node in (one, other)
        for line in around[node]
    )
