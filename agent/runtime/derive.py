"""The reasoner alone: rules and facts in, everything that follows out, without any request."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeAlias

from agent.clock import WallClock, lexical, next_instant
from agent.errors import Finding
from agent.n3.builtins import Context, Numeric
from agent.n3.builtins.numbers import read_number
from agent.n3.program import Program
from agent.rdf.terms import IRI, Literal, Term, Triple, spelling
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner
from agent.reason.inconsistency import inconsistencies
from agent.vocab import LOG

OUTPUT_STRING = IRI(LOG + "outputString")

Open: TypeAlias = Callable[[str], Iterable[Triple]]
"""Opens the document of a URI for rules that ask what it says, and returns what is known of it then."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """What rules made of facts: the memory at the end, what was in it at the beginning, what builtins knew besides.

    ``findings`` are inconsistencies ("error") and doubts about the data ("warning").
    """

    memory: Facts
    given: Facts
    context: Context
    findings: tuple[Finding, ...] = ()

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Return everything that is known."""
        return tuple(self.memory)

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
    bindings. ``open_document`` is asked once for each document that a rule wants to look into; without it no
    document is opened. ``memory``, an empty one, takes what is known: a RankedFacts for whoever asks for proofs later.
    BudgetError, which names the rule, if a limit is passed; ProgramError for rules that cannot run.
    """
    now = instant or lexical(next_instant(WallClock().now(), None))
    context = Context(now, numeric, program.base)
    memory = Facts() if memory is None else memory
    given = Facts(memory.table)
    for triple in (*program.facts, *facts):
        given.add(triple)
    reasoner = Reasoner(replace(program, facts=(), requests=()), context, budget, memory=memory)
    reasoner.add(given)
    opened: set[str] = set()
    while open_document is not None and (waiting := sorted(reasoner.retrievals().keys() - opened)):
        opened.update(waiting)
        reasoner.add([triple for uri in waiting for triple in open_document(uri)])
    reasoner.finish(None)
    contradictions = inconsistencies(reasoner.contradictions(), program.prefixes)
    findings = (*contradictions, *context.misreadings.findings())
    return Derivation(reasoner.facts, given, context, findings)
