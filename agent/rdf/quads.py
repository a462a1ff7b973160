"""How a body in one of the RDF syntaxes becomes quads.

Reading is done by pyoxigraph. It never opens the network or a file: a remote JSON-LD context and a document
type are refused.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

import pyoxigraph as ox

from agent.rdf.recover import cut_lines, cut_turtle, read_good, reason_of
from agent.rdf.syntax import Syntax
from agent.rdf.wellformed import IllFormedError, check_json, check_triple_terms, decode_utf8, read_xml

_ENDS_WITH_A_LINE = re.compile(r"[\r\n][ \t]*\Z")

_OX_FORMATS = {
    Syntax.N_TRIPLES: ox.RdfFormat.N_TRIPLES,
    Syntax.N_QUADS: ox.RdfFormat.N_QUADS,
    Syntax.TURTLE: ox.RdfFormat.TURTLE,
    Syntax.TRIG: ox.RdfFormat.TRIG,
    Syntax.N3: ox.RdfFormat.N3,
    Syntax.JSON_LD: ox.RdfFormat.JSON_LD,
    Syntax.RDF_XML: ox.RdfFormat.RDF_XML,
}

Taken = TypeVar("Taken")


def read_quads(
    body: bytes,
    syntax: Syntax,
    base: str,
    *,
    recover: bool,
    limit: int,
    take: Callable[[Iterable[ox.Quad]], Taken],
) -> tuple[Taken, tuple[str, ...]]:
    """Return what ``take`` makes of the quads of ``body``, and a line of text for each skipped statement (``recover`` only).

    ``take`` gets the quads while they are read, so that they need not all be there at once. If a bad statement comes
    up after some of them and others are good, it is called again with the good ones.

    IllFormedError if the document as a whole cannot be used: undecodable, truncated, too deep, more than
    ``limit`` triples, or any bad statement when ``recover`` is off. Where ``recover`` is on, bad statements of
    Turtle, N-Triples and N-Quads and bad IRIs of RDF/XML are skipped; other syntaxes have no place to go on from. A
    bad statement that is the very end of the text, without so much as a line break after it, is taken as cut off.
    """
    text = _checked_text(body, syntax)

    def read(part: str) -> list[ox.Quad]:
        return _parse(part, syntax, base, limit)

    try:
        parser = _parser(text, syntax, base)
        taken = take(islice(parser, limit))
        _check_end(parser, limit)
    except SyntaxError as error:
        if not recover:
            raise _ill_formed(error) from None
        quads, skipped = _recovered(text, syntax, base, limit, read, error)
        return take(quads), skipped
    return taken, ()


def _recovered(
    text: str, syntax: Syntax, base: str, limit: int, read: Callable[[str], list[ox.Quad]], error: SyntaxError
) -> tuple[list[ox.Quad], tuple[str, ...]]:
    if syntax is Syntax.RDF_XML:
        return _without_bad_iris(text, base, limit)
    if syntax not in (Syntax.TURTLE, Syntax.N_TRIPLES, Syntax.N_QUADS):
        raise _ill_formed(error)
    statements = cut_turtle(text) if syntax is Syntax.TURTLE else cut_lines(text)
    quads, bad = read_good(statements, read)
    if bad and bad[-1].statement is statements[-1] and not _ENDS_WITH_A_LINE.search(text):
        raise IllFormedError(
            f"the text breaks off in a bad statement: {bad[-1].reason}", statements[-1].line, 1
        )
    return quads, tuple(map(str, bad))


def _checked_text(body: bytes, syntax: Syntax) -> str:
    if syntax is Syntax.RDF_XML:
        return read_xml(body)
    text = decode_utf8(body)
    if syntax is Syntax.JSON_LD:
        check_json(text)
    elif "<<" in text:
        check_triple_terms(text)
    return text


def _parse(text: str, syntax: Syntax, base: str, limit: int, *, lenient: bool = False) -> list[ox.Quad]:
    """Return the quads of ``text``; SyntaxError at the first fault, IllFormedError beyond ``limit`` quads."""
    parser = _parser(text, syntax, base, lenient=lenient)
    quads = list(islice(parser, limit))
    _check_end(parser, limit)
    return quads


def _parser(text: str, syntax: Syntax, base: str, *, lenient: bool = False) -> Iterator[ox.Quad]:
    try:
        return ox.parse(text, _OX_FORMATS[syntax], base_iri=base, lenient=lenient)
    except ValueError as error:
        raise IllFormedError(f"the base IRI is broken: {error}") from None


def _check_end(parser: Iterator[ox.Quad], limit: int) -> None:
    if next(parser, None) is not None:
        raise IllFormedError(f"more than {limit} triples")


def _without_bad_iris(text: str, base: str, limit: int) -> tuple[list[ox.Quad], tuple[str, ...]]:
    """Read RDF/XML without checking IRIs, then leave out the triples that have a bad one."""
    try:
        quads = _parse(text, Syntax.RDF_XML, base, limit, lenient=True)
    except SyntaxError as error:
        raise _ill_formed(error) from None
    good: list[ox.Quad] = []
    skipped: list[str] = []
    for quad in quads:
        try:
            for term in quad.triple:
                _check_iri(term)
        except ValueError as error:
            skipped.append(f"{error}: {quad.triple}")
        else:
            good.append(quad)
    return good, tuple(skipped)


def _check_iri(term: object) -> None:
    if isinstance(term, ox.NamedNode):
        ox.NamedNode(term.value)
    elif isinstance(term, ox.Literal):
        ox.NamedNode(term.datatype.value)


def _ill_formed(error: SyntaxError) -> IllFormedError:
    reason = reason_of(error)
    if "LoadDocumentCallback" in reason:
        reason = "it refers to a remote JSON-LD context, and contexts are not loaded"
    return IllFormedError(reason, error.lineno or 0, error.offset or 0)
