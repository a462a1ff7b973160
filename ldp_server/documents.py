"""From the body of a request to a document that can be stored.

A document is kept as N-Triples with absolute IRIs: one line a triple, no duplicates, blank nodes numbered
in order of appearance. Relative references and the ``this:`` base mean the document being written. The
name of a document that is POSTed is chosen inside the commit; until then it is a gap in the text.
"""

import io
import secrets
import time
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import urljoin

from msgspec import Struct
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, parse, serialize

from ldp_server.faults import Problem
from ldp_server.guards import guard_json, guard_turtle, guard_xml, malformed, parser_reason
from ldp_server.settings import Settings
from ldp_server.syntaxes import JSON_LD, RDF_XML, Syntax
from ldp_server.vocabulary import CONTAINER_TYPES, LDP_CONTAINS, RDF_TYPE, THIS

_SHORT = 8 * 1024
"""A body up to this size, in bytes, is parsed in one go; it takes no time to speak of, so none is measured."""
_AT_ONCE = 256
_AT_ONCE_BYTES = 16 * 1024 * 1024
_MARKS = (b"_:", THIS.encode(), b"<<", b"--")
"""What a line has that is not stored just as it is, for blank nodes, the ``this:`` base and RDF 1.2; others may have it too."""


class Draft(Struct, frozen=True):
    """A document that may still lack its name.

    ``parts`` are N-Triples around the places where the name goes (one part: the name is known).
    ``claims`` are the IRIs the body says a container contains; the commit compares them.
    """

    parts: tuple[bytes, ...]
    claims: frozenset[str] = frozenset()

    def named(self, name: str) -> bytes:
        """Return the document as N-Triples under its final name."""
        return name.encode().join(self.parts)


EMPTY = Draft((b"",))


