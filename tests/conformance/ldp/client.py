"""A client that sends one request on one connection and hands back what came, read as the suite of the W3C reads it."""

import http.client
import io
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pyoxigraph import NamedNode, RdfFormat, Triple, parse

from tests.conformance.ldp.links import Link, read_links

LDP = "http://www.w3.org/ns/ldp#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request for ``uri``; names of headers are in lower case, several lines of one are joined."""

    uri: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def succeeded(self) -> bool:
        """Tell whether the status is one of success."""
        return 200 <= self.status < 300

    @property
    def allowed(self) -> frozenset[str]:
        """Return the methods of the Allow header."""
        names = self.headers.get("allow", "").split(",")
        return frozenset(name.strip() for name in names if name.strip())

    @property
    def media_type(self) -> str:
        """Return the media type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def links(self, rel: str) -> list[Link]:
        """Return the links with this relation, whatever their context."""
        return [link for link in read_links(self.headers.get("link", ""), self.uri) if rel in link.rels]

    def is_typed(self, kind: str) -> bool:
        """Tell whether a Link header gives the resource itself this type of LDP."""
        return any(link.target == LDP + kind and link.context == self.uri for link in self.links("type"))

    def graph(self) -> frozenset[Triple]:
        """Return the triples of a Turtle or JSON-LD body."""
        syntax = RdfFormat.JSON_LD if "json" in self.media_type else RdfFormat.TURTLE
        return frozenset(quad.triple for quad in parse(self.body, syntax, base_iri=self.uri))

    def objects(self, subject: str, predicate: str) -> list[str]:
        """Return the values of a property, IRIs and literals as their text."""
        return [
            getattr(triple.object, "value", "")
            for triple in self.graph()
            if isinstance(triple.subject, NamedNode)
            and (triple.subject.value, triple.predicate.value) == (subject, predicate)
        ]


def send(method: str, uri: str, body: bytes | str | None = None, /, **headers: str) -> Answer:
    """Send one request and return its answer; an underscore in the name of a header stands for a hyphen."""
    parts = urlsplit(uri)
    connection = http.client.HTTPConnection(parts.netloc, timeout=_TIMEOUT_S)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(
            method, target or "/", None if data is None else io.BytesIO(data), _sized(named, data)
        )
        answer = connection.getresponse()
        fields: dict[str, str] = {}
        for name, value in answer.getheaders():
            known = fields.get(name.lower())
            fields[name.lower()] = value if known is None else f"{known}, {value}"
        return Answer(uri, answer.status, fields, answer.read())
    finally:
        connection.close()


def _sized(headers: Mapping[str, str], data: bytes | None) -> dict[str, str]:
    return dict(headers) if data is None else {**headers, "Content-Length": str(len(data))}
