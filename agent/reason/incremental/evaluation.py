"""What rules make of facts, once: the compiled rules on an empty memory, in bulk (ADR 0123)."""

from collections.abc import Collection, Iterator, Mapping

from agent.n3.builtins import Context
from agent.n3.program import Inconsistency, Program
from agent.rdf.statements import Row
from agent.rdf.terms import IRI, RDF_TYPE, Term
from agent.reason.budget import Budget, exceeded
from agent.reason.facts import Facts
from agent.reason.incremental.bulk import Bulk
from agent.reason.incremental.changes import Changes
from agent.reason.incremental.compiled import Compiled
from agent.reason.incremental.order import Order
from agent.reason.incremental.units import Units
from agent.reason.incremental.views import Views
from agent.reason.prepared import prepare_derivation, prepare_inconsistency
from agent.reason.rules import check_rules, prepare_rules


class Evaluation:
    """The derivation rules and inconsistencies of a program for which ``why_not_incremental`` finds nothing.

    ``facts`` is the memory, empty still, ``derived`` what rules put into it. Facts of the program and request rules
    are left out. Raises ``ProgramError`` for rules that cannot be run.
    """

    def __init__(
        self,
        program: Program,
        facts: Facts,
        context: Context,
        budget: Budget,
        protected: frozenset[str] = frozenset(),
    ) -> None:
        check_rules(program, protected)
        self.facts = facts
        self.derived: list[Row] = []
        units = Units()
        derivations = [units.derivation(prepare_derivation(rule)) for rule in program.derivations]
        prepared = [(rule, prepare_inconsistency(rule)) for rule in program.inconsistencies]
        self._inconsistencies = [(rule, body, units.view(body)) for rule, body in prepared]
        intern = self.facts.table.intern
        names = frozenset(intern(IRI(iri)) for iri in protected)
        self._hidden = Facts(self.facts.table)
        self._compiled = Compiled(units.all, self.facts, self._hidden, budget, names, context)
        self._order = Order(program, derivations, self._compiled, intern(RDF_TYPE), names, protected)
        self._units = [unit for unit in units.all if unit.row is None]
        strata = prepare_rules(program, protected).strata
        self._strata = 1 + len(strata.before) + len(strata.after)
        self._has_groups = any(unit.group is not None for unit in self._units)
        self._views = Views(self._compiled, budget)
        self._bulk = Bulk(self._compiled, budget)
        self._budget = budget

    def run(self, given: Collection[Row]) -> None:
        """Put the different facts ``given``, in numbers of the table of ``facts``, and all that follows into the empty memory.

        Raises ``BudgetError`` when a limit is passed, and ``NotMaintainedError`` where only the simple engine is exact.
        """
        found = self._derive(given)
        # What is derived may show an order that was not seen before.
        while self._has_groups and self._order.has_changed(Changes(gained=set(found))):
            self.facts.clear()
            self._hidden.clear()
            found = self._derive(given)
        self.derived = [row for row in found if row[1] >= 0] if self._has_groups else found
        if self._inconsistencies:
            self._views.update(Changes(), len(self.facts))

    def contradictions(self) -> Iterator[tuple[Inconsistency, Mapping[str, Term]]]:
        """Yield the inconsistencies with the bindings that show them."""
        terms = self.facts.table.terms
        for rule, prepared, unit in self._inconsistencies:
            names = [name for name, _ in prepared.projection]
            for row in self._views.rows(unit):
                yield rule, {name: terms[number] for name, number in zip(names, row, strict=True)}

    def _derive(self, given: Collection[Row]) -> list[Row]:
        if len(given) > self._budget.facts:
            raise exceeded("facts", self._budget.facts, "(data alone)")
        self.facts.insert_new(given)
        self._bulk.rounds = 1 if given else 0
        levels = self._order.levels()
        found: list[Row] = []
        for number in range(levels.highest + 1):
            units = [unit for unit in self._units if levels.of_unit[unit.number] == number]
            found += self._bulk.saturate(self._bulk.rules_of(units))
        # The simple engine does not take more for each of its strata.
        if self._bulk.rounds * self._strata > self._budget.rounds:
            raise exceeded("rounds", self._budget.rounds, "(any)")
        return found
