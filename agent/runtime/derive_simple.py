"""Derive by the simple reasoner, which can do all that rules may say."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from agent.errors import Finding, Place
from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.n3.quoted import Quotation
from agent.rdf.statements import Statements
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.reason.inconsistency import inconsistencies
from agent.runtime.derivation import Derivation, numbered

Open: TypeAlias = Callable[[str], Quotation | None]
"""Returns what the document of a URI says, for rules that look into it; nothing if it is not to be opened."""


def derive_simply(
    rules: Program,
    said: Sequence[Sequence[Triple]],
    context: Context,
    budget: Budget | None,
    memory: Facts,
    open_document: Open | None,
) -> Derivation:
    """Return what rules make of facts in an empty ``memory``, and of the documents that they look into."""
    given = numbered(said, memory)
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
    contradictions = inconsistencies(reasoner.contradictions(), rules.prefixes)
    doubts = (*context.misreadings.findings(), *_unopened(sorted(unopened)))
    findings = (*rules.findings, *contradictions, *doubts)
    known = Statements(memory.table.terms, tuple(given))
    return Derivation(memory, known, reasoner.context, frozenset(reasoner.quotations), findings)


def _unopened(uris: Sequence[str]) -> Iterator[Finding]:
    """Yield a warning of the documents that rules wanted to look into and could not."""
    if len(uris) == 1:
        yield Finding(
            "warning", "ASM025", "a rule looks into this document, which was not opened", Place(uris[0])
        )
    elif uris:
        message = f"rules look into {len(uris)} documents that were not opened, this is the first"
        yield Finding("warning", "ASM025", message, Place(uris[0]))
