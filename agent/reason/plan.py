"""Join orders: in which order the goals of a body are tried, decided once for each rule and starting goal.

Known triples are checked first, builtins run as soon as their inputs are bound, then the variable that is cheapest
to bind is bound by all triples that restrict it together; what looks at memory as a whole comes last.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from agent.errors import Place, ProgramError
from agent.n3.builtins.registry import BOTH
from agent.rdf.matching import CELLS
from agent.rdf.terms import RDF_TYPE, Variable, spelling
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
    parts_of,
    slots_bound,
)


class Check(NamedTuple):
    """The triple must be in memory; all its slots are bound."""

    match: Match


class Choose(NamedTuple):
    """Bind ``slot`` to each term that all ``matches`` allow: it is the only one in them that is not bound.

    The predicates of the matches are constants.
    """

    slot: int
    matches: tuple[Match, ...]


class Select(NamedTuple):
    """Bind the slots of the triple that are not in ``bound`` to those of each triple in memory."""

    match: Match
    bound: frozenset[int]


class Follow(NamedTuple):
    """Go from the list or node in the cell's subject to its rdf:first or rdf:rest, which may be bound already."""

    cell: Cell
    is_bound: bool


class Unpack(NamedTuple):
    """Take the term of the structure's slot apart; ``bound`` are the slots bound before."""

    structure: Structure
    bound: frozenset[int]


class Pack(NamedTuple):
    """Bind the structure's slot to the term that its parts, all bound, make up."""

    structure: Structure


class Call(NamedTuple):
    """Run a builtin; ``bound`` are the slots bound before."""

    compute: Compute
    bound: frozenset[int]


class Consult(NamedTuple):
    """Bind the slots of the triple that are not in ``bound`` to those of each triple that backward rules or memory give."""

    ask: Ask
    bound: frozenset[int]


class Refuse(NamedTuple):
    """Go on only if ``steps`` find nothing."""

    steps: "tuple[Move, ...]"


class Gather(NamedTuple):
    """Make the list of all that ``steps`` find; ``bound`` are the slots bound before."""

    collect: Collect
    steps: "tuple[Move, ...]"
    bound: frozenset[int]


Move: TypeAlias = Check | Choose | Select | Follow | Unpack | Pack | Call | Consult | Refuse | Gather


class _Search(Struct):
    """The state of looking for an order: what is left, what is bound, what was decided."""

    goals: list[Goal]
    slots: Slots
    bound: set[int]
    data: frozenset[int] = frozenset()
    moves: list[Move] = field(default_factory=list)

    def take(self, move: Move, goals: Iterable[Goal], slots: Iterable[int]) -> None:
        """Decide for ``move``, which settles ``goals`` and binds ``slots``."""
        self.moves.append(move)
        for goal in goals:
            self.goals.remove(goal)
        self.bound.update(slots)


def order(
    goals: Sequence[Goal], slots: Slots, bound: Iterable[int], rule: str, place: Place
) -> tuple[Move, ...]:
    """Return the moves that find all instances of ``goals`` when the slots ``bound`` are bound already.

    Raises ``ProgramError`` if the inputs of a builtin are never bound.
    """
    goals = _with_late_cells(goals, slots)
    data = {slot for goal in goals if isinstance(goal, Match) for slot in goal.slots}
    asked = {slot for goal in goals if isinstance(goal, Ask) for slot in goal.slots} - data
    shapes = [goal for goal in goals if isinstance(goal, Structure) and goal.slot not in asked]
    data.update(slot for goal in shapes if not goal.is_made for slot in goal.parts)
    data.update(goal.object for goal in goals if isinstance(goal, Cell))
    data.update(slot for goal in goals if isinstance(goal, Collect) for slot in goal.result_parts)
    search = _Search(list(goals), slots, set(bound) | slots.constants, frozenset(data))
    while search.goals:
        if not (
            _settle(search)
            or _bind(search)
            or _gather(search, rule, place)
            or _call_contested(search)
            or _consult(search, [goal for goal in search.goals if isinstance(goal, Ask)])
            or _search_cells(search)
            or _refuse(search, rule, place)
        ):
            raise _unsafe(search, rule, place)
    return tuple(search.moves)


def _with_late_cells(goals: Iterable[Goal], slots: Slots) -> list[Goal]:
    """Return ``goals``, every match of rdf:first and rdf:rest as a cell: lists have them without any triple."""
    return [
        Cell(*goal.slots)
        if isinstance(goal, Match)
        and goal.subject not in slots.constants
        and slots.names[goal.predicate] in CELLS
        else goal
        for goal in goals
    ]


