"""From stored documents and listings to the bytes of an answer."""

import io
import re
from collections.abc import Mapping, Sequence

from pyoxigraph import Literal, NamedNode, Triple, serialize

from ldp_server.documents import read_triples
from ldp_server.faults import Problem
from ldp_server.syntaxes import N_TRIPLES, RDF_XML, TURTLE, Syntax
from ldp_server.vocabulary import LDP_CONTAINS, PREFIXES, RDF_TYPE, SHOWN_TYPES

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_END = b"> .\n"


def write_document(text: bytes, syntax: Syntax) -> bytes:
    """Return a stored document in ``syntax``, or raise LDP008 if the syntax cannot carry it."""
    if syntax is N_TRIPLES:
        return text
    return _write(read_triples(text), syntax, _prefixes(text, syntax))


def write_listing(uri: str, own: bytes, members: Sequence[str], syntax: Syntax) -> bytes:
    """Return a container in ``syntax``: its types, its own triples and one ``ldp:contains`` a member IRI."""
    container = NamedNode(uri)
    contains = NamedNode(LDP_CONTAINS)
    types = [Triple(container, NamedNode(RDF_TYPE), NamedNode(kind)) for kind in SHOWN_TYPES]
    prefixes = _prefixes(own + f" <{PREFIXES['ldp']}".encode(), syntax)
    # Two syntaxes list members alike, one after the other, so that the first one shows how all are written.
    further = members[1:] if _lists_alike(uri, syntax, prefixes) else ()
    listed = [Triple(container, contains, NamedNode(each)) for each in members[: len(members) - len(further)]]
    text = _write([*types, *read_triples(own), *listed], syntax, prefixes)
    if not further:
        return text
    between = f"> .\n<{uri}> <{LDP_CONTAINS}> <" if syntax is N_TRIPLES else "> , <"
    return text.removesuffix(_END) + f"{between}{between.join(further)}".encode() + _END


def _lists_alike(uri: str, syntax: Syntax, prefixes: Mapping[str, str] | None) -> bool:
    """Tell whether each member of the container ``uri`` is written like the first; a prefix could shorten some."""
    if syntax is TURTLE:
        return not any(uri.startswith(iri) or iri.startswith(uri) for iri in (prefixes or {}).values())
    return syntax is N_TRIPLES


def _prefixes(text: bytes, syntax: Syntax) -> dict[str, str] | None:
    """Return the prefixes that a document with these N-Triples gets in ``syntax``."""
    if syntax not in {TURTLE, RDF_XML}:
        return None
    return {name: iri for name, iri in PREFIXES.items() if b"<" + iri.encode() in text}


def _write(triples: Sequence[Triple], syntax: Syntax, prefixes: dict[str, str] | None) -> bytes:
    """Return triples in ``syntax``, or raise LDP008."""
    if syntax is RDF_XML and any(map(_has_control_character, triples)):
        raise _not_expressible(syntax)
    text = io.BytesIO()
    try:
        serialize(triples, text, syntax.format, prefixes=prefixes)
    except OSError:
        raise _not_expressible(syntax) from None
    return text.getvalue()


def _has_control_character(triple: Triple) -> bool:
    return isinstance(triple.object, Literal) and _NOT_XML.search(triple.object.value) is not None


def _not_expressible(syntax: Syntax) -> Problem:
    detail = f"This document cannot be written as {syntax.media_type}; ask for text/turtle."
    return Problem("LDP008", detail, headers={"Vary": "Accept"})
