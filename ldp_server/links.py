"""Link headers: what a client asks for, and what a resource is (RFC 8288; LDP 1.0, section 4.2.1.4)."""

import re
from collections.abc import Iterable

from ldp_server.faults import Problem
from ldp_server.vocabulary import LDP

_LINK = re.compile(r'<([^>]*)>((?:\s*;\s*[^\s;,="]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)')
_REL = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))', re.IGNORECASE)

_OFFERED = frozenset({LDP + "Resource", LDP + "RDFSource", LDP + "Container", LDP + "BasicContainer"})
_CONTAINERS = frozenset({LDP + "Container", LDP + "BasicContainer"})


def asks_for_container(headers: Iterable[str]) -> bool:
    """Tell whether Link headers ask for a container, or raise LDP015 for a kind that is not offered."""
    types = {
        target.strip()
        for header in headers
        for target, rels in _links(header)
        if "type" in rels.lower().split()
    }
    unknown = sorted(kind for kind in types if kind.startswith(LDP) and kind not in _OFFERED)
    if unknown:
        offered = "ldp:RDFSource and ldp:BasicContainer"
        raise Problem(
            "LDP015", f"The interaction model <{unknown[0][:120]}> is not offered here; {offered} are."
        )
    return bool(types & _CONTAINERS)


def _links(header: str) -> Iterable[tuple[str, str]]:
    for match in _LINK.finditer(header):
        rel = _REL.search(match[2])
        yield match[1], (rel[1] or rel[2] or "") if rel else ""


def type_links(*, container: bool) -> str:
    """Return the Link header that tells what a resource is."""
    kinds = ["Resource", "RDFSource", *(["Container", "BasicContainer"] if container else [])]
    return ", ".join(f'<{LDP}{kind}>; rel="type"' for kind in kinds)
