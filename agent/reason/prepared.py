"""Rules prepared for joining: their slots, goals and orders. They depend on the rule alone and are kept between steps."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from agent.errors import Place, ProgramError
from agent.n3.builtins import Builtin
from agent.n3.program import DerivationRule, Inconsistency, Pattern, RequestRule, RequestTemplate
from agent.rdf.structure import unknowns_of
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Term, Variable, variables_of
from agent.reason.body import (
    Absent,
    Ask,
    Cell,
    Collect,
    Compute,
    Goal,
    Match,
    Slots,
    Structure,
    read_goals,
    slots_bound,
)
from agent.reason.plan import Move, order


class Body(Struct):
    """The body of one rule; ``matches`` are its goals that a new triple may start from."""

    rule: str
    place: Place
    slots: Slots
    goals: tuple[Goal, ...]
    matches: tuple[Match, ...]
    _moves: dict[int | None, tuple[Move, ...]] = field(default_factory=dict)

    def moves(self, start: int | None) -> tuple[Move, ...]:
        """Return the moves after the match number ``start``, or from nothing."""
        if start not in self._moves:
            bound: Iterable[int] = () if start is None else self.matches[start].slots
            goals = [goal for goal in self.goals if start is None or goal != self.matches[start]]
            self._moves[start] = order(goals, self.slots, bound, self.rule, self.place)
        return self._moves[start]

    def asked(self) -> set[int]:
        """Return the slots of the predicates that the body, negated groups included, asks backward rules for."""
        slots: set[int] = set()
        pending = list(self.goals)
        while pending:
            goal = pending.pop()
            if isinstance(goal, Ask):
                slots.add(goal.predicate)
            elif isinstance(goal, Absent | Collect):
                pending.extend(goal.goals)
        return slots

    @property
    def asks(self) -> bool:
        """Tell whether a match of the body depends on what backward rules answer."""
        return any(isinstance(goal, Ask) for goal in self.goals)

    @property
    def reads_lists(self) -> bool:
        """Tell whether a goal may read a list of the data, cell by cell, without starting from the cells."""
        return any(map(reads_data_list, self.goals))

    def predicates_of_scopes(self) -> set[int] | None:
        """Return the slots of the predicates that groups read from memory as it is, or nothing if they may read any."""
        slots: set[int] = set()
        pending = [goal for goal in self.goals if isinstance(goal, Absent | Collect)]
        while pending:
            for goal in pending.pop().goals:
                if isinstance(goal, Absent | Collect):
                    pending.append(goal)
                elif isinstance(goal, Match | Ask) and goal.predicate in self.slots.constants:
                    slots.add(goal.predicate)
                elif isinstance(goal, Match) or reads_data_list(goal):
                    return None
        return slots


def reads_data_list(goal: Goal) -> bool:
    """Tell whether a goal may read a list of the data, cell by cell."""
    match goal:
        case Compute():
            sides = {"subject": goal.subject, "object": goal.object}
            return any(_may_be_data(goal.builtin, side, sides[side]) for side in goal.builtin.lists)
        case Structure(_, pattern, _, is_made):
            return not is_made and isinstance(pattern, ListTerm)
        case Cell():
            return True
        case _:
            return False


def _may_be_data(builtin: Builtin, side: str, pattern: Term) -> bool:
    """Tell whether a builtin may read ``pattern``, or a member of it, as a list of the data."""
    if not isinstance(pattern, ListTerm):
        return True
    inner = builtin.inner_members(side, pattern.items)
    return any(not isinstance(pattern.items[position], ListTerm) for position in inner)


def prepare_body(rule: str, place: Place, patterns: tuple[Pattern, ...], asked: frozenset[str]) -> Body:
    """Return the body of the rule called ``rule``; ProgramError if it cannot be joined."""
    slots = Slots()
    goals = read_goals(patterns, slots, asked)
    body = Body(rule, place, slots, goals, tuple(goal for goal in goals if isinstance(goal, Match)))
    body.moves(0 if body.matches else None)
    return body


class Invention(NamedTuple):
    """A slot of the head that the rule fills: a new node for the blank node ``part``, or the list or formula ``part``."""

    slot: int
    part: Term


class Head(NamedTuple):
    """The triples of a head as slots; ``frontier`` are the body's variables in it, which name the nodes it invents."""

    triples: tuple[tuple[int, int, int], ...]
    inventions: tuple[Invention, ...]
    frontier: tuple[tuple[str, int], ...]


class PreparedDerivation(NamedTuple):
    """A derivation rule ready to be linked."""

    body: Body
    head: Head


class PreparedRequest(NamedTuple):
    """A request rule or inconsistency ready to be linked.

    ``projection`` are the variables that the body binds: of the templates, or all of them.
    """

    body: Body
    projection: tuple[tuple[str, int], ...]


Given = TypeVar("Given")
Prepared = TypeVar("Prepared")


