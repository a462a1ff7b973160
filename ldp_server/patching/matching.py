"""All ways to find patterns in triples, with a bound on the work.

Finding a basic graph pattern takes exponential time in the worst case, so each triple that is looked at counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ldp_server.patching.edits import Pattern, is_variable, triple_of

Bindings = dict[str, str]
"""Variables, blank nodes of the patch included, and the stored terms they stand for."""

MAX_OPEN_PATTERNS = 64


class TooMuchWorkError(Exception):
    """The work that was allowed is used up."""


class Budget:
    """An amount of work, in triples looked at."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int) -> None:
        """Take from the budget, or raise TooMuchWorkError."""
        self._left -= steps
        if self._left < 0:
            raise TooMuchWorkError


class Triples:
    """Stored triples, found by any term and position."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._all = list(map(triple_of, lines))
        self._by: list[dict[str, list[Pattern]] | None] = [None, None, None]

    def candidates(self, pattern: Pattern) -> Sequence[Pattern]:
        """Return the triples that share a term with ``pattern``: those of its rarest one; all if it has none."""
        fewest: Sequence[Pattern] = self._all
        for position, term in enumerate(pattern):
            if not is_variable(term):
                found = self._index(position).get(term, ())
                if len(found) < len(fewest):
                    fewest = found
        return fewest

    def _index(self, position: int) -> dict[str, list[Pattern]]:
        """Return the triples by their terms at a position; few patterns look at all three."""
        index = self._by[position]
        if index is None:
            index = self._by[position] = defaultdict(list)
            for triple in self._all:
                index[triple[position]].append(triple)
        return index


def solutions(patterns: Sequence[Pattern], triples: Triples, budget: Budget) -> Iterator[Bindings]:
    """Yield every way to find all ``patterns`` in ``triples`` at once; raises TooMuchWorkError.

    The pattern with the fewest candidates goes first, chosen anew after each binding. The stack holds what is left
    to try; its depth is the number of patterns.
    """
    if len(patterns) > MAX_OPEN_PATTERNS and sum(map(_is_open, patterns)) > MAX_OPEN_PATTERNS:
        raise TooMuchWorkError
    stack: list[Iterator[tuple[Bindings, list[Pattern]]]] = [iter([({}, list(dict.fromkeys(patterns)))])]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
        elif not step[1]:
            yield step[0]
        else:
            stack.append(_extended(*step, triples, budget))


def _extended(
    bound: Bindings, patterns: list[Pattern], triples: Triples, budget: Budget
) -> Iterator[tuple[Bindings, list[Pattern]]]:
    """Yield, for each triple that fits the most selective pattern, the new bindings and the patterns left."""
    budget.spend(len(patterns))
    chosen, pattern, candidates = 0, patterns[0], None
    for place, other in enumerate(patterns):
        concrete = filled(other, bound)
        found = triples.candidates(concrete)
        if candidates is None or len(found) < len(candidates):
            chosen, pattern, candidates = place, concrete, found
        if not found:
            return
    rest = patterns[:chosen] + patterns[chosen + 1 :]
    for triple in candidates or ():
        budget.spend(1)
        more = _fit(pattern, triple)
        if more is not None:
            yield (bound | more if more else bound), rest


def _fit(pattern: Pattern, triple: Pattern) -> Bindings | None:
    found: Bindings = {}
    for term, value in zip(pattern, triple, strict=True):
        if term != value and (not is_variable(term) or found.setdefault(term, value) != value):
            return None
    return found


def filled(pattern: Pattern, bound: Bindings) -> Pattern:
    """Return a pattern with the terms that its variables stand for."""
    subject, predicate, item = pattern
    return bound.get(subject, subject), bound.get(predicate, predicate), bound.get(item, item)


def _is_open(pattern: Pattern) -> bool:
    return any(map(is_variable, pattern))
