"""N-Triples whose lines are all plain is cut into terms, each of which is looked at once (ADR 0118).

Reading is the work of pyoxigraph, which makes four objects for each triple. Big data are mostly plain lines about
terms that come again and again, so the lines are cut at their spaces here, and then each different term is checked,
again by pyoxigraph. Whatever is not plain goes to pyoxigraph as a whole, so that this room decides about nothing:
neither what is well-formed, nor what is wrong with it.
"""

import re
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import pyoxigraph as ox

from agent.rdf.convert import from_ox
from agent.rdf.line_parts import CUT, LineParts, NotPlainError
from agent.rdf.plain_iris import check_iris
from agent.rdf.runs import runs_of, starts_of
from agent.rdf.statements import Grouped, Row, Statements
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    RDF_NIL,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
)
from agent.vocab import RDF

_NODE = re.compile(r"_:[A-Za-z0-9]+")
_LITERAL = re.compile(r'"([^"\\\x00-\x1f]*)"(?:\^\^<([^<>\\]+)>)?')
_ODD = re.compile(r"[\\\x01-\x1f]")
_NEVER_WRITTEN = (XSD_STRING, LANG_STRING, RDF + "dirLangString")
"""Datatypes that go without saying or are wrong: pyoxigraph knows."""

_BLOCK = 30_000
"""How many bytes are cut at once: each call has its price, and what is cut should stay near the processor."""


def cut_plain_lines(body: bytes, scope: str, limit: int) -> Statements | None:
    """Return what ``body``, N-Triples, says if all its lines are plain and there are at most ``limit``; else nothing.

    A plain line is a triple with one space between its parts and before its full stop. Blank nodes are numbered in
    order of appearance and belong to ``scope``.
    """
    try:
        body = body.removeprefix(BOM_UTF8)
        if CUT.encode() in body or body.count(b"\n") > limit:
            return None
        return _read(body, scope)
    except (NotPlainError, ValueError, SyntaxError):
        return None


def _read(body: bytes, scope: str) -> Statements:
    parts = LineParts()
    for block in _blocks(body):
        parts.cut(block)
    iris = list(parts.iris)
    check_iris(iris)
    groups = list(parts.groups.values())
    rows: Sequence[Row] = Grouped(groups, parts.order)
    others: dict[int, Term] = {}
    if parts.nodes:
        texts = {at: text for text, at in parts.nodes.items()}
        in_order = dict.fromkeys(chain.from_iterable((s, o) for s, _, o in rows))
        others = _nodes({at: texts[at] for at in in_order if at in texts}, scope)
    if not all(_are_different(subjects, objects) for _, subjects, objects in groups):
        rows = list(dict.fromkeys(rows))
    # Terms are made all at once and after the cutting, which leaves no holes in the memory between what stays.
    others |= _literals(parts.strings, parts.literals)
    terms: list[Term] = [RDF_NIL] * (len(iris) + len(others))
    made = chain(map(IRI, iris), others.values())
    for at, term in zip(chain(parts.iris.values(), others), made, strict=True):
        terms[at] = term
    places: dict[Term | str, int] = {}
    places.update(parts.iris)
    places.update(zip(others.values(), others, strict=True))
    return Statements(terms, rows, is_set=True, places=places)


def _blocks(body: bytes) -> Iterator[str]:
    """Yield ``body`` in pieces of whole lines."""
    start = 0
    while start < len(body):
        end = body.find(b"\n", start + _BLOCK) + 1 or len(body)
        yield body[start:end].decode()
        start = end


def _are_different(subjects: Sequence[int], objects: Sequence[int]) -> bool:
    """Tell whether no subject has an object twice: as a rule it takes less than a look at all pairs."""
    different = len(set(subjects))
    if len(subjects) in {different, len(set(objects))}:
        return True
    starts = starts_of(subjects)
    if len(starts) == different:
        return sum(map(len, map(set, runs_of(objects, starts)))) == len(objects)
    return len(set(zip(subjects, objects, strict=True))) == len(objects)


def _nodes(texts: dict[int, str], scope: str) -> dict[int, Term]:
    """Return the blank nodes that ``texts`` spell, numbered in that order; NotPlainError if that is not so."""
    if not all(map(_NODE.fullmatch, texts.values())):
        raise NotPlainError
    return {at: BlankNode(f"b{place}", scope) for place, at in enumerate(texts)}


def _literals(strings: Mapping[str, int], spelled: Mapping[str, int]) -> dict[int, Term]:
    """Return the literals that have ``strings`` between their marks, and what ``spelled`` spells, by their places.

    NotPlainError, ValueError or SyntaxError if something is no literal.
    """
    odd = {text for text in strings if _ODD.search(text)} if _ODD.search(CUT.join(strings)) else set()
    plain = {text: at for text, at in strings.items() if text not in odd} if odd else strings
    made = map(Literal, plain)
    literals: dict[int, Term] = dict(zip(plain.values(), made, strict=True))
    texts = {at: text for text, at in spelled.items()} | {strings[text]: f'"{text}"' for text in odd}
    matches = {at: _LITERAL.fullmatch(text) for at, text in texts.items()}
    typed = {at: match for at, match in matches.items() if match and match[2] not in _NEVER_WRITTEN}
    datatypes = [match[2] for match in typed.values()]
    deque(map(ox.NamedNode, set(datatypes)), maxlen=0)  # ValueError if one is no IRI
    made = map(Literal, [match[1] for match in typed.values()], datatypes)
    literals.update(zip(typed, made, strict=True))
    if len(literals) < len(strings) + len(spelled):
        literals |= {at: _read_literal(text) for at, text in texts.items() if at not in literals}
        if len(set(literals.values())) < len(literals):
            raise NotPlainError  # one literal written in two ways
    return literals


def _read_literal(text: str) -> Literal:
    """Return the literal that ``text`` spells; ValueError or SyntaxError if it is none, or more than that."""
    [quad] = ox.parse(f"<x:x> <x:x> {text} .\n", ox.RdfFormat.N_TRIPLES)
    term = quad.object
    if not isinstance(term, ox.Literal):
        raise NotPlainError
    literal = from_ox(term, "", {})
    assert isinstance(literal, Literal)  # noqa: S101  as literals become literals
    return literal
