"""The reasoner alone: rules and facts in, everything that follows out, without any request."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from agent.clock import WallClock, lexical
from agent.errors import BudgetError, Finding, Place
from agent.n3.builtins import Context, Numeric
from agent.n3.builtins.numbers import read_number
from agent.n3.program import Program
from agent.n3.quoted import Quotation
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
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.reason.inconsistency import inconsistencies
from agent.reason.incremental.evaluation import Evaluation
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.levels import NotMaintainedError
from agent.vocab import LOG

OUTPUT_STRING = IRI(LOG + "outputString")

_WITH_PARTS = frozenset({BlankNode, ListTerm, Formula})

_MANY = 250
"""With fewer facts the rules are not compiled: that takes about a millisecond for each of them."""

Open: TypeAlias = Callable[[str], Quotation | None]
"""Returns what the document of a URI says, for rules that look into it; nothing if it is not to be opened."""


@dataclass(frozen=True, slots=True)
class Derivation:
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


def derive(
    program: Program,
    *facts: Iterable[Triple],
    numeric: Numeric = "strict",
    instant: str = "",
    budget: Budget | None = None,
    open_document: Open | None = None,
    memory: Facts | None = None,
    recompute: bool = False,
) -> Derivation:
    """Return what the derivation rules of ``program`` make of its facts and of ``facts``; request rules are left out.

    ``numeric`` says how numbers compute: as W3C says, or as the program cwm does. ``instant`` is what builtins take
    for now, an xsd:dateTime; the wall clock tells it if it is empty. ``budget`` limits rounds, facts, terms and
    bindings. ``open_document`` is asked once for each document that a rule looks into by log:semantics or log:content;
    without it no document is opened. ``memory``, an empty one, takes what is known: a RankedFacts for whoever asks for proofs later.
    Where it pays and is exact, rules are compiled, but not with ``recompute`` or a ``memory`` (ADR 0123).
    BudgetError, which names the rule, if a limit is passed; ProgramError for rules that cannot run.
    """
    now = instant or lexical(WallClock().now())
    rules = replace(program, facts=(), requests=())
    said = [each if isinstance(each, Sequence) else tuple(each) for each in (program.facts, *facts)]
    if memory is None and not recompute:
        derivation = _compiled(rules, said, Context(now, numeric, program.base), budget or Budget())
        if derivation is not None:
            return derivation
    context = Context(now, numeric, program.base)
    memory = Facts() if memory is None else memory
    given = _numbered(said, memory)
    reasoner = Reasoner(rules, context, budget, memory=memory)
    reasoner.add_rows(given)
    unopened: set[str] = set()
    closed: set[str] = set()
    while waiting := sorted(reasoner.openings() - closed):
        closed.update(waiting)
        found = {uri: open_document(uri) for uri in waiting} if open_document is not None else {}
        reasoner.read({uri: quoted for uri, quoted in found.items() if quoted is not None})
        unopened |= {uri for uri in waiting if found.get(uri) is None}
    reasoner.finish(None)
    given.update(dict.fromkeys(memory.table.intern_all(reasoner.quotations)))
    contradictions = inconsistencies(reasoner.contradictions(), program.prefixes)
    doubts = (*context.misreadings.findings(), *_unopened(sorted(unopened)))
    findings = (*program.findings, *contradictions, *doubts)
    known = Statements(memory.table.terms, tuple(given))
    return Derivation(memory, known, reasoner.context, frozenset(reasoner.quotations), findings)


def _compiled(
    rules: Program, said: Sequence[Sequence[Triple]], context: Context, budget: Budget
) -> Derivation | None:
    """Return what compiled rules make of facts; nothing if that does not pay, or only the simple engine gives it."""
    if sum(map(len, said)) < _MANY or why_not_incremental(rules) is not None:
        return None
    memory = Facts()
    # Numbering the largest part first, before the rules, may leave it as it is.
    largest_first = sorted(said, key=len, reverse=True)
    filled = [each for each in largest_first if each]
    is_set = len(filled) == 1 and isinstance(filled[0], Statements) and filled[0].is_set
    given = memory.table.intern_all(filled[0]) if is_set else _numbered(filled, memory)
    try:
        evaluation = Evaluation(rules, memory, context, budget)
        evaluation.run(given)
    except (BudgetError, NotMaintainedError):
        # The simple engine tries less before it gives up, and names the rule.
        return None
    contradictions = inconsistencies(evaluation.contradictions(), rules.prefixes)
    findings = (*rules.findings, *contradictions, *context.misreadings.findings())
    known = Statements(memory.table.terms, tuple(given))
    return Derivation(memory, known, context, findings=findings, derived_rows=evaluation.derived)


def _numbered(said: Iterable[Iterable[Triple]], memory: Facts) -> dict[Row, None]:
    """Return the different triples of some facts in the numbers of a memory."""
    return dict.fromkeys(chain.from_iterable(map(memory.table.intern_all, said)))


def _unopened(uris: Sequence[str]) -> Iterator[Finding]:
    """Yield a warning of the documents that rules wanted to look into and could not."""
    if len(uris) == 1:
        yield Finding(
            "warning", "ASM025", "a rule looks into this document, which was not opened", Place(uris[0])
        )
    elif uris:
        message = f"rules look into {len(uris)} documents that were not opened, this is the first"
        yield Finding("warning", "ASM025", message, Place(uris[0]))
