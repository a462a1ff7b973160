"""Documents: bodies with a media type and a base become triples; what became of a document is an outcome.

The outcome of a document in a step is content, gone or failed, nothing else (ADR 0006): the map of
outcomes is the whole input that a step takes from the world.
"""

from typing import TypeAlias

from msgspec import Struct

from agent.errors import Place, ProgramError
from agent.rdf.plain_lines import cut_plain_lines
from agent.rdf.statements import Statements
from agent.rdf.syntax import Syntax, syntax_of
from agent.rdf.terms import Triple, document_of

MAX_TRIPLES = 2_000_000
"""Triples that one document may hold; bodies are bounded in bytes where they are received."""


class Document(Struct, frozen=True):
    """What the document ``uri`` says; ``skipped`` has a line of text for each statement that does not count."""

    uri: str
    statements: Statements
    skipped: tuple[str, ...]

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Return what it says as triples, in its order and without repetition."""
        return tuple(self.statements)


class Content(Struct, frozen=True):
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


class Gone(Struct, frozen=True):
    """The document ``uri`` is known to be absent: ``status`` is 404 or 410."""

    uri: str
    status: int


class Failed(Struct, frozen=True):
    """What the document ``uri`` says is not known in this step; ``reason`` is for people.

    ``status`` is that of the answer, 0 if there was none.
    """

    uri: str
    reason: str
    status: int = 0


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
    from agent.rdf.reading import read_statements  # noqa: PLC0415  plain lines, most of what is large, do without it

    statements, skipped = read_statements(body, syntax, uri, strict=strict, source=source, limit=max_triples)
    return Document(uri, statements, skipped)


def _no_syntax(media_type: str) -> str:
    if not media_type:
        return "the media type is missing and the name has no known extension"
    return f"{media_type} is no RDF syntax"
