"""The constraints of the server as a page that answers link to (LDP 1.0, section 4.2.1.6)."""

import zlib

from pyoxigraph import Literal, NamedNode, Triple

from ldp_server.answers import READ
from ldp_server.faults import FAULTS, Problem
from ldp_server.services import Done, Page, Writing
from ldp_server.settings import Settings
from ldp_server.vocabulary import LDP

PATH = "/.milepost/constraints"

_LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_COMMENT = NamedNode("http://www.w3.org/2000/01/rdf-schema#comment")
_DEFINED_BY = NamedNode("http://www.w3.org/2000/01/rdf-schema#isDefinedBy")
_REFERENCES = NamedNode("http://purl.org/dc/terms/references")

CONSTRAINTS = {
    "LDP002": "A path is short, not deep, and has neither empty segments nor dot segments nor encoded slashes.",
    "LDP005": "A body is in UTF-8 and not compressed.",
    "LDP006": "RDF has at most {settings.max_body} bytes, other content {settings.max_content}.",
    "LDP007": "A document has at most {settings.max_triples} triples, IRIs of at most {settings.max_iri} and literals"
    " of at most {settings.max_literal} characters, and is parsed within {settings.parse_budget_s} seconds.",
    "LDP012": "A container is deleted when it is empty.",
    "LDP013": "Of a path with and without its final slash one exists, and nothing is below a document.",
    "LDP014": "What a container contains changes by POST, PUT and DELETE of its members; a PUT of the container leaves"
    " ldp:contains out, or states exactly what is there.",
    "LDP015": "A resource is an ldp:RDFSource, an ldp:NonRDFSource or an ldp:BasicContainer; the URI of a container ends"
    " in a slash.",
    "LDP016": "Paths below /.milepost/ belong to the server.",
    "LDP040": "The name of a resource that was deleted is not used again.",
    "LDP041": "A resource is replaced with its entity tag in If-Match.",
    "LDP042": "These properties of a resource keep the values they have:",
    "LDP050": "What is RDF stays RDF, and what is not stays so.",
    "LDP071": "A patch changes one graph; it consists of triples and variables.",
    "LDP073": "A patch takes at most {settings.patch_steps} steps to find what it changes.",
}
"""What a client has to heed, by the code of the problem that it gets otherwise."""


def constrained_by(base: str, problem: Problem) -> str:
    """Return the Link to the constraint that a request violated, empty if it is another problem."""
    return f'<{base}{PATH}>; rel="{LDP}constrainedBy"' if problem.code in CONSTRAINTS else ""


class Constraints:
    """The page, one resource a constraint of the settings that the server runs with."""

    prefix = "/.milepost/"

    def __init__(self, base: str, settings: Settings) -> None:
        text = "".join(f"{triple} .\n" for triple in _triples(base + PATH, settings)).encode()
        self._page = Page(text, zlib.crc32(text) + 1)

    def methods(self, _path: str) -> str | None:
        """Return what the pages of the server take."""
        return READ

    async def page(self, path: str) -> Page | None:
        """Return the page of the constraints."""
        return self._page if path == PATH else None

    async def write(self, _writing: Writing) -> Done | None:
        """Leave writes to the store, which never gets one here."""
        return None


def _triples(uri: str, settings: Settings) -> list[Triple]:
    page = NamedNode(uri)
    triples = [Triple(page, _LABEL, Literal("What this server asks of those who write"))]
    active = {
        "LDP040": settings.keeps_names,
        "LDP041": settings.requires_match,
        "LDP042": bool(settings.read_only),
    }
    for code, text in CONSTRAINTS.items():
        if not active.get(code, True):
            continue
        constraint = NamedNode(f"{uri}#{code}")
        triples += [
            Triple(constraint, _DEFINED_BY, page),
            Triple(constraint, _LABEL, Literal(f"{code} {FAULTS[code].title}")),
            Triple(constraint, _COMMENT, Literal(text.format(settings=settings))),
        ]
    triples += [
        Triple(NamedNode(f"{uri}#LDP042"), _REFERENCES, NamedNode(name))
        for name in sorted(settings.read_only)
    ]
    return triples
