"""A resource as a page of HTML: where it is, its members, its triples, and links to the RDF.

The page has no script and asks for none; its style stands in it, and its policy names that style by its hash and forbids all else,
so that text that slipped through unescaped could do nothing.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from ldp_server.people.names import is_followed, segment_name, short_name, shown
from ldp_server.syntaxes import SYNTAXES
from ldp_server.vocabulary import LDP_CONTAINS

MAX_ROWS = 1_000
"""Members, and triples, that a page shows; the links to the RDF lead to the others."""

_CONTAINS = NamedNode(LDP_CONTAINS)
_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; color: #1b1f24; background: #fff }
a { color: #0a58ca; text-decoration: none } a:hover, a:focus { text-decoration: underline }
nav, footer { color: #57606a; font-size: .9rem } h1 { font-size: 1.6rem; margin: .5rem 0; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% } th, td { padding: .3rem .6rem; text-align: start; vertical-align: top }
tr { border-bottom: 1px solid #d8dee4 } th { font-weight: 600; width: 30% } td { overflow-wrap: anywhere; white-space: pre-wrap }
ul { columns: 18rem; padding-inline-start: 1.2rem } li { overflow-wrap: anywhere } small { color: #57606a }
footer { border-top: 1px solid #d8dee4; margin-top: 2rem; padding-top: .5rem }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117 } a { color: #79b8ff } nav, footer, small { color: #9ba5b0 }
  tr, footer { border-color: #30363d }
}
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
"""What the answer with a page carries."""


def write_page(base: str, path: str, triples: Sequence[Triple]) -> bytes:
    """Return the page of the resource at ``path`` of the server at ``base`` (no final slash)."""
    page = _Page(base, path)
    return "".join(page.lines(triples)).encode()


class _Page:
    """The parts of one page, as HTML; whatever comes from data passes ``shown`` on its way."""

    def __init__(self, base: str, path: str) -> None:
        self._base = base
        self._path = path
        self._uri = base + path
        self._node = NamedNode(self._uri)

    def lines(self, triples: Sequence[Triple]) -> Iterator[str]:
        title = self._title()
        members: list[str] = []
        others = [triple for triple in triples if not self._takes_member(triple, members)]
        yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        yield f"<title>{title}</title>\n"
        for syntax in SYNTAXES:
            yield f'<link rel="alternate" type="{syntax.media_type}" href="?as={syntax.short}">\n'
        yield f"<style>{_STYLE}</style>\n</head>\n<body>\n"
        yield f'<nav aria-label="Breadcrumbs">{" / ".join(self._breadcrumbs())}</nav>\n<main>\n<h1><bdi>{title}</bdi></h1>\n'
        if self._path.endswith("/"):
            yield from self._members(members)
        yield from self._statements(others)
        yield f"</main>\n<footer>This resource as {', '.join(_formats())}</footer>\n</body>\n</html>\n"

    def _takes_member(self, triple: Triple, members: list[str]) -> bool:
        """Tell whether a triple says what the resource contains, and if so add that to ``members``."""
        member = triple.object
        if triple.predicate != _CONTAINS or triple.subject != self._node or not isinstance(member, NamedNode):
            return False
        members.append(member.value)
        return True

    def _title(self) -> str:
        name = self._path.rstrip("/").rpartition("/")[2]
        return shown(segment_name(name) if name else self._base.partition("://")[2])

    def _breadcrumbs(self) -> Iterator[str]:
        yield f'<a href="{escape(self._base)}/">{shown(self._base.partition("://")[2])}</a>'
        so_far = f"{self._base}/"
        *above, last = self._path.strip("/").split("/")
        for segment in above:
            so_far += f"{segment}/"
            yield f'<a href="{escape(so_far)}"><bdi>{shown(segment_name(segment))}</bdi></a>'
        if last:
            yield f'<span aria-current="page"><bdi>{shown(segment_name(last))}</bdi></span>'

    def _members(self, members: Sequence[str]) -> Iterator[str]:
        yield f"<h2>Members ({len(members):,})</h2>\n"
        if members:
            yield "<ul>\n"
            yield from (f"<li>{self._member(member)}</li>\n" for member in members[:MAX_ROWS])
            yield "</ul>\n"
        yield _rest(len(members), "members")

    def _member(self, iri: str) -> str:
        if not iri.startswith(self._uri):
            return self._iri(iri)
        return _link(iri, segment_name(iri[len(self._uri) :]))

    def _statements(self, triples: Sequence[Triple]) -> Iterator[str]:
        groups: dict[NamedNode | BlankNode, list[Triple]] = {}
        for triple in triples[:MAX_ROWS]:
            if isinstance(triple.subject, NamedNode | BlankNode):
                groups.setdefault(triple.subject, []).append(triple)
        for subject, rows in sorted(groups.items(), key=lambda group: self._rank(group[0])):
            anchor = f' id="{_anchor(subject)}"' if isinstance(subject, BlankNode) else ""
            yield f"<h2{anchor}>{self._term(subject)}</h2>\n<table>\n"
            yield from (
                f'<tr><th scope="row">{self._iri(row.predicate.value)}</th><td>{self._term(row.object)}</td></tr>\n'
                for row in rows
            )
            yield "</table>\n"
        yield _rest(len(triples), "triples")

    def _rank(self, subject: NamedNode | BlankNode) -> int:
        """The resource itself comes first, then what it describes, then the nameless; the rest in order."""
        if isinstance(subject, BlankNode):
            return 2
        return 0 if subject.value == self._uri else 1

    def _term(self, term: NamedNode | BlankNode | Literal | Triple) -> str:
        if isinstance(term, NamedNode):
            return self._iri(term.value)
        if isinstance(term, BlankNode):
            return f'<a href="#{_anchor(term)}">_:{shown(term.value)}</a>'
        if isinstance(term, Literal):
            return self._literal(term)
        return shown(str(term))

    def _iri(self, iri: str) -> str:
        short = short_name(iri, self._base)
        return _link(iri, short) if is_followed(iri) else f"<bdi>{shown(iri)}</bdi>"

    def _literal(self, literal: Literal) -> str:
        text = f"<bdi>{shown(literal.value)}</bdi>"
        if literal.language is not None:
            return f"{text} <small>{shown(literal.language)}</small>"
        if literal.datatype.value == _XSD_STRING:
            return text
        return f"{text} <small>{shown(short_name(literal.datatype.value, self._base))}</small>"


def _link(iri: str, name: str) -> str:
    return f'<a href="{escape(iri)}" title="{shown(iri)}"><bdi>{shown(name)}</bdi></a>'


def _anchor(node: BlankNode) -> str:
    return f"_:{shown(node.value)}"


def _formats() -> Iterable[str]:
    return (f'<a href="?as={syntax.short}">{syntax.name}</a>' for syntax in SYNTAXES)


def _rest(count: int, what: str) -> str:
    left_out = count - MAX_ROWS
    return (
        f"<p>{left_out:,} more {what} are not shown; the links below have them.</p>\n" if left_out > 0 else ""
    )
