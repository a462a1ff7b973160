"""Link headers: what a client asks for, and what a resource is (RFC 8288; LDP 1.0, section 4.2.1.4)."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import quote, urlsplit

from ldp_server.binaries import described_by, description_path
from ldp_server.faults import Problem
from ldp_server.kinds import Kind
from ldp_server.vocabulary import FEED, LDP

_LINK = re.compile(r'<([^<>]*)>((?:\s*;\s*[^\s;,="]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)')
_PARAMETER = re.compile(r';\s*([^\s;,="]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?')

_CONTAINERS = frozenset({LDP + "Container", LDP + "BasicContainer"})
_RDF = _CONTAINERS | {LDP + "RDFSource"}
_NON_RDF = LDP + "NonRDFSource"
_OFFERED = _RDF | {_NON_RDF, LDP + "Resource"}


def asks_for_container(headers: Iterable[str]) -> bool:
    """Tell whether Link headers ask for a container, or raise LDP015 for a kind that is not offered."""
    return bool(_asked_types(headers) & _CONTAINERS)


def asks_for_rdf(headers: Iterable[str]) -> bool | None:
    """Tell whether Link headers ask for an RDF source or for a Non-RDF source; None if for neither. Raises LDP015."""
    types = _asked_types(headers)
    if types & _RDF and _NON_RDF in types:
        raise Problem("LDP015", "The Link headers ask for an RDF source and a Non-RDF source at once.")
    return True if types & _RDF else False if _NON_RDF in types else None


def _asked_types(headers: Iterable[str]) -> set[str]:
    types = {
        target.strip()
        for header in headers
        for target, rels in _links(header)
        if "type" in rels.lower().split()
    }
    unknown = sorted(kind for kind in types if kind.startswith(LDP) and kind not in _OFFERED)
    if unknown:
        offered = "ldp:RDFSource, ldp:NonRDFSource and ldp:BasicContainer"
        raise Problem(
            "LDP015", f"The interaction model <{unknown[0][:120]}> is not offered here; {offered} are."
        )
    return types


def _links(header: str) -> Iterable[tuple[str, str]]:
    """Yield the target of each link and its relation types: those of the first ``rel`` (RFC 8288, section 3.3)."""
    for match in _LINK.finditer(header):
        parameters = _PARAMETER.findall(match[2])
        yield (
            match[1],
            next((quoted or plain for name, quoted, plain in parameters if name.lower() == "rel"), ""),
        )


_MODELS = {
    Kind.DOCUMENT: ("Resource", "RDFSource"),
    Kind.DESCRIPTION: ("Resource", "RDFSource"),
    Kind.CONTAINER: ("Resource", "RDFSource", "Container", "BasicContainer"),
    Kind.BINARY: ("Resource", "NonRDFSource"),
}
_TYPE_LINKS = {
    kind: ", ".join(f'<{LDP}{model}>; rel="type"' for model in models) for kind, models in _MODELS.items()
}


def type_links(kind: Kind) -> str:
    """Return the Link header that tells what a resource that exists is."""
    return _TYPE_LINKS[kind]


def companion_link(uri: str, kind: Kind) -> str:
    """Return the link between a Non-RDF source and its description, empty for others (LDP 1.0, section 5.2.3.12).

    ``uri`` is that of the resource the answer tells about; a creating POST has another request URI, so it is named.
    """
    if kind is Kind.BINARY:
        return f'<{description_path(uri)}>; rel="describedby"; anchor="{uri}"'
    return f'<{described_by(uri)}>; rel="describes"' if kind is Kind.DESCRIPTION else ""


def feed_links(uri: str, number: int) -> str:
    """Return the Link header that tells where a container's changes after ``number``, its members and events are."""
    return joined_links(changes_link(f"?since={number}"), _lasting_feed_links(uri))


def changes_link(target: str) -> str:
    """Return the link to what changed in a container."""
    return f'<{target}>; rel="{FEED}changes"'


def joined_links(*links: str) -> str:
    """Return the value of a Link header with all ``links``, of which some may be empty."""
    return ", ".join(filter(None, links))


@lru_cache(maxsize=1024)
def _lasting_feed_links(uri: str) -> str:
    topic = f"/.milepost/changes?topic={quote(urlsplit(uri).path, safe='/')}"
    return f'<?inlined>; rel="{FEED}inlined", <{topic}>; rel="{FEED}events"'
