"""What follows from a formula by the rules in it: a reasoner inside the reasoner (log:conclusion)."""

from collections.abc import Callable, Iterable

from agent.errors import ProgramError
from agent.n3.program import IMPLIES, IS_IMPLIED_BY, Program
from agent.n3.quoted import quoted, rules_in
from agent.rdf.matching import opened
from agent.rdf.terms import Formula, Triple
from agent.reason.budget import exceeded

MAX_DEPTH = 16
Run = Callable[[Program], Iterable[Triple]]
_RULES = frozenset({IMPLIES, IS_IMPLIED_BY})


class Closures:
    """The conclusions of formulas, each drawn once; ``run`` gives what is known in the end of a program."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[Formula, Formula | None] = {}
        self._depth = 0

    def conclude(self, formula: Formula) -> Formula | None:
        """Return the triples of ``formula`` and all that follows, nothing if a rule in it cannot run.

        Raises ``BudgetError`` like any reasoning.
        """
        if formula not in self._known:
            self._known[formula] = self._conclusion(formula)
        return self._known[formula]

    def _conclusion(self, formula: Formula) -> Formula | None:
        triples = opened(formula).triples
        rules = rules_in(triples, f"log:conclusion {formula.digest[:8]}")
        facts = tuple(triple for triple in triples if triple.predicate not in _RULES)
        if self._depth >= MAX_DEPTH:
            raise exceeded("conclusions inside conclusions", MAX_DEPTH, rules[0].name if rules else "(none)")
        self._depth += 1
        try:
            known = self._run(Program(facts, rules))
        except ProgramError:
            return None
        finally:
            self._depth -= 1
        stated = set(triples)
        return quoted((*triples, *(triple for triple in known if triple not in stated)))
