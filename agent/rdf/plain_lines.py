"""N-Triples whose lines are all plain is cut into terms, each of which is looked at once (ADR 0118).

Reading is the work of pyoxigraph, which makes four objects for each triple. Big data are mostly plain lines about
terms that come again and again, so the lines are cut at their spaces here, and then each different term is checked,
again by pyoxigraph. Whatever is not plain goes to pyoxigraph as a whole, so that this room decides about nothing:
neither what is well-formed, nor what is wrong with it.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, count

import pyoxigraph as ox

from agent.rdf.convert import from_ox
from agent.rdf.statements import Statements
from agent.rdf.terms import LANG_STRING, XSD_STRING, BlankNode, Literal, Term, iris_of, literals_of
from agent.vocab import RDF

_END = " .\n"
_NODE = re.compile(r"_:[A-Za-z0-9]+")
_LITERAL = re.compile(r'"([^"\\\x00-\x1f]*)"(?:\^\^<([^<>\\]+)>)?')
_NEVER_WRITTEN = (XSD_STRING, LANG_STRING, RDF + "dirLangString")
"""Datatypes that go without saying or are wrong: pyoxigraph knows."""

_CUT = "\0"
_MARKED_END = _CUT + "\n" + _CUT
_BLOCK = 30_000
"""How many characters are cut at once: each call has its price, and what is cut should stay near the processor."""


class _NotPlainError(Exception):
    """The text is for pyoxigraph to read."""


def cut_plain_lines(body: bytes, scope: str, limit: int) -> Statements | None:
    """Return what ``body``, N-Triples, says if all its lines are plain and there are at most ``limit``; else nothing.

    A plain line is a triple with one space between its parts and before its full stop. Blank nodes are numbered in
    order of appearance and belong to ``scope``.
    """
    try:
        text = body.decode("utf-8-sig")
        if _CUT in text or text.count("\n") > limit:
            return None
        return _read(text, scope)
    except (_NotPlainError, ValueError, SyntaxError):
        return None


def _read(text: str, scope: str) -> Statements:
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    number = numbers.__getitem__
    subjects: list[int] = []
    predicates: list[int] = []
    objects: list[int] = []
    for block in _blocks(text):
        parts = _parts(block)
        subjects += map(number, parts[::4])
        predicates += map(number, parts[1::4])
        objects += map(number, parts[2::4])
    texts = list(numbers)
    numbers.clear()
    _check_places(texts, subjects, predicates)
    nodes = _nodes(texts, subjects, objects, scope)
    rows = list(zip(subjects, predicates, objects, strict=True))
    if len(set(rows)) < len(rows):
        rows = list(dict.fromkeys(rows))
    return Statements(_terms(texts, nodes), rows)


def _blocks(text: str) -> Iterator[str]:
    """Yield ``text`` in pieces of whole lines."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end


def _parts(block: str) -> list[str]:
    """Return the three parts of each line of ``block``, after each of them a fourth that says nothing."""
    lines = block.count("\n")
    parts = block.replace(_END, _MARKED_END).replace("> ", ">" + _CUT).split(_CUT)
    last = parts.pop()
    # So many they are unless a subject is no IRI, or an object has spaces where an IRI has its end. Where one line has
    # a part too many and another too few, a line break stands for a term, which it cannot be.
    if len(parts) == 4 * lines and not last:
        return parts
    texts = block.split(_END)
    if texts.pop() or len(texts) != lines:
        raise _NotPlainError
    parts = []
    for text in texts:
        subject, predicate, object_ = text.split(" ", 2)
        parts += (subject, predicate, object_, "")
    return parts


def _check_places(texts: Sequence[str], subjects: Iterable[int], predicates: Iterable[int]) -> None:
    """Raise _NotPlainError where a literal is a subject, or something that is no IRI a predicate."""
    if any(texts[each][:1] == '"' for each in set(subjects)):
        raise _NotPlainError
    if any(texts[each][:1] != "<" for each in set(predicates)):
        raise _NotPlainError


def _nodes(
    texts: Sequence[str], subjects: Iterable[int], objects: Iterable[int], scope: str
) -> dict[str, BlankNode]:
    """Return the blank nodes among ``texts``, numbered in the order in which the triples name them."""
    is_node = [text[:1] == "_" for text in texts]
    if not any(is_node):
        return {}
    in_order = dict.fromkeys(chain.from_iterable(zip(subjects, objects, strict=True)))
    named = [texts[each] for each in in_order if is_node[each]]
    if not all(map(_NODE.fullmatch, named)):
        raise _NotPlainError
    return {text: BlankNode(f"b{place}", scope) for place, text in enumerate(named)}


def _terms(texts: Sequence[str], nodes: dict[str, BlankNode]) -> list[Term]:
    """Return what ``texts`` spell, all of it different; _NotPlainError, ValueError or SyntaxError if that is not so."""
    # All at once and apart from the cutting, which leaves no holes in the memory between what stays.
    is_iri = [text[:1] == "<" and text[-1:] == ">" for text in texts]
    values = [text[1:-1] for text in compress(texts, is_iri)]
    deque(map(ox.NamedNode, values), maxlen=0)  # ValueError if one is no IRI
    iris = iter(iris_of(values))
    others = _others([text for text, known in zip(texts, is_iri, strict=True) if not known], nodes)
    return [next(iris) if known else next(others) for known in is_iri]


def _others(texts: Sequence[str], nodes: dict[str, BlankNode]) -> Iterator[Term]:
    """Return what ``texts``, none of which spells an IRI, spell."""
    matches = list(map(_LITERAL.fullmatch, texts))
    datatypes = {match[2] for match in matches if match}
    deque(map(ox.NamedNode, filter(None, datatypes)), maxlen=0)  # ValueError if one is no IRI
    is_plain = [match is not None and match[2] not in _NEVER_WRITTEN for match in matches]
    plain = [match for match, known in zip(matches, is_plain, strict=True) if match and known]
    literals = literals_of([match[1] for match in plain], [match[2] or XSD_STRING for match in plain])
    if all(is_plain):
        return iter(literals)
    written = iter(literals)
    terms = [
        next(written) if known else nodes.get(text) or _read_literal(text)
        for text, known in zip(texts, is_plain, strict=True)
    ]
    if len(set(terms)) < len(terms):
        raise _NotPlainError  # one literal written in two ways
    return iter(terms)


def _read_literal(text: str) -> Literal:
    """Return the literal that ``text`` spells; ValueError or SyntaxError if it is none, or more than that."""
    if text[:1] != '"':
        raise _NotPlainError
    [quad] = ox.parse(f"<x:x> <x:x> {text}{_END}", ox.RdfFormat.N_TRIPLES)
    term = quad.object
    if not isinstance(term, ox.Literal):
        raise _NotPlainError
    literal = from_ox(term, "", {})
    assert isinstance(literal, Literal)  # noqa: S101  as literals become literals
    return literal
