"""Names for people: IRIs made short, and text that cannot pretend to be anything else."""

import re
from html import escape
from urllib.parse import unquote

from ldp_server.vocabulary import PREFIXES

MAX_TEXT = 2_000
"""Characters of a literal or an IRI that are shown."""

_LOCAL = re.compile(r"[A-Za-z0-9_.\-]+")
_UNSEEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_BY_LENGTH = sorted(PREFIXES.items(), key=lambda row: -len(row[1]))


def short_name(iri: str, base: str) -> str:
    """Return an IRI as people read it: by its path on the server at ``base``, by a prefix, or as it is."""
    if iri.startswith(base + "/"):
        return iri[len(base) :]
    for prefix, start in _BY_LENGTH:
        if iri.startswith(start) and _LOCAL.fullmatch(iri, len(start)):
            return f"{prefix}:{iri[len(start) :]}"
    return iri


def is_followed(iri: str) -> bool:
    """Tell whether an IRI becomes a link; one with another scheme could do something here (``javascript:``)."""
    return iri.lower().startswith(("http://", "https://"))


def segment_name(segment: str) -> str:
    """Return a segment of a path as people read it."""
    return unquote(segment, errors="replace")


def shown(text: str) -> str:
    """Return text as HTML: escaped, cut where it is too long, with signs for characters that nobody sees."""
    cut = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} …"
    return escape(_UNSEEN.sub("\ufffd", cut))