def _settle(search: _Search) -> bool:
    """Take a move that cannot multiply the bindings, if there is one."""
    bound = search.bound
    for goal in search.goals:
        if isinstance(goal, Match) and bound.issuperset(goal.slots):
            search.take(Check(goal), [goal], ())
            return True
        if isinstance(goal, Ask) and bound.issuperset(goal.slots):
            search.take(Consult(goal, frozenset(bound)), [goal], ())
            return True
        if isinstance(goal, Cell) and goal.subject in bound:
            search.take(Follow(goal, goal.object in bound), [goal], [goal.object])
            return True
        if isinstance(goal, Structure) and goal.slot in bound:
            search.take(Unpack(goal, frozenset(bound)), [goal], goal.parts)
            return True
        if isinstance(goal, Structure) and goal.is_made and bound.issuperset(goal.parts):
            search.take(Pack(goal), [goal], [goal.slot])
            return True
    ready = [goal for goal in search.goals if isinstance(goal, Compute) and _is_ready(goal, search)]
    if ready:
        # Conditions first: they only ever make the rest smaller.
        goal = min(ready, key=lambda compute: (len(compute.parts - bound), compute.key))
        search.take(Call(goal, frozenset(bound)), [goal], goal.parts)
        return True
    return False


def _is_ready(goal: Compute, search: _Search) -> bool:
    """Tell whether ``goal`` may run now: its inputs are bound, and nothing could still change what it would give."""
    if not _has_inputs(goal, search.bound):
        return False
    missing = goal.parts - search.bound
    if not goal.builtin.waits or not missing:
        return True
    return missing.isdisjoint(search.data) and not _is_contested(goal, missing, search)


def _has_inputs(goal: Compute, bound: set[int]) -> bool:
    known = set()
    if bound.issuperset(goal.subject_parts):
        known.add("subject")
    if bound.issuperset(goal.object_parts):
        known.add("object")
    return any(mode <= known for mode in goal.modes)


def _is_contested(goal: Compute, missing: frozenset[int], search: _Search) -> bool:
    """Tell whether another builtin that is left could bind a slot that ``goal`` would bind."""
    return any(
        not missing.isdisjoint(bindable(other))
        for other in search.goals
        if isinstance(other, Compute) and other is not goal
    )


def bindable(goal: Compute) -> frozenset[int]:
    """Return the slots that a builtin could bind in some mode."""
    slots: frozenset[int] = frozenset()
    for mode in goal.modes:
        for side in BOTH - mode:
            slots |= goal.subject_parts if side == "subject" else goal.object_parts
    return slots


def _call_contested(search: _Search) -> bool:
    """Run the first builtin, in an order that does not depend on the text, of those that bind the same slot."""
    ready = [goal for goal in search.goals if isinstance(goal, Compute) and _has_inputs(goal, search.bound)]
    if not ready:
        return False
    goal = min(ready, key=lambda compute: compute.key)
    search.take(Call(goal, frozenset(search.bound)), [goal], goal.parts)
    return True


def _bind(search: _Search) -> bool:
    """Bind the variable that is cheapest to bind, if a triple is left."""
    best: tuple[float, int] | None = None
    choices: dict[int, list[Match]] = {}
    selects: list[Match] = []
    for goal in search.goals:
        if not isinstance(goal, Match):
            continue
        slot = _only_unbound(goal, search)
        if slot is None:
            selects.append(goal)
        else:
            choices.setdefault(slot, []).append(goal)
    for slot, matches in choices.items():
        cost = min(_cost(match, slot, search) for match in matches) - 0.1 * len(matches)
        if best is None or (cost, slot) < best:
            best = (cost, slot)
    if best is not None:
        matches = choices[best[1]]
        search.take(Choose(best[1], tuple(matches)), matches, [best[1]])
        return True
    due = [goal for goal in search.goals if isinstance(goal, Ask) and _is_due(goal, search)]
    if due and (not selects or min(_ask_cost(ask, search)[0] for ask in due) < 2):
        return _consult(search, due)
    if selects:
        goal = min(selects, key=lambda match: _select_cost(match, search))
        search.take(Select(goal, frozenset(search.bound)), [goal], goal.slots)
        return True
    return False


def _consult(search: _Search, asks: Sequence[Ask]) -> bool:
    """Ask backward rules what is cheapest to ask."""
    ask = min(asks, key=lambda goal: _ask_cost(goal, search), default=None)
    if ask is not None:
        search.take(Consult(ask, frozenset(search.bound)), [ask], ask.slots)
    return ask is not None


def _is_due(ask: Ask, search: _Search) -> bool:
    """Tell whether no builtin that is left could bind more of ``ask``: what is computed is what is asked for."""
    names = search.slots.names
    open_ = search.slots.parts(names[ask.subject]) | search.slots.parts(names[ask.object])
    computes = (goal for goal in search.goals if isinstance(goal, Compute))
    return all(open_.isdisjoint(bindable(compute) - search.bound) for compute in computes)


