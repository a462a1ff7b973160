"""One text per set of triples up to the names of its blank nodes: for identity and for sorting.

Blank nodes are told apart by what is said about them (colour refinement). Where that leaves several alike, each
is tried as the first and the smallest text wins; nodes that may change places without changing the set are tried
once. Parts that share no blank node are named apart from one another, so that many equal parts cost no more than
their number. ``MAX_TRIALS`` bounds the search: beyond it, in large regular structures made of blank nodes alone,
two isomorphic sets may get different texts, which makes two requests of one, never one of two.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from agent.rdf.notation import term_text
from agent.rdf.terms import BlankNode, Triple

MAX_TRIALS = 512

Colours: TypeAlias = Mapping[BlankNode, int]


@dataclass(frozen=True, slots=True)
class _Line:
    """The text of a triple, cut where its blank nodes stand."""

    pieces: tuple[str, ...]
    nodes: tuple[BlankNode, ...]

    def filled(self, names: Colours) -> str:
        """Return the text with the blank nodes named by number."""
        named = [f"_:c{names[node]}{piece}" for node, piece in zip(self.nodes, self.pieces[1:], strict=True)]
        return self.pieces[0] + "".join(named)


def canonical(triples: Iterable[Triple]) -> str:
    """Return the same text for every set that differs only in the names of its blank nodes, one triple a line.

    Inside a quoted formula the order of the triples counts. Depth costs no stack.
    """
    lines = [_cut(triple) for triple in dict.fromkeys(triples)]
    texts = [line.pieces[0] for line in lines if not line.nodes]
    named = [_best_names(part) for part in _parts([line for line in lines if line.nodes])]
    first_free = 0
    for _, part, names in sorted(named, key=lambda each: each[0]):
        shifted = {node: number + first_free for node, number in names.items()}
        texts += [line.filled(shifted) for line in part]
        first_free += len(names)
    return "\n".join(sorted(texts))


def _cut(triple: Triple) -> _Line:
    nodes: list[BlankNode] = []

    def hole(node: BlankNode) -> str:
        nodes.append(node)
        return "\0"

    text = " ".join(term_text(term, hole) for term in triple) + " ."
    return _Line(tuple(text.split("\0")), tuple(nodes))


def _parts(lines: list[_Line]) -> list[list[_Line]]:
    """Return ``lines`` in groups that share no blank node."""
    parent: dict[BlankNode, BlankNode] = {}

    def root(node: BlankNode) -> BlankNode:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for line in lines:
        for node in line.nodes:
            parent[root(node)] = root(line.nodes[0])
    groups: dict[BlankNode, list[_Line]] = defaultdict(list)
    for line in lines:
        groups[root(line.nodes[0])].append(line)
    return list(groups.values())


def _best_names(part: list[_Line]) -> tuple[str, list[_Line], Colours]:
    """Return the smallest text of ``part``, the part itself, and the numbers that give that text."""
    around: dict[BlankNode, list[_Line]] = defaultdict(list)
    for line in part:
        for node in dict.fromkeys(line.nodes):
            around[node].append(line)
    found: list[tuple[str, Colours]] = []
    pending: list[Colours] = [dict.fromkeys(around, 0)]
    while pending and len(found) < MAX_TRIALS:
        colours = _refined(pending.pop(), around)
        tied = _first_tie(colours)
        if tied:
            pending += _told_apart(colours, tied, _not_interchangeable(tied, around, part))
            continue
        found.append(("\n".join(sorted(line.filled(colours) for line in part)), colours))
    text, names = min(found, key=lambda each: each[0])
    return text, part, names


def _refined(colours: Colours, around: Mapping[BlankNode, list[_Line]]) -> Colours:
    """Return the coarsest colours that tell apart whatever ``colours`` and the lines tell apart, as ranks."""
    count = 0
    while True:
        described = {
            node: (colours[node], sorted((line.pieces, _seen_from(node, line, colours)) for line in lines))
            for node, lines in around.items()
        }
        ranked = sorted(described, key=described.__getitem__)
        ranks: dict[BlankNode, int] = {}
        rank = -1
        for index, node in enumerate(ranked):
            if not index or described[ranked[index - 1]] != described[node]:
                rank += 1
            ranks[node] = rank
        if rank + 1 == count:
            return ranks
        colours, count = ranks, rank + 1


def _seen_from(node: BlankNode, line: _Line, colours: Colours) -> tuple[int, ...]:
    return tuple(-1 if each == node else colours[each] for each in line.nodes)


def _first_tie(colours: Colours) -> list[BlankNode]:
    """Return the nodes of the lowest colour that several have, or none."""
    classes: dict[int, list[BlankNode]] = defaultdict(list)
    for node, colour in colours.items():
        classes[colour].append(node)
    return next((classes[colour] for colour in sorted(classes) if len(classes[colour]) > 1), [])


def _told_apart(colours: Colours, tied: list[BlankNode], chosen: list[BlankNode]) -> list[Colours]:
    """Return the colourings to try next: each of ``chosen`` first, or any order of ``tied`` if all are alike."""
    if len(chosen) == 1:
        order = {node: number for number, node in enumerate(tied)}
        return [{node: colour * len(tied) + order.get(node, 0) for node, colour in colours.items()}]
    return [{each: 2 * colour + (each != node) for each, colour in colours.items()} for node in chosen]


def _not_interchangeable(
    tied: list[BlankNode], around: Mapping[BlankNode, list[_Line]], part: list[_Line]
) -> list[BlankNode]:
    """Return one node of each group of ``tied`` whose members may change places."""
    known = set(part)
    chosen: list[BlankNode] = []
    for node in tied:
        if not any(_may_swap(node, other, around, known) for other in chosen):
            chosen.append(node)
    return chosen


def _may_swap(
    one: BlankNode, other: BlankNode, around: Mapping[BlankNode, list[_Line]], known: set[_Line]
) -> bool:
    swap = {one: other, other: one}
    return all(
        _Line(line.pieces, tuple(swap.get(node, node) for node in line.nodes)) in known
        for node in (one, other)
        for line in around[node]
    )
