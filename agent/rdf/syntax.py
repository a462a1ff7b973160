"""RDF syntaxes: which there are, and how a document says which it is in."""

import re
from enum import Enum


class Syntax(Enum):
    """An RDF syntax that documents may come in."""

    N_TRIPLES = "N-Triples"
    N_QUADS = "N-Quads"
    TURTLE = "Turtle"
    TRIG = "TriG"
    N3 = "N3"
    JSON_LD = "JSON-LD"
    RDF_XML = "RDF/XML"


_MEDIA_TYPES = {
    "application/n-triples": Syntax.N_TRIPLES,
    "application/n-quads": Syntax.N_QUADS,
    "text/x-nquads": Syntax.N_QUADS,
    "text/turtle": Syntax.TURTLE,
    "application/x-turtle": Syntax.TURTLE,
    "application/turtle": Syntax.TURTLE,
    "application/trig": Syntax.TRIG,
    "application/x-trig": Syntax.TRIG,
    "text/n3": Syntax.N3,
    "text/rdf+n3": Syntax.N3,
    "application/ld+json": Syntax.JSON_LD,
    "application/rdf+xml": Syntax.RDF_XML,
    "application/xml": Syntax.RDF_XML,
    "text/xml": Syntax.RDF_XML,
}
_EXTENSIONS = {
    "nt": Syntax.N_TRIPLES,
    "nq": Syntax.N_QUADS,
    "ttl": Syntax.TURTLE,
    "trig": Syntax.TRIG,
    "n3": Syntax.N3,
    "jsonld": Syntax.JSON_LD,
    "rdf": Syntax.RDF_XML,
    "owl": Syntax.RDF_XML,
}
_SAYS_NOTHING = ("", "text/plain", "application/octet-stream", "binary/octet-stream")
_EXTENSION = re.compile(r"\.([A-Za-z0-9]+)\Z")


def syntax_of(media_type: str, name: str) -> Syntax | None:
    """Return the syntax that ``media_type`` names; where it says nothing, the one of the extension of ``name``."""
    if media_type not in _SAYS_NOTHING:
        return _MEDIA_TYPES.get(media_type)
    path = re.split(r"[?#]", name, maxsplit=1)[0]
    extension = _EXTENSION.search(path)
    return _EXTENSIONS.get(extension[1].lower()) if extension else None
