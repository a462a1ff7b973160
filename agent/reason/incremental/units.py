"""Rules taken apart for compiling: positive goals, negated groups as predicates of their own, what is concluded.

A negated group becomes a hidden predicate over the slots that it shares with the rest of the body; the rule tests that
no such fact is there. Hidden predicates and packed tuples have negative numbers, so that no pattern of a program can
meet them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from agent.errors import Place, ProgramError
from agent.n3.program import RequestRule
from agent.rdf.structure import unknowns_of
from agent.rdf.terms import Term
from agent.reason.body import Absent, Cell, Goal, Match, Slots, parts_of, slots_bound
from agent.reason.incremental.by_value import computed_by_value
from agent.reason.plan import order
from agent.reason.prepared import Body, Head, PreparedDerivation, PreparedRequest

ONE = -1
"""The other end of hidden facts that are about one term, or none."""
RETRIEVED = -1
"""The hidden predicate of documents that are retrieved."""
FIELD = -2
"""The hidden predicate between documents and the header fields they are retrieved with."""
FIRST_GROUP = -3


class Group(NamedTuple):
    """A negated group: its hidden predicate, and the slots it shares with the rest of the body."""

    predicate: int
    shared: tuple[int, ...]


class Retrieval(NamedTuple):
    """A document to retrieve: the slot of its URI, and those of names and values of header fields."""

    uri: int
    fields: tuple[tuple[int, int], ...]


class Unit(Struct, eq=False):
    """What is compiled as one: a body and what follows from it.

    One of ``head``, ``group``, ``retrievals`` and ``row`` says what follows: visible facts, facts of a negated group,
    documents, or a row of a view. ``groups`` are the negated groups of the body.
    """

    number: int
    rule: str
    place: Place
    slots: Slots
    goals: tuple[Goal, ...]
    groups: tuple[Group, ...]
    head: Head | None = None
    group: Group | None = None
    retrievals: tuple[Retrieval, ...] = ()
    row: tuple[int, ...] | None = None

    @property
    def starts(self) -> Iterator[tuple[int, Match | Cell]]:
        """Yield the goals that a new or a lost fact may start from, with their positions."""
        for position, goal in enumerate(self.goals):
            if isinstance(goal, Match | Cell):
                yield position, goal


class Units(Struct):
    """The units of a program in the making; ``views`` are those with rows, by what the caller calls them."""

    all: list[Unit] = field(default_factory=list)
    _next_group: int = FIRST_GROUP

    def derivation(self, rule: PreparedDerivation) -> Unit:
        """Add a derivation rule."""
        return self._add(rule.body, head=rule.head)

    def view(self, rule: PreparedRequest) -> Unit:
        """Add a request rule or an inconsistency; its rows are the values of the projection."""
        return self._add(rule.body, row=tuple(slot for _, slot in rule.projection))

    def retrieval(self, rule: RequestRule, prepared: PreparedRequest) -> Unit:
        """Add a request rule of the read phase."""
        slots = prepared.body.slots
        known = slots_bound(prepared.body.goals, slots)

        def is_known(part: Term) -> bool:
            # Only constants get a slot here: the simple engine takes a variable with a slot for one that is bound.
            return slots.find(part) in known or next(unknowns_of(part), None) is None

        retrievals = tuple(
            Retrieval(
                slots.number(template.uri),
                tuple(
                    (slots.number(name), slots.number(value))
                    for name, value in template.headers
                    if is_known(name) and is_known(value)
                ),
            )
            for template in rule.requests
            if template.uri is not None and is_known(template.uri)
        )
        return self._add(prepared.body, retrievals=retrievals)

    def _add(
        self,
        body: Body,
        *,
        head: Head | None = None,
        retrievals: tuple[Retrieval, ...] = (),
        row: tuple[int, ...] | None = None,
    ) -> Unit:
        goals, groups = self._split(body, body.goals, frozenset(), ())
        unit = Unit(
            len(self.all),
            body.rule,
            body.place,
            body.slots,
            goals,
            groups,
            head=head,
            retrievals=retrievals,
            row=row,
        )
        self.all.append(unit)
        return unit

    def _split(
        self, body: Body, goals: Sequence[Goal], outer: frozenset[int], around: tuple[Goal, ...]
    ) -> tuple[tuple[Goal, ...], tuple[Group, ...]]:
        """Return the positive goals and the negated groups of ``goals``; ``outer`` slots are bound around them."""
        positive = tuple(goal for goal in goals if not isinstance(goal, Absent))
        bound = outer | slots_bound(positive, body.slots)
        return positive, tuple(
            self._group(body, goal, bound, (*around, *positive)) for goal in goals if isinstance(goal, Absent)
        )

    def _group(
        self, body: Body, absent: Absent, bound: frozenset[int] | set[int], around: tuple[Goal, ...]
    ) -> Group:
        inside = {slot for goal in absent.goals for slot in parts_of(goal, body.slots)}
        shared = tuple(sorted(inside & set(bound)))
        group = Group(self._next_group, shared)
        self._next_group -= 1
        goals, groups = self._split(body, absent.goals, frozenset(shared), around)
        if not _stands_alone(goals, groups, shared, body):
            goals = (*around, *goals)
        self.all.append(Unit(len(self.all), body.rule, body.place, body.slots, goals, groups, group=group))
        return group


def _stands_alone(goals: Sequence[Goal], groups: Sequence[Group], shared: Sequence[int], body: Body) -> bool:
    """Tell whether the goals of a group bind by themselves, together, what it shares with the rest of the body."""
    bound = slots_bound(goals, body.slots)
    # What is known around a group is tested there, not computed.
    if not computed_by_value(goals, body.slots).isdisjoint(shared):
        return False
    if not _are_connected(goals, shared, body.slots):
        return False
    if not bound.issuperset(shared) or any(not bound.issuperset(group.shared) for group in groups):
        return False
    try:
        order(goals, body.slots, (), body.rule, body.place)
    except ProgramError:
        return False
    return True


def _are_connected(goals: Sequence[Goal], shared: Sequence[int], slots: Slots) -> bool:
    """Tell whether what is shared hangs together, so that the group does not combine everything with everything."""
    reached = set(shared[:1])
    links = [set(parts_of(goal, slots)) - slots.constants for goal in goals if isinstance(goal, Match | Cell)]
    while new := [link for link in links if link & reached and not link <= reached]:
        reached.update(*new)
    return reached.issuperset(shared)
