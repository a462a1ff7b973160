"""Questions to backward rules: how a goal asks one, takes an answer, and what it tells a clause."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from agent.rdf.structure import fill_in, unknowns_of
from agent.rdf.terms import IRI, ListTerm, Literal, Term, Variable
from agent.reason.backward import Clause
from agent.reason.facts import Facts
from agent.reason.join import Go, Linker, Numbers
from agent.reason.plan import Consult

Part: TypeAlias = int | ListTerm | None
"""What is known of a part of a question: the number of its term, a list with open items, or nothing."""
Question: TypeAlias = tuple[Part, int, Part]


def question_of(linker: Linker, move: Consult) -> Callable[[], Question]:
    """Return the function that gives the question of ``move`` under the present binding."""
    slots, predicate = linker.slots, move.ask.predicate
    subject_of, object_of = (_part_of(linker, slot, move) for slot in (move.ask.subject, move.ask.object))
    return lambda: (subject_of(), slots[predicate], object_of())


def _part_of(linker: Linker, slot: int, move: Consult) -> Callable[[], Part]:
    slots, name = linker.slots, linker.names.names[slot]
    if slot in move.bound:
        return lambda: slots[slot]
    if not isinstance(name, ListTerm):
        return lambda: None
    known = linker.names.parts(name) & move.bound
    terms = linker.facts.table.terms

    def value_of(part: Term) -> Term | None:
        number = linker.names.find(part)
        return terms[slots[number]] if number in known and number is not None else None

    return lambda: _outline(name, value_of)


def _outline(pattern: ListTerm, value_of: Callable[[Term], Term | None]) -> ListTerm:
    """Return the list ``pattern`` with the items that are known, and numbers in place of the others.

    An item that is known in part is left open, so that what is asked for never grows by what is not known.
    """
    names: dict[Term, Term] = {}
    items = []
    for item in pattern.items:
        filled = fill_in(item, value_of)
        is_known = next(unknowns_of(filled), None) is None
        items.append(filled if is_known else names.setdefault(filled, Variable(str(len(names)))))
    return ListTerm(tuple(items))


def taker(linker: Linker, move: Consult, then: Go) -> Callable[[Numbers], bool]:
    """Return the function that binds what the question left open to the parts of an answer and does ``then``."""
    slots, parts = linker.slots, move.ask.slots
    open_ = [(position, slot) for position, slot in enumerate(parts) if slot not in move.bound]
    if not open_:
        return lambda answer: then()
    if len(open_) == 1:
        ((where, target),) = open_

        def take_one(answer: Numbers) -> bool:
            slots[target] = answer[where]
            return then()

        return take_one

    def take(answer: Numbers) -> bool:
        for position, slot in open_:
            slots[slot] = answer[position]
        return all(slots[slot] == answer[position] for position, slot in open_) and then()

    return take


def told(
    clause: Clause, constants: Sequence[int], question: Question, memory: Facts
) -> dict[int, int] | None:
    """Return what ``question`` tells about the slots of ``clause``; nothing if it asks for something else."""
    found: dict[int, int] = {}
    for slot, term, part in zip(clause.head, clause.terms, question, strict=True):
        if part is None:
            continue
        if isinstance(part, ListTerm):
            for item, value in _items_told(term, part):
                if not isinstance(item, Variable):
                    return None
                if not _tell(clause.slots.number(item), memory.table.intern(value), found):
                    return None
        elif slot in clause.slots.constants:
            if constants[slot] != part:
                return None
        elif not clause.invents(term) and not _tell(slot, part, found):
            return None
    return found


def _tell(slot: int, number: int, found: dict[int, int]) -> bool:
    """Note the term of ``slot`` and tell whether it fits what is known of it."""
    return found.setdefault(slot, number) == number


def _items_told(pattern: Term, given: Term) -> Iterator[tuple[Term, Term]]:
    """Yield the variables in the list ``pattern`` with the ground terms that ``given`` has there.

    Where the two can never be the same, what cannot be is yielded instead of a variable.
    """
    pending = [(pattern, given)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, Variable):
            if next(unknowns_of(other), None) is None:
                yield one, other
        elif isinstance(one, ListTerm) and isinstance(other, ListTerm):
            if len(one.items) != len(other.items):
                yield one, other
                return
            pending.extend(zip(one.items, other.items, strict=True))
        elif isinstance(one, IRI | Literal) and isinstance(other, IRI | Literal) and one != other:
            yield one, other
            return
