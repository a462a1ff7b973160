"""The text of rules that are evaluated in bulk: loops that begin as late as they can, the last one done by sets.

A loop is *pending* until a line needs its variable. One that no line needs is left out (what it would go through is
there), and the last one becomes an operation on whole containers: ``N5[s].update(c)`` puts all of ``c`` to what the
subject ``s`` gets as 5, ``M5[o].update(c)`` to the subjects that get ``o``. What is known already goes at the end of the round.

The alphabet is that of ``source``, and besides ``c1``, ``d1`` and ``h1`` for containers and indexes, ``N5`` and ``M5``
for what is new of a predicate, ``g`` for the number of candidates.
"""

import re
from collections.abc import Iterable

from msgspec import Struct, field

from agent.reason.body import Cell, Match
from agent.reason.incremental.functions import Change, Functions
from agent.reason.incremental.source import Text, index_name

_SLOT = re.compile(r"\bv(\d+)\b")


class Pairs(Struct, frozen=True):
    """Subjects and objects of a predicate that both are open: the names of its index by subject, and by object if there is one."""

    subject: int
    object: int
    by_subject: str
    by_object: str


class BulkText(Text):
    """The lines of a function in the making, with its pending loops: the name of a container, or pairs, by slot."""

    new: set[str] = field(default_factory=set)
    _pending: dict[int, str | Pairs] = field(default_factory=dict)
    _names: int = 0

    def add(self, line: str) -> None:
        """Add a line, after the loops that it needs."""
        for slot in _SLOT.findall(line):
            self._begin(int(slot))
        self.lines.append(" " * self.depth + line)

    def counted_loop(self, target: str, values: str) -> None:
        """Go on for each of ``values`` if there are any; the loop is pending."""
        name = self._name("c")
        self.add(f"{name}={values}")
        self.when(name)
        self.wait_for(int(target[1:]), name)

    def pairs(self, match: Match) -> None:
        """Go on for each subject and object of a predicate; both loops are pending."""
        name, other = self._name("d"), self._name("h")
        self.add(f"{name}={self.index('S', match.predicate)}")
        self.when(name)
        self.add(f"{other}={self.index('O', match.predicate)}")
        self.wait_for_pairs(Pairs(match.subject, match.object, name, other))

    def wait_for(self, slot: int, container: str) -> None:
        """Let a loop over a container, which is not empty, be pending."""
        self._pending[slot] = container

    def wait_for_pairs(self, pairs: Pairs) -> None:
        """Let the loops over subjects and objects, of which there are some, be pending."""
        self._pending[pairs.subject] = self._pending[pairs.object] = pairs

    def begin(self, slots: Iterable[int]) -> None:
        """Begin the pending loops for ``slots``."""
        for slot in slots:
            self._begin(slot)

    def last_of(self, wanted: Iterable[int]) -> tuple[int, str] | None:
        """Begin all pending loops for ``wanted`` but the last; return its slot and container, nothing if none is pending."""
        wanted = list(wanted)
        waiting = [slot for slot in self._pending if slot in wanted]
        self.begin(waiting[:-1])
        if not waiting:
            return None
        last = waiting[-1]
        source = self._pending[last]
        if isinstance(source, Pairs):
            # The other end is not wanted. The keys of an index are a container too.
            if last == source.subject:
                return last, source.by_subject
            if source.by_object:
                return last, source.by_object
            self._begin(source.subject)
        source = self._pending.pop(last)
        assert isinstance(source, str)  # noqa: S101  one end of the pairs has begun
        return last, source

    def _begin(self, slot: int) -> None:
        source = self._pending.pop(slot, None)
        if source is None:
            return
        if isinstance(source, str):
            self._count(source)
            super().loop(f"v{slot}", source)
            return
        by_object = slot == source.object and source.by_object
        first, second = (source.object, source.subject) if by_object else (source.subject, source.object)
        index, inner = by_object or source.by_subject, self._name("c")
        self._pending.pop(first, None)
        self._count(index)
        super().loop(f"v{first},{inner}", f"{index}.items()")
        self._pending[second] = inner
        if slot == second:
            self._begin(second)

    def _count(self, container: str) -> None:
        self.add(f"n+=len({container})")
        self.add(f"if n>left[0]: over({self.rule},MOST_TRIES+1)")

    def _name(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"

    # ---- what is new

    def _table(self, table: str, predicate: str) -> str:
        """Return the name of what is new of a predicate, by subject ("N") or by object ("M")."""
        if predicate.startswith("v"):
            self.add(f"w={table}.get({predicate})")
            self.add(f"if w is None: w={table}[{predicate}]={{}}")
            return "w"
        name = index_name(table, int(predicate))
        self.new.add(f"{name}={table}.setdefault({predicate},{{}})")
        return name

    def put(self, s: str, p: str, o: str, index: str) -> None:
        """Take the triple of three texts if it is not known."""
        depth = self.depth
        self.when(f"{o} not in {index}.get({s},T)")
        table = self._table("N", p)
        self.add(f"x={table}.get({s})")
        self.add(f"if x is None: {table}[{s}]={{{o}}};g+=1")
        self.add(f"elif {o} not in x: x.add({o});g+=1")
        self._limit()
        self.depth = depth

    def put_all(self, table: str, key: str, p: str, container: str) -> None:
        """Take all of ``container`` as objects ("N") or subjects ("M") of ``key``."""
        name = self._table(table, p)
        self.add(f"x={name}.get({key})")
        self.add(f"if x is None: x={name}[{key}]={{*{container}}};g+=len(x)")
        self.add(f"else: y=len(x);x.update({container});g+=len(x)-y")
        self.add(f"n+=1+(len({container})>>4)")
        self._limit()

    def _limit(self) -> None:
        self.add(f"if n>left[0]: over({self.rule},MOST_TRIES+1)")
        self.add(f"if g>{self.room}[0]: over({self.rule},0)")


class BulkFunctions(Functions):
    """Writes the functions of one unit that take whole predicates. Each puts what it finds into ``N`` and ``M``."""

    def start(self, name: str, start: int, *, is_whole: bool) -> str:
        """Return ``name(d0,h0,p_,N,M)``: what follows from facts of the predicate ``p_`` in the goal number ``start``.

        ``d0`` and ``h0`` have the facts by subject and by object; ``h0`` is used with ``is_whole`` only. If the goal
        names an object, ``d0`` has the subjects alone. There are some facts.
        """
        unit, goal = self._unit, self._unit.goals[start]
        assert isinstance(goal, Match | Cell)  # noqa: S101  facts start from nothing else
        text = self._text()
        s, p, o = goal.slots
        constants = unit.slots.constants
        bound: set[int] = set()
        if p not in constants:
            text.add(f"v{p}=p_")
            bound.add(p)
        if o in constants and s not in constants | bound:
            text.wait_for(s, "d0")
        elif {s, o}.isdisjoint(constants | bound) and s != o:
            text.wait_for_pairs(Pairs(s, o, "d0", "h0" if is_whole else ""))
        else:
            self._one_by_one(text, s, o, bound)
        text.moves(self._order([each for each in unit.goals if each != goal], goal.slots))
        return self._bulk(f"{name}(d0,h0,p_,N,M)", text)

    def all(self, name: str) -> str:
        """Return ``name(N,M)`` for what follows from all instances."""
        text = self._text()
        text.moves(self._order(self._unit.goals, ()))
        return self._bulk(f"{name}(N,M)", text)

    def _one_by_one(self, text: BulkText, s: int, o: int, bound: set[int]) -> None:
        """Go through facts with a constant or a slot that is bound in them."""
        if o in self._unit.slots.constants:
            text.loop("s_", "d0")
            text.bind(s, "s_", bound)
            return
        text.loop("s_,e", "d0.items()")
        text.bind(s, "s_", bound)
        text.loop("o_", "e")
        text.bind(o, "o_", bound)

    def _text(self) -> BulkText:
        room = "room" if self._unit.group is None else "hidden_room"
        return BulkText(self._unit.slots, self._numbers, self._needs, self._unit.number, room)

    def _bulk(self, signature: str, text: BulkText) -> str:
        for group in self._unit.groups:
            text.when(self._absent(text, group))
        if not self._conclude_wholesale(text):
            text.begin(self._concluded())
            self._conclude(text, "gained")
        text.add("pass")
        ends = ["left[0]-=n", *(["room[0]-=g"] if text.room == "room" else [])]
        lines = [f"def {signature}:", " n=g=0", *(f" {line}" for line in sorted(text.new))]
        return "\n".join([*lines, *text.lines, *(f" {line}" for line in ends)])

    def _concluded(self) -> set[int]:
        """Return the slots that the conclusion is made of."""
        unit = self._unit
        if unit.head is not None:
            in_triples = {slot for triple in unit.head.triples for slot in triple}
            return in_triples | {slot for _, slot in unit.head.frontier}
        if unit.group is not None:
            return set(unit.group.shared)
        fields = {slot for each in unit.retrievals for pair in each.fields for slot in pair}
        return fields | {each.uri for each in unit.retrievals}

    def _conclude_wholesale(self, text: BulkText) -> bool:
        """Conclude the only triple of a head for all values of a pending loop at once, if that can be done."""
        head = self._unit.head
        if head is None or head.inventions or len(head.triples) != 1:
            return False
        s, p, o = head.triples[0]
        if p not in self._unit.slots.constants:
            text.when(f"{text.value(p)} not in PROTECTED")
        last = None if s == o else text.last_of([s, o])
        if last is None:
            text.put(text.value(s), text.value(p), text.value(o), text.index("S", p))
        elif last[0] == o:
            text.put_all("N", text.value(s), text.value(p), last[1])
        else:
            text.put_all("M", text.value(o), text.value(p), last[1])
        return True

    def _fact(self, text: Text, s: str, p: str, o: str, change: Change, index: str = "") -> None:
        assert isinstance(text, BulkText)  # noqa: S101  this class makes no other
        text.put(s, p, o, index or self._needs.index("S", int(p)))


def write_start(position: int, is_whole: bool, functions: BulkFunctions, name: str) -> str:
    """Return the text of ``BulkFunctions.start``."""
    return functions.start(name, position, is_whole=is_whole)
