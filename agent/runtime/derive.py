"""The reasoner alone: rules and facts in, everything that follows out, without any request."""

from collections.abc import Iterable

from agent.clock import WallClock, lexical, next_instant
from agent.n3.builtins import Context, Numeric
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.fixpoint import Reasoner


def derive(
    program: Program, facts: Iterable[Triple], *, numeric: Numeric = "strict", instant: str = ""
) -> tuple[Triple, ...]:
    """Return the facts of ``program``, ``facts``, and all that its derivation rules make of them.

    ``instant`` is what builtins take for now, an xsd:dateTime; the wall clock tells it if it is empty. BudgetError if
    the rules do not come to an end.
    """
    now = instant or lexical(next_instant(WallClock().now(), None))
    reasoner = Reasoner(program, Context(now, numeric), Budget())
    reasoner.add(facts)
    reasoner.finish(None)
    return tuple(reasoner.facts)
