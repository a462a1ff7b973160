"""Limits of reasoning: a program that runs away is stopped, named, and leaves the memory whole."""

from dataclasses import dataclass

from agent.errors import BudgetError


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one step may derive.

    ``rounds`` bounds the rounds of the fixpoint, ``facts`` the triples in memory, ``terms`` the different terms that
    were met or made.
    """

    rounds: int = 10_000
    facts: int = 2_000_000
    terms: int = 4_000_000


def exceeded(what: str, limit: int, rule: str) -> BudgetError:
    """Return the error for ``rule`` having passed the ``limit`` of ``what`` ("rounds", "facts" or "terms")."""
    return BudgetError(
        "ASM020",
        f"more than {limit} {what} in one step; the last to add one was rule {rule}",
        hint="A rule that feeds itself with new terms never ends: bound it by a comparison, or raise the budget.",
    )
