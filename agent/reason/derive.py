"""What a round of the fixpoint derives: the heads of rules on the bindings of their bodies."""

from msgspec import Struct, field

from agent.reason.budget import Budget, exceeded
from agent.reason.containers import Container, without
from agent.reason.facts import Facts
from agent.reason.join import Batch, BatchOf, Go, Linker, Numbers

_NOTHING: Container = ()


class Round(Struct):
    """The triples that a round derives and memory does not hold yet.

    ``protected`` predicates are not derived by a head whose predicate is a variable.
    """

    facts: Facts
    budget: Budget
    protected: frozenset[int]
    new: dict[Numbers, None] = field(default_factory=dict)
    last_rule: str = ""

    def deriver(self, head: tuple[Numbers, ...], linker: Linker) -> Go:
        """Return the function that derives the triples of ``head`` for the present binding."""
        slots, new, by_subject, rule = linker.slots, self.new, self.facts.by_subject, linker.rule
        open_predicates = frozenset(p for _, p, _ in head if p not in linker.names.constants)
        protected, add = self.protected, self._add

        def derive() -> bool:
            for s, p, o in head:
                triple = (slots[s], slots[p], slots[o])
                if triple in new:
                    continue
                objects = by_subject.get(triple[1])
                if objects is not None and triple[2] in objects.get(triple[0], _NOTHING):
                    continue
                if p in open_predicates and triple[1] in protected:
                    continue
                add(triple, rule)
            return False

        return derive

    def batches(self, head: tuple[Numbers, ...], linker: Linker, derive: Go) -> BatchOf:
        """Return the function that gives, for a slot, the way to derive ``head`` for many terms in it at once.

        There is one when the slot is the subject or the object of the only triple, or not in the head at all.
        """

        def once(values: Container) -> int:
            derive()
            return 1

        def batch_of(slot: int) -> Batch | None:
            if not any(slot in triple for triple in head):
                return once
            (s, p, o), *others = head
            if others or p not in linker.names.constants or s == o:
                return None
            return self._subjects(p, o, linker) if slot == s else self._objects(s, p, linker)

        return batch_of

    def _objects(self, subject: int, predicate: int, linker: Linker) -> Batch:
        slots, rule = linker.slots, linker.rule
        (known, _), add, new = self.facts.indexes(slots[predicate]), self._add, self.new

        def batch(values: Container) -> int:
            s, p = slots[subject], slots[predicate]
            unknown = without(values, known.get(s, _NOTHING))
            for o in unknown:
                if (s, p, o) not in new:
                    add((s, p, o), rule)
            return len(unknown)

        return batch

    def _subjects(self, predicate: int, object_: int, linker: Linker) -> Batch:
        slots, rule = linker.slots, linker.rule
        (_, known), add, new = self.facts.indexes(slots[predicate]), self._add, self.new

        def batch(values: Container) -> int:
            p, o = slots[predicate], slots[object_]
            unknown = without(values, known.get(o, _NOTHING))
            for s in unknown:
                if (s, p, o) not in new:
                    add((s, p, o), rule)
            return len(unknown)

        return batch

    def _add(self, triple: Numbers, rule: str) -> None:
        if len(self.facts) + len(self.new) >= self.budget.facts:
            raise exceeded("facts", self.budget.facts, rule)
        self.new[triple] = None
        self.last_rule = rule