class Memo(Generic[Given, Prepared]):
    """What was prepared for which object: hashing a rule by value costs more than preparing a small one."""

    MAX_KEPT = 20_000

    def __init__(
        self, prepare: Callable[[Given], Prepared], identify: Callable[[Given], Hashable] = id
    ) -> None:
        self._prepare: Callable[[Given], Prepared] = prepare
        self._identify: Callable[[Given], Hashable] = identify
        # What was given is kept beside, so that its identity stays its own.
        self._kept: dict[Hashable, tuple[Given, Prepared]] = {}

    def __call__(self, given: Given) -> Prepared:
        """Return what was prepared for ``given``, now or before."""
        key = self._identify(given)
        kept = self._kept.get(key)
        if kept is None:
            if len(self._kept) >= self.MAX_KEPT:
                self._kept.clear()
            kept = self._kept[key] = (given, self._prepare(given))
        return kept[1]


def _derivation(given: tuple[DerivationRule, frozenset[str]]) -> PreparedDerivation:
    rule, asked = given
    body = prepare_body(rule.name, rule.place, rule.body, asked)
    return PreparedDerivation(body, _prepare_head(rule, body.slots, slots_bound(body.goals, body.slots)))


def _request(given: tuple[RequestRule, frozenset[str]]) -> PreparedRequest:
    rule, asked = given
    body = prepare_body(rule.name, rule.place, rule.body, asked)
    bound = slots_bound(body.goals, body.slots)
    names = sorted({name for template in rule.requests for name in variables_of(_terms_of(template))})
    slots = ((name, body.slots.find(Variable(name))) for name in names)
    return PreparedRequest(
        body, tuple((name, slot) for name, slot in slots if slot is not None and slot in bound)
    )


def _inconsistency(given: tuple[Inconsistency, frozenset[str]]) -> PreparedRequest:
    rule, asked = given
    body = prepare_body(rule.name, rule.place, rule.body, asked)
    bound = ((slot, body.slots.names[slot]) for slot in slots_bound(body.goals, body.slots))
    return PreparedRequest(
        body, tuple(sorted((name.name, slot) for slot, name in bound if isinstance(name, Variable)))
    )


def _terms_of(template: RequestTemplate) -> Iterator[Term]:
    for term in (template.method, template.uri, template.body, template.like):
        if term is not None:
            yield term
    for pair in (*template.headers, *template.annotations):
        yield from pair


def _prepare_head(rule: DerivationRule, slots: Slots, bound: set[int]) -> Head:
    own: dict[Term, int] = {}
    inventions: list[Invention] = []
    frontier: dict[str, int] = {}

    def slot_of(term: Term) -> int:
        if term in own:
            return own[term]
        if isinstance(term, IRI) or next(unknowns_of(term), None) is None:
            return slots.number(term)
        if isinstance(term, Variable):
            return _head_variable(rule, term, slots, bound)
        if isinstance(term, ListTerm | Formula):
            for part in unknowns_of(term):
                if isinstance(part, BlankNode):
                    slot_of(part)
                elif isinstance(term, ListTerm):
                    _head_variable(rule, part, slots, bound)
        own[term] = slots.fresh(term)
        inventions.append(Invention(own[term], term))
        return own[term]

    triples = tuple(
        (slot_of(triple.subject), slot_of(triple.predicate), slot_of(triple.object))
        for triple in (pattern.triple for pattern in rule.head)
    )
    for name in variables_of(term for pattern in rule.head for term in pattern.triple):
        slot = slots.find(Variable(name))
        if slot is not None and slot in bound:
            frontier[name] = slot
    return Head(triples, tuple(inventions), tuple(sorted(frontier.items())))


def _head_variable(rule: DerivationRule, term: Term, slots: Slots, bound: set[int]) -> int:
    slot = slots.find(term)
    if slot is None or slot not in bound:
        name = term.name if isinstance(term, Variable) else str(term)
        raise ProgramError(
            "ASM001",
            f"rule {rule.name}: no pattern of the body binds ?{name} of the head",
            place=rule.place,
            hint="Bind it in the body, or correct its spelling; a blank node in the head makes a new node.",
        )
    return slot


_DERIVATIONS = Memo(_derivation, lambda given: (id(given[0]), given[1]))
_INCONSISTENCIES = Memo(_inconsistency, lambda given: (id(given[0]), given[1]))
_REQUESTS = Memo(_request, lambda given: (id(given[0]), given[1]))


def prepare_derivation(rule: DerivationRule, asked: frozenset[str] = frozenset()) -> PreparedDerivation:
    """Return ``rule`` prepared; the predicates ``asked`` have backward rules."""
    return _DERIVATIONS((rule, asked))


def prepare_request(rule: RequestRule, asked: frozenset[str] = frozenset()) -> PreparedRequest:
    """Return ``rule`` prepared; the predicates ``asked`` have backward rules."""
    return _REQUESTS((rule, asked))


def prepare_inconsistency(rule: Inconsistency, asked: frozenset[str] = frozenset()) -> PreparedRequest:
    """Return ``rule`` prepared; the predicates ``asked`` have backward rules."""
    return _INCONSISTENCIES((rule, asked))
