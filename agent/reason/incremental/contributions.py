"""What was said and by whom: the triples of each document, and how many retrieved documents say a triple.

The triples of a document count while it is retrieved. One that a document drops may still be said by others, but not
by those that are retrieved only because of it: so it is withdrawn first, and comes back if somebody is left who says it.
"""

from collections.abc import Iterable

from msgspec import Struct, field

from agent.reason.incremental.dispatch import Fact

GIVEN = -1
"""The number under which the facts are kept that are given for a step."""
PROGRAM = -3
"""The number under which the facts of the program are kept, the same in all steps."""
CONCLUDED = -2
"""The number under which the conclusions about sentries are kept."""

WANTED = -4
"""The number under which the documents are kept that are wanted by other means than rules."""


class Contributions(Struct):
    """Documents by number; ``counting`` are those whose triples count now."""

    said: dict[int, frozenset[Fact]] = field(default_factory=dict)
    counting: set[int] = field(default_factory=set)
    _times: dict[Fact, int] = field(default_factory=dict)
    _idle: set[int] = field(default_factory=set)

    def replace(self, document: int, facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact]]:
        """Let ``document`` say ``facts`` from now on; return what is said for the first time, and what it says no longer."""
        new = frozenset(facts)
        old = self.said.get(document, frozenset())
        if new == old and document in self.said:
            return [], []
        self.said[document] = new
        if document not in self.counting:
            self._idle.add(document)
            return [], []
        return self._more(new - old), self._less(old - new)

    def count(self, document: int) -> list[Fact]:
        """Let what ``document`` says count; return what is said for the first time."""
        if document in self.counting:
            return []
        self.counting.add(document)
        return self._more(self.said.get(document, ()))

    def discount(self, document: int) -> list[Fact]:
        """Let what ``document`` says count no more; return all of it."""
        if document not in self.counting:
            return []
        self.counting.discard(document)
        self._idle.add(document)
        return self._less(self.said.get(document, frozenset()))

    def is_said(self, fact: Fact) -> bool:
        """Tell whether a document that counts says ``fact``."""
        return fact in self._times

    def times(self, fact: Fact) -> int:
        """Return how many documents that count say ``fact``."""
        return self._times.get(fact, 0)

    def is_given(self, fact: Fact) -> bool:
        """Tell whether ``fact`` holds whatever is retrieved."""
        return fact in self.said.get(PROGRAM, ()) or fact in self.said.get(GIVEN, ())

    def forget_counts(self) -> None:
        """Let nothing count, and keep what is said."""
        self.counting.clear()
        self._times.clear()

    def forget(self) -> None:
        """Forget all that was said."""
        self.said.clear()
        self._idle.clear()
        self.forget_counts()

    def forget_idle(self) -> list[int]:
        """Drop what was said by documents that count no more, and return these."""
        idle = [document for document in self._idle if document not in self.counting]
        for document in idle:
            self.said.pop(document, None)
        self._idle.clear()
        return idle

    def _more(self, facts: Iterable[Fact]) -> list[Fact]:
        times, first = self._times, []
        for fact in facts:
            before = times.get(fact, 0)
            times[fact] = before + 1
            if not before:
                first.append(fact)
        return first

    def _less(self, facts: frozenset[Fact]) -> list[Fact]:
        times = self._times
        for fact in facts:
            left = times[fact] - 1
            if left:
                times[fact] = left
            else:
                del times[fact]
        return list(facts)
