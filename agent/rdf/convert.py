"""Between our terms and those of pyoxigraph, which reads, writes and answers SPARQL.

It knows plain RDF only. What plain RDF cannot hold has no counterpart there: ``to_ox`` refuses it,
``to_ox_triples`` leaves it out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import TypeAlias

import pyoxigraph as ox

from agent.rdf.digests import digest_of
from agent.rdf.statements import Row, Statements
from agent.rdf.terms import IRI, LANG_STRING, XSD_STRING, BlankNode, Literal, Term, Triple

OxTerm: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal
Labels: TypeAlias = MutableMapping[str, BlankNode]

_PLAIN_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")


def to_ox(term: Term) -> OxTerm:
    """Return ``term`` as pyoxigraph knows it; ValueError if plain RDF cannot hold it or its IRI is broken.

    Equal blank nodes become equal ones, and blank nodes of different scopes stay apart.
    """
    match term:
        case IRI(value):
            return ox.NamedNode(value)
        case BlankNode():
            return ox.BlankNode(flat_label(term))
        case Literal(lexical, datatype, language):
            if language:
                return ox.Literal(lexical, language=language)
            if datatype == XSD_STRING:
                return ox.Literal(lexical)
            return ox.Literal(lexical, datatype=ox.NamedNode(datatype))
        case _:
            raise ValueError(f"plain RDF cannot hold a {type(term).__name__}")


def flat_label(node: BlankNode) -> str:
    """Return a label that tells ``node`` from the blank nodes of every other scope and fits all RDF syntaxes."""
    if not node.scope and _PLAIN_LABEL.match(node.label):
        return node.label
    return "x" + digest_of(f"{node.scope}\0{node.label}", 24)


def from_ox(term: OxTerm, scope: str, labels: Labels) -> Term:
    """Return ``term`` as ours; ValueError for what we cannot hold (triple terms, literals with a direction).

    ``labels`` remembers the blank nodes met so far, by pyoxigraph's label; new ones are numbered in order of
    appearance and belong to ``scope``.
    """
    if isinstance(term, ox.NamedNode):
        return IRI(term.value)
    if isinstance(term, ox.Literal):
        if not term.language:
            return Literal(term.value, term.datatype.value)
        if term.direction is not None:
            raise ValueError("a literal with a base direction")
        return Literal(term.value, LANG_STRING, term.language.lower())
    if isinstance(term, ox.BlankNode):
        known = labels.get(term.value)
        if known is None:
            known = labels[term.value] = BlankNode(f"b{len(labels)}", scope)
        return known
    raise ValueError("a triple term")


def from_ox_quads(quads: Iterable[ox.Quad], scope: str, refuse: Callable[[ox.Quad, str], None]) -> Statements:
    """Return ``quads`` as triples of ours without repetition, whatever graph they are in; blank nodes as ``from_ox`` does.

    ``refuse`` is told of each quad that we cannot hold, and why.
    """
    numbers: dict[object, int] = {}
    known = numbers.get
    terms: list[Term] = []
    tagged: dict[Term, int] = {}
    labels: dict[str, BlankNode] = {}

    def number(term: object) -> int:
        ours = from_ox(term, scope, labels)  # type: ignore[arg-type]  # from_ox refuses what is no term of ours
        found = len(terms)
        if isinstance(ours, Literal) and ours.language:
            # Languages that differ in case are one to us and two to pyoxigraph.
            found = tagged.setdefault(ours, found)
        if found == len(terms):
            terms.append(ours)
        numbers[term] = found
        return found

    rows: dict[Row, None] = {}
    for quad in quads:
        subject, predicate, object_, _ = quad
        try:
            s = known(subject)
            if s is None:
                s = number(subject)
            p = known(predicate)
            if p is None:
                p = number(predicate)
            o = known(object_)
            if o is None:
                o = number(object_)
        except ValueError as error:
            refuse(quad, str(error))
        else:
            rows[s, p, o] = None
    return Statements(terms, tuple(rows))


def to_ox_triples(triples: Iterable[Triple]) -> Iterator[ox.Triple]:
    """Yield the triples that plain RDF can hold; literal subjects, lists, formulas, variables are left out."""
    for triple in triples:
        try:
            subject, predicate, object_ = map(to_ox, triple)
        except ValueError:
            continue
        if isinstance(predicate, ox.NamedNode) and not isinstance(subject, ox.Literal):
            yield ox.Triple(subject, predicate, object_)
