"""N-Triples whose lines are all plain is cut into terms, each of which is looked at once (ADR 0118).

Reading is the work of pyoxigraph, which makes four objects for each triple. Big data are mostly plain lines about
terms that come again and again, so the lines are cut at their spaces here, and then each different term is checked,
again by pyoxigraph. Whatever is not plain goes to pyoxigraph as a whole, so that this room decides about nothing:
neither what is well-formed, nor what is wrong with it.
"""

import re
from codecs import BOM_UTF8
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count

import pyoxigraph as ox

from agent.rdf.convert import from_ox
from agent.rdf.plain_iris import BETWEEN_IRIS, check_iris
from agent.rdf.statements import Statements
from agent.rdf.terms import LANG_STRING, XSD_STRING, BlankNode, Literal, Term, iris_of, literals_of
from agent.vocab import RDF

_END = " .\n"
_NODE = re.compile(r"_:[A-Za-z0-9]+")
_LITERAL = re.compile(r'"([^"\\\x00-\x1f]*)"(?:\^\^<([^<>\\]+)>)?')
_ODD = re.compile(r"[\\\x01-\x1f]")
_NEVER_WRITTEN = (XSD_STRING, LANG_STRING, RDF + "dirLangString")
"""Datatypes that go without saying or are wrong: pyoxigraph knows."""

_CUT = "\0"
_MARKED_END = f"{_CUT}\n{_CUT}"
_BLOCK = 30_000
"""How many bytes are cut at once: each call has its price, and what is cut should stay near the processor."""


class _NotPlainError(Exception):
    """The text is for pyoxigraph to read."""


def cut_plain_lines(body: bytes, scope: str, limit: int) -> Statements | None:
    """Return what ``body``, N-Triples, says if all its lines are plain and there are at most ``limit``; else nothing.

    A plain line is a triple with one space between its parts and before its full stop. Blank nodes are numbered in
    order of appearance and belong to ``scope``.
    """
    try:
        body = body.removeprefix(BOM_UTF8)
        if _CUT.encode() in body or body.count(b"\n") > limit:
            return None
        return _read(body, scope)
    except (_NotPlainError, ValueError, SyntaxError):
        return None


def _read(body: bytes, scope: str) -> Statements:
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    are_iris = True
    subjects: list[int] = []
    predicates: list[int] = []
    objects: list[int] = []
    for block in _blocks(body):
        parts = _iris(block) if are_iris else []
        if are_iris and not parts:
            are_iris, numbers = False, _spelled(numbers)
        parts = parts or _parts(block)
        number = numbers.__getitem__
        subjects += map(number, parts[::4])
        predicates += map(number, parts[1::4])
        objects += map(number, parts[2::4])
    iris, texts = (list(numbers), {}) if are_iris else _sorted_out(list(numbers))
    check_iris(iris)
    literals = {at for at, text in texts.items() if text[:1] == '"'}
    if not literals.isdisjoint(subjects) or not texts.keys().isdisjoint(predicates):
        raise _NotPlainError
    nodes: dict[int, Term] = {}
    if len(literals) < len(texts):
        in_order = dict.fromkeys(chain.from_iterable(zip(subjects, objects, strict=True)))
        nodes = _nodes({at: texts[at] for at in in_order if at in texts and at not in literals}, scope)
    rows = list(zip(subjects, predicates, objects, strict=True))
    if len(set(rows)) < len(rows):
        rows = list(dict.fromkeys(rows))
    # Terms are made all at once and after the cutting, which leaves no holes in the memory between what stays.
    terms = _terms(iris, nodes | _literals({at: texts[at] for at in literals}))
    return Statements(terms, rows, is_set=True, places=numbers if are_iris else None)


def _spelled(iris: Mapping[str, int]) -> defaultdict[str, int]:
    """Return ``iris`` with the marks around them; what is not among them gets the next number."""
    spelled: defaultdict[str, int] = defaultdict(count(len(iris)).__next__)
    spelled.update((f"<{iri}>", number) for iri, number in iris.items())
    return spelled


def _sorted_out(spelled: Sequence[str]) -> tuple[list[str], dict[int, str]]:
    """Return the IRIs that are ``spelled``, without the marks around them, and what else is, by its place."""
    others = {at: text for at, text in enumerate(spelled) if text[:1] != "<"}
    joined = _CUT.join([text for text in spelled if text[:1] == "<"] if others else spelled)
    iris = joined[1:-1].split(BETWEEN_IRIS)
    if len(iris) != len(spelled) - len(others) or joined[-1:] != ">":
        raise _NotPlainError  # one is not closed
    return iris, others


