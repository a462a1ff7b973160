"""What the reasoner alone hands out: what is known, what of it was derived, and what was found on the way."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain
from operator import itemgetter

from msgspec import Struct

from agent.errors import Finding
from agent.n3.builtins import Context
from agent.n3.builtins.numbers import read_number
from agent.rdf.statements import Row, Statements
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_REST,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    spelling,
)
from agent.reason.facts import Facts
from agent.vocab import LOG

OUTPUT_STRING = IRI(LOG + "outputString")

_WITH_PARTS = frozenset({BlankNode, ListTerm, Formula})


class Derivation(Struct, frozen=True):
    """What rules made of facts: the memory at the end, what was in it at the beginning, what builtins knew besides.

    ``findings`` are inconsistencies ("error"), and doubts about the rules and the data ("warning"). ``derived_rows`` are
    there when the reasoner knows what it derived.
    """

    memory: Facts
    given: Statements
    context: Context
    quotations: frozenset[Triple] = frozenset()
    findings: tuple[Finding, ...] = ()
    derived_rows: Sequence[Row] | None = None

    @property
    def triples(self) -> Statements:
        """Return everything that is known, but for what documents say that rules looked into."""
        if self.derived_rows is not None:
            return self._told((*self.given.rows, *self.derived_rows))
        hidden = set(self.memory.table.intern_all(self.quotations))
        return self._told(row for row in self.memory.select(None, None, None) if row not in hidden)

    @property
    def derived(self) -> Statements:
        """Return what is known and was not given."""
        if self.derived_rows is not None:
            return self._told(self.derived_rows)
        given = set(self.given.rows)
        return self._told(row for row in self.memory.select(None, None, None) if row not in given)

    def _told(self, rows: Iterable[Row]) -> Statements:
        return Statements(self.memory.table.terms, tuple(rows))

    @property
    def news(self) -> Statements:
        """Return what was derived, with the cells of the given lists that stand in it: it would not say them otherwise."""
        terms, find = self.memory.table.terms, self.memory.table.find
        derived = self.derived.rows
        names = [name for name in map(find, (RDF_FIRST, RDF_REST)) if name is not None]
        cells: dict[Row, None] = {}
        pending: list[int] = []
        if not _WITH_PARTS.isdisjoint(map(type, terms)):
            numbers = {*map(itemgetter(0), derived), *map(itemgetter(2), derived)}
            pending = [number for number in numbers if type(terms[number]) in _WITH_PARTS]
        seen = set(pending)
        given = set(self.given.rows) if pending and names else set()
        while pending:
            number = pending.pop()
            found: list[int | None] = []
            match terms[number]:
                case ListTerm(items):
                    found = [find(item) for item in items]
                case Formula(triples):
                    found = [find(part) for triple in triples for part in triple]
                case BlankNode():
                    said = [row for name in names for row in self.memory.select(number, name, None)]
                    found = [row[2] for row in said if row in given]
                    cells.update(dict.fromkeys(row for row in said if row in given))
                case _:
                    continue
            new = [each for each in found if each is not None and each not in seen]
            pending += new
            seen.update(new)
        return self._told((*derived, *cells))

    @property
    def strings(self) -> str:
        """Return the texts that log:outputString gives, one after the other in the order of their subjects.

        Numbers come first, by value, then all others by their text.
        """
        said = [
            (_place(triple.subject), triple.object) for triple in self.memory.match(None, OUTPUT_STRING, None)
        ]
        texts = [(place, text.lexical) for place, text in said if isinstance(text, Literal)]
        return "".join(text for _, text in sorted(texts))


def _place(key: Term) -> tuple[int, int | Decimal | float, str]:
    """Return what the subjects of log:outputString are sorted by."""
    text = key.lexical if isinstance(key, Literal) else spelling(key)
    number = read_number(key) if isinstance(key, Literal) else None
    if number is None or number.value != number.value:  # not a number, or the double NaN
        return 1, 0, text
    return 0, number.value, text


def numbered(said: Iterable[Iterable[Triple]], memory: Facts) -> dict[Row, None]:
    """Return the different triples of some facts in the numbers of a memory."""
    return dict.fromkeys(chain.from_iterable(map(memory.table.intern_all, said)))
