"""Whether negation is settled in an order that gives what the simple engine gives, and which order that is.

The simple engine ranks rules by their constant predicates and tests negated groups against the memory as it is when
their turn comes. That is the one model of the program as long as nothing which a group reads comes later, by whatever
way; this is checked here against the levels found with what is in memory. Where it fails, only recomputing is exact.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from agent.n3.program import Program
from agent.rdf.terms import IRI
from agent.reason.body import Cell, Match
from agent.reason.incremental.changes import Changes
from agent.reason.incremental.compiled import Compiled
from agent.reason.incremental.levels import Domains, Keys, Levels, NotMaintainedError, Stratification
from agent.reason.incremental.units import Unit
from agent.reason.rules import prepare_rules


class Order:
    """The order of one program on one memory; ``derivations`` are the units of its derivation rules."""

    def __init__(
        self,
        program: Program,
        derivations: Sequence[Unit],
        compiled: Compiled,
        rdf_type: int,
        protected: frozenset[int],
        names: frozenset[str],
    ) -> None:
        strata = prepare_rules(program, names).strata
        self._strata = [[rule.name for rule in stratum] for stratum in (*strata.before, *strata.after)]
        self._has_late_strata = bool(strata.after)
        self._compiled = compiled
        self._protected = protected
        self._domains = Domains(compiled.facts, rdf_type)
        self._negating = {unit.rule for unit in derivations if unit.groups}
        self._has_order = any(unit.groups for unit in compiled.units if unit.row is None)
        self._concluded: frozenset[int] = frozenset()
        self._stratification: Stratification | None = None
        self._levels: Levels | None = None
        self._stays: dict[frozenset[str], bool] = {}

    def levels(self) -> Levels:
        """Return the levels of all units. Raises ``NotMaintainedError``."""
        if self._levels is None:
            self._levels = self._find()
        return self._levels

    def has_changed(self, changes: Changes) -> bool:
        """Tell whether what came into memory changes the levels. Raises ``NotMaintainedError``."""
        if not self._is_checked or all(fact[1] not in self._domains.sources for fact in changes.gained):
            return False
        if not self._domains.grow():
            return False
        before = self._levels
        self._levels = self._find()
        return before != self._levels

    def check_conclusions(self) -> None:
        """Raise ``NotMaintainedError`` if rules negate what conclusions about sentries lead to."""
        if self._has_late_strata:
            raise NotMaintainedError

    def conclude(self, predicates: Iterable[int]) -> None:
        """Take note of the predicates of conclusions. Raises ``NotMaintainedError`` if a negation or retrieval depends on them."""
        known = self._concluded | frozenset(predicates)
        if known != self._concluded:
            self._concluded = known
            if self._stratification is None:
                self._find()
            else:
                self._stays.clear()
                self._check_concluded()

    def may_stay(self, reads: frozenset[str] | None) -> bool:
        """Tell whether conclusions may stay in memory while new ones are drawn from the predicates ``reads``.

        They may if nothing that follows from them is read. A conclusion is about a node of its own: a body that asks
        something else of that node does not meet it.
        """
        if not self._concluded:
            return True
        if reads is None or self._stratification is None:
            return False
        if reads not in self._stays:
            self._stays[reads] = self._may_stay(reads, self._stratification)
        return self._stays[reads]

    def _may_stay(self, reads: frozenset[str], found: Stratification) -> bool:
        touched = [unit for unit in self._compiled.units if self._meets_conclusion(unit, found)]
        reached = found.reached_from(unit.number for unit in touched)
        keys = found.keys_of(self._compiled.facts.table.intern(IRI(name)) for name in reads)
        return not any(found.meets(found.concluded_by(number), keys) for number in reached)

    def _meets_conclusion(self, unit: Unit, found: Stratification) -> bool:
        if not found.meets(Keys(self._concluded), found.read_by(unit.number)):
            return False
        numbers, constants = self._compiled.numbers_of(unit), unit.slots.constants
        goals = [goal for goal in unit.goals if isinstance(goal, Match | Cell)]
        if any(goal.predicate not in constants for goal in goals):
            return True
        ours = [goal for goal in goals if numbers[goal.predicate] in self._concluded]
        others = {
            slot
            for goal in goals
            if numbers[goal.predicate] not in self._concluded
            for slot in (goal.subject, goal.object)
        }
        return not any(goal.subject in others and goal.object in constants for goal in ours)

    @property
    def _is_checked(self) -> bool:
        """Tell whether something could come too late."""
        return self._has_order or bool(self._concluded)

    def _find(self) -> Levels:
        units = self._compiled.units
        if not self._is_checked:
            return Levels({unit.number: 0 for unit in units})
        self._stays.clear()
        self._stratification = Stratification(
            units, self._compiled.numbers_of, self._domains, self._protected
        )
        levels = self._stratification.levels()
        self._check_strata(self._stratification)
        self._check_concluded()
        return levels

    def _check_strata(self, found: Stratification) -> None:
        for number, stratum in enumerate(self._strata):
            now, later = set(stratum), {name for names in self._strata[number + 1 :] for name in names}
            self._refuse(now, self._reached_from(now | later, found), groups_only=True)
            self._refuse(now, self._reached_from(later, found), groups_only=False)

    def _reached_from(self, rules: AbstractSet[str], found: Stratification) -> AbstractSet[int]:
        units = self._compiled.units
        return found.reached_from(
            unit.number for unit in units if unit.rule in rules and unit.head is not None
        )

    def _check_concluded(self) -> None:
        found = self._stratification
        if found is None or not self._concluded:
            return
        keys = Keys(frozenset(self._concluded))
        first = {
            unit.number for unit in self._compiled.units if found.meets(keys, found.read_by(unit.number))
        }
        reached = found.reached_from(first)
        self._refuse(self._negating, reached, groups_only=False)
        if any(unit.retrievals and unit.number in reached for unit in self._compiled.units):
            raise NotMaintainedError

    def _refuse(self, rules: AbstractSet[str], reached: AbstractSet[int], *, groups_only: bool) -> None:
        """Raise ``NotMaintainedError`` if a unit of ``rules``, or a negated group of theirs, is in ``reached``."""
        for unit in self._compiled.units:
            is_meant = unit.group is not None or (unit.head is not None and not groups_only)
            if is_meant and unit.rule in rules and unit.number in reached:
                raise NotMaintainedError
