"""Derive by compiled rules, for those of whom that gives what the simple reasoner gives (ADR 0123)."""

from collections.abc import Sequence

from agent.errors import BudgetError
from agent.n3.builtins import Context
from agent.n3.program import Program
from agent.rdf.statements import Statements
from agent.rdf.terms import Triple
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.inconsistency import inconsistencies
from agent.reason.incremental.evaluation import Evaluation
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.levels import NotMaintainedError
from agent.runtime.derivation import Derivation, numbered


def derive_compiled(
    rules: Program, said: Sequence[Sequence[Triple]], context: Context, budget: Budget
) -> Derivation | None:
    """Return what compiled rules make of facts; nothing if only the simple reasoner gives it."""
    if why_not_incremental(rules) is not None:
        return None
    memory = Facts()
    # Numbering the largest part first, before the rules, may leave it as it is.
    largest_first = sorted(said, key=len, reverse=True)
    filled = [each for each in largest_first if each]
    is_set = len(filled) == 1 and isinstance(filled[0], Statements) and filled[0].is_set
    given = memory.table.intern_all(filled[0]) if is_set else list(numbered(filled, memory))
    try:
        evaluation = Evaluation(rules, memory, context, budget)
        evaluation.run(given)
    except (BudgetError, NotMaintainedError):
        # The simple engine tries less before it gives up, and names the rule.
        return None
    contradictions = inconsistencies(evaluation.contradictions(), rules.prefixes)
    findings = (*rules.findings, *contradictions, *context.misreadings.findings())
    known = Statements(memory.table.terms, given)
    return Derivation(memory, known, context, findings=findings, derived_rows=evaluation.derived)
