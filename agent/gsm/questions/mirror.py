"""What the SPARQL engine knows of a memory: of the predicates that questions read, kept up with what changes."""

from collections import Counter
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from agent.n3.builtins.kept import is_kept_by_value, kept_as
from agent.rdf.convert import to_ox_triples
from agent.rdf.terms import Literal, Triple
from agent.reason.facts import Facts
from agent.reason.join import Numbers


class Mirror:
    """A store of some predicates of ``memory``; nothing is copied before it is asked for.

    After each change of the memory, ``change`` has to be called with it.
    """

    def __init__(self, memory: Facts) -> None:
        self._memory = memory
        self._store = ox.Store()
        self._predicates: set[int] = set()
        self._has_all = False
        self._spellings: Counter[Triple] = Counter()

    def of(self, predicates: frozenset[int] | None) -> ox.Store:
        """Return the store with all triples of ``predicates`` (nothing: of any), and maybe others; only to be asked."""
        if not self._has_all:
            wanted = self._memory.predicates() if predicates is None else predicates
            for predicate in set(wanted) - self._predicates:
                self._put(self._memory.select(None, predicate, None))
                self._predicates.add(predicate)
            self._has_all = predicates is None
        return self._store

    def change(self, gained: Iterable[Numbers], lost: Iterable[Numbers]) -> None:
        """Take what the memory gained and lost; both are without repetition and have nothing in common."""
        self._take(fact for fact in lost if self._has_all or fact[1] in self._predicates)
        self._put(fact for fact in gained if self._has_all or fact[1] in self._predicates)

    def _triples(self, facts: Iterable[Numbers]) -> Iterator[Triple]:
        terms = self._memory.table.terms
        return (Triple(terms[s], terms[p], terms[o]) for s, p, o in facts)

    def _put(self, facts: Iterable[Numbers]) -> None:
        quads: list[ox.Quad] = []
        for triple in self._triples(facts):
            key = _key(triple)
            if key is not None:
                self._spellings[key] += 1
            quads += _quads(triple)
        if quads:
            self._store.extend(quads)

    def _take(self, facts: Iterable[Numbers]) -> None:
        for triple in self._triples(facts):
            key = _key(triple)
            if key is not None:
                self._spellings[key] -= 1
                if self._spellings[key]:
                    continue
                del self._spellings[key]
            for quad in _quads(triple):
                self._store.remove(quad)


def _quads(triple: Triple) -> Iterable[ox.Quad]:
    """Return the triple as the store keeps it, or nothing if plain RDF cannot hold it."""
    return [ox.Quad(t.subject, t.predicate, t.object) for t in to_ox_triples([triple])]


def _key(triple: Triple) -> Triple | None:
    """Return what the store makes of a triple that others may be the same to, in another spelling."""
    if not isinstance(triple.object, Literal) or not is_kept_by_value(triple.object):
        return None
    return triple._replace(object=kept_as(triple.object) or triple.object)
