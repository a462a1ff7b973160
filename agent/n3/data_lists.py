"""Lists in data: rdf:first and rdf:rest instead of list terms."""

from collections.abc import Iterable, Iterator

from agent.errors import Place
from agent.n3.program import Pattern
from agent.rdf.terms import RDF_FIRST, RDF_NIL, RDF_REST, BlankNode, ListTerm, Term, Triple


def spell_out_lists(patterns: Iterable[Pattern], scope: str) -> Iterator[Pattern]:
    """Yield ``patterns`` with each list spelled out in cells, blank nodes of ``scope``; cells come after their triple.

    Lists inside formulas stay terms. The place of a cell is that of the triple the list is written in.
    """
    cells = 0
    for pattern in patterns:
        pending: list[tuple[Term, Term, Term]] = [
            (pattern.triple.subject, pattern.triple.predicate, pattern.triple.object)
        ]
        while pending:
            parts: list[Term] = []
            unrolled: list[tuple[Term, Term, Term]] = []
            for part in pending.pop():
                if not isinstance(part, ListTerm):
                    parts.append(part)
                    continue
                nodes: list[Term] = [BlankNode(f"list{cells + n}", scope) for n in range(len(part.items))]
                cells += len(nodes)
                parts.append(nodes[0] if nodes else RDF_NIL)
                for node, item, rest in zip(nodes, part.items, [*nodes[1:], RDF_NIL], strict=True):
                    unrolled += [(node, RDF_FIRST, item), (node, RDF_REST, rest)]
            pending.extend(reversed(unrolled))
            yield Pattern(Triple(*parts), pattern.place, pattern.left)


def without_lists(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Yield ``triples`` with each list term spelled out in cells of its own, as ``spell_out_lists`` does."""
    patterns = (Pattern(triple, Place("")) for triple in triples)
    return (pattern.triple for pattern in spell_out_lists(patterns, "list terms"))
