"""What the SPARQL engine knows of a memory: of the predicates that questions read, kept up with what changes."""

from collections import Counter
from collections.abc import Iterable

import pyoxigraph as ox

from agent.n3.builtins.kept import is_kept_by_value, kept_as
from agent.rdf.convert import to_ox_triples
from agent.rdf.terms import IRI, Literal, Triple
from agent.reason.facts import Facts


class Mirror:
    """A store of some predicates of ``memory``; nothing is copied before it is asked for.

    After each change of the memory, ``change`` has to be called with it.
    """

    def __init__(self, memory: Facts) -> None:
        self._memory = memory
        self._store = ox.Store()
        self._predicates: set[str] = set()
        self._has_all = False
        self._spellings: Counter[Triple] = Counter()

    def of(self, predicates: frozenset[str] | None) -> ox.Store:
        """Return the store with all triples of ``predicates`` (nothing: of any), and maybe others; only to be asked."""
        if predicates is None and not self._has_all:
            self._has_all = True
            self._put(triple for triple in self._memory if not self._has(triple, besides_all=True))
        elif predicates is not None and not self._has_all:
            for predicate in predicates - self._predicates:
                self._put(self._memory.match(None, IRI(predicate), None))
                self._predicates.add(predicate)
        return self._store

    def change(self, added: Iterable[Triple], removed: Iterable[Triple]) -> None:
        """Take what the memory gained and lost; both are without repetition and have nothing in common."""
        self._take(triple for triple in removed if self._has(triple))
        self._put(triple for triple in added if self._has(triple))

    def _has(self, triple: Triple, *, besides_all: bool = False) -> bool:
        known = isinstance(triple.predicate, IRI) and triple.predicate.value in self._predicates
        return known or (self._has_all and not besides_all)

    def _put(self, triples: Iterable[Triple]) -> None:
        quads: list[ox.Quad] = []
        for triple in triples:
            key = _key(triple)
            if key is not None:
                self._spellings[key] += 1
            quads += _quads(triple)
        self._store.extend(quads)

    def _take(self, triples: Iterable[Triple]) -> None:
        for triple in triples:
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
