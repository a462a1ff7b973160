"""One text per set of triples up to the names of its blank nodes: for identity and for sorting.

``MAX_TRIALS`` bounds the search for names: beyond it, in large regular structures made of blank nodes alone, two
isomorphic sets may get different texts, which makes two requests of one, never one of two.
"""

from collections.abc import Iterable

from agent.rdf.naming import Line, named_lines
from agent.rdf.notation import term_text
from agent.rdf.terms import BlankNode, Triple

MAX_TRIALS = 512


def canonical(triples: Iterable[Triple]) -> str:
    """Return the same text for every set that differs only in the names of its blank nodes, one triple a line.

    Inside a quoted formula the order of the triples counts. Depth costs no stack.
    """
    texts, _ = named_lines(map(_cut, triples), MAX_TRIALS)
    return "\n".join(texts)


def _cut(triple: Triple) -> Line:
    nodes: list[BlankNode] = []

    def hole(node: BlankNode) -> str:
        nodes.append(node)
        return "\0"

    text = " ".join(term_text(term, hole) for term in triple) + " ."
    return Line(tuple(text.split("\0")), tuple(nodes))
