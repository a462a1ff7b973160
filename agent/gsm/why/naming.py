"""Names and values as people read them: short, printable, bounded."""

import re

from agent.errors import printable
from agent.rdf.endpoints import name_of
from agent.rdf.notation import term_text
from agent.rdf.terms import IRI, XSD_BOOLEAN, XSD_STRING, BlankNode, Literal, Term
from agent.vocab import KNOWN_PREFIXES, XSD

LONGEST_VALUE = 60
LONGEST_TEXT = 300
NUMERIC = frozenset(
    XSD + name
    for name in (
        *("integer", "decimal", "double", "float", "long", "int", "short", "byte", "nonNegativeInteger"),
        *("positiveInteger", "nonPositiveInteger", "negativeInteger"),
        *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    )
)
_GENERIC = frozenset({"it", "this", "state", "me", "i", "self", "now", "result", "value", ""})
"""Fragments that tell nothing: the document is what tells one thing from another."""
_SPACE = re.compile(r"\s+")


def cut_short(text: str, length: int = LONGEST_VALUE) -> str:
    """Return ``text`` on one line, printable, of at most ``length`` characters."""
    line = printable(_SPACE.sub(" ", text[: 4 * length])).strip()
    return line if len(line) <= length and len(text) <= 4 * length else line[: length - 1].rstrip() + "…"


def cut_front(text: str, length: int = LONGEST_VALUE) -> str:
    """Return the end of ``text``, on one line, printable, of at most ``length`` characters: where names differ."""
    line = printable(_SPACE.sub(" ", text[-4 * length :])).strip()
    return line if len(line) <= length and len(text) <= 4 * length else "…" + line[1 - length :].lstrip()


def local_name(iri: str) -> str:
    """Return what stands after the # or, without one, after the last slash; the whole IRI if that is nothing."""
    document, mark, fragment = iri.partition("#")
    return (fragment if mark else document.rstrip("/").rpartition("/")[2]) or iri


def entity_name(term: Term) -> str:
    """Return a short name for a thing: that of its document if its fragment says nothing, else its fragment."""
    match term:
        case IRI(value):
            document, _, fragment = value.partition("#")
            name = fragment if fragment.lower() not in _GENERIC else document.rstrip("/").rpartition("/")[2]
            return cut_short(name or value, 40)
        case BlankNode(label):
            return cut_short(f"_:{label}", 40)
        case _:
            return value_text(term)


def document_name(uri: str) -> str:
    """Return ``<uri>``, long paths as ``<…/last/two>``; a query to an endpoint in words."""
    name = name_of(uri)
    if name != uri:
        return cut_short(name, 80)
    parts = uri.rstrip("/").split("/")
    slash = "/" if uri.endswith("/") else ""
    return f"<{cut_short(uri if len(parts) < 5 else '…/' + '/'.join(parts[-2:]) + slash, 80)}>"


def value_text(term: Term, *, with_type: bool = False) -> str:
    """Return a term as people write it; ``with_type``: strings with their datatype, where that is the point."""
    match term:
        case Literal(lexical, datatype, ""):
            if datatype in NUMERIC or datatype == XSD_BOOLEAN:
                return cut_short(lexical)
            if datatype == XSD_STRING:
                return _quoted(lexical) + ("^^xsd:string" if with_type else "")
            return f"{_quoted(lexical)}^^{shortened(datatype)}"
        case Literal(lexical, _, language):
            return f"{_quoted(lexical)}@{language}"
        case IRI(value):
            known = shortened(value)
            return known if not known.startswith("<") else entity_name(term)
        case BlankNode():
            return entity_name(term)
        case _:
            return cut_short(term_text(term))


def shortened(iri: str) -> str:
    """Return ``prefix:name`` for the usual vocabularies, else ``<iri>``."""
    for prefix, namespace in KNOWN_PREFIXES.items():
        name = iri.removeprefix(namespace)
        if name != iri and re.fullmatch(r"[A-Za-z_][\w-]*", name):
            return f"{prefix}:{name}"
    return f"<{cut_short(iri)}>"


def duration(seconds: float) -> str:
    """Return a time span: ``0.4 s``, ``3 min``, ``2 h``, ``5 d``."""
    if seconds < 10:
        return f"{max(seconds, 0.0):.1f} s"
    for size, unit, limit in ((1, "s", 120), (60, "min", 7200), (3600, "h", 172_800)):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit}"
    return f"{min(seconds / 86_400, 9_999_999):.0f} d"


def and_more(count: int) -> str:
    """Return ``... and N more``."""
    return f"... and {count} more"


def _quoted(text: str) -> str:
    return f'"{cut_short(text)}"'