class Gap:
    """A name to be: it stands in a URI until the commit chooses the real one, and no input can contain it."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = "gap-" + secrets.token_hex(16)


def read_document(body: bytes, syntax: Syntax, uri: str, settings: Settings, gap: Gap | None = None) -> Draft:
    """Return the draft of the document at ``uri`` with this body, or raise LDP001 or LDP007.

    ``uri`` is absolute; with a ``gap`` it contains the gap's text. A ``uri`` that ends in a slash is a
    container: its types and ``ldp:contains`` are kept by the server, so they leave the draft. A byte order mark
    before the text says no more than that it is UTF-8 (XML 1.0, section 4.3.3; RFC 8259, section 8.1).
    """
    body = body.removeprefix(BOM_UTF8)
    if not body.strip():
        return EMPTY
    _guard(body, syntax)
    writer = _Writer(uri, settings)
    try:
        for quads in _parse(body, syntax, uri, settings):
            writer.add(quads)
    except SyntaxError as error:
        raise malformed(f"{parser_reason(str(error.msg))}.", *_place(error)) from None
    except ValueError as error:
        raise malformed(f"{error}.") from None
    text = writer.text()
    return Draft(tuple(text.split(gap.text.encode())) if gap else (text,), frozenset(writer.claims))


def _guard(body: bytes, syntax: Syntax) -> None:
    if syntax is JSON_LD:
        guard_json(body)
    elif syntax is RDF_XML:
        guard_xml(body)
    else:
        guard_turtle(body)


class _OverBudgetError(Exception):
    pass


class _Stopwatch:
    """Processor time left for one body."""

    def __init__(self, budget_s: float) -> None:
        self._deadline_s = time.thread_time() + budget_s

    def check(self) -> None:
        if time.thread_time() > self._deadline_s:
            raise _OverBudgetError


class _PacedBody(io.BytesIO):
    """A body that the parser reads in pieces, so that one that takes too long is given up between two."""

    def __init__(self, body: bytes, stopwatch: _Stopwatch) -> None:
        super().__init__(body)
        self._stopwatch = stopwatch

    def read(self, size: int | None = -1, /) -> bytes:
        self._stopwatch.check()
        return super().read(size)


def _parse(body: bytes, syntax: Syntax, uri: str, settings: Settings) -> Iterator[list[Quad]]:
    """Yield the statements of a body, several at a time.

    None of their terms is longer than the body with the URI, so what one list takes is bounded.
    """
    if len(body) <= _SHORT:
        return _in_lists(parse(body, syntax.format, base_iri=uri), len(body), settings)
    return _in_time(body, syntax, uri, settings)


def _in_time(body: bytes, syntax: Syntax, uri: str, settings: Settings) -> Iterator[list[Quad]]:
    stopwatch = _Stopwatch(settings.parse_budget_s)
    quads = parse(_PacedBody(body, stopwatch), syntax.format, base_iri=uri)
    try:
        for found in _in_lists(quads, len(body), settings):
            yield found
            stopwatch.check()
    except _OverBudgetError:
        raise too_complex("it takes too long to parse") from None


def _in_lists(quads: Iterator[Quad], size: int, settings: Settings) -> Iterator[list[Quad]]:
    at_once = max(1, min(_AT_ONCE, _AT_ONCE_BYTES // size))
    number = 0
    while found := list(islice(quads, at_once)):
        number += len(found)
        if number > settings.max_triples:
            raise too_complex(f"it has more than {settings.max_triples} triples")
        yield found


def too_complex(reason: str) -> Problem:
    """Return the problem of a document, or of a patch of it, that goes beyond the limits."""
    return Problem("LDP007", f"The document is too complex: {reason}. Split it.")


def _place(error: SyntaxError) -> tuple[int | None, int | None]:
    return error.lineno, error.offset


class Terms:
    """The terms of the document at ``uri`` as they are stored: within the limits, ``this:`` written out."""

    def __init__(self, uri: str, settings: Settings) -> None:
        self._uri = uri
        self._settings = settings

    def iri(self, node: NamedNode) -> NamedNode:
        """Return an IRI as it is stored, or raise LDP007."""
        if len(node.value) > self._settings.max_iri:
            raise too_complex(f"an IRI is longer than {self._settings.max_iri} characters")
        if not node.value.startswith(THIS):
            return node
        return NamedNode(about_this(node.value[len(THIS) :], self._uri))

    def literal(self, literal: Literal) -> Literal:
        """Return a literal as it is stored, or raise LDP007 or LDP001."""
        if len(literal.value) > self._settings.max_literal:
            raise too_complex(f"a literal is longer than {self._settings.max_literal} characters")
        if literal.direction is not None:
            raise malformed("literals with a base direction (RDF 1.2) are not stored here.")
        if not literal.datatype.value.startswith(THIS):
            return literal
        return Literal(literal.value, datatype=self.iri(literal.datatype))


class _Writer:
    """Collects the lines of one document, in order and once each."""

    def __init__(self, uri: str, settings: Settings) -> None:
        self.claims: set[str] = set()
        self._uri = uri
        self._settings = settings
        self._terms = Terms(uri, settings)
        self._is_container = uri.endswith("/")
        self._marks = (*_MARKS, f"<{uri}> ".encode()) if self._is_container else _MARKS
        self._longest = min(settings.max_iri, settings.max_literal)
        self._labels: dict[str, BlankNode] = {}
        self._lines: dict[bytes, None] = {}
        self._size = 0

    def text(self) -> bytes:
        """Return the document as it is stored."""
        return b"".join(self._lines)

    def add(self, quads: Sequence[Quad]) -> None:
        """Take in statements, or raise LDP001 or LDP007."""
        lines = self._plain(quads)
        for line in filter(None, map(self._line, quads)) if lines is None else lines:
            if line not in self._lines:
                self._lines[line] = None
                self._size += len(line)
                if self._size > self._settings.max_stored:
                    raise too_complex("it is too long when its prefixes are written out")

    def _plain(self, quads: Sequence[Quad]) -> Sequence[bytes] | None:
        """Return the lines of statements that are stored just as they are, or None if their terms have to be looked at."""
        try:
            text = serialize(quads, format=RdfFormat.N_TRIPLES) or b""
        except ValueError:  # a graph with a name
            return None
        if any(map(text.__contains__, self._marks)):
            return None
        lines = text.splitlines(keepends=True)
        return None if len(text) > self._longest < max(map(len, lines)) else lines

    def _line(self, quad: Quad) -> bytes | None:
        """Return the line of a statement, or None for one that the server keeps itself."""
        if not isinstance(quad.graph_name, DefaultGraph):
            raise malformed(f"a document is one graph; the body names the graph {quad.graph_name}.")
        subject, predicate, item = (
            self._term(quad.subject),
            self._term(quad.predicate),
            self._term(quad.object),
        )
        if self._is_container and self._is_kept_by_server(subject, predicate, item):
            return None
        return f"{subject} {predicate} {item} .\n".encode()

    def _is_kept_by_server(self, subject: object, predicate: object, item: object) -> bool:
        if (
            not isinstance(subject, NamedNode)
            or subject.value != self._uri
            or not isinstance(predicate, NamedNode)
        ):
            return False
        if predicate.value == LDP_CONTAINS:
            self.claims.add(item.value if isinstance(item, NamedNode) else str(item))
            return True
        return predicate.value == RDF_TYPE and isinstance(item, NamedNode) and item.value in CONTAINER_TYPES

    def _term(self, term: NamedNode | BlankNode | Literal | Triple) -> NamedNode | BlankNode | Literal:
        if isinstance(term, NamedNode):
            return self._terms.iri(term)
        if isinstance(term, BlankNode):
            return self._labels.setdefault(term.value, BlankNode(f"b{len(self._labels)}"))
        if isinstance(term, Literal):
            return self._terms.literal(term)
        raise malformed("triple terms (RDF 1.2) are not stored here; describe the statement instead.")


def about_this(rest: str, uri: str) -> str:
    """Return what the ``this:`` base followed by ``rest`` means in the document at ``uri``.

    The base alone, with or without its number sign, is the document.
    """
    if rest in {"", "#"}:
        return uri
    if rest[0] in "#?":
        return uri + rest
    return urljoin(uri, "./" + rest)


def read_triples(text: bytes) -> list[Triple]:
    """Return the triples of a stored document."""
    return [quad.triple for quad in parse(text, RdfFormat.N_TRIPLES)]
