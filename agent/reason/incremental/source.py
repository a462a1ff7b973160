"""The text of compiled rules. It consists of fixed words and integers: nothing of the input stands in it.

Functions see the memory as ``S`` and ``O`` (by subject, by object), each predicate's index as ``S12`` or ``Sn3`` (for
-3), slots as ``v7``, and ``E`` and ``T`` for what is empty. ``n`` counts the tries of a call; beyond ``MOST_TRIES``,
or when ``new`` holds more than ``room[0]`` (``hidden_room[0]``), ``over`` ends it.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from agent.rdf.terms import BlankNode, Variable
from agent.reason.body import Compute, Match, Slots
from agent.reason.incremental.builtin_call import COMPARISONS
from agent.reason.plan import Call, Check, Choose, Follow, Move, Select
from agent.vocab import LOG


class Needs(Struct):
    """What the text refers to: predicates by number, and builtins by the number they are called by in it."""

    predicates: set[int] = field(default_factory=set)
    calls: dict[int, Call] = field(default_factory=dict)
    _numbers: dict[tuple[int, frozenset[int]], int] = field(default_factory=dict)

    def index(self, table: str, predicate: int) -> str:
        """Return the name of the index of a predicate; ``table`` is "S" or "O"."""
        self.predicates.add(predicate)
        return index_name(table, predicate)

    def call(self, move: Call) -> int:
        """Return the number by which a builtin is called."""
        key = (id(move.compute), frozenset(move.compute.parts & move.bound))
        number = self._numbers.setdefault(key, len(self._numbers))
        self.calls.setdefault(number, move)
        return number


def index_name(table: str, predicate: int) -> str:
    """Return the name that the text uses for an index."""
    return f"{table}{predicate}" if predicate >= 0 else f"{table}n{-predicate}"


class Text(Struct):
    """The lines of one function under construction; what follows stands inside the loops and conditions so far.

    ``numbers`` has the number of the term in each slot that is a constant.
    """

    slots: Slots
    numbers: Sequence[int]
    needs: Needs
    rule: int
    room: str = "room"
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    loops: int = 0

    def add(self, line: str) -> None:
        """Add a line."""
        self.lines.append(" " * self.depth + line)

    def when(self, condition: str) -> None:
        """Go on only if ``condition`` holds."""
        self.add(f"if {condition}:")
        self.depth += 1

    def loop(self, targets: str, values: str) -> None:
        """Go on for each of ``values``."""
        self.add(f"for {targets} in {values}:")
        self.depth += 1
        self.loops += 1

    def counted_loop(self, target: str, values: str) -> None:
        """Go on for each of ``values``, a container, counting them as tries."""
        self.add(f"c={values}")
        self.add("n+=len(c)")
        self.add(f"if n>MOST_TRIES or len(new)>{self.room}[0]: over({self.rule},n)")
        self.loop(target, "c")

    def value(self, slot: int) -> str:
        """Return the text of the term in a slot."""
        return str(self.numbers[slot]) if slot in self.slots.constants else f"v{slot}"

    def constant(self, slot: int) -> int | None:
        """Return the number of the constant in a slot, if there is one."""
        return self.numbers[slot] if slot in self.slots.constants else None

    def index(self, table: str, predicate: int) -> str:
        """Return the text of the index of the predicate in a slot."""
        number = self.constant(predicate)
        return f"{table}.get(v{predicate},E)" if number is None else self.needs.index(table, number)

    def holds(self, match: Match) -> str:
        """Return the text of the condition that the triple of three bound slots is in memory."""
        s, o = self.value(match.subject), self.value(match.object)
        return f"{o} in {self.index('S', match.predicate)}.get({s},T)"

    def bind(self, slot: int, value: str, bound: set[int]) -> None:
        """Put ``value`` into a slot, or compare it when the slot has one already; ``continue`` if they differ."""
        if slot in bound or slot in self.slots.constants:
            self.add(f"if {value}!={self.value(slot)}: continue")
        else:
            self.add(f"v{slot}={value}")
            bound.add(slot)

    def moves(self, moves: Iterable[Move]) -> None:
        """Add what ``moves`` do."""
        for move in moves:
            match move:
                case Check(match):
                    self.when(self.holds(match))
                case Choose(slot, matches):
                    self._choose(slot, matches)
                case Select(match, bound):
                    self._select(match, set(bound))
                case Follow(cell, is_bound):
                    s, o = self.value(cell.subject), self.value(cell.object)
                    number = self.numbers[cell.predicate]
                    cells = f"cells({s},{self.needs.index('S', number)},{number})"
                    if is_bound:
                        self.when(f"{o} in {cells}")
                    else:
                        self.loop(o, cells)
                case Call():
                    self._call(move)
                case _:
                    raise AssertionError(f"{move} is not compiled")

    def _candidates(self, slot: int, match: Match) -> str:
        if slot == match.object:
            return f"{self.index('S', match.predicate)}.get({self.value(match.subject)},T)"
        return f"{self.index('O', match.predicate)}.get({self.value(match.object)},T)"

    def _choose(self, slot: int, matches: Sequence[Match]) -> None:
        texts = [self._candidates(slot, match) for match in matches]
        if len(texts) == 1:
            self.counted_loop(f"v{slot}", texts[0])
        else:
            self.counted_loop(f"v{slot}", f"common({','.join(texts)})")

    def _select(self, match: Match, bound: set[int]) -> None:
        s, p, o = match.slots
        bound |= self.slots.constants
        if p not in bound:
            self.loop(f"v{p}", "list(S)")
            bound.add(p)
        if s in bound and o in bound:
            self.when(self.holds(match))
        elif s in bound:
            self.counted_loop(f"v{o}", f"{self.index('S', p)}.get({self.value(s)},T)")
        elif o in bound:
            self.counted_loop(f"v{s}", f"{self.index('O', p)}.get({self.value(o)},T)")
        elif s == o:
            self.loop(f"v{s},d", f"{self.index('S', p)}.items()")
            self.when(f"v{s} in d")
        else:
            self.pairs(match)

    def pairs(self, match: Match) -> None:
        """Go on for each subject and object of a predicate."""
        s, p, o = match.slots
        self.loop(f"v{s},d", f"{self.index('S', p)}.items()")
        self.counted_loop(f"v{o}", "d")

    def _call(self, move: Call) -> None:
        compute, bound = move.compute, move.bound
        inline = self._inlined(compute, bound)
        if inline:
            self.when(inline)
            return
        number = self.needs.call(move)
        inputs = sorted(compute.parts & bound)
        key = "".join(f"{self.value(slot)}," for slot in inputs)
        sign, sides = COMPARISONS.get(compute.builtin.iri), self._sides(compute, bound)
        is_comparison = sign is not None and sides is not None
        if sides is not None and is_comparison:
            self.add(f"x=exact[{sides[0]}];y=exact[{sides[1]}]")
            self.add(f"if x is not None and y is not None: r=x{sign}y")
            self.add("else:")
            self.depth += 1
        self.add(f"r=m{number}.get(({key}))")
        self.add(f"if r is None: r=b{number}(({key}))")
        self.depth -= is_comparison
        target = target_of(compute, bound, self.slots)
        if target is None:
            self.when("r")
        else:
            self.loop(f"v{target}", "r")

    def _inlined(self, compute: Compute, bound: frozenset[int]) -> str:
        """Return a comparison of terms as text, if the builtin is one and both sides are known."""
        sides = self._sides(compute, bound)
        if sides is not None and compute.builtin.iri == LOG + "notEqualTo":
            return f"{sides[0]}!={sides[1]}"
        if sides is not None and compute.builtin.iri == LOG + "equalTo":
            return f"{sides[0]}=={sides[1]}"
        return ""

    def _sides(self, compute: Compute, bound: frozenset[int]) -> tuple[str, str] | None:
        """Return the texts of both sides, if they are known terms that nothing has to be put together for."""
        if not compute.parts <= bound or any(
            _has_parts(side, self.slots) for side in (compute.subject, compute.object)
        ):
            return None
        left, right = (self.value(self.slots.number(side)) for side in (compute.subject, compute.object))
        return left, right


def _has_parts(side: object, slots: Slots) -> bool:
    """Tell whether a side is put together from slots, not one of them."""
    number = slots.find(side)  # type: ignore[arg-type]  # a side is a term
    return number is None or not (number in slots.constants or isinstance(side, Variable | BlankNode))


def target_of(compute: Compute, bound: frozenset[int], slots: Slots) -> int | None:
    """Return the slot that a builtin binds when ``bound`` are known: none if it only tests."""
    for side, parts in ((compute.subject, compute.subject_parts), (compute.object, compute.object_parts)):
        if not parts <= bound:
            return slots.number(side)
    return None
