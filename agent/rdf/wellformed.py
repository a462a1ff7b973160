"""What must hold before a body from outside may be given to the RDF parsers.

The parsers recurse over JSON objects and triple terms and are quadratic in the depth of XML, so that depth is
bounded here, iteratively; document types (entity expansion, external entities) are refused.
"""

import re
from xml.parsers import expat

MAX_DEPTH = 256
"""Nesting of JSON, XML and triple terms; far above real data, far below what overflows a stack."""

_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)
_TRIPLE_TERM = re.compile(r"<<|>>")
_XML_DECLARATION = re.compile(r"\A<\?xml[^>]*\?>")


class IllFormedError(Exception):
    """The text breaks a rule of its syntax, or one of ours, at ``line`` and ``column`` (0 if unknown)."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


def decode_utf8(body: bytes) -> str:
    """Return ``body`` as text, without a byte order mark; IllFormedError if it is not UTF-8."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = body[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise IllFormedError("the text is not UTF-8", line, column) from None


def check_json(text: str) -> None:
    """Refuse JSON that nests deeper than ``MAX_DEPTH``; IllFormedError."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for token in _JSON_TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep(text, token.start())
        elif first in "]}":
            depth -= 1


def check_triple_terms(text: str) -> None:
    """Refuse Turtle-like text whose triple terms nest deeper than ``MAX_DEPTH``; IllFormedError."""
    depth = 0
    for token in _TRIPLE_TERM.finditer(text):
        depth = depth + 1 if token[0] == "<<" else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            raise _too_deep(text, token.start())


def read_xml(body: bytes) -> str:
    """Return well-formed XML of any encoding as text without its declaration; IllFormedError otherwise.

    A document type is refused before any entity is declared.
    """
    depth = 0
    encoding = ""

    def start(_name: str, _attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise IllFormedError(_DEEP, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def declaration(_version: str, declared: str | None, _standalone: int) -> None:
        nonlocal encoding
        encoding = declared or ""

    def doctype(_name: str, _system: str | None, _public: str | None, _internal: bool) -> None:
        raise IllFormedError(
            "a document type (<!DOCTYPE) is not accepted",
            parser.CurrentLineNumber,
            parser.CurrentColumnNumber + 1,
        )

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.XmlDeclHandler = declaration
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(body, True)
    except expat.ExpatError as error:
        raise IllFormedError(
            f"not well-formed XML: {expat.ErrorString(error.code)}", error.lineno, error.offset + 1
        ) from None
    return _XML_DECLARATION.sub("", _decode_xml(body, encoding), count=1)


_DEEP = f"nested deeper than {MAX_DEPTH} levels"


def _decode_xml(body: bytes, declared: str) -> str:
    """Return the text of XML that expat has accepted: byte order mark, then declaration, then UTF-8."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif body.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
    else:
        encoding = declared or "utf-8"
    try:
        return body.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        raise IllFormedError(f"the text is not {encoding}") from None


def _too_deep(text: str, offset: int) -> IllFormedError:
    return IllFormedError(_DEEP, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
