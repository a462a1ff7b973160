"""Calls of builtins from compiled rules: numbers in, numbers out, each computed once."""

from collections.abc import Callable, Sequence
from decimal import Decimal

from msgspec import Struct, field

from agent.n3.builtins import Context
from agent.n3.builtins.numbers import read_number
from agent.rdf.terms import Literal, Term
from agent.reason.calls import link_call
from agent.reason.plan import Call
from agent.reason.state import RuleState
from agent.vocab import MATH

COMPARISONS = {
    MATH + name: sign
    for name, sign in (
        ("equalTo", "=="),
        ("notEqualTo", "!="),
        ("lessThan", "<"),
        ("greaterThan", ">"),
        ("notLessThan", ">="),
        ("notGreaterThan", "<="),
    )
}
"""The signs of the builtins that compare two numbers, right where both are exact."""

MOST_KEPT = 200_000
"""How many results of one builtin are kept at a time."""


class ExactNumbers(dict[int, int | Decimal | None]):
    """The values of ``terms``, by number, that are integers and decimals; nothing for all others. Read each once."""

    def __init__(self, terms: Sequence[Term]) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, term: int) -> int | Decimal | None:
        literal = self._terms[term]
        number = read_number(literal) if isinstance(literal, Literal) else None
        value = None if number is None or isinstance(number.value, float) else number.value
        self[term] = value
        return value


class BuiltinCall(Struct):
    """A builtin at one place of a body; called with the numbers of its inputs it gives those of its results.

    A test gives 1 if it holds. Results are kept: builtins are pure. ``contexts`` has what builtins know in this step, alone.
    """

    state: RuleState
    contexts: Sequence[Context]
    move: Call
    inputs: tuple[int, ...]
    target: int | None
    memo: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)
    _run: Callable[[], bool] | None = None
    _found: list[int] = field(default_factory=list)

    def __call__(self, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Return the results for ``inputs``."""
        state, context = self.state, self.contexts[0]
        if self._run is None or state.context is not context:
            state.context = context
            self._run = link_call(state, self.move, state.facts, self._take)
        for slot, number in zip(self.inputs, inputs, strict=True):
            state.slots[slot] = number
        self._found.clear()
        self._run()
        if len(self.memo) >= MOST_KEPT:
            self.memo.clear()
        result = self.memo[inputs] = tuple(dict.fromkeys(self._found))
        return result

    def _take(self) -> bool:
        self._found.append(1 if self.target is None else self.state.slots[self.target])
        return False
