"""The lexer of Notation3: a text becomes tokens, one compiled pattern a token, in linear time.

Kinds of tokens: ``iri``, ``name`` (prefix and local part), ``blank``, ``var``, ``string``, ``long``, ``double``,
``decimal``, ``integer``, ``at`` (a word after @), ``word``, ``end``; punctuation is its own kind.
Terminals follow the N3 grammar of the W3C community group and Turtle 1.1, section 6.5.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from agent.errors import ProgramError
from agent.n3.source import SourceText

_FOREIGN = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_FOREIGN_REST = "\u00b7\u0300-\u036f\u203f\u2040"
_ESCAPED = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_EXPONENT = r"[eE][+-]?[0-9]++"


@cache
def token_pattern(*, in_ascii: bool) -> re.Pattern[str]:
    """Return the pattern of a token; the one for texts in ASCII is compiled in a tenth of the time."""
    base = "A-Za-z" if in_ascii else f"A-Za-z{_FOREIGN}"
    first = f"{base}_"
    rest = rf"{first}0-9\-" if in_ascii else rf"{first}0-9{_FOREIGN_REST}\-"
    tail = rf"[{rest}]*+(?>(?:\.++[{rest}]++)*)"
    # A loop stands in an atomic group, not under a possessive quantifier: until 3.11.4, Python matches those wrongly.
    return re.compile(
        rf"""
    [\ \t\r\n]*+(?>(?:\#[^\r\n]*+[\ \t\r\n]*+)*)
    (?:
      (?P<name>(?:[{base}]{tail})?:(?:(?:[{first}0-9:]|{_ESCAPED})[{rest}:]*+(?>(?:\.*(?:[{rest}:]|{_ESCAPED})[{rest}:]*+)*))?)
    | (?P<iri><[^\x00-\x20<>"{{}}|^`]*+>)
    | (?P<var>\?[{first}0-9][{rest}]*+)
    | (?P<long>\"\"\"[^"\\]*+(?>(?:(?:\\.|""?(?!"))[^"\\]*+)*)\"\"\"|'''[^'\\]*+(?>(?:(?:\\.|''?(?!'))[^'\\]*+)*)''')
    | (?P<string>"(?!"")[^"\\\r\n]*+(?>(?:\\[^\r\n][^"\\\r\n]*+)*)"|'(?!'')[^'\\\r\n]*+(?>(?:\\[^\r\n][^'\\\r\n]*+)*)')
    | (?P<blank>_:[{first}0-9]{tail})
    | (?P<double>[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++){_EXPONENT})
    | (?P<decimal>[+-]?[0-9]*+\.[0-9]++)
    | (?P<integer>[+-]?[0-9]++)
    | (?P<at>@[A-Za-z]++(?>(?:-[A-Za-z0-9]++)*))
    | (?P<word>[{first}]{tail})
    | (?P<punctuation>\^\^|=>|<=|<-|[.;,()\[\]{{}}!^=])
    | (?P<end>\Z)
    )
    """,
        re.VERBOSE | re.DOTALL,
    )


_BLANK_SPACE = re.compile(r"[ \t\r\n]*+(?>(?:#[^\r\n]*+[ \t\r\n]*+)*)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REST_OF_LINE = re.compile(r"[^\r\n]*+")
_SPOILT_IRI = re.compile(r"<[^<>\r\n]*+>")


class Token(NamedTuple):
    """A token: its kind, its text as written, and where it starts and ends (offsets)."""

    kind: str
    text: str
    start: int
    end: int


def tokens(source: SourceText, start: int = 0) -> Iterator[Token]:
    """Yield the tokens of ``source`` from the offset ``start``, an ``end`` token last; ProgramError N3001 and others."""
    text = source.text
    match_at = token_pattern(in_ascii=text.isascii()).match
    position = start
    while True:
        match = match_at(text, position)
        if match is None:
            raise _fault(source, position)
        kind = match.lastgroup or ""
        word = match[kind]
        position = match.end()
        yield Token(word if kind == "punctuation" else kind, word, position - len(word), position)
        if kind == "end":
            return


def check_characters(source: SourceText) -> None:
    """Raise ProgramError when the text holds half of a surrogate pair, which no encoding can carry."""
    found = _SURROGATE.search(source.text)
    if found:
        raise fault(
            source,
            "N3005",
            f"unexpected lone surrogate U+{ord(found[0]):04X}: it is no character",
            *found.span(),
        )


def fault(source: SourceText, code: str, message: str, start: int, end: int, hint: str = "") -> ProgramError:
    """Return the error ``code`` about the characters from ``start`` to ``end``, with the line they stand on."""
    place = source.shown(source.place(start, max(end, start + 1)))
    return ProgramError(code, message, place=place, hint=hint)


def _fault(source: SourceText, position: int) -> ProgramError:
    """Say why no token begins after ``position``."""
    text = source.text
    space = _BLANK_SPACE.match(text, position)
    start = space.end() if space else position
    line = _REST_OF_LINE.match(text, start)
    line_end = line.end() if line else start + 1
    if text.startswith(('"""', "'''"), start):
        quotes = text[start : start + 3]
        return fault(
            source,
            "N3007",
            f"expected {quotes} at the end of this string, got the end of the file",
            start,
            start + 3,
            f"write {quotes} where the string ends",
        )
    if text[start] in "\"'":
        quote = text[start]
        hint = f"write {quote} where it ends; a string of several lines stands between {quote * 3} and {quote * 3}"
        message = f"expected {text[start]} at the end of this string, got the end of the line"
        return fault(source, "N3007", message, start, line_end, hint)
    if text[start] == "<":
        return _iri_fault(source, start, line_end)
    character = text[start]
    hint = _CHARACTER_HINTS.get(character, "")
    shown = character if character.isprintable() else f"character U+{ord(character):04X}"
    return fault(source, "N3001", f"unexpected {shown}", start, start + 1, hint)


def _iri_fault(source: SourceText, start: int, line_end: int) -> ProgramError:
    closed = _SPOILT_IRI.match(source.text, start)
    if not closed:
        return fault(
            source,
            "N3006",
            "expected > at the end of this IRI, got the end of the line",
            start,
            line_end,
            "write > where it ends",
        )
    bad = next(character for character in closed[0][1:-1] if character <= " " or character in '"{}|^`')
    shown = {" ": "a space"}.get(bad, bad if bad.isprintable() else f"character U+{ord(bad):04X}")
    hint = f"write %{ord(bad):02X} for it"
    return fault(source, "N3006", f"unexpected {shown} inside an IRI", closed.start(), closed.end(), hint)


_CHARACTER_HINTS = {
    "%": "in the local part of a name write %25 or another code of two hexadecimal digits, or \\%",
    "?": "a variable has a name right after its question mark",
    "@": "a word follows the @ at once: @prefix, @base or a language",
    "_": "a blank node is written _:name",
    "\\": "escapes belong into strings and IRIs; in the local part of a name \\ stands before _~.-!$&'()*+,;=/?#@%",
    "|": "a formula stands between { and }; there is no alternative in rules: write two rules",
    "/": "a comment begins with #; an IRI stands between < and >",
    "&": "a . stands between the triples of a formula",
    "-": "the arrow of a rule is =>; a minus sign has digits right behind it",
    "+": "a plus sign has digits right behind it; to add is a builtin: (?a ?b) math:sum ?c",
    "*": "to multiply is a builtin: (?a ?b) math:product ?c",
    ">": "an IRI begins with <; to compare is a builtin: ?a math:greaterThan ?b",
    "$": "a variable begins with a question mark",
    "\u2192": "the arrow of a rule is =>",
    "\u21d2": "the arrow of a rule is =>",
    "\u00a0": "it looks like a space: write a plain one",
    **dict.fromkeys("\u201c\u201d\u201e\u2018\u2019", "a string stands between straight quotes: \" or '"),
}
