"""The functions that a unit is compiled to, as text.

- a trigger, for each goal that facts can match: what follows from instances with one of the given facts in it,
- one for each negated group: what follows where facts of the group came or went,
- a run: what follows from all instances,
- a check for each conclusion: whether some instance supports it,
- for views, whether a row still holds.

``gained`` and ``lost`` variants differ in two points: lost conclusions are those in memory, and negated groups do not
matter to them (more is withdrawn than need be, and comes back by the checks). Where they do not differ in more, one
function is ``both``: its last argument ``w`` tells whether facts went.
"""

from collections.abc import Iterable, Sequence
from typing import Literal as Choice
from typing import TypeAlias

from agent.reason.body import Cell, Goal, Match
from agent.reason.incremental.by_value import computed_by_value
from agent.reason.incremental.source import Needs, Text
from agent.reason.incremental.units import FIELD, ONE, RETRIEVED, Group, Unit
from agent.reason.plan import Check, Choose, Move, order

Change: TypeAlias = Choice["gained", "lost", "both"]


def serves_both(unit: Unit) -> bool:
    """Tell whether one function finds what follows from facts of a unit that came, and from those that went."""
    return unit.head is not None and not unit.head.inventions


class Functions:
    """Writes the functions of one unit; ``numbers`` are those of the terms in the slots that are constants."""

    def __init__(self, unit: Unit, numbers: Sequence[int], needs: Needs) -> None:
        self._unit = unit
        self._numbers = numbers
        self._needs = needs
        self._computed = computed_by_value(unit.goals, unit.slots)

    def trigger(self, name: str, start: int, change: Change) -> str:
        """Return ``name(facts,p_,new)`` for facts of the predicate ``p_`` that match the goal number ``start``."""
        unit, goal = self._unit, self._unit.goals[start]
        assert isinstance(goal, Match | Cell)  # noqa: S101  facts start from nothing else
        text = self._text()
        text.add("n=0")
        bound: set[int] = set()
        s, p, o = goal.slots
        if p not in unit.slots.constants:
            text.add(f"v{p}=p_")
            bound.add(p)
        moves = self._order([each for each in unit.goals if each != goal], [*goal.slots])
        early, late = _split_early(moves, bound | unit.slots.constants)
        text.moves(early)
        text.loop("s_,q_,o_", "facts")
        bound.update(slot for move in early if isinstance(move, Choose) for slot in [move.slot])
        text.bind(s, "s_", bound)
        text.bind(o, "o_", bound)
        text.moves(late)
        return self._function(f"{name}({_given(change)})", text, change)

    def group_trigger(self, name: str, group: Group, change: Change) -> str:
        """Return ``name(facts,p_,new)`` for facts of a negated group that came (lost) or went (gained)."""
        text = self._text()
        text.add("n=0")
        text.loop("s_,q_,o_", "facts")
        self._unpack(text, group)
        self._search(text, group.shared)
        return self._function(f"{name}({_given(change)})", text, change)

    def run(self, name: str) -> str:
        """Return ``name(new)`` for what follows from all instances."""
        text = self._text()
        text.add("n=0")
        text.loop("_", "(0,)")
        text.moves(self._order(self._unit.goals, ()))
        return self._function(f"{name}(new)", text, "gained")

    def row_check(self, name: str) -> str:
        """Return ``name(row)``: whether there is an instance with this row."""
        row = self._unit.row or ()
        text = self._text()
        text.add("n=0;new=T")
        text.loop(f"({''.join(f'{self._known(slot)},' for slot in row)})" if row else "_", "(row,)")
        self._search(text, row)
        return self._check(f"{name}(row)", text)

    def head_check(self, name: str, position: int) -> str:
        """Return ``name(s_,p_,o_)``: whether an instance supports the fact as the triple ``position`` of the head."""
        unit = self._unit
        assert unit.head is not None  # noqa: S101  only heads have triples
        triple = unit.head.triples[position]
        text = self._text()
        text.add("n=0;new=T")
        if triple[1] not in unit.slots.constants:
            text.add("if p_ in PROTECTED: return False")
        text.loop("_", "(0,)")
        bound: set[int] = set()
        inventions = {invention.slot: number for number, invention in enumerate(unit.head.inventions)}
        invented = [
            (inventions[slot], value)
            for slot, value in zip(triple, ("s_", "p_", "o_"), strict=True)
            if slot in inventions
        ]
        for slot, value in zip(triple, ("s_", "p_", "o_"), strict=True):
            if slot not in inventions:
                self._bind(text, slot, value, bound)
        for number, value in invented:
            text.loop("k", f"frontiers({unit.number},{number},{value})")
            for position_, (_, slot) in enumerate(unit.head.frontier):
                self._bind(text, slot, f"k[{position_}]", bound)
        self._search(text, bound)
        return self._check(f"{name}(s_,p_,o_)", text)

    def group_check(self, name: str) -> str:
        """Return ``name(s_,p_,o_)``: whether an instance supports a fact of the negated group."""
        group = self._unit.group
        assert group is not None  # noqa: S101  only groups have such facts
        text = self._text()
        text.add("n=0;new=T")
        text.loop("_", "(0,)")
        self._unpack(text, group)
        self._search(text, group.shared)
        return self._check(f"{name}(s_,p_,o_)", text)

    def retrieval_check(self, name: str, position: int, field: int | None) -> str:
        """Return ``name(s_,p_,o_)``: whether an instance asks for the document ``s_``, with a header field if given."""
        unit = self._unit
        retrieval = unit.retrievals[position]
        text = self._text()
        text.add("n=0;new=T")
        text.loop("u", "names_of(s_)")
        bound: set[int] = set()
        self._bind(text, retrieval.uri, "u", bound)
        if field is not None:
            text.add("x,y=unpacked(o_)")
            for slot, value in zip(retrieval.fields[field], ("x", "y"), strict=True):
                self._bind(text, slot, value, bound)
        self._search(text, bound)
        return self._check(f"{name}(s_,p_,o_)", text)

    def _text(self) -> Text:
        room = "room" if self._unit.group is None else "hidden_room"
        return Text(self._unit.slots, self._numbers, self._needs, self._unit.number, room)

    def _order(self, goals: Sequence[Goal], bound: Iterable[int]) -> tuple[Move, ...]:
        unit = self._unit
        return order(goals, unit.slots, bound, unit.rule, unit.place)

    def _search(self, text: Text, given: Iterable[int]) -> None:
        """Find the instances that have the terms which are known of the slots ``given``."""
        given = list(dict.fromkeys(given))
        text.moves(self._order(self._unit.goals, [slot for slot in given if slot not in self._computed]))
        for slot in given:
            if slot in self._computed:
                text.when(f"{text.value(slot)}=={self._known(slot)}")

    def _known(self, slot: int) -> str:
        """Return the name for the term that is known of a slot: that of the slot if the search may begin with it."""
        return f"{'h' if slot in self._computed else 'v'}{slot}"

    def _bind(self, text: Text, slot: int, value: str, bound: set[int]) -> None:
        """Let ``value`` be the term that is known of a slot, or compare it when one is known already."""
        if slot not in self._computed:
            text.bind(slot, value, bound)
        elif slot in bound:
            text.add(f"if {value}!={self._known(slot)}: continue")
        else:
            text.add(f"{self._known(slot)}={value}")
            bound.add(slot)

    def _unpack(self, text: Text, group: Group) -> None:
        """Take what a fact of a group says of its shared slots."""
        names = [self._known(slot) for slot in group.shared]
        match names:
            case []:
                pass
            case [one]:
                text.add(f"{one}=s_")
            case [one, other]:
                text.add(f"{one}=s_;{other}=o_")
            case many:
                text.add(f"{','.join(many)}=unpacked(s_)")

    def _absent(self, text: Text, group: Group) -> str:
        s, o = self._fact_of(text, group, "packed_if_known")
        return f"{o} not in {self._needs.index('S', group.predicate)}.get({s},T)"

    def _fact_of(self, text: Text, group: Group, pack: str) -> tuple[str, str]:
        """Return the texts of subject and object of the group's fact for the slots as they are."""
        values = [text.value(slot) for slot in group.shared]
        if len(values) == 2:
            return values[0], values[1]
        if len(values) > 2:
            return f"{pack}(({','.join(values)}))", str(ONE)
        return values[0] if values else str(ONE), str(ONE)

    def _function(self, signature: str, text: Text, change: Change) -> str:
        if change != "lost":
            for group in self._unit.groups:
                text.when(("w or " if change == "both" else "") + self._absent(text, group))
        self._conclude(text, change)
        text.add("pass")
        return "\n".join([f"def {signature}:", *text.lines])

    def _check(self, signature: str, text: Text) -> str:
        for group in self._unit.groups:
            text.when(self._absent(text, group))
        text.add("return True")
        return "\n".join([f"def {signature}:", *text.lines, " return False"])

    def _conclude(self, text: Text, change: Change) -> None:
        unit = self._unit
        if unit.row is not None:
            text.add(f"new.add(({''.join(f'{text.value(slot)},' for slot in unit.row)}))")
        elif unit.group is not None:
            pack = "packed" if change == "gained" else "packed_if_known"
            s, o = self._fact_of(text, unit.group, pack)
            if len(unit.group.shared) > 2:
                text.add(f"t={s}")
                s = "t"
            self._fact(text, s, str(unit.group.predicate), o, change)
        elif unit.head is not None:
            self._head(text, change)
        else:
            self._retrievals(text, change)

    def _head(self, text: Text, change: Change) -> None:
        unit = self._unit
        assert unit.head is not None  # noqa: S101  the caller looked
        head = unit.head
        if head.inventions:
            key = "".join(f"v{slot}," for _, slot in head.frontier)
            targets = "".join(f"v{invention.slot}," for invention in head.inventions)
            if change == "gained":
                text.add(f"{targets}=invented({unit.number},({key}))")
            else:
                text.add(f"k=invented_before({unit.number},({key}))")
                text.when("k")
                text.add(f"{targets}=k")
        for s, p, o in head.triples:
            depth = text.depth
            if p not in unit.slots.constants:
                text.when(f"{text.value(p)} not in PROTECTED")
            self._fact(text, text.value(s), text.value(p), text.value(o), change, text.index("S", p))
            text.depth = depth

    def _retrievals(self, text: Text, change: Change) -> None:
        for retrieval in self._unit.retrievals:
            depth = text.depth
            text.add(f"t=document_of({text.value(retrieval.uri)})")
            text.when("t is not None")
            self._fact(text, "t", str(RETRIEVED), str(ONE), change)
            for name, value in retrieval.fields:
                inner = text.depth
                text.when(f"is_field({text.value(name)},{text.value(value)})")
                pack = "packed" if change == "gained" else "packed_if_known"
                text.add(f"f={pack}(({text.value(name)},{text.value(value)}))")
                self._fact(text, "t", str(FIELD), "f", change)
                text.depth = inner
            text.depth = depth

    def _fact(self, text: Text, s: str, p: str, o: str, change: Change, index: str = "") -> None:
        index = index or self._needs.index("S", int(p))
        known = f"{index}.get({s},T)"
        match change:
            case "gained":
                condition = f"{o} not in {known}"
            case "lost":
                condition = f"{o} in {known}"
            case "both":
                condition = f"({o} in {known}) is w"
        text.add(f"if {condition}: new.add(({s},{p},{o}))")


def _given(change: Change) -> str:
    return "facts,p_,new,w=False" if change == "both" else "facts,p_,new"


def _split_early(moves: Sequence[Move], known: set[int]) -> tuple[list[Move], list[Move]]:
    """Return the moves at the beginning that need nothing but the predicate of the facts, and the others.

    Done once for all facts of a predicate, they find out at once that a rule about other predicates is not concerned.
    """
    early: list[Move] = []
    known = set(known)
    for move in moves:
        match move:
            case Choose(slot, matches) if all({m.subject, m.object} - {slot} <= known for m in matches):
                known.add(slot)
            case Check(match) if set(match.slots) <= known:
                pass
            case _:
                break
        early.append(move)
    return early, list(moves[len(early) :])
