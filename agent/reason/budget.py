"""Limits of reasoning: a program that runs away is stopped, named, and leaves the memory whole."""

from msgspec import Struct

from agent.errors import BudgetError

MOST_PARTS = 3_000_000
"""How many terms may stand in a list or formula that a rule makes, each as often as it stands there."""


class Budget(Struct, frozen=True):
    """How much one step may derive.

    ``rounds`` bounds the rounds of the fixpoint, ``facts`` the triples in memory (and the bindings of one request
    rule), ``terms`` the different terms that were met or made, ``bindings`` those that joins tried, found or not,
    ``questions`` the different ones to backward rules while memory stays as it is.
    """

    rounds: int = 10_000
    facts: int = 2_000_000
    terms: int = 4_000_000
    bindings: int = 50_000_000
    questions: int = 200_000


class Tries(Struct):
    """How many bindings the joins of a step have tried so far."""

    limit: int
    made: int = 0

    def check(self, rule: str) -> None:
        """Raise ``BudgetError`` naming ``rule`` when there were more than allowed."""
        if self.made > self.limit:
            raise exceeded("bindings tried", self.limit, rule)


_CROSS = "Patterns that share no variable are combined each with each: connect them."
_HINTS = {
    "bindings tried": "Patterns that share no variable are combined each with each: connect them, or split the rule.",
    "questions to backward rules": "A rule that asks itself about ever new terms never ends: bound it by a comparison.",
    "parts of a term": "A rule that puts its conclusions into each other, several times each, soon makes terms that "
    "nobody can write down.",
    "requests of a rule": _CROSS,
    "inconsistencies of a rule": _CROSS,
}
_RUNAWAY = (
    "A rule that feeds itself with new terms never ends: bound it by a comparison, or raise the budget."
)


def exceeded(what: str, limit: int, rule: str) -> BudgetError:
    """Return the error for ``rule`` having passed the ``limit`` of ``what`` ("rounds", "facts", "terms" and others)."""
    return BudgetError(
        "ASM020",
        f"more than {limit} {what} in one step, the last of them by rule {rule}",
        hint=_HINTS.get(what, _RUNAWAY),
    )