def _blocks(body: bytes) -> Iterator[str]:
    """Yield ``body`` in pieces of whole lines."""
    start = 0
    while start < len(body):
        end = body.find(b"\n", start + _BLOCK) + 1 or len(body)
        yield body[start:end].decode()
        start = end


def _iris(block: str) -> list[str]:
    """Return the three IRIs of each line of ``block``, a line break between lines; nothing if they are not all IRIs."""
    # Most blocks with other terms have a literal, which is found at once.
    if '"' in block or block[:1] != "<" or block[-4:] != "> .\n":
        return []
    parts = block[1:-4].replace("> .\n<", "> <\n> <").split("> <")
    # Each fourth part is a line break. Another one, where a line has fewer parts, stands in an IRI, and is found out there.
    return parts if len(parts) % 4 == 3 and parts[3::4] == ["\n"] * (len(parts) // 4) else []


def _parts(block: str) -> list[str]:
    """Return the three parts of each line of ``block``, after each of them a fourth that says nothing."""
    lines = block.count("\n")
    parts = block.replace(_END, _MARKED_END).replace("> ", ">" + _CUT).split(_CUT)
    last = parts.pop()
    # So many they are unless a subject is no IRI, or an object has spaces where an IRI has its end. A line break that
    # stands for a term is found out here too.
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


def _nodes(texts: dict[int, str], scope: str) -> dict[int, Term]:
    """Return the blank nodes that ``texts`` spell, numbered in that order; _NotPlainError if that is not so."""
    if not all(map(_NODE.fullmatch, texts.values())):
        raise _NotPlainError
    return {at: BlankNode(f"b{place}", scope) for place, at in enumerate(texts)}


def _terms(iris: Sequence[str], others: Mapping[int, Term]) -> Sequence[Term]:
    """Return ``others`` at their places, and ``iris`` at all others, in their order."""
    made = iris_of(iris)
    if not others:
        return made
    each_iri = iter(made)
    return [others.get(at) or next(each_iri) for at in range(len(iris) + len(others))]


def _literals(texts: dict[int, str]) -> dict[int, Term]:
    """Return what ``texts``, all of it different, spell; _NotPlainError, ValueError or SyntaxError if that is not so."""
    literals = _strings({at: text for at, text in texts.items() if len(text) > 1 and text[-1] == '"'})
    matches = {at: _LITERAL.fullmatch(text) for at, text in texts.items() if at not in literals}
    plain = {at: match for at, match in matches.items() if match and match[2] not in _NEVER_WRITTEN}
    datatypes = [match[2] for match in plain.values()]
    deque(map(ox.NamedNode, set(datatypes) - {None}), maxlen=0)  # ValueError if one is no IRI
    made = literals_of([match[1] for match in plain.values()], [each or XSD_STRING for each in datatypes])
    literals.update(zip(plain, made, strict=True))
    if len(literals) < len(texts):
        literals |= {at: _read_literal(text) for at, text in texts.items() if at not in literals}
        if len(set(literals.values())) < len(literals):
            raise _NotPlainError  # one literal written in two ways
    return literals


def _strings(texts: dict[int, str]) -> dict[int, Term]:
    """Return what ``texts``, which begin and end with quotation marks, spell; nothing if one of them needs a closer look."""
    joined = "\0".join(texts.values())
    if not texts or joined.count('"') > 2 * len(texts) or _ODD.search(joined):
        return {}
    values = joined[1:-1].split('"\0"')
    return dict(zip(texts, literals_of(values, [XSD_STRING] * len(values)), strict=True))


def _read_literal(text: str) -> Literal:
    """Return the literal that ``text`` spells; ValueError or SyntaxError if it is none, or more than that."""
    [quad] = ox.parse(f"<x:x> <x:x> {text} .\n", ox.RdfFormat.N_TRIPLES)
    term = quad.object
    if not isinstance(term, ox.Literal):
        raise _NotPlainError
    literal = from_ox(term, "", {})
    assert isinstance(literal, Literal)  # noqa: S101  as literals become literals
    return literal
