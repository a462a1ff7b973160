"""The reasoner alone: rules and facts in, everything that follows out, without any request."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeAlias

from agent.clock import WallClock, lexical
from agent.errors import Finding, Place
from agent.n3.builtins import Context, Numeric
from agent.n3.builtins.numbers import read_number
from agent.n3.program import Program
from agent.n3.quoted import Quotation
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
from agent.vocab import LOG

OUTPUT_STRING = IRI(LOG + "outputString")

Open: TypeAlias = Callable[[str], Quotation | None]
"""Returns what the document of a URI says, for rules that look into it; nothing if it is not to be opened."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """What rules made of facts: the memory at the end, what was in it at the beginning, what builtins knew besides.

    ``findings`` are inconsistencies ("error"), and doubts about the rules and the data ("warning").
    """

    memory: Facts
    given: Facts
    context: Context
    quotations: frozenset[Triple] = frozenset()
    findings: tuple[Finding, ...] = ()

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Return everything that is known, but for what documents say that rules looked into."""
        return tuple(triple for triple in self.memory if triple not in self.quotations)

    @property
    def derived(self) -> tuple[Triple, ...]:
        """Return what is known and was not given."""
        terms = self.memory.table.terms
        return tuple(
            Triple(terms[subject], terms[predicate], terms[object_])
            for subject, predicate, object_ in self.memory.select(None, None, None)
            if not self.given.has(subject, predicate, object_)
        )

    @property
    def news(self) -> tuple[Triple, ...]:
        """Return what was derived, with the cells of the given lists that stand in it: it would not say them otherwise."""
        derived = self.derived
        cells: dict[Triple, None] = {}
        pending: list[Term] = [term for triple in derived for term in (triple.subject, triple.object)]
        seen: set[Term] = set()
        while pending:
            term = pending.pop()
            if term in seen:
                continue
            seen.add(term)
            match term:
                case ListTerm(items):
                    pending.extend(items)
                case Formula(triples):
                    pending.extend(part for triple in triples for part in triple)
                case BlankNode():
                    said = [
                        cell for name in (RDF_FIRST, RDF_REST) for cell in self.given.match(term, name, None)
                    ]
                    cells.update(dict.fromkeys(said))
                    pending.extend(cell.object for cell in said)
                case _:
                    pass
        return (*derived, *cells)

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
    facts: Iterable[Triple] = (),
    *,
    numeric: Numeric = "strict",
    instant: str = "",
    budget: Budget | None = None,
    open_document: Open | None = None,
    memory: Facts | None = None,
) -> Derivation:
    """Return what the derivation rules of ``program`` make of its facts and of ``facts``; request rules are left out.

    ``numeric`` says how numbers compute: as W3C says, or as the program cwm does. ``instant`` is what builtins take
    for now, an xsd:dateTime; the wall clock tells it if it is empty. ``budget`` limits rounds, facts, terms and
    bindings. ``open_document`` is asked once for each document that a rule looks into by log:semantics or log:content;
    without it no document is opened. ``memory``, an empty one, takes what is known: a RankedFacts for whoever asks for proofs later.
    BudgetError, which names the rule, if a limit is passed; ProgramError for rules that cannot run.
    """
    now = instant or lexical(WallClock().now())
    context = Context(now, numeric, program.base)
    memory = Facts() if memory is None else memory
    given = Facts(memory.table)
    for triple in (*program.facts, *facts):
        given.add(triple)
    reasoner = Reasoner(replace(program, facts=(), requests=()), context, budget, memory=memory)
    reasoner.add(given)
    unopened: set[str] = set()
    closed: set[str] = set()
    while waiting := sorted(reasoner.openings() - closed):
        closed.update(waiting)
        found = {uri: open_document(uri) for uri in waiting} if open_document is not None else {}
        reasoner.read({uri: said for uri, said in found.items() if said is not None})
        unopened |= {uri for uri in waiting if found.get(uri) is None}
    reasoner.finish(None)
    for quotation in reasoner.quotations:
        given.add(quotation)
    contradictions = inconsistencies(reasoner.contradictions(), program.prefixes)
    doubts = (*context.misreadings.findings(), *_unopened(sorted(unopened)))
    findings = (*program.findings, *contradictions, *doubts)
    return Derivation(reasoner.facts, given, reasoner.context, frozenset(reasoner.quotations), findings)


def _unopened(uris: Sequence[str]) -> Iterator[Finding]:
    """Yield a warning of the documents that rules wanted to look into and could not."""
    if len(uris) == 1:
        yield Finding(
            "warning", "ASM025", "a rule looks into this document, which was not opened", Place(uris[0])
        )
    elif uris:
        message = f"rules look into {len(uris)} documents that were not opened, this is the first"
        yield Finding("warning", "ASM025", message, Place(uris[0]))
