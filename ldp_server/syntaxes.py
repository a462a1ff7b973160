"""The RDF syntaxes that come in and go out."""

from msgspec import Struct
from pyoxigraph import RdfFormat


class Syntax(Struct, frozen=True, eq=False):
    """One RDF syntax: media type, short name for entity tags and ``?as=``, name for people, further media types taken as input."""

    media_type: str
    short: str
    format: RdfFormat
    name: str
    aliases: tuple[str, ...] = ()


TURTLE = Syntax("text/turtle", "ttl", RdfFormat.TURTLE, "Turtle", ("application/x-turtle",))
JSON_LD = Syntax("application/ld+json", "jsonld", RdfFormat.JSON_LD, "JSON-LD")
N_TRIPLES = Syntax("application/n-triples", "nt", RdfFormat.N_TRIPLES, "N-Triples")
RDF_XML = Syntax("application/rdf+xml", "rdf", RdfFormat.RDF_XML, "RDF/XML", ("application/xml", "text/xml"))

HTML = Syntax("text/html", "html", RdfFormat.N_TRIPLES, "HTML")
"""The page for people, which is made from the N-Triples; it is asked for and never taken as input."""

SYNTAXES = (TURTLE, JSON_LD, N_TRIPLES, RDF_XML)
"""In the order of preference of the server."""

_BY_MEDIA_TYPE = {name: syntax for syntax in SYNTAXES for name in (syntax.media_type, *syntax.aliases)}
_BY_QUERY = {f"as={syntax.short}": syntax for syntax in (*SYNTAXES, HTML)}
ACCEPTED = ", ".join(syntax.media_type for syntax in SYNTAXES)


def syntax_of(media_type: str) -> Syntax | None:
    """Return the syntax of a media type (lower case, no parameters), or None."""
    return _BY_MEDIA_TYPE.get(media_type)


def syntax_asked(query: str | None) -> Syntax | None:
    """Return the syntax that the query of a URL names, such as ``as=ttl``, or None; a link has no Accept header."""
    return _BY_QUERY.get(query) if query is not None else None
