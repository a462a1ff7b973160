"""Media types of requests, read leniently, and the choice of a syntax for an answer (RFC 9110, section 12.5.1)."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from ldp_server.faults import Problem
from ldp_server.syntaxes import ACCEPTED, HTML, RDF_XML, SYNTAXES, Syntax, syntax_of

Made = TypeVar("Made")
TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105 -- a token of the HTTP grammar, not a secret
_RANGE = re.compile(rf"\s*({TOKEN})\s*/\s*({TOKEN})\s*")
_PARAMETER = re.compile(rf"\s*+({TOKEN})\s*+=\s*+(\"(?:[^\"\\]|\\.)*\"|[^;,\s\"]*)\s*+")
_QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?|\.[0-9]{1,3}")
_QUOTED_OR_COMMA = re.compile(r'"(?>(?:[^"\\]++|\\.)*)("?)|,')


class MediaType(Struct, frozen=True):
    """A media type in lower case, and its parameters."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()

    def parameter(self, name: str) -> str | None:
        """Return the value of the parameter of this name (lower case)."""
        return dict(self.parameters).get(name)

    @property
    def is_utf8(self) -> bool:
        """Tell whether text of this type is in UTF-8, or in ASCII, which is the same."""
        return (self.parameter("charset") or "utf-8").lower() in {"utf-8", "utf8", "us-ascii"}


@lru_cache(maxsize=256)
def read_media_type(text: str) -> MediaType | None:
    """Return the media type in ``text``, or None; blanks and broken parameters do no harm."""
    head, *rest = text.split(";")
    match = _RANGE.fullmatch(head)
    if not match:
        return None
    found = (_PARAMETER.fullmatch(part) for part in rest)
    parameters = tuple((part[1].lower(), part[2].strip('"')) for part in found if part)
    return MediaType(f"{match[1]}/{match[2]}".lower(), parameters)


@lru_cache(maxsize=256)
def choose_syntax(accept: str | None, offered: tuple[Syntax, ...] = SYNTAXES) -> Syntax:
    """Return the syntax a client likes best, Turtle without a wish, or raise LDP008.

    The most specific media range decides the quality of a syntax; among equals the order of ``offered``
    decides. Parameters of media ranges other than ``q`` are not compared.
    """
    ranges = _read_accept(accept or "")
    if not ranges:
        return offered[0]
    quality, _, best = max(
        ((_quality(syntax.media_type, ranges), -place, syntax) for place, syntax in enumerate(offered)),
        key=lambda choice: choice[:2],
    )
    if quality <= 0:
        raise not_acceptable(", ".join(syntax.media_type for syntax in offered))
    return best


def not_acceptable(offers: str) -> Problem:
    """Return the problem of a client that takes none of the media types in ``offers``."""
    detail = f"Nothing in the Accept header fits. This resource is available as {offers}."
    return Problem("LDP008", detail, headers={"Vary": "Accept"})


@lru_cache(maxsize=256)
def choose_for_people(accept: str | None, offered: tuple[Syntax, ...] = SYNTAXES) -> Syntax:
    """Return the page for people if a client names text/html and likes it better than every RDF syntax, else its RDF syntax.

    That is what browsers send; who takes anything gets RDF. Raises LDP008 as ``choose_syntax`` does.
    """
    ranges = _read_accept(accept or "")
    wish = max((quality for name, quality in ranges if name == HTML.media_type), default=0.0)
    if wish > max(_quality(syntax.media_type, ranges) for syntax in offered):
        return HTML
    return choose_syntax(accept, offered)


async def in_one_of(
    offered: tuple[Syntax, ...], answer: Callable[[tuple[Syntax, ...]], Awaitable[Made]]
) -> Made:
    """Return what ``answer`` makes in one of the syntaxes ``offered``; if RDF/XML cannot carry it, in one of the others.

    Whether it can is known when it is written. Raises LDP008 if a client wants nothing else.
    """
    try:
        return await answer(offered)
    except Problem as problem:
        if problem.code != "LDP008":
            raise
        told = problem
    try:
        return await answer(tuple(syntax for syntax in offered if syntax is not RDF_XML))
    except Problem as problem:
        raise (told if problem.code == "LDP008" else problem) from None


def _read_accept(accept: str) -> list[tuple[str, float]]:
    ranges = []
    for part in _split_at_commas(accept):
        media = read_media_type(part)
        if media is not None:
            wish = media.parameter("q")
            quality = 1.0 if wish is None else float(wish) if _QUALITY.fullmatch(wish) else 0.0
            ranges.append((media.name, quality))
    return ranges


def _split_at_commas(text: str) -> list[str]:
    """Return the parts of ``text`` between commas that are not quoted; a quote that never ends quotes nothing."""
    parts, start = [], 0
    for match in _QUOTED_OR_COMMA.finditer(text):
        if match[0] == ",":
            parts.append(text[start : match.start()])
            start = match.end()
        elif not match[1]:
            first, *others = text[match.start() :].split(",")
            return [*parts, text[start : match.start()] + first, *others]
    return [*parts, text[start:]]


def is_acceptable(name: str, accept: str | None) -> bool:
    """Tell whether a client takes the media type ``name`` (lower case, without parameters)."""
    ranges = _read_accept(accept or "")
    return not ranges or _quality(name, ranges) > 0


def _quality(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    kind = media_type.partition("/")[0]
    for name in (media_type, f"{kind}/*", "*/*"):
        found = [quality for media_range, quality in ranges if media_range == name]
        if found:
            return max(found)
    return 0.0


def body_syntax(content_type: str | None, *, is_empty: bool) -> Syntax:
    """Return the syntax of a request body, or raise LDP003 (no Content-Type) or LDP005 (not one of ours)."""
    if content_type is None or not content_type.strip():
        if is_empty:
            return SYNTAXES[0]
        raise Problem("LDP003", f"The body has no Content-Type. Send one of {ACCEPTED}.")
    media = read_media_type(content_type)
    syntax = syntax_of(media.name) if media else None
    if media is None or syntax is None:
        raise _unsupported(f"The Content-Type {content_type[:100]!r} is not stored here.")
    if not media.is_utf8:
        raise _unsupported(f"The charset of {content_type[:100]!r} is not read here; send UTF-8.")
    return syntax


def refuse_content_encoding(header: str | None) -> None:
    """Raise LDP005 for a body that is compressed; what a body expands to would not be bounded by its size."""
    if header is not None and header.strip().lower() not in {"", "identity"}:
        raise _unsupported("A body with a Content-Encoding is not read here; send it uncompressed.")


def _unsupported(detail: str) -> Problem:
    return Problem("LDP005", f"{detail} Send one of {ACCEPTED}.", headers={"Accept": ACCEPTED})
