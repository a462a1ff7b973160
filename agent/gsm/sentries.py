"""Sentries that are read again only when something has changed that was looked up to read them."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from agent.gsm.sentry import Sentry, read_sentry
from agent.rdf.terms import Term, Triple
from agent.reason.containers import Container
from agent.reason.facts import Facts

Found: TypeAlias = Mapping[int, Container | frozenset[int]]
"""Objects by predicate."""

MOST_STATES = 4
"""How many states of a sentry are kept: what rules find of its patterns goes and comes back within a step."""

_NONE: dict[int, Container] = {}
_NOTHING: tuple[int, ...] = ()


class _Known(Struct, frozen=True):
    """A sentry, and what was found about subjects: about some predicates (each), or ``all`` of them.

    ``is_open`` tells that something else was looked up.
    """

    sentry: Sentry
    each: tuple[tuple[int, int, Container | frozenset[int]], ...]
    all: tuple[tuple[int, Found], ...]
    is_open: bool


class Sentries:
    """The sentries of ``memory`` as they stand in it whenever one is asked for."""

    def __init__(self, memory: Facts) -> None:
        self.memory = memory
        self._known: dict[Term, list[_Known]] = {}

    def read(self, node: Term) -> Sentry:
        """Return the sentry ``node``: the same object while nothing has changed that it was read from, or back again."""
        states = self._known.setdefault(node, [])
        for known in states:
            if self._stands(known):
                return known.sentry
        noting = _Noting(self.memory)
        sentry = read_sentry(noting, node)
        states[:] = [noting.known(sentry), *states[: MOST_STATES - 1]]
        return sentry

    def _stands(self, known: _Known) -> bool:
        index = self.memory.by_subject
        return (
            not known.is_open
            and all(index.get(p, _NONE).get(s, _NOTHING) == found for s, p, found in known.each)
            and all(_about(self.memory, s) == found for s, found in known.all)
        )


class _Noting(Facts):
    """A memory that takes note of what is looked up in it."""

    def __init__(self, memory: Facts) -> None:
        super().__init__(memory.table)
        self.by_subject, self.by_object, self._size = memory.by_subject, memory.by_object, len(memory)
        self._pairs: dict[tuple[int, int], None] = {}
        self._subjects: dict[int, None] = {}
        self._is_open = False

    def match(self, subject: Term | None, predicate: Term | None, object_: Term | None) -> Iterator[Triple]:
        """Yield the triples that have the given terms; ``None`` stands for any."""
        if subject is None:
            self._is_open = True
        elif predicate is None:
            self._subjects[self.table.intern(subject)] = None
        else:
            self._pairs[self.table.intern(subject), self.table.intern(predicate)] = None
        return super().match(subject, predicate, object_)

    def known(self, sentry: Sentry) -> _Known:
        """Return ``sentry``, which was read, with all that there is where something was looked up."""
        index = self.by_subject
        each = tuple((s, p, _copy(index.get(p, _NONE).get(s, _NOTHING))) for s, p in self._pairs)
        return _Known(sentry, each, tuple((s, _about(self, s)) for s in self._subjects), self._is_open)


def _about(memory: Facts, subject: int) -> Found:
    """Return what ``memory`` knows about ``subject``."""
    return {
        predicate: _copy(objects[subject])
        for predicate, objects in memory.by_subject.items()
        if subject in objects
    }


def _copy(values: Container) -> Container | frozenset[int]:
    return frozenset(values) if isinstance(values, set) else values
