"""Escapes of strings, IRIs and local names (Turtle 1.1, section 6.4)."""

import re

_IN_STRING = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([tbnrf\"'\\])|)", re.DOTALL)
_IN_IRI = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|)")
_IN_NAME = re.compile(r"\\(.)")
_BAD_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_LETTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


class EscapeError(ValueError):
    """An escape that stands for no character: ``start`` and ``end`` are offsets into the escaped text."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.start = start
        self.end = end


def unescape_string(text: str) -> str:
    """Return ``text`` (without its quotes) with all escapes replaced; EscapeError."""
    return _IN_STRING.sub(_character, text) if "\\" in text else text


def unescape_iri(text: str) -> str:
    r"""Return ``text`` (without its brackets) with ``\u`` and ``\U`` escapes replaced; EscapeError."""
    if "\\" not in text:
        return text
    plain = _IN_IRI.sub(_character, text)
    bad = _BAD_IN_IRI.search(plain)
    if bad:
        raise EscapeError(f"unexpected escaped U+{ord(bad[0]):04X} inside an IRI", 0, len(text))
    return plain


def unescape_name(text: str) -> str:
    """Return the local part ``text`` of a name without its backslashes; percent escapes stay (they are the name)."""
    return _IN_NAME.sub(r"\1", text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    digits = match[1] or match[2]
    if digits:
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise EscapeError(f"unexpected escape {match[0]}: it is no character", *match.span())
        return chr(code)
    letter = match[3] if match.re is _IN_STRING else None
    if letter:
        return _LETTERS[letter]
    shown = match.string[match.start() : match.start() + 2]
    raise EscapeError(f"unexpected escape {shown}", match.start(), match.start() + 2)
