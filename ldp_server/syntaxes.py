"""The RDF syntaxes that come in and go out."""

from dataclasses import dataclass

from pyoxigraph import RdfFormat


@dataclass(frozen=True, slots=True)
class Syntax:
    """One RDF syntax: its media type, a short name for entity tags, further media types taken as input."""

    media_type: str
    short: str
    format: RdfFormat
    aliases: tuple[str, ...] = ()


TURTLE = Syntax("text/turtle", "ttl", RdfFormat.TURTLE, ("application/x-turtle",))
JSON_LD = Syntax("application/ld+json", "jsonld", RdfFormat.JSON_LD)
N_TRIPLES = Syntax("application/n-triples", "nt", RdfFormat.N_TRIPLES)
RDF_XML = Syntax("application/rdf+xml", "rdf", RdfFormat.RDF_XML, ("application/xml", "text/xml"))

SYNTAXES = (TURTLE, JSON_LD, N_TRIPLES, RDF_XML)
"""In the order of preference of the server."""

_BY_MEDIA_TYPE = {name: syntax for syntax in SYNTAXES for name in (syntax.media_type, *syntax.aliases)}
ACCEPTED = ", ".join(syntax.media_type for syntax in SYNTAXES)


def syntax_of(media_type: str) -> Syntax | None:
    """Return the syntax of a media type (lower case, no parameters), or None."""
    return _BY_MEDIA_TYPE.get(media_type)
