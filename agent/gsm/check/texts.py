"""The texts of a model: read strictly, with every fault of the syntax as a finding, and places inside literals."""

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import Finding, Place, ProgramError
from agent.n3.load import read_model
from agent.n3.program import Pattern
from agent.n3.source import SourceText

_QUOTES = re.compile(r'"""|\'\'\'|"|\'')
_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)


class ModelText(Struct, frozen=True):
    """The text of one document of a model; ``source`` names it in messages, ``base`` is its URI."""

    text: str
    source: str
    base: str


class ReadTexts(Struct, frozen=True):
    """What texts say, with places; what is wrong with their syntax; the texts by the names of their sources."""

    statements: tuple[Pattern, ...]
    findings: tuple[Finding, ...]
    sources: dict[str, SourceText]


def read_texts(texts: Iterable[ModelText]) -> ReadTexts:
    """Return what ``texts`` say; a text with faults in its syntax says nothing but those."""
    statements: list[Pattern] = []
    findings: list[Finding] = []
    sources: dict[str, SourceText] = {}
    for each in texts:
        sources[each.source] = SourceText(each.text, each.source)
        try:
            statements += read_model(each.text, source=each.source, base=each.base)
        except ProgramError as error:
            findings += (
                Finding("error", fault.code, fault.message, fault.place or Place(each.source), fault.hint)
                for fault in (error, *error.others)
            )
    return ReadTexts(tuple(statements), tuple(findings), sources)


def inside(source: SourceText, literal: Place, offset: int, length: int = 1) -> Place:
    """Return the place of ``length`` characters at ``offset`` of what the literal at ``literal`` says.

    Escapes are counted as they are written, so the place is exact; ``literal`` itself if the offset lies outside.
    """
    start = source.end_of(replace(literal, end_column=literal.column))
    opening = _QUOTES.match(source.text, start)
    if opening is None:
        return source.shown(literal)
    position = opening.end()
    while offset > 0:
        escape = _ESCAPE.match(source.text, position)
        position = escape.end() if escape else position + 1
        offset -= 1
    if position >= len(source.text):
        return source.shown(literal)
    return source.shown(source.place(position, position + max(length, 1)))


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of ``line`` and ``column``, both counted from 1, in ``text``."""
    start = 0
    for _ in range(line - 1):
        end = text.find("\n", start)
        if end < 0:
            break
        start = end + 1
    return min(start + max(column, 1) - 1, max(len(text) - 1, 0))
