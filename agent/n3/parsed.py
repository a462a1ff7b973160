"""What the parser hands over: statements with their places, and where everything inside formulas was written."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from agent.errors import Place
from agent.n3.program import Pattern
from agent.n3.source import SourceText
from agent.rdf.terms import Formula, Term, Triple

Span = tuple[int, int]
Spans = tuple[Span, Span, Span]


class Lone(NamedTuple):
    """A term that stands alone as a statement: a bare request formula, or a term about which nothing is said."""

    term: Term
    place: Place


class FormulaSpans(NamedTuple):
    """Where a formula opens, and where subject, predicate and object of each of its triples were written."""

    opening: Span
    triples: tuple[Spans, ...]


class ParsedFile(Struct, frozen=True):
    """A parsed text: its triples, its terms that stand alone, and its prefixes at the end of the text.

    The blank nodes outside formulas belong to ``scope``. The place of a triple is where its object begins (for a list, formula or ``[``: the bracket).
    Empty lists are rdf:nil, other lists are ``ListTerm``.
    """

    source: SourceText
    base: str
    scope: str
    statements: tuple[Pattern, ...]
    lone: tuple[Lone, ...]
    prefixes: dict[str, str]
    spans: dict[int, FormulaSpans]

    def opening_of(self, formula: Formula) -> Place:
        """Return the place of the opening brace of ``formula``, a formula of this very file."""
        return self.source.place(*self.spans[id(formula)].opening)

    def patterns_of(self, formula: Formula) -> tuple[Pattern, ...]:
        """Return the triples of ``formula``, a formula of this very file, with their places."""
        return patterns(self.source, formula.triples, self.spans[id(formula)].triples)


def patterns(source: SourceText, triples: Sequence[Triple], spans: Sequence[Spans]) -> tuple[Pattern, ...]:
    """Return ``triples``, written at ``spans`` of ``source``, with their places."""
    place = source.place
    return tuple(
        Pattern(triple, place(*o), (place(*s), place(*p)))
        for triple, (s, p, o) in zip(triples, spans, strict=True)
    )
