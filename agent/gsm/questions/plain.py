"""Plain questions: groups of triple patterns with conditions and EXISTS, read without rdflib, which is slow to load.

Most sentries are plain. What is not (paths, unions, BIND, MINUS, lists, blank nodes) is left to rdflib's algebra; for
plain ones both come to the same (ADR 0125).
"""

from collections.abc import Iterator
from itertools import count
from typing import TypeAlias

from msgspec import Struct

from agent.gsm.question import Question
from agent.gsm.questions.text import EXPRESSION, TERM, Skeleton, read_skeleton
from agent.gsm.questions.ways import (
    HOLDS,
    Way,
    Ways,
    join,
    own_names,
    with_condition,
    without,
)
from agent.gsm.terms import RENAMED_QUESTIONS
from agent.rdf.terms import IRI, RDF_TYPE, Literal, Term, Triple, Variable, document_of

_OPENING = f"FILTER(<{EXPRESSION}"
_RENAMED = frozenset(RENAMED_QUESTIONS.values())


class Existence(Struct, frozen=True):
    """``EXISTS`` a group, or ``NOT EXISTS``."""

    group: "PlainGroup"
    is_negated: bool


Condition: TypeAlias = str | Existence
"""The IRI that stands for an expression, or a group."""


class PlainGroup(Struct, frozen=True):
    """Triple patterns and conditions, each in the order of the text."""

    triples: tuple[Triple, ...]
    conditions: tuple[Condition, ...]

    def inside(self) -> "Iterator[PlainGroup]":
        """Yield this group and all groups in it."""
        yield self
        for condition in self.conditions:
            if isinstance(condition, Existence):
                yield from condition.group.inside()


def plain_group(skeleton: Skeleton) -> PlainGroup | None:
    """Return the group of a query that is plain, nothing for others."""
    words = skeleton.text.split(" ")
    reader = _Reader(words, skeleton)
    try:
        reader.take("ASK")
        if reader.word.upper() == "WHERE":
            reader.position += 1
        group = reader.group()
    except (_NotPlainError, IndexError):
        return None
    return group if reader.position == len(words) else None


def plain_findings(question: Question) -> tuple[bool, frozenset[str]] | None:
    """Return whether more data can make a plain question false, and the documents of its subjects; nothing for others."""
    skeleton = read_skeleton(question)
    whole = None if skeleton is None else plain_group(skeleton)
    if whole is None:
        return None
    groups = list(whole.inside())
    subjects = [t.subject.value for group in groups for t in group.triples if isinstance(t.subject, IRI)]
    if not _RENAMED.isdisjoint(subjects):
        return None
    negates = any(isinstance(each, Existence) and each.is_negated for g in groups for each in g.conditions)
    return negates, frozenset(document_of(iri) for iri in subjects if iri.startswith(("http://", "https://")))


class PlainWays:
    """From a plain group to the ways in which it holds."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._fresh = count()

    def ways(self, group: PlainGroup, outer: frozenset[str] = frozenset()) -> Ways:
        """Return the ways in which ``group`` holds; ``outer`` are the variables around it."""
        ways: Ways = (Way(group.triples),)
        if any(isinstance(triple.subject, Literal) for triple in group.triples):
            ways = ()
        elif not group.triples:
            ways = HOLDS
        for condition in group.conditions:
            ways = tuple(found for way in ways for found in self._filtered(way, condition, outer))
        return ways

    def _filtered(self, way: Way, condition: Condition, outer: frozenset[str]) -> Ways:
        if isinstance(condition, str):
            expression = self._skeleton.expression(condition)
            return () if expression is None else (with_condition(way, expression, outer, frozenset()),)
        seen = outer | way.bound()
        inside = self.ways(condition.group, seen)
        if condition.is_negated:
            return (without(way, inside, seen, self._fresh),)
        return join((way,), tuple(own_names(inner, seen, self._fresh) for inner in inside))


class _NotPlainError(Exception):
    """The query has something else than patterns and conditions."""


class _Reader:
    """Reads the words of a skeleton. Raises ``_NotPlainError``, or IndexError at the end of the text."""

    def __init__(self, words: list[str], skeleton: Skeleton) -> None:
        self.position = 0
        self._words = words
        self._skeleton = skeleton

    @property
    def word(self) -> str:
        return self._words[self.position]

    def take(self, word: str) -> None:
        """Read the given word."""
        if self.word.upper() != word:
            raise _NotPlainError
        self.position += 1

    def group(self) -> PlainGroup:
        """Read a group, with its brackets."""
        self.take("{")
        triples: list[Triple] = []
        conditions: list[Condition] = []
        while self.word != "}":
            if self.word.startswith(_OPENING):
                conditions.append(self.word.removeprefix("FILTER(<").removesuffix(">())"))
                self.position += 1
            elif self.word.upper() == "FILTER":
                self.position += 1
                conditions.append(self._existence())
            else:
                triples += self._triples()
                if self.word not in {".", "}"} and not self.word.upper().startswith("FILTER"):
                    raise _NotPlainError
            if self.word == ".":
                self.position += 1
        self.position += 1
        return PlainGroup(tuple(triples), tuple(conditions))

    def _existence(self) -> Existence:
        is_negated = self.word.upper() == "NOT"
        self.position += is_negated
        self.take("EXISTS")
        return Existence(self.group(), is_negated)

    def _triples(self) -> Iterator[Triple]:
        """Yield the triples of one subject."""
        subject = self._term()
        while True:
            predicate = self._verb()
            yield Triple(subject, predicate, self._term())
            while self.word == ",":
                self.position += 1
                yield Triple(subject, predicate, self._term())
            if self.word != ";":
                return
            while self.word == ";":
                self.position += 1
            if self.word in {".", "}"} or self.word.upper().startswith("FILTER"):
                return

    def _verb(self) -> Term:
        if self.word == "a":
            self.position += 1
            return RDF_TYPE
        return self._term()

    def _term(self) -> Term:
        word = self.word
        self.position += 1
        if word.startswith(f"<{TERM}") and word.endswith(">"):
            return self._skeleton.term(word[1:-1])
        if word.startswith(("?", "$")) and len(word) > 1:
            return Variable(word[1:])
        raise _NotPlainError
