"""The update set of a step: which requests are sent, which lose, and against what (ADR 0003).

Requests of one ``ag:unit`` are accepted or dropped together. Units are taken by descending precedence, ties by
their smallest request; a unit is accepted when nothing in it clashes with what was accepted before. A request of
no unit is a unit of its own. A request that some accepted unit contains is sent, whatever else drops.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from agent.decide.order import orders_agree
from agent.decide.request import Edge, Request, sorted_edges, term_key
from agent.errors import ClashError, Place
from agent.rdf.terms import Term

OnConflict: TypeAlias = Literal["pick", "error", "all"]


class Clash(Struct, frozen=True):
    """Two different updates of the document ``uri``; ``both_sent`` under ``--on-conflict all`` only.

    When they clash inside one unit it may be that neither is sent.
    """

    uri: str
    winner: Request
    loser: Request
    both_sent: bool = False


class Drop(Struct, frozen=True):
    """A request that is not sent: why, and the accepted request it lost against, if that is why."""

    request: Request
    reason: str
    against: Request | None = None


class UpdateSet(Struct, frozen=True):
    """What a step decided. Accepted requests carry only the edges of accepted units; all parts are sorted."""

    accepted: tuple[Request, ...]
    clashes: tuple[Clash, ...] = ()
    drops: tuple[Drop, ...] = ()


class _Unit(Struct):
    """Requests that stand and fall together, by position; ``name`` is None for a request of no unit."""

    name: Term | None
    members: set[int] = field(default_factory=set)
    edges: list[tuple[int, Edge]] = field(default_factory=list)

    @property
    def precedence(self) -> int:
        return max(edge.precedence for _, edge in self.edges)

    @property
    def sort_name(self) -> str:
        return "" if self.name is None else term_key(self.name)


class _Problem(Struct, frozen=True):
    """Why a unit cannot be accepted; ``position`` is the member at fault, ``against`` what it clashes with."""

    reason: str
    position: int
    against: int | None = None


def decide_updates(
    requests: Sequence[Request], on_conflict: OnConflict = "pick", unsendable: Mapping[str, str] | None = None
) -> UpdateSet:
    """Return the update set of the distinct ``requests``; the order in which they come does not matter.

    ``unsendable`` maps keys of requests that cannot be sent to the reason; a unit with such a member is dropped.
    Raises ClashError (ASM111) under ``error`` when two requests of no unit clash.
    """
    decision = _Decision(sorted(requests, key=lambda request: request.key), on_conflict, unsendable or {})
    for unit in decision.units():
        decision.take(unit)
    updates = decision.result()
    if on_conflict == "error" and decision.unruled:
        raise _clash_error(decision.unruled)
    return updates


class _Decision:
    """The state of one decision: what has been accepted so far, and what was dropped."""

    def __init__(
        self, requests: list[Request], on_conflict: OnConflict, unsendable: Mapping[str, str]
    ) -> None:
        self.unruled: list[Clash] = []
        self._requests = requests
        self._sends_all = on_conflict == "all"
        self._unsendable = unsendable
        self._on_document: dict[str, list[int]] = {}
        self._accepted: dict[int, list[Edge]] = {}
        self._units_of: dict[int, list[_Unit]] = {}
        self._in_named: set[int] = set()
        self._clashes: dict[tuple[int, int], Clash] = {}
        self._problems: dict[int, _Problem] = {}

    def units(self) -> list[_Unit]:
        """Return the units in the order in which they are taken."""
        units: dict[Term | int, _Unit] = {}
        for position, request in enumerate(self._requests):
            for edge in request.edges:
                name: Term | int = position if edge.unit is None else edge.unit
                unit = units.setdefault(name, _Unit(edge.unit))
                unit.members.add(position)
                unit.edges.append((position, edge))
        # Requests are sorted by key, so positions compare as keys do.
        return sorted(
            units.values(), key=lambda unit: (-unit.precedence, sorted(unit.members), unit.sort_name)
        )

    def take(self, unit: _Unit) -> None:
        """Accept the unit, or note for each of its members why not."""
        problem = self._problem(unit)
        if problem is not None:
            for position in unit.members:
                self._problems.setdefault(position, problem)
            return
        for position in unit.members:
            if position not in self._accepted:
                self._on_document.setdefault(self._requests[position].uri, []).append(position)
            self._units_of.setdefault(position, []).append(unit)
            if unit.name is not None:
                self._in_named.add(position)
        for position, edge in unit.edges:
            self._accepted.setdefault(position, []).append(edge)

    def result(self) -> UpdateSet:
        """Return what was decided."""
        accepted = tuple(self._with_accepted_edges(position) for position in sorted(self._accepted))
        drops = tuple(
            self._drop(position, self._problems[position])
            for position in range(len(self._requests))
            if position not in self._accepted
        )
        return UpdateSet(accepted, tuple(self._clash(*pair) for pair in sorted(self._clashes)), drops)

    def _with_accepted_edges(self, position: int) -> Request:
        request = self._requests[position]
        edges = sorted_edges(self._accepted[position])
        return request if edges == request.edges else replace(request, edges=edges)

    def _clash(self, winner: int, loser: int) -> Clash:
        """Return a clash as it ended: of two in one dropped unit, another unit may have brought the second through."""
        clash = self._clashes[winner, loser]
        if loser in self._accepted and winner not in self._accepted:
            return replace(clash, winner=clash.loser, loser=clash.winner)
        return clash

    def _problem(self, unit: _Unit) -> _Problem | None:
        members = sorted(unit.members)
        for position in members:
            reason = self._unsendable.get(self._requests[position].key)
            if reason:
                return _Problem(reason, position)
        found: _Problem | None = None
        for position in members:
            for other in self._on_document.get(self._requests[position].uri, ()):
                if self._requests[position].clashes_with(self._requests[other]) and not self._settles(
                    unit, other
                ):
                    found = found or _Problem("it clashes", position, other)
                    self._note(other, position, both_sent=False)
                elif self._requests[position].clashes_with(self._requests[other]):
                    self._note(other, position, both_sent=True)
        return found or self._inner_clash(members) or self._contradiction(unit)

    def _settles(self, unit: _Unit, other: int) -> bool:
        """Tell whether a clash with an accepted request is no obstacle: both of no unit, and all are sent."""
        return self._sends_all and unit.name is None and other not in self._in_named

    def _note(self, winner: int, loser: int, *, both_sent: bool) -> None:
        one, other = self._requests[winner], self._requests[loser]
        clash = Clash(one.uri, one, other, both_sent)
        self._clashes[winner, loser] = clash
        if all(edge.unit is None for request in (one, other) for edge in request.edges):
            self.unruled.append(clash)

    def _inner_clash(self, members: Iterable[int]) -> _Problem | None:
        on_document: dict[str, int] = {}
        for position in members:
            request = self._requests[position]
            first = on_document.setdefault(request.uri, position)
            if self._requests[first].method == "POST":
                on_document[request.uri] = position
            elif request.clashes_with(self._requests[first]):
                self._note(first, position, both_sent=False)
                return _Problem("it clashes inside its unit", position, first)
        return None

    def _contradiction(self, unit: _Unit) -> _Problem | None:
        """Return a problem when accepted units ask for the opposite order of two requests."""
        shared = [position for position in unit.members if position in self._in_named]
        if unit.name is None or len(shared) < 2:
            return None
        component = _component(unit, self._units_of)
        if orders_agree([member.edges for member in component if member.name is not None]):
            return None
        return _Problem("its unit asks for the opposite order of what accepted units ask for", min(shared))

    def _drop(self, position: int, problem: _Problem) -> Drop:
        request = self._requests[position]
        against = None if problem.against is None else self._requests[problem.against]
        if problem.position == position:
            return Drop(request, problem.reason, against)
        cause = self._requests[problem.position]
        reason = f"its unit is dropped: {cause.method} {cause.uri}: {problem.reason}"
        return Drop(request, reason, against)


def _component(unit: _Unit, units_of: Mapping[int, list[_Unit]]) -> list[_Unit]:
    """Return the unit and the accepted units that it is tied to by shared requests."""
    found = {id(unit): unit}
    pending = [unit]
    while pending:
        for position in pending.pop().members:
            for neighbour in units_of.get(position, ()):
                if id(neighbour) not in found:
                    found[id(neighbour)] = neighbour
                    pending.append(neighbour)
    return list(found.values())


def _clash_error(clashes: list[Clash]) -> ClashError:
    first = clashes[0]
    rules = [*first.winner.rules, *first.loser.rules]
    more = f" ({len(clashes) - 1} more clashes)" if len(clashes) > 1 else ""
    return ClashError(
        "ASM111",
        f"{first.winner.method} and {first.loser.method} of different content are asked for {first.uri}{more}",
        place=Place(first.uri),
        hint=f"Rules: {', '.join(dict.fromkeys(rules))}.\nNothing of this step was sent. Give the rules ag:precedence.",
    )
