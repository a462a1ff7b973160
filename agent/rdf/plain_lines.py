"""N-Triples whose lines are all plain is cut into terms, each of which is looked at once (ADR 0118).

Reading is the work of pyoxigraph, which makes four objects for each triple. Big data are mostly plain lines about
terms that come again and again, so the lines are cut at their spaces here, and then each different term is checked,
again by pyoxigraph. Whatever is not plain goes to pyoxigraph as a whole, so that this room decides about nothing:
neither what is well-formed, nor what is wrong with it.
"""

import re
from collections.abc import Iterable

import pyoxigraph as ox

from agent.rdf.convert import from_ox
from agent.rdf.statements import Row, Statements
from agent.rdf.terms import IRI, LANG_STRING, XSD_STRING, BlankNode, Literal, Term
from agent.vocab import RDF

_END = " .\n"
_NODE = re.compile(r"_:[A-Za-z0-9]+")
_LITERAL = re.compile(r'"([^"\\\x00-\x1f]*)"(?:\^\^<([^<>\\]+)>)?')
_NEVER_WRITTEN = (XSD_STRING, LANG_STRING, RDF + "dirLangString")
"""Datatypes that go without saying or are wrong: pyoxigraph knows."""


class _NotPlainError(Exception):
    """The text is for pyoxigraph to read."""


def cut_plain_lines(body: bytes, scope: str, limit: int) -> Statements | None:
    """Return what ``body``, N-Triples, says if all its lines are plain and there are at most ``limit``; else nothing.

    A plain line is a triple with one space between its parts and before its full stop. Blank nodes are numbered in
    order of appearance and belong to ``scope``.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    lines = text.split(_END)
    if lines.pop() or text.count("\n") != len(lines) or len(lines) > limit:
        return None
    try:
        texts, rows = _cut(lines)
        return Statements(_terms(texts, scope), rows)
    except (_NotPlainError, ValueError, SyntaxError):
        return None


def _cut(lines: Iterable[str]) -> tuple[Iterable[str], tuple[Row, ...]]:
    """Return the texts of the terms in order of appearance, and the triples as places among them."""
    numbers: dict[str, int] = {}
    predicates: dict[str, int] = {}
    known, known_predicate = numbers.get, predicates.get
    rows: dict[Row, None] = {}
    last, s = None, 0
    for line in lines:
        subject, predicate, object_ = line.split(" ", 2)
        if subject != last:
            if subject[:1] == '"':
                raise _NotPlainError
            last, s = subject, numbers.setdefault(subject, len(numbers))
        p = known_predicate(predicate)
        if p is None:
            if predicate[:1] != "<":
                raise _NotPlainError
            p = predicates[predicate] = numbers.setdefault(predicate, len(numbers))
        o = known(object_)
        if o is None:
            o = numbers[object_] = len(numbers)
        rows[s, p, o] = None
    return numbers, tuple(rows)


def _terms(texts: Iterable[str], scope: str) -> list[Term]:
    """Return what ``texts`` spell, all of it different; ValueError or SyntaxError if that is not so."""
    # All at once and apart from the cutting, which leaves no holes in the memory between what stays.
    terms: list[Term] = []
    nodes = 0
    is_odd = False
    for text in texts:
        if text[:1] == "<" and text[-1:] == ">":
            terms.append(IRI(_checked(text[1:-1])))
        elif text[:1] == '"':
            plain = _LITERAL.fullmatch(text)
            if plain is None or plain[2] in _NEVER_WRITTEN:
                literal = _read_literal(text)
                is_odd = True
            else:
                lexical, datatype = plain.groups()
                literal = Literal(lexical) if datatype is None else Literal(lexical, _checked(datatype))
            terms.append(literal)
        elif _NODE.fullmatch(text):
            terms.append(BlankNode(f"b{nodes}", scope))
            nodes += 1
        else:
            raise _NotPlainError
    if is_odd and len(set(terms)) < len(terms):
        raise _NotPlainError  # one literal written in two ways
    return terms


def _checked(iri: str) -> str:
    """Return ``iri``; ValueError if it is none."""
    ox.NamedNode(iri)
    return iri


def _read_literal(text: str) -> Literal:
    """Return the literal that ``text`` spells; ValueError or SyntaxError if it is none, or more than that."""
    [quad] = ox.parse(f"<x:x> <x:x> {text}{_END}", ox.RdfFormat.N_TRIPLES)
    term = quad.object
    if not isinstance(term, ox.Literal):
        raise _NotPlainError
    literal = from_ox(term, "", {})
    assert isinstance(literal, Literal)  # noqa: S101  as literals become literals
    return literal
