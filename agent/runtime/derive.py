"""The reasoner alone: rules and facts in, everything that follows out, without any request."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from agent.clock import WallClock, lexical, next_instant
from agent.errors import Finding
from agent.n3.builtins import Context, Numeric
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner

Open: TypeAlias = Callable[[str], Iterable[Triple]]
"""Opens the document of a URI for rules that ask what it says, and returns what is known of it then."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """What rules made of facts: the memory at the end, what was in it at the beginning, and what people should know.

    ``findings`` are inconsistencies ("error") and doubts about the data ("warning").
    """

    memory: Facts
    given: Facts
    findings: tuple[Finding, ...] = ()

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Return everything that is known."""
        return tuple(self.memory)

    @property
    def derived(self) -> tuple[Triple, ...]:
        """Return what is known and was not given."""
        return tuple(triple for triple in self.memory if triple not in self.given)


def derive(
    program: Program,
    facts: Iterable[Triple] = (),
    *,
    numeric: Numeric = "strict",
    instant: str = "",
    budget: Budget | None = None,
    open_document: Open | None = None,
) -> Derivation:
    """Return what the derivation rules of ``program`` make of its facts and of ``facts``; request rules are left out.

    ``numeric`` says how numbers compute: as W3C says, or as the program cwm does. ``instant`` is what builtins take
    for now, an xsd:dateTime; the wall clock tells it if it is empty. ``budget`` limits rounds, facts, terms and
    bindings. ``open_document`` is asked once for each document that a rule wants to look into; without it no
    document is opened. BudgetError, which names the rule, if a limit is passed; ProgramError for rules that cannot run.
    """
    now = instant or lexical(next_instant(WallClock().now(), None))
    given = Facts()
    for triple in (*program.facts, *facts):
        given.add(triple)
    reasoner = Reasoner(replace(program, facts=(), requests=()), Context(now, numeric), budget)
    reasoner.add(given)
    opened: set[str] = set()
    while open_document is not None and (waiting := sorted(reasoner.retrievals().keys() - opened)):
        opened.update(waiting)
        reasoner.add([triple for uri in waiting for triple in open_document(uri)])
    reasoner.finish(None)
    return Derivation(reasoner.facts, given)
