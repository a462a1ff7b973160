"""Documents: bodies with a media type and a base become triples, answers of the world become outcomes.

The outcome of a document in a step is content, gone or failed, nothing else (ADR 0006): the map of
outcomes is the whole input that a step takes from the world.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import pyoxigraph as ox

from agent.errors import Place, ProgramError
from agent.messages import Answer, NoAnswer
from agent.rdf.convert import from_ox_quads
from agent.rdf.plain_lines import cut_plain_lines
from agent.rdf.statements import Statements
from agent.rdf.syntax import Syntax, read_quads, syntax_of
from agent.rdf.terms import Triple, document_of
from agent.rdf.wellformed import IllFormedError

_MINTED_LABEL = re.compile(r"_:[0-9a-f]{24,32}")
"""How pyoxigraph names a blank node without a label; another name in each run."""

MAX_TRIPLES = 2_000_000
"""Triples that one document may hold; bodies are bounded in bytes where they are received."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the document ``uri`` says; ``skipped`` has a line of text for each statement that does not count."""

    uri: str
    statements: Statements
    skipped: tuple[str, ...]

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Return what it says as triples, in its order and without repetition."""
        return tuple(self.statements)


@dataclass(frozen=True, slots=True)
class Content:
    """The document ``uri`` was read; ``document`` is the URI that answered, ``sha256`` that of the body in hex."""

    uri: str
    document: str
    triples: tuple[Triple, ...]
    etag: str
    sha256: str
    skipped: tuple[str, ...] = ()

    @property
    def tainted(self) -> bool:
        """Whether some of the document is not known."""
        return bool(self.skipped)


@dataclass(frozen=True, slots=True)
class Gone:
    """The document ``uri`` is known to be absent: ``status`` is 404 or 410."""

    uri: str
    status: int


@dataclass(frozen=True, slots=True)
class Failed:
    """What the document ``uri`` says is not known in this step; ``reason`` is for people.

    ``status`` is that of the answer, 0 if there was none.
    """

    uri: str
    reason: str
    status: int = field(default=0, compare=False)


Outcome: TypeAlias = Content | Gone | Failed


def parse_document(
    body: bytes, media_type: str, base: str, *, strict: bool, source: str = "", max_triples: int = MAX_TRIPLES
) -> Document:
    """Return what ``body`` says; relative references are resolved against ``base``; messages name ``source``, else the base.

    Blank nodes are ``b0, b1, ...`` in order of appearance, of scope ``base``. Named graphs count like the
    default graph. ProgramError N3050 if there is no such syntax, N3051 if the document as a whole cannot be used
    (undecodable, truncated, too deep, too many triples); ``strict`` makes every bad statement such a fault, else
    those are named in ``skipped``.
    """
    uri = document_of(base)
    source = source or base
    syntax = syntax_of(media_type, uri)
    if syntax is None:
        raise ProgramError(
            "N3050",
            _no_syntax(media_type),
            place=Place(source),
            hint="use Turtle (text/turtle, or a name ending in .ttl)",
        )
    if syntax is Syntax.N_TRIPLES and (plain := cut_plain_lines(body, uri, max_triples)) is not None:
        return Document(uri, plain, ())
    try:
        (statements, unholdable), skipped = read_quads(
            body,
            syntax,
            uri,
            recover=not strict,
            limit=max_triples,
            take=lambda quads: _statements(quads, syntax, uri),
        )
    except IllFormedError as error:
        raise _unreadable(error, syntax, body, source) from None
    skipped += unholdable
    if strict and skipped:
        raise ProgramError("N3051", skipped[0], place=Place(source))
    return Document(uri, statements, skipped)


def read_answer(event: Answer | NoAnswer) -> Outcome:
    """Return the outcome of the document that was asked for: 2xx parsed, 404 and 410 gone, all else failed."""
    if isinstance(event, NoAnswer):
        return Failed(event.uri, event.reason)
    if event.status in (404, 410):
        return Gone(event.uri, event.status)
    if event.status == 206 or not (200 <= event.status < 300 or event.status == 304):
        return Failed(event.uri, f"the server answered {event.status}", event.status)
    try:
        document = parse_document(event.body, event.media_type, event.final_uri, strict=False)
    except ProgramError as error:
        where = f" (line {error.place.line})" if error.place and error.place.line else ""
        return Failed(event.uri, error.message + where, event.status)
    sha256 = hashlib.sha256(event.body).hexdigest()
    return Content(event.uri, document.uri, document.triples, event.etag, sha256, document.skipped)


def _statements(quads: Iterable[ox.Quad], syntax: Syntax, scope: str) -> tuple[Statements, tuple[str, ...]]:
    """Return what the quads say without repetition, and a line of text for each that we cannot hold."""
    skipped: list[str] = []

    def refuse(quad: ox.Quad, reason: str) -> None:
        skipped.append(f"{reason}: {_MINTED_LABEL.sub('[]', str(quad.triple))}")

    if syntax is Syntax.N3:
        quads = _unquoted(list(quads), refuse)
    return from_ox_quads(quads, scope, refuse), tuple(skipped)


def _unquoted(quads: list[ox.Quad], refuse: Callable[[ox.Quad, str], None]) -> Iterator[ox.Quad]:
    """Yield the quads that have nothing to do with quoted formulas, which pyoxigraph names like graphs."""
    quoted = {quad.graph_name for quad in quads if not isinstance(quad.graph_name, ox.DefaultGraph)}
    for quad in quads:
        if quad.graph_name in quoted or quad.subject in quoted or quad.object in quoted:
            refuse(quad, "a quoted formula is not data")
        else:
            yield quad


def _no_syntax(media_type: str) -> str:
    if not media_type:
        return "the media type is missing and the name has no known extension"
    return f"{media_type} is no RDF syntax"


def _unreadable(error: IllFormedError, syntax: Syntax, body: bytes, source: str) -> ProgramError:
    message = f"not readable as {syntax.value}: {error.reason}"
    if not error.line:
        return ProgramError("N3051", message, place=Place(source))
    lines = body.splitlines()
    text = lines[error.line - 1].decode("utf-8", "replace") if error.line <= len(lines) else ""
    column = max(error.column, 1)
    return ProgramError("N3051", message, place=Place(source, error.line, column, column + 1, text))
