"""Triples as text: for people, for the wire, and as one canonical text per set.

The wire form (``body_turtle``) is Turtle with one statement a line. References below ``vocab.THIS_BASE`` go out
relative, so that the receiver resolves them against the document that the body becomes; no absolute form of that
base is ever sent.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from urllib.parse import urlsplit

import pyoxigraph as ox

from agent.errors import ProgramError
from agent.rdf.canonical import canonical
from agent.rdf.convert import to_ox, to_ox_triples
from agent.rdf.notation import iri_text, term_text
from agent.rdf.plain_iris import spelled_iris
from agent.rdf.statements import Row, Statements, statements_of
from agent.rdf.terms import (
    IRI,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import THIS_BASE

__all__ = ["body_turtle", "canonical", "iri_text", "sorted_ntriples", "term_text", "to_ntriples", "to_turtle"]

_MANY = 4
"""With so many objects of a subject and a predicate, lines are sorted in groups; with fewer that takes longer."""

_AT_ONCE = 1_000
"""How many lines become one text: the memory that a larger one takes is new each time, and has to be cleared first."""

_THIS_HOST = "http://" + urlsplit(THIS_BASE).netloc + "/"
_THIS_SEGMENTS = urlsplit(THIS_BASE).path.strip("/").split("/")


def to_ntriples(triples: Iterable[Triple]) -> str:
    """Return N-Triples of the triples that plain RDF can hold; blank nodes are renamed ``b0, b1, ...``."""
    return "".join(_lines(*_sayable(_statements(triples))))


def sorted_ntriples(triples: Iterable[Triple]) -> list[str] | None:
    """Return the lines of ``to_ntriples`` in order, some of them as one text; nothing if plain RDF cannot hold all ``triples``.

    As a whole they may be too large to copy.
    """
    statements = _statements(triples)
    rows, texts = _sayable(statements)
    return _sorted_lines(rows, texts) if len(rows) == len(statements) else None


def _statements(triples: Iterable[Triple]) -> Statements:
    return triples if isinstance(triples, Statements) else statements_of(triples)


def _sayable(statements: Statements) -> tuple[Sequence[Row], Mapping[int, str]]:
    """Return the rows of those triples that plain RDF can hold, and the texts of their terms."""
    rows = statements.rows
    texts, others = _ntriples_texts(statements)
    no_predicates = {number for number in others if texts[number][:1] != "<"}
    no_subjects = {number for number in no_predicates if texts[number][:1] != "_"}
    no_objects = {number for number in no_subjects if not texts[number]}
    if no_predicates and (
        no_objects
        or not no_subjects.isdisjoint(map(itemgetter(0), rows))
        or not no_predicates.isdisjoint(map(itemgetter(1), rows))
    ):
        rows = [
            (s, p, o)
            for s, p, o in rows
            if o not in no_objects and s not in no_subjects and p not in no_predicates
        ]
    return rows, texts


def _lines(rows: Iterable[Row], texts: Mapping[int, str]) -> list[str]:
    return [f"{texts[s]} {texts[p]} {texts[o]} .\n" for s, p, o in rows]


def _sorted_lines(rows: Sequence[Row], texts: Mapping[int, str]) -> list[str]:
    """Return the lines of ``rows`` in order; some of a subject and a predicate may come as one text.

    No part of a line holds what would sort before the space after another part, so parts may be sorted by themselves.
    """
    heads = len(set(map(itemgetter(0), rows))) * len(set(map(itemgetter(1), rows)))
    if _MANY * heads > len(rows):
        return sorted(_lines(rows, texts))
    groups: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for s, p, o in rows:
        groups[s, p].append(texts[o])
    return [
        head + f" .\n{head}".join(some) + " .\n"
        for head, objects in sorted(
            (f"{texts[s]} {texts[p]} ", objects) for (s, p), objects in groups.items()
        )
        for some in _few_at_once(sorted(objects))
    ]


def _few_at_once(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _AT_ONCE):
        yield texts[start : start + _AT_ONCE]


def _ntriples_texts(statements: Statements) -> tuple[dict[int, str], list[int]]:
    """Return the terms that are used in N-Triples, blank nodes renamed, and which of them are no IRIs or broken ones.

    The texts of those that plain RDF cannot hold are empty.
    """
    terms = statements.terms
    numbers = statements.used()
    iris = [number for number in numbers if type(terms[number]) is IRI]
    values = list(map(attrgetter("value"), map(terms.__getitem__, iris)))
    try:
        texts = dict(zip(iris, spelled_iris(values), strict=True))
    except ValueError:  # one is broken
        texts = {}
    others: list[int] = []
    if len(texts) < len(numbers):
        others = [at for at in dict.fromkeys(chain.from_iterable(statements.rows)) if at not in texts]
        names: dict[BlankNode, BlankNode] = {}
        texts.update({number: _ntriples_term(terms[number], names) for number in others})
    return texts, others


def _ntriples_term(term: Term, names: dict[BlankNode, BlankNode]) -> str:
    """Return ``term`` in N-Triples, blank nodes by their new ``names``; empty if plain RDF cannot hold it."""
    if isinstance(term, BlankNode):
        term = names.setdefault(term, BlankNode(f"b{len(names)}"))
    try:
        return str(to_ox(term))
    except ValueError:
        return ""


def to_turtle(triples: Iterable[Triple], prefixes: Mapping[str, str] = {}) -> str:
    """Return Turtle for people of the triples that plain RDF can hold, subjects together."""
    ordered = sorted(to_ox_triples(_with_short_labels(triples)), key=lambda triple: str(triple.subject))
    text = ox.serialize(ordered, format=ox.RdfFormat.TURTLE, prefixes=dict(prefixes))
    return text.decode() if text else ""


def body_turtle(triples: Iterable[Triple]) -> bytes:
    """Return ``triples`` as the entity of a request: Turtle, one statement a line, in the order given.

    IRIs below ``THIS_BASE`` are written relative, lists as ``( ... )``, blank nodes as ``_:b0, _:b1, ...``.
    ProgramError N3052 for what Turtle cannot say: quoted formulas, variables, literals as subjects, predicates
    that are no IRIs.
    """
    names: dict[BlankNode, str] = {}

    def node_name(node: BlankNode) -> str:
        return names.setdefault(node, f"_:b{len(names)}")

    lines: list[str] = []
    for triple in triples:
        _check_turtle(triple)
        lines.append(" ".join(term_text(term, node_name, wire_iri) for term in triple) + " .\n")
    return "".join(lines).encode()


def _with_short_labels(triples: Iterable[Triple]) -> Iterable[Triple]:
    names: dict[BlankNode, BlankNode] = {}
    for triple in triples:
        yield Triple(
            *(
                names.setdefault(term, BlankNode(f"b{len(names)}")) if isinstance(term, BlankNode) else term
                for term in triple
            )
        )


def _check_turtle(triple: Triple) -> None:
    if isinstance(triple.subject, Literal):
        raise _inexpressible("a literal as subject")
    if not isinstance(triple.predicate, IRI):
        raise _inexpressible(f"a {_KINDS[type(triple.predicate)]} as predicate")
    pending: list[Term] = [triple.subject, triple.object]
    while pending:
        term = pending.pop()
        if isinstance(term, ListTerm):
            pending += term.items
        elif isinstance(term, Formula | Variable):
            raise _inexpressible(f"a {_KINDS[type(term)]}")


_KINDS: dict[type, str] = {
    BlankNode: "blank node",
    Literal: "literal",
    Variable: "variable",
    ListTerm: "list",
    Formula: "quoted formula",
}


def _inexpressible(what: str) -> ProgramError:
    return ProgramError("N3052", f"the body of a request holds {what}, which Turtle cannot say")


def wire_iri(value: str) -> str:
    """Return ``<value>`` as it stands in the body of a request: relative if it is below ``THIS_BASE``."""
    if not value.startswith(_THIS_HOST):
        return iri_text(value)
    return iri_text(_relative_reference(value))


def _relative_reference(value: str) -> str:
    """Return the reference that leads from ``THIS_BASE`` to ``value``, an IRI of the same host."""
    if value.startswith(THIS_BASE):
        rest = value[len(THIS_BASE) :]
        first_segment = re.split(r"[/?#]", rest, maxsplit=1)[0]
        return f"./{rest}" if ":" in first_segment or rest.startswith("/") else rest
    segments = value[len(_THIS_HOST) :].split("/")
    shared = 0
    while shared < min(len(segments) - 1, len(_THIS_SEGMENTS)) and segments[shared] == _THIS_SEGMENTS[shared]:
        shared += 1
    if not shared:
        return "/" + "/".join(segments)
    return "../" * (len(_THIS_SEGMENTS) - shared) + "/".join(segments[shared:])
