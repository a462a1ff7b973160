"""Whether bodies of rules have an instance in a memory: the search for one stops at the first."""

from collections.abc import Iterator

from agent.n3.builtins import Context
from agent.n3.program import DerivationRule
from agent.rdf.terms import Term, Triple, Variable
from agent.reason.body import Match
from agent.reason.budget import Budget, Tries
from agent.reason.facts import Facts
from agent.reason.join import Linker, constants_of
from agent.reason.linked import LinkedRule
from agent.reason.prepared import Body, prepare_derivation


class _FoundError(Exception):
    """Ends a search: there is an instance."""


class Existence:
    """Asks about ``memory``, against which negated groups are tested too. Raises ``BudgetError`` for a search too long."""

    def __init__(self, memory: Facts, context: Context, budget: Budget | None = None) -> None:
        self._memory = memory
        self._context = context
        self._budget = budget or Budget()
        self._tries = Tries(self._budget.bindings)

    def holds(self, rule: DerivationRule) -> bool:
        """Tell whether the body of ``rule`` has an instance."""

        def found() -> bool:
            raise _FoundError

        body = prepare_derivation(rule).body
        try:
            LinkedRule(body, self._linker(body), found).run()
        except _FoundError:
            return True
        return False

    def values(self, rule: DerivationRule, seed: Triple, variable: Variable) -> Iterator[Term]:
        """Yield the values of ``variable``, which stands in ``seed``, in the instances of the body of ``rule``.

        ``seed`` is a pattern of the body: the search begins at each of its triples.
        """
        body = prepare_derivation(rule).body
        linker = self._linker(body)
        number = body.slots.number
        slot = number(variable)
        start = body.matches.index(Match(*(number(term) for term in seed)))
        values: dict[int, None] = {}

        def found() -> bool:
            values[linker.slots[slot]] = None
            return True

        s, p, o = (
            linker.slots[each] if each in body.slots.constants else None for each in body.matches[start].slots
        )
        LinkedRule(body, linker, found).run_from(start, list(self._memory.select(s, p, o)))
        terms = self._memory.table.terms
        yield from (terms[value] for value in values)

    def _linker(self, body: Body) -> Linker:
        return Linker(
            body.rule,
            body.slots,
            self._memory,
            self._memory,
            self._context,
            self._budget,
            self._tries,
            constants_of(body.slots, self._memory),
        )
