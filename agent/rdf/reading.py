"""Read what a document says by pyoxigraph: its statements, and what in it does not count."""

import re
from collections.abc import Callable, Iterable, Iterator

import pyoxigraph as ox

from agent.errors import Place, ProgramError
from agent.rdf.convert import from_ox_quads
from agent.rdf.quads import read_quads
from agent.rdf.statements import Statements
from agent.rdf.syntax import Syntax
from agent.rdf.wellformed import IllFormedError

_MINTED_LABEL = re.compile(r"_:[0-9a-f]{24,32}")
"""How pyoxigraph names a blank node without a label; another name in each run."""


def read_statements(
    body: bytes, syntax: Syntax, uri: str, *, strict: bool, source: str, limit: int
) -> tuple[Statements, tuple[str, ...]]:
    """Return what ``body`` says, and a line of text for each statement that does not count (not ``strict`` only).

    ``uri`` is the base and the scope of blank nodes, messages name ``source``. ProgramError N3051 if the body as a
    whole cannot be used; ``strict`` makes every bad statement such a fault.
    """
    try:
        (statements, unholdable), skipped = read_quads(
            body,
            syntax,
            uri,
            recover=not strict,
            limit=limit,
            take=lambda quads: _statements(quads, syntax, uri),
        )
    except IllFormedError as error:
        raise _unreadable(error, syntax, body, source) from None
    skipped += unholdable
    if strict and skipped:
        raise ProgramError("N3051", skipped[0], place=Place(source))
    return statements, skipped


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


def _unreadable(error: IllFormedError, syntax: Syntax, body: bytes, source: str) -> ProgramError:
    message = f"not readable as {syntax.value}: {error.reason}"
    if not error.line:
        return ProgramError("N3051", message, place=Place(source))
    lines = body.splitlines()
    text = lines[error.line - 1].decode("utf-8", "replace") if error.line <= len(lines) else ""
    column = max(error.column, 1)
    return ProgramError("N3051", message, place=Place(source, error.line, column, column + 1, text))
