"""Which predicates a question reads: while nothing changes about them, its answer stays."""

from collections.abc import Iterator
from functools import lru_cache

from rdflib import URIRef
from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath
from rdflib.plugins.sparql.parserutils import CompValue

from agent.gsm.algebra import algebra_of
from agent.gsm.question import Question
from agent.gsm.terms import RENAMED_QUESTIONS


class _AnyError(Exception):
    """A question may read any predicate."""


def predicates_of(question: Question) -> frozenset[str] | None:
    """Return the predicates that ``question`` reads, in every part of it, or nothing if it may read any.

    It may where a variable is the predicate, where a path can have no steps (every term of a triple is on it), where
    it names documents, and where it cannot be told.
    """
    if question.fault or question.uses_graphs:
        return None
    return _predicates(question, question.prefixes_used)


@lru_cache(maxsize=4096)
def _predicates(question: Question, prefixes: tuple[tuple[str, str], ...]) -> frozenset[str] | None:
    algebra = algebra_of(question.text, question.base, dict(question.prefixes))
    if algebra is None:
        return None
    try:
        return frozenset(RENAMED_QUESTIONS.get(name, name) for name in _named(algebra))
    except _AnyError:
        return None


def _named(root: object) -> Iterator[str]:
    """Yield the predicates in an algebra, also those inside EXISTS, which stay as they were parsed."""
    pending: list[object] = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, CompValue):
            for triple in value.get("triples") or ():
                flat = list(triple)
                for predicate in flat[1::3]:
                    yield from _of_path(predicate)
            pending += [part for key, part in value.items() if key != "_vars"]
        elif isinstance(value, list | tuple | set):
            pending += value


def _of_path(predicate: object) -> Iterator[str]:
    pending: list[object] = [predicate]
    while pending:
        part = pending.pop()
        match part:
            case URIRef():
                yield str(part)
            case InvPath():
                pending.append(part.arg)
            case AlternativePath() | SequencePath():
                pending += part.args
            case MulPath() if part.mod == "+":
                pending.append(part.path)
            case _:
                raise _AnyError
