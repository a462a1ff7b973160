"""Checks before parsing: input that would make a parser expand, recurse or lose text is refused here.

The RDF parser is native code: it overflows its stack on deeply nested JSON-LD and on nested triple terms,
expands entities of RDF/XML, compares each attribute of an element with all others, and takes RDF/XML that
ends too early. Each guard reads the body once,
without recursion, in time linear in its length.
"""

import json
from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from ldp_server.faults import Problem

MAX_DEPTH = 64
MAX_SHIFTS = 256
MAX_CONTEXT_TERMS = 500
MAX_CONTEXTS = 500
MAX_SCOPED_WORK = 300_000
MAX_ATTRIBUTES = 256


def malformed(detail: str, line: int | None = None, column: int | None = None) -> Problem:
    """Return the problem for broken RDF, with line and column (from 1) where they are known."""
    place = {name: value for name, value in (("line", line), ("column", column)) if value is not None}
    where = f"Line {line}, column {column}: " if line is not None else ""
    return Problem("LDP001", where + detail, members=place)


def parser_reason(text: str) -> str:
    """Return the words of a parser without the place, which is told apart, and without the stop at their end."""
    return (text.split(": ", 1)[1] if text.startswith("Parser error at ") and ": " in text else text).rstrip(
        "."
    )


def guard_turtle(body: bytes) -> None:
    """Refuse Turtle and N-Triples that could nest triple terms (RDF 1.2) deeply; single ones meet the writer.

    Counting needs no grammar, so nothing can hide from it; a literal full of shift operators is the price.
    """
    if body.count(b"<<") > MAX_SHIFTS:
        raise malformed(
            f"the body has more than {MAX_SHIFTS} times '<<'; triple terms (RDF 1.2) are not stored here."
        )


def guard_json(body: bytes) -> None:
    """Refuse JSON-LD that is no JSON, nests deeper than ``MAX_DEPTH``, or has contexts that are remote or too much.

    A context inside a term definition is processed again at each use of the term, before the parser gives
    out anything, so its terms are multiplied with the values of the document.
    """
    values = contexts = terms = scoped = 0
    for depth, value, in_context in _walk(_read_json(body)):
        values += 1
        if depth > MAX_DEPTH:
            raise _too_deep()
        if isinstance(value, dict) and "@context" in value:
            defined = _guard_context(value["@context"])
            contexts += 1
            terms += defined
            scoped += defined if in_context else 0
    if contexts > MAX_CONTEXTS or terms > MAX_CONTEXT_TERMS or scoped * values > MAX_SCOPED_WORK:
        limit = f"{MAX_CONTEXTS} contexts and {MAX_CONTEXT_TERMS} terms"
        raise Problem("LDP007", f"The contexts are too large; {limit} are read, fewer in scoped contexts.")


def _read_json(body: bytes) -> object:
    try:
        root: object = json.loads(
            body.decode(), parse_int=float, parse_constant=_no_constant, object_pairs_hook=_object
        )
    except UnicodeDecodeError as error:
        raise malformed(f"the body is not UTF-8 at octet {error.start + 1}.") from None
    except json.JSONDecodeError as error:
        raise malformed(f"{error.msg}.", error.lineno, error.colno) from None
    except RecursionError:
        raise _too_deep() from None
    return root


def _no_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"{name} is not a JSON value", name, 0)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; with a key twice, what is checked here and what the parser reads could differ."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise malformed("a JSON object has the same key twice.")
    return fields


def _walk(root: object) -> Iterator[tuple[int, object, bool]]:
    """Yield every value with its depth, and whether it is part of a context."""
    pending = [(1, root, False)]
    while pending:
        depth, value, in_context = pending.pop()
        yield depth, value, in_context
        if isinstance(value, dict):
            pending += [(depth + 1, inner, in_context or key == "@context") for key, inner in value.items()]
        elif isinstance(value, list):
            pending += [(depth + 1, inner, in_context) for inner in value]


def _guard_context(context: object) -> int:
    """Return how many terms a context defines; the server never fetches one."""
    terms = 0
    for part in context if isinstance(context, list) else [context]:
        if isinstance(part, str) or (isinstance(part, dict) and "@import" in part):
            raise malformed("remote JSON-LD contexts are not fetched; put the context into the body.")
        terms += len(part) if isinstance(part, dict) else 0
    return terms


def guard_xml(body: bytes) -> None:
    """Refuse RDF/XML with a document type or entities, deeper than ``MAX_DEPTH``, or not well-formed."""
    depth = 0

    def begin(_name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _too_deep()
        if len(attributes) > MAX_ATTRIBUTES:
            raise Problem(
                "LDP007", f"An element has more than {MAX_ATTRIBUTES} attributes. Use elements instead."
            )

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse_doctype(*_arguments: object) -> None:
        raise malformed(
            "a document type (DOCTYPE, ENTITY) is not read here; write entities out.",
            parser.CurrentLineNumber,
            parser.CurrentColumnNumber + 1,
        )

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        parser.Parse(body, True)
    except expat.ExpatError as error:
        raise malformed(f"{expat.ErrorString(error.code)}.", error.lineno, error.offset + 1) from None


def _too_deep() -> Problem:
    return malformed(f"the body nests deeper than {MAX_DEPTH} levels.")
