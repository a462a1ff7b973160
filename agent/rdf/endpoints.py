"""Results of SPARQL endpoints as documents: the URI of one is the endpoint with the query in it.

This is the form of the SPARQL 1.1 protocol (section 2.1.1), so that the name of such a document says all about it.
"""

import re
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from msgspec import Struct

from agent.rdf.terms import document_of

_GRAPH_QUERY = re.compile(r"\b(?:CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)

_SHOWN = 60


class GraphQuery(Struct, frozen=True):
    """A CONSTRUCT or DESCRIBE query to ``endpoint``, with the other ``parameters`` of the request."""

    endpoint: str
    query: str
    parameters: tuple[tuple[str, str], ...] = ()


def construct_uri(endpoint: str, query: str) -> str:
    """Return the URI of the document that ``endpoint`` answers the CONSTRUCT ``query`` with."""
    service = document_of(endpoint)
    return f"{service}{'&' if '?' in service else '?'}query={quote(query, safe='', errors='replace')}"


def name_of(uri: str) -> str:
    """Return what people call the document ``uri``: itself, or what is asked of which endpoint."""
    query = graph_query_of(uri)
    if query is None:
        return uri
    words = " ".join(query.query.split())
    return f"{query.endpoint} asked {words[:_SHOWN]}{'...' if words[_SHOWN:] else ''}"


def graph_query_of(uri: str) -> GraphQuery | None:
    """Return the query that ``uri`` names the result of, or None if it is a document like any other."""
    if "query=" not in uri:
        return None
    try:
        parts = urlsplit(uri)
        fields = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return None
    queries = [value for name, value in fields if name == "query"]
    if len(queries) != 1 or not _GRAPH_QUERY.search(queries[0]):
        return None
    others = tuple((name, value) for name, value in fields if name != "query")
    return GraphQuery(urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")), queries[0], others)
