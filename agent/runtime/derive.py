"""The reasoner alone: rules and facts in, everything that follows out, without any request.

There are two ways to it. Each is loaded when it is chosen, since either takes a tenth of a short command (ADR 0122).
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from agent.clock import WallClock, lexical
from agent.n3.builtins import Context, Numeric
from agent.n3.program import Program
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.runtime.derivation import Derivation

if TYPE_CHECKING:
    from agent.runtime.derive_simple import Open

_MANY = 250
"""With fewer facts the rules are not compiled: that takes about a millisecond for each of them."""


def derive(
    program: Program,
    *facts: Iterable[Triple],
    numeric: Numeric = "strict",
    instant: str = "",
    budget: Budget | None = None,
    open_document: "Open | None" = None,
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
    if memory is None and not recompute and sum(map(len, said)) >= _MANY:
        from agent.runtime.derive_compiled import derive_compiled  # noqa: PLC0415  loaded when it is chosen

        derivation = derive_compiled(rules, said, Context(now, numeric, program.base), budget or Budget())
        if derivation is not None:
            return derivation
    from agent.runtime.derive_simple import derive_simply  # noqa: PLC0415  loaded when it is chosen

    context = Context(now, numeric, program.base)
    return derive_simply(rules, said, context, budget, Facts() if memory is None else memory, open_document)
