"""Literals: from tokens to terms."""

from typing import Protocol

from agent.errors import ProgramError
from agent.n3.escapes import EscapeError, unescape_string
from agent.n3.lexer import Token
from agent.n3.names import Names
from agent.rdf.terms import LANG_STRING, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Literal

_NUMBERS = {"integer": XSD_INTEGER, "decimal": XSD_DECIMAL, "double": XSD_DOUBLE}
_STRING_ESCAPES = (
    "escapes are \\t \\b \\n \\r \\f \\\" \\' \\\\ \\uXXXX \\UXXXXXXXX; write \\\\ for a backslash"
)


class Cursor(Protocol):
    """The part of the parser that reading a literal needs; ``token`` is the one after the literal's first."""

    names: Names
    token: Token

    def advance(self) -> None:
        """Go to the next token."""

    def unexpected(self, expected: str) -> ProgramError:
        """Return the error that ``expected`` did not come."""


def read_literal(cursor: Cursor, token: Token) -> Literal:
    """Return the literal that begins with ``token``, and take its language or datatype."""
    datatype = _NUMBERS.get(token.kind)
    if datatype:
        return Literal(token.text, datatype)
    lexical = _unquoted(cursor, token)
    after = cursor.token
    if after.kind == "at" and after.start == token.end:
        cursor.advance()
        return Literal(lexical, LANG_STRING, after.text[1:].lower())
    if after.kind != "^^":
        return Literal(lexical)
    cursor.advance()
    name = cursor.token
    if name.kind not in {"iri", "name"}:
        raise cursor.unexpected("the IRI of a datatype")
    iri = cursor.names.iri(name) if name.kind == "iri" else cursor.names.name(name)
    cursor.advance()
    return Literal(lexical, iri.value)


def _unquoted(cursor: Cursor, token: Token) -> str:
    quotes = 3 if token.kind == "long" else 1
    try:
        return unescape_string(token.text[quotes:-quotes])
    except EscapeError as bad:
        start = token.start + quotes
        cursor.names.report("N3005", bad.reason, start + bad.start, start + bad.end, _STRING_ESCAPES)
        return ""
