"""Link headers as the suite of the W3C reads them: split at commas outside angle brackets and quotes (RFC 8288)."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin

_LINK = re.compile(r'<([^>]*)>((?:"[^"]*"|[^,"])*)')
_PARAMETER = re.compile(r';\s*([^\s=;]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))')


@dataclass(frozen=True, slots=True)
class Link:
    """A link from ``context`` to ``target``."""

    target: str
    rels: frozenset[str]
    context: str


def read_links(header: str, uri: str) -> list[Link]:
    """Return the links of an answer about ``uri``; an ``anchor`` names another context."""
    links = []
    for match in _LINK.finditer(header):
        parameters = {name.lower(): quoted or plain for name, quoted, plain in _PARAMETER.findall(match[2])}
        rels = frozenset(parameters.get("rel", "").split())
        links.append(Link(urljoin(uri, match[1]), rels, urljoin(uri, parameters.get("anchor", ""))))
    return links
