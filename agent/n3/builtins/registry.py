"""What a builtin is, and the four shapes in which one is written.

Adding a builtin is writing one function in the module of its vocabulary and decorating it:

- ``test`` for a condition on two known terms,
- ``function`` for a value computed from the subject (it binds the object, or tests it when it is known),
- ``relation`` for everything else: it gets both sides, ``None`` where a side is not known yet, and yields the
  pairs of terms for which it holds; pairs that disagree with what is known already are dropped by the reasoner,
- ``completion`` for what must see a side that is only partly known: it gets the patterns as they are written, the
  values of their open parts as far as they are known, and yields values for the rest.

Builtins are pure, take bounded time and space whatever their input, and never raise on bad input: they do not hold.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal as Choice
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from agent.n3.builtins.misread import Misreadings
from agent.n3.builtins.numbers import read_number, same_number
from agent.rdf.terms import Formula, Literal, Term, Variable

Numeric: TypeAlias = Choice["strict", "cwm"]

SUBJECT = frozenset({"subject"})
OBJECT = frozenset({"object"})
BOTH = SUBJECT | OBJECT
NEITHER: frozenset[str] = frozenset()
EVERY = -1
"""Every member of a list, where one is named by its position."""

Positions: TypeAlias = frozenset[tuple[str, int]]


class Context(Struct, frozen=True):
    """What a builtin may know besides its arguments.

    ``instant`` is the instant of the step as xsd:dateTime; ``numeric`` says how arithmetic treats literals that
    are no numbers by datatype, and how it writes doubles ("strict": XPath; "cwm": as the cwm reasoner does).
    ``base`` is the URI of the first program, empty if it has none: texts that builtins parse are relative to it.
    ``misreadings`` is where builtins on numbers note the texts that are none; no builtin reads it. ``conclude`` gives
    all that follows from a formula by the rules in it, nothing if those cannot run.
    """

    instant: str
    numeric: Numeric = "strict"
    base: str = ""
    misreadings: Misreadings = field(default_factory=Misreadings)
    conclude: Callable[[Formula], Formula | None] | None = None


Bindings: TypeAlias = Mapping[Term, Term]
Spend: TypeAlias = Callable[[], None]
"""To be called for each try of a search; it raises when a step has made too many."""

Complete: TypeAlias = Callable[[Term, Term, Bindings, Context, Spend], Iterable[Bindings]]
Evaluate: TypeAlias = Callable[[Term | None, Term | None, Context], Iterable[tuple[Term, Term]]]


class Builtin(NamedTuple):
    """A predicate computed by code.

    ``modes`` are alternatives: the sets of sides that must be known before it can run. ``lists`` are the sides that
    want a list: there a closed list in the data is read through its rdf:first and rdf:rest. ``inner`` are the members
    of these lists that want a list again: side and position, or ``EVERY``. One that ``waits`` holds
    for more pairs the more it is told (numbers are tested by value): it runs only when the data of a body have bound
    every variable they can bind, so that the order within a body never matters. One with ``complete`` is a
    ``completion``; a side of it that is a variable must be known whatever its modes.
    """

    iri: str
    modes: tuple[frozenset[str], ...]
    evaluate: Evaluate
    lists: frozenset[str] = NEITHER
    waits: bool = False
    complete: Complete | None = None
    inner: Positions = frozenset()

    def inner_members(self, side: str, items: Sequence[Term]) -> Sequence[int]:
        """Return the positions of the members of a list on ``side`` that want a list themselves."""
        return [position for position in range(len(items)) if {(side, position), (side, EVERY)} & self.inner]

    def modes_for(self, subject: Term, object_: Term) -> tuple[frozenset[str], ...]:
        """Return the modes in which it runs for two terms as they are written."""
        if self.complete is None:
            return self.modes
        sides = {"subject": subject, "object": object_}
        always = frozenset(side for side, term in sides.items() if isinstance(term, Variable))
        return tuple(mode | always for mode in self.modes)


REGISTRY: dict[str, Builtin] = {}


def relation(
    iri: str,
    *modes: frozenset[str],
    lists: frozenset[str] = NEITHER,
    waits: bool = False,
    inner: Positions = frozenset(),
) -> Callable[[Evaluate], Evaluate]:
    """Register the decorated function under ``iri``; it runs when all sides of one of ``modes`` are known."""

    def register(evaluate: Evaluate) -> Evaluate:
        REGISTRY[iri] = Builtin(iri, modes, evaluate, lists, waits, inner=inner)
        return evaluate

    return register


def completion(iri: str, *modes: frozenset[str]) -> Callable[[Complete], Complete]:
    """Register the decorated function under ``iri``; it runs when all sides of one of ``modes`` are known."""

    def register(complete: Complete) -> Complete:
        REGISTRY[iri] = Builtin(iri, modes, _nothing, complete=complete)
        return complete

    return register


def _nothing(subject: Term | None, object_: Term | None, context: Context) -> Iterable[tuple[Term, Term]]:
    return ()


Condition: TypeAlias = Callable[[Term, Term], bool]


def test(iri: str) -> Callable[[Condition], Condition]:
    """Register the decorated condition under ``iri``; it runs when both sides are known."""

    def register(holds: Condition) -> Condition:
        def evaluate(
            subject: Term | None, object_: Term | None, context: Context
        ) -> Iterable[tuple[Term, Term]]:
            if subject is not None and object_ is not None and holds(subject, object_):
                yield subject, object_

        relation(iri, BOTH)(evaluate)
        return holds

    return register


Compute: TypeAlias = Callable[[Term, Context], Term | None]


def function(
    iri: str, *, lists: frozenset[str] = NEITHER, numeric: bool = False, inner: Positions = frozenset()
) -> Callable[[Compute], Compute]:
    """Register the decorated computation under ``iri``; it runs when the subject is known.

    A known object is compared with the value as a term, or by value if the function is ``numeric``.
    """

    def register(compute: Compute) -> Compute:
        def evaluate(
            subject: Term | None, object_: Term | None, context: Context
        ) -> Iterable[tuple[Term, Term]]:
            value = None if subject is None else compute(subject, context)
            if subject is None or value is None:
                return
            if object_ is None:
                yield subject, value
            elif value == object_ or (numeric and same_value(value, object_)):
                yield subject, object_

        relation(iri, SUBJECT, lists=lists, waits=numeric, inner=inner)(evaluate)
        return compute

    return register


def same_value(value: Term, other: Term) -> bool:
    """Tell whether ``other`` is the computed ``value``: the same term, or the same number written differently."""
    if value == other:
        return True
    if not isinstance(value, Literal) or not isinstance(other, Literal):
        return False
    number, other_number = read_number(value), read_number(other)
    return number is not None and other_number is not None and same_number(number, other_number)
