"""GET, HEAD and OPTIONS."""

import logging
from functools import partial

from aiohttp import web

from ldp_server.binaries import Binary
from ldp_server.documents import read_triples
from ldp_server.faults import Problem
from ldp_server.handlers.binaries import answer_with_content
from ldp_server.handlers.site import Served, Site, is_held, joined, takes_long, worked_out
from ldp_server.kinds import Kind, kind_of, kind_of_rdf
from ldp_server.known_reads import SHOWN, Shown
from ldp_server.links import joined_links
from ldp_server.negotiation import choose_for_people, in_one_of
from ldp_server.paths import is_container
from ldp_server.people.pages import HEADERS as PAGE_HEADERS
from ldp_server.people.pages import write_page
from ldp_server.preferences import read_preferences
from ldp_server.refusals import problem_of
from ldp_server.repeats import BASIS, Basis
from ldp_server.representations import write_document, write_listing
from ldp_server.services import Page
from ldp_server.storage.port import Reason, Record, Refusal
from ldp_server.syntaxes import HTML, N_TRIPLES, RDF_XML, SYNTAXES, TURTLE, Syntax
from ldp_server.validators import Precondition, View, entity_tag, read_tags

LOG = logging.getLogger(__name__)


class Reads:
    """The safe methods on the resources of a site."""

    def __init__(self, site: Site, served: Served) -> None:
        self._site = site
        self._served = served
        view = site.document_view
        self._shown = {
            syntax: Shown(
                partial(entity_tag, short=syntax.short, view=view), partial(self._at_once, syntax, view)
            )
            for syntax in SYNTAXES
            if syntax is not RDF_XML  # not every document has that
        }

    async def get(self, request: web.Request, path: str, asked: Syntax | None = None) -> web.StreamResponse:
        """Answer GET and HEAD with the resource in the syntax ``asked``, else the one the client likes best, or 304."""
        sequence = self._site.store.log.sequence
        feeds = await self._site.feeds(path)
        state = await self._site.page(path) or await self._site.store.read(path)
        if state is None:
            raise await self._site.missing(path)
        if not Precondition(match=read_tags(joined(request, "If-Match"))).holds(state.version):
            raise problem_of(Refusal(Reason.PRECONDITION, path), self._site.base)
        if isinstance(state, Record) and state.binary is not None:
            if asked is not None:
                raise Problem(
                    "LDP009", "This resource is no RDF and has one form only; ask for the path alone."
                )
            answer = await answer_with_content(request, state, state.binary, self._site)
            return answer or await self._get_again(request, path, state.binary)
        if asked is not None:
            return await self._in_syntax(request, path, state, feeds, asked)
        accept = joined(request, "Accept")
        told = await in_one_of(
            SYNTAXES,
            lambda offered: self._in_syntax(request, path, state, feeds, choose_for_people(accept, offered)),
        )
        if isinstance(state, Record) and not state.describes and self._site.keeps_alone(path):
            told[BASIS] = Basis(path, sequence)
            shown = self._shown.get(choose_for_people(accept))
            if shown is not None and not is_container(path) and "If-Match" not in request.headers:
                told[SHOWN] = shown
        return told

    def _at_once(self, syntax: Syntax, view: View, document: Record) -> bytes | None:
        """Return a document in ``syntax``, None if writing it would keep the event loop from others."""
        tag = entity_tag(document.version, syntax.short, view)
        if (body := self._served_before(document.path, syntax, view, tag)) is not None:
            return body
        text = self._site.shown(document)
        if takes_long(len(text)):
            return None
        body = write_document(text, syntax)
        self._keep(document.path, syntax, view, (tag, body))
        return body

    async def _in_syntax(
        self, request: web.Request, path: str, state: Record | Page, feeds: str, syntax: Syntax
    ) -> web.Response:
        kind = kind_of_rdf(path) if isinstance(state, Page) else kind_of(path, state)
        headers, view = self._view(request, path, kind)
        if isinstance(state, Record):
            headers["Link"] = joined_links(headers["Link"], feeds)
            view = view if kind is Kind.CONTAINER else self._site.document_view
        tag = entity_tag(state.version, syntax.short, view)
        if is_held(request, tag):
            return web.Response(status=304, headers=headers | {"ETag": tag})
        if isinstance(state, Page):
            body = await self._write_document(path, state.text, syntax)
        else:
            tag, body = await self._representation(state, syntax, view)
        return web.Response(body=body, headers=headers | {"ETag": tag} | _content_headers(syntax))

    async def options(self, request: web.Request, path: str) -> web.Response:
        """Answer OPTIONS with the headers of the resource alone, and the preflight of a browser even without it."""
        page = await self._site.page(path)
        kind = kind_of_rdf(path) if page is not None else await self._site.kind(path)
        headers = self._site.headers(path, kind)
        if page is None and (feeds := await self._site.feeds(path)):
            headers["Link"] = joined_links(headers["Link"], feeds)
        if (granted := self._site.origins.answer_preflight(request, headers)) is not None:
            return web.Response(status=204, headers=granted)
        if kind is Kind.ABSENT:
            raise await self._site.missing(path)
        return web.Response(status=204, headers=headers)

    async def _get_again(self, request: web.Request, path: str, gone: Binary) -> web.StreamResponse:
        """Answer a GET whose content went while it was looked up; the resource has another state by now."""
        record = await self._site.store.read(path)
        if record is not None and record.binary == gone:
            LOG.error("the file %s with the content of %s is missing", gone.file, path)
            raise Problem("LDP021", "The content of this resource is missing; the server's log says more.")
        return await self.get(request, path)

    def _view(self, request: web.Request, path: str, kind: Kind) -> tuple[dict[str, str], View]:
        """Return the headers of a representation and which one the client prefers (RFC 7240, section 3)."""
        headers = self._site.headers(path, kind)
        if kind is not Kind.CONTAINER:
            return headers | {"Vary": "Accept"}, "whole"
        preferences = read_preferences(request.headers.getall("Prefer", []))
        headers["Vary"] = "Accept, Prefer"
        if preferences.concerns_members:
            headers["Preference-Applied"] = "return=representation"
        return headers, "whole" if preferences.lists_members else "minimal"

    async def _representation(self, record: Record, syntax: Syntax, view: View) -> tuple[str, bytes]:
        """Return the tag and the bytes of a state, of one moment; a listing may be newer than ``record``."""
        tag = entity_tag(record.version, syntax.short, view)
        if (body := self._served_before(record.path, syntax, view, tag)) is not None:
            return tag, body
        if is_container(record.path):
            found = await self._site.store.read_listing(record.path)
            if found is None:
                raise await self._site.missing(record.path)
            record, members = found if view == "whole" else (found[0], [])
            base = self._site.base
            written = N_TRIPLES if syntax is HTML else syntax
            body = await _write_listing(
                base + record.path, record, [base + name for name in members], written
            )
            if syntax is HTML:
                body = await self._write_document(record.path, body, syntax)
            tag = entity_tag(record.version, syntax.short, view)
        else:
            body = await self._write_document(record.path, self._site.shown(record), syntax)
        self._keep(record.path, syntax, view, (tag, body))
        return tag, body

    def _served_before(self, path: str, syntax: Syntax, view: View, tag: str) -> bytes | None:
        """Return the representation with this tag, if it was served lately."""
        known, body = self._served.get((path, f"{syntax.short} {view}")) or ("", b"")
        return body if known == tag else None

    def _keep(self, path: str, syntax: Syntax, view: View, served: tuple[str, bytes]) -> None:
        self._served.keep((path, f"{syntax.short} {view}"), served, len(path) + len(served[1]) + 500)

    async def _write_document(self, path: str, text: bytes, syntax: Syntax) -> bytes:
        """Return N-Triples in ``syntax``, or as the page about ``path``; long ones are written outside the event loop."""

        def write() -> bytes:
            if syntax is HTML:
                return write_page(self._site.base, path, read_triples(text))
            return write_document(text, syntax)

        return await worked_out(len(text), write)


async def _write_listing(uri: str, record: Record, members: list[str], syntax: Syntax) -> bytes:
    size = len(record.text) + (16 if syntax in {TURTLE, N_TRIPLES} else 64) * len(members)
    return await worked_out(size, partial(write_listing, uri, record.text, members, syntax))


def _content_headers(syntax: Syntax) -> dict[str, str]:
    """Return what goes with a body in ``syntax``; browsers show two of them, and must not run what is in these."""
    if syntax is HTML:
        return {"Content-Type": "text/html; charset=utf-8", **PAGE_HEADERS}
    if syntax is RDF_XML:
        return {"Content-Type": syntax.media_type, "Content-Security-Policy": "default-src 'none'; sandbox"}
    return {"Content-Type": syntax.media_type}