def _only_unbound(match: Match, search: _Search) -> int | None:
    """Return the one slot of ``match`` that is not bound, if its predicate is a constant."""
    if match.predicate not in search.slots.constants:
        return None
    missing = [slot for slot in (match.subject, match.object) if slot not in search.bound]
    return missing[0] if len(missing) == 1 else None


def _cost(match: Match, slot: int, search: _Search) -> float:
    """Guess how many terms ``match`` leaves for ``slot``: subjects have few objects, constants many subjects."""
    constants = search.slots.constants
    if slot == match.object:
        return 2.0 if match.subject in constants else 1.0
    if match.object not in constants:
        return 1.5
    return 3.5 if search.slots.names[match.predicate] == RDF_TYPE else 2.5


def _ask_cost(ask: Ask, search: _Search) -> tuple[int, int, str, tuple[int, ...]]:
    """Guess how much asking tells: little is left open, a variable is known, or nothing but constants."""
    unbound = [slot for slot in (ask.subject, ask.object) if slot not in search.bound]
    parts = (search.slots.parts(search.slots.names[slot]) for slot in (ask.subject, ask.object))
    known = search.bound.intersection(frozenset[int]().union(*parts))
    key = "\n".join(spelling(search.slots.names[slot]) for slot in ask.slots)
    return (0 if not unbound else 1 if known else 2), len(unbound), key, ask.slots


def _select_cost(match: Match, search: _Search) -> tuple[int, int, tuple[int, int, int]]:
    """Guess how many triples ``match`` stands for."""
    unbound = [slot for slot in match.slots if slot not in search.bound]
    by_position = (match.subject not in search.bound) + 2 * (match.predicate not in search.bound)
    return len(unbound), by_position, match.slots


def _gather(search: _Search, rule: str, place: Place) -> bool:
    """Make a list of all that a group finds, once everything is bound that the rest of the body binds in it."""
    for goal in search.goals:
        if not isinstance(goal, Collect):
            continue
        others: set[int] = set()
        for other in search.goals:
            if other is not goal:
                found = other.result_parts if isinstance(other, Collect) else parts_of(other, search.slots)
                others.update(() if isinstance(other, Absent) else found)
        if goal.inner.isdisjoint(others - search.bound):
            steps = order(goal.goals, search.slots, search.bound, rule, place)
            unbound = search.slots.parts(goal.template) - search.bound - slots_bound(goal.goals, search.slots)
            if unbound:
                raise ProgramError(
                    "ASM001",
                    f"rule {rule}: nothing binds {_named(unbound, search)} of what log:collectAllIn collects",
                    place=place,
                    hint="Bind it in the group of log:collectAllIn, or correct its spelling.",
                )
            search.take(Gather(goal, steps, frozenset(search.bound)), [goal], goal.result_parts)
            return True
    return False


def _search_cells(search: _Search) -> bool:
    """Go through the cells in memory, when no other goal leads to any of them."""
    cells = [goal for goal in search.goals if isinstance(goal, Cell)]
    if not cells:
        return False
    goal = min(cells, key=lambda cell: (cell.object not in search.bound, cell.subject, cell.object))
    match = Match(goal.subject, goal.predicate, goal.object)
    search.take(Select(match, frozenset(search.bound)), [goal], match.slots)
    return True


def _refuse(search: _Search, rule: str, place: Place) -> bool:
    """Test the negated groups, once nothing else is left."""
    if any(not isinstance(goal, Absent) for goal in search.goals):
        return False
    for goal in list(search.goals):
        if isinstance(goal, Absent):
            search.take(Refuse(order(goal.goals, search.slots, search.bound, rule, place)), [goal], ())
    return True


def _unsafe(search: _Search, rule: str, place: Place) -> ProgramError:
    goal = next((goal for goal in search.goals if isinstance(goal, Compute)), None)
    if goal is None:
        return ProgramError(
            "ASM024",
            f"rule {rule}: the groups of log:collectAllIn need each other's results",
            place=place,
        )
    sides = {"subject": goal.subject_parts - search.bound, "object": goal.object_parts - search.bound}
    needs: list[set[int]] = [{slot for side in mode for slot in sides[side]} for mode in goal.modes]
    fewest = min(needs, key=len)
    return ProgramError(
        "ASM001",
        f"rule {rule}: nothing binds {_named(fewest, search)}, an input of <{goal.builtin.iri}>",
        place=place,
        hint="Bind it by a pattern of the body, or correct its spelling.",
    )


def _named(missing: Iterable[int], search: _Search) -> str:
    names = [search.slots.names[slot] for slot in sorted(missing)]
    return ", ".join(f"?{name.name}" if isinstance(name, Variable) else "a blank node" for name in names)
