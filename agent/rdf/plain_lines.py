"""N-Triples whose lines are all plain is cut into terms, each of which is looked at once (ADR 0118).

Reading is the work of pyoxigraph, which makes three objects for each triple. Big data are mostly plain lines about
terms that come again and again, so the lines are cut at their spaces here, and only what a term looks like for the
first time is checked, again by pyoxigraph. Whatever is not plain goes to pyoxigraph as a whole, so that this room
decides about nothing: neither what is well-formed, nor what is wrong with it.
"""

import re
from dataclasses import dataclass, field

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
        return _cut(lines, _FirstSight(scope))
    except (_NotPlainError, ValueError, SyntaxError):
        return None


def _cut(lines: list[str], first: "_FirstSight") -> Statements:
    rows: dict[Row, None] = {}
    known, known_predicate = first.numbers.get, first.predicates.get
    s, last = 0, None
    for line in lines:
        subject, predicate, object_ = line.split(" ", 2)
        if subject != last:
            s = first.subject(subject)
            last = subject
        p = known_predicate(predicate)
        if p is None:
            p = first.predicate(predicate)
        o = known(object_)
        if o is None:
            o = first.object(object_)
        rows[s, p, o] = None
    return Statements(first.terms, tuple(rows))


@dataclass(slots=True)
class _FirstSight:
    """The terms met so far, with the ``numbers`` of their texts; ValueError or SyntaxError for a bad one."""

    scope: str
    terms: list[Term] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    predicates: dict[str, int] = field(default_factory=dict)
    _nodes: int = 0
    _literals: dict[Term, int] | None = None

    def subject(self, text: str) -> int:
        if text[:1] == '"':
            raise _NotPlainError
        known = self.numbers.get(text)
        return self.object(text) if known is None else known

    def predicate(self, text: str) -> int:
        if text[:1] != "<":
            raise _NotPlainError
        number = self.predicates[text] = self.subject(text)
        return number

    def object(self, text: str) -> int:
        number = len(self.terms)
        if text[:1] == "<" and text[-1:] == ">":
            self.terms.append(IRI(_checked(text[1:-1])))
        elif text[:1] == '"':
            number = self._literal(text)
        elif _NODE.fullmatch(text):
            self.terms.append(BlankNode(f"b{self._nodes}", self.scope))
            self._nodes += 1
        else:
            raise _NotPlainError
        self.numbers[text] = number
        return number

    def _literal(self, text: str) -> int:
        number = len(self.terms)
        plain = _LITERAL.fullmatch(text)
        if plain is not None and (datatype := plain[2]) not in _NEVER_WRITTEN:
            term = Literal(plain[1]) if datatype is None else Literal(plain[1], _checked(datatype))
        else:
            term = _read_literal(text)
            if self._literals is None:
                # From now on, one literal may be written in several ways.
                self._literals = {each: at for at, each in enumerate(self.terms) if isinstance(each, Literal)}
        if self._literals is not None:
            number = self._literals.setdefault(term, number)
        if number == len(self.terms):
            self.terms.append(term)
        return number


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
