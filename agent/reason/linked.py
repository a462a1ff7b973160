"""Rules linked to one memory, and which of them a new triple concerns."""

from collections.abc import Callable, Iterable, Sequence

from agent.rdf.structure import fill_in
from agent.rdf.terms import RDF_FIRST, RDF_REST, BlankNode, Term
from agent.reason.facts import Facts
from agent.reason.join import BatchOf, Go, Linker, Numbers
from agent.reason.prepared import Body, Head
from agent.reason.skolem import skolem


class LinkedRule:
    """One rule on one memory; it calls ``found`` for each instance of its body, sometimes more than once.

    ``batch_of`` is what ``Linker.link`` wants of it.
    """

    def __init__(self, body: Body, linker: Linker, found: Go, batch_of: BatchOf | None = None) -> None:
        self.body = body
        self.linker = linker
        self._found = found
        self._batch_of = batch_of
        self._starts: dict[int, Callable[[Iterable[Numbers]], None]] = {}

    def run_from(self, start: int, triples: Sequence[Numbers]) -> None:
        """Find the instances in which the match number ``start`` is one of ``triples``."""
        self.linker.tries.made += len(triples)
        try_each = self._starts.get(start)
        if try_each is None:
            match = self.body.matches[start]
            rest = self.linker.link(self.body.moves(start), self._found, batch_of=self._batch_of)
            try_each = self._starts[start] = self.linker.seed(match, rest)
        try_each(triples)

    def run(self) -> None:
        """Find all instances, starting from the match that has the fewest triples."""
        if not self.body.matches:
            self.linker.link(self.body.moves(None), self._found)()
            return
        sizes = [self._size(start) for start in range(len(self.body.matches))]
        start = min(range(len(sizes)), key=sizes.__getitem__)
        if sizes[start]:
            self.run_from(start, list(self.linker.facts.select(*self._constants(start))))

    def _constants(self, start: int) -> tuple[int | None, int | None, int | None]:
        constants, slots = self.linker.names.constants, self.linker.slots
        s, p, o = (slots[slot] if slot in constants else None for slot in self.body.matches[start].slots)
        return s, p, o

    def _size(self, start: int) -> int:
        """Return about how many triples the match number ``start`` has."""
        facts = self.linker.facts
        s, p, o = self._constants(start)
        if p is None:
            return len(facts)
        if s is not None:
            return len(facts.by_subject.get(p, {}).get(s, ()))
        if o is not None:
            return len(facts.by_object.get(p, {}).get(o, ()))
        return max(len(facts.by_subject.get(p, {})), len(facts.by_object.get(p, {})))


class Triggers:
    """Which matches of which rules a triple can start.

    ``askers`` are the rules that ask backward rules, with the predicates that the answers depend on (nothing: any).
    """

    def __init__(
        self,
        rules: Sequence[LinkedRule],
        facts: Facts,
        askers: Sequence[tuple[LinkedRule, set[int] | None]] = (),
    ) -> None:
        self._askers = askers
        self._by_predicate: dict[int, list[tuple[LinkedRule, int]]] = {}
        self._by_any: list[tuple[LinkedRule, int]] = []
        self._list_readers = [rule for rule in rules if rule.body.reads_lists]
        self._cells = frozenset(facts.table.intern(term) for term in (RDF_FIRST, RDF_REST))
        for rule in rules:
            constants, slots = rule.linker.names.constants, rule.linker.slots
            for start, match in enumerate(rule.body.matches):
                if match.predicate in constants:
                    self._by_predicate.setdefault(slots[match.predicate], []).append((rule, start))
                else:
                    self._by_any.append((rule, start))

    def run(self, delta: Sequence[Numbers], memory_size: int) -> None:
        """Find the instances that ``delta``, new in a memory of ``memory_size`` triples, makes possible."""
        groups: dict[int, list[Numbers]] = {}
        for triple in delta:
            groups.setdefault(triple[1], []).append(triple)
        if not self._cells.isdisjoint(groups):
            for rule in self._list_readers:
                rule.run()
        for rule, read in self._askers:
            if read is None or not read.isdisjoint(groups):
                rule.run()
        # When most of the memory is new, joining it once is cheaper than joining it from every match of a rule.
        if 2 * len(delta) > memory_size:
            concerned = {
                rule: None for predicate in groups for rule, _ in self._by_predicate.get(predicate, ())
            }
            concerned.update((rule, None) for rule, _ in self._by_any)
            for rule in concerned:
                rule.run()
            return
        for predicate, triples in groups.items():
            for rule, start in self._by_predicate.get(predicate, ()):
                rule.run_from(start, triples)
        for rule, start in self._by_any:
            rule.run_from(start, delta)


def link_inventions(head: Head, rule: str, linker: Linker, then: Go) -> Go:
    """Return the function that fills the slots that ``head`` invents and then does ``then``."""
    terms, slots = linker.facts.table.terms, linker.slots
    made: dict[tuple[int, ...], list[int]] = {}

    def invent() -> list[int]:
        values = {name: terms[slots[slot]] for name, slot in head.frontier}
        own: dict[Term, Term] = {}

        def value_of(part: Term) -> Term | None:
            name = getattr(part, "name", None)
            return own.get(part) if isinstance(part, BlankNode) else values.get(str(name))

        numbers = []
        for invention in head.inventions:
            if isinstance(invention.part, BlankNode):
                node = own[invention.part] = skolem(rule, invention.part.label, values)
                numbers.append(linker.intern(node))
            else:
                numbers.append(linker.intern(fill_in(invention.part, value_of)))
        return numbers

    def fill() -> bool:
        key = tuple(slots[slot] for _, slot in head.frontier)
        numbers = made.get(key)
        if numbers is None:
            numbers = made[key] = invent()
        for invention, number in zip(head.inventions, numbers, strict=True):
            slots[invention.slot] = number
        return then()

    return fill
