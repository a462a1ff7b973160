"""Several documents in one answer: merged into one graph, or in a syntax of datasets each in a graph of its own."""

import io
import re
from collections.abc import Sequence

from pyoxigraph import RdfFormat, parse, serialize

from ldp_server.representations import write_document
from ldp_server.syntaxes import SYNTAXES, Syntax
from ldp_server.vocabulary import PREFIXES

N_QUADS = Syntax("application/n-quads", "nq", RdfFormat.N_QUADS, "N-Quads")
TRIG = Syntax("application/trig", "trig", RdfFormat.TRIG, "TriG")
OFFERED = (*SYNTAXES, N_QUADS, TRIG)

_BLANK = re.compile(rb"^_:|(?<= )_:(?=b[0-9]+ \.$)", re.MULTILINE)
"""Where a blank node of a stored document begins: at the start of a line, or as its object; a literal ends otherwise."""


def told_apart(text: bytes, number: int) -> bytes:
    """Return a stored document with blank nodes that no document of another number has."""
    return _BLANK.sub(b"_:d%d" % number, text) if b"_:" in text else text


def write_graphs(own: bytes, documents: Sequence[tuple[str, bytes]], syntax: Syntax) -> bytes:
    """Return the answer: ``own`` are its triples, ``documents`` those of other documents with their IRIs, all N-Triples."""
    parts = [(iri, told_apart(text, number)) for number, (iri, text) in enumerate(documents)]
    if syntax not in {N_QUADS, TRIG}:
        return write_document(own + b"".join(text for _, text in parts), syntax)
    quads = own + b"".join(text.replace(b" .\n", f" <{iri}> .\n".encode()) for iri, text in parts)
    if syntax is N_QUADS:
        return quads
    prefixes = {name: iri for name, iri in PREFIXES.items() if b"<" + iri.encode() in quads}
    written = io.BytesIO()
    serialize(parse(quads, RdfFormat.N_QUADS), written, RdfFormat.TRIG, prefixes=prefixes)
    return written.getvalue()
