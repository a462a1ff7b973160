"""One rule at work on a memory: its slots, and how they are read and filled."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from agent.n3.builtins import Context
from agent.rdf.matching import matches
from agent.rdf.terms import RDF_NIL, Formula, ListTerm, Term
from agent.reason.body import Slots
from agent.reason.budget import MOST_PARTS, Budget, Tries, exceeded
from agent.reason.data_lists import read_lists
from agent.reason.facts import Facts, TermTable


class RuleState(Struct):
    """The state of one rule: ``slots[i]`` is the number of the term in slot ``i`` of ``names``.

    ``facts`` is the memory; ``before`` the memory that groups are tested against, of the same term table.
    """

    rule: str
    names: Slots
    facts: Facts
    before: Facts
    context: Context
    budget: Budget
    tries: Tries
    slots: list[int]

    def value(self, part: Term) -> Term | None:
        """Return the term that ``part`` of a pattern is bound to, if it has a slot."""
        slot = self.names.find(part)
        return None if slot is None else self.facts.table.terms[self.slots[slot]]

    def spend(self) -> None:
        """Count a try of a search."""
        self.tries.made += 1
        if self.tries.made > self.tries.limit:
            self.tries.check(self.rule)

    def known(self, slots: Iterable[int]) -> dict[Term, Term]:
        """Return the terms in some slots by what these slots stand for."""
        terms = self.facts.table.terms
        return {self.names.names[slot]: terms[self.slots[slot]] for slot in slots}

    def assigner(
        self, patterns: Sequence[Term], bound: frozenset[int], facts: Facts
    ) -> Callable[[Sequence[Term]], Iterator[None]]:
        """Return the function that binds the open parts of ``patterns`` so that they become the given terms.

        It does so in every way there is, one after the other.
        """
        pattern = patterns[0] if len(patterns) == 1 else ListTerm(tuple(patterns))
        needed = self.names.parts(pattern) & bound

        def read_lists(node: Term) -> Sequence[ListTerm]:
            number = facts.table.find(node)
            lists = () if number is None else self.lists(facts, number)
            return [found for found in lists if isinstance(found, ListTerm)]

        def assignments(values: Sequence[Term]) -> Iterator[None]:
            term = values[0] if len(values) == 1 else ListTerm(tuple(values))
            known = self.known(needed)
            for found in matches(pattern, term, known, self.spend, read_lists):
                self.assign(found)
                yield

        return assignments

    def assign(self, found: Mapping[Term, Term]) -> None:
        """Bind open parts to their values."""
        for name, value in found.items():
            self.slots[self.names.number(name)] = self.intern(value)

    def intern(self, term: Term) -> int:
        """Return the number of ``term``. Raises ``BudgetError`` if there are too many, or it is too large."""
        return intern_within(self.facts.table, term, self.budget, self.rule)

    def lists(self, facts: Facts, number: int) -> Sequence[Term]:
        """Return the lists that the term of ``number`` is: itself, or those that the data say."""
        term = facts.table.terms[number]
        if isinstance(term, ListTerm):
            return (term,)
        if term == RDF_NIL:
            return (ListTerm(()),)
        lists = read_lists(facts, number)
        self.tries.made += sum(len(found.items) for found in lists)
        return lists or (term,)


def intern_within(table: TermTable, term: Term, budget: Budget, rule: str) -> int:
    """Return the number of ``term``, which ``rule`` made. Raises ``BudgetError`` if there are too many, or it is too large."""
    count = len(table.terms)
    number = table.intern(term)
    if number >= budget.terms:
        raise exceeded("terms", budget.terms, rule)
    if number == count and isinstance(term, ListTerm | Formula) and table.parts_of(term) > MOST_PARTS:
        raise exceeded("parts of a term", MOST_PARTS, rule)
    return number
