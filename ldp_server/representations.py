"""From stored documents and listings to the bytes of an answer."""

import io
import re
from collections.abc import Sequence

from pyoxigraph import Literal, NamedNode, Triple, serialize

from ldp_server.documents import read_triples
from ldp_server.faults import Problem
from ldp_server.syntaxes import N_TRIPLES, RDF_XML, TURTLE, Syntax
from ldp_server.vocabulary import LDP_CONTAINS, PREFIXES, RDF_TYPE, SHOWN_TYPES

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_document(text: bytes, syntax: Syntax) -> bytes:
    """Return a stored document in ``syntax``, or raise LDP008 if the syntax cannot carry it."""
    if syntax is N_TRIPLES:
        return text
    return _write(read_triples(text), text, syntax)


def write_listing(uri: str, own: bytes, members: Sequence[str], syntax: Syntax) -> bytes:
    """Return a container in ``syntax``: its types, its own triples and one ``ldp:contains`` a member IRI."""
    container = NamedNode(uri)
    contains = NamedNode(LDP_CONTAINS)
    types = [Triple(container, NamedNode(RDF_TYPE), NamedNode(kind)) for kind in SHOWN_TYPES]
    listed = [Triple(container, contains, NamedNode(member)) for member in members]
    triples = [*types, *read_triples(own), *listed]
    if syntax is N_TRIPLES:
        return _serialized(triples, N_TRIPLES, None)
    return _write(triples, own + f" <{PREFIXES['ldp']}".encode(), syntax)


def _write(triples: list[Triple], text: bytes, syntax: Syntax) -> bytes:
    if syntax is RDF_XML and any(map(_has_control_character, triples)):
        raise _not_expressible(syntax)
    prefixes = None
    if syntax in {TURTLE, RDF_XML}:
        prefixes = {name: iri for name, iri in PREFIXES.items() if b"<" + iri.encode() in text}
    try:
        return _serialized(triples, syntax, prefixes)
    except OSError:
        raise _not_expressible(syntax) from None


def _has_control_character(triple: Triple) -> bool:
    return isinstance(triple.object, Literal) and _NOT_XML.search(triple.object.value) is not None


def _serialized(triples: list[Triple], syntax: Syntax, prefixes: dict[str, str] | None) -> bytes:
    text = io.BytesIO()
    serialize(triples, text, syntax.format, prefixes=prefixes)
    return text.getvalue()


def _not_expressible(syntax: Syntax) -> Problem:
    detail = f"This document cannot be written as {syntax.media_type}; ask for text/turtle."
    return Problem("LDP008", detail, headers={"Vary": "Accept"})
