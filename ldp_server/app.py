"""The server as an aiohttp application: every method on every resource.

``create_app`` needs nothing but a store and the base URL, so it can be part of anybody's aiohttp program.
All requests go to one catch-all route. Routes that are added to the application and begin with a fixed
segment win over it, which is where pages of other kinds come in; RDF resources that do something are services.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from aiohttp import HttpVersion11, web
from aiohttp.typedefs import Handler, Middleware
from multidict import CIMultiDict

from ldp_server.answers import ANY_METHOD, READ, problem_answer, resource_headers, restricted
from ldp_server.caching import ByteCache
from ldp_server.documents import EMPTY, Draft, Gap, read_document
from ldp_server.faults import Problem
from ldp_server.links import asks_for_container
from ldp_server.names import read_slug
from ldp_server.negotiation import body_syntax, choose_syntax, refuse_content_encoding
from ldp_server.paths import is_container, is_reserved, read_base_url, read_target, slash_twin
from ldp_server.reading import allowed_authorities, check_host, read_body
from ldp_server.refusals import problem_of
from ldp_server.representations import write_document, write_listing
from ldp_server.services import Done, Page, Service, Writing, read_preferences, service_for
from ldp_server.settings import Settings
from ldp_server.storage.port import Committed, Delete, Post, Put, Reason, Record, Refusal, Store, Write
from ldp_server.syntaxes import TURTLE, Syntax
from ldp_server.validators import Precondition, entity_tag, read_tags

LOG = logging.getLogger(__name__)
_OFF_LOOP = 32 * 1024
"""Bodies and documents from this size on are parsed and written outside the event loop."""

_Method = Callable[[web.Request, str], Awaitable[web.Response]]


class Resources:
    """The methods of HTTP on the resources of one store."""

    def __init__(self, store: Store, base: str, settings: Settings, services: Sequence[Service] = ()) -> None:
        self._store = store
        self._services = services
        self._base = base
        self._settings = settings
        self._served: ByteCache[tuple[str, str], tuple[str, bytes]] = ByteCache(settings.cached_bytes)
        self._methods: dict[str, _Method] = {
            "GET": self._get,
            "HEAD": self._get,
            "OPTIONS": self._options,
            "PUT": self._put,
            "POST": self._post,
            "DELETE": self._delete,
        }

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one request; whatever goes wrong becomes a problem document."""
        try:
            if request.method == "OPTIONS" and request.raw_path == "*":
                return web.Response(status=204, headers={"Allow": ANY_METHOD})
            return await self._answer_about(self._path(request), request)
        except Problem as problem:
            return problem_answer(problem, {})
        except Exception:
            LOG.exception("a request failed: %s %r", request.method, request.raw_path[:200])
            return problem_answer(Problem("LDP020", "The server failed; the fault is in its log."), {})

    async def _answer_about(self, path: str, request: web.Request) -> web.Response:
        try:
            self._check_offered(request.method, path)
            return await self._method(request)(request, path)
        except Problem as problem:
            return problem_answer(problem, self._headers(path, exists=await self._exists(path)))

    def _headers(self, path: str, *, exists: bool = True) -> dict[str, str]:
        headers = resource_headers(path, exists=exists)
        service = service_for(path, self._services)
        methods = None if service is None else service.methods(path)
        return headers if methods is None else restricted(headers, methods or READ)

    def _check_offered(self, method: str, path: str) -> None:
        service = service_for(path, self._services)
        methods = None if service is None else service.methods(path)
        if methods is None or method in {"GET", "HEAD", "OPTIONS"} or method in methods.split(", "):
            return
        if not methods:
            raise Problem(
                "LDP016", f"Nothing can be kept at {self._base}{path}: its folder is kept by the server."
            )
        raise Problem("LDP010", f"{self._base}{path} takes {methods}; the server itself keeps it otherwise.")

    def _path(self, request: web.Request) -> str:
        target = read_target(request.raw_path)
        if is_reserved(target.path) and request.method not in {"GET", "HEAD"}:
            raise Problem("LDP016", "Paths under /.milepost/ belong to the server's own pages.")
        if target.query is not None:
            raise Problem("LDP009", "No resource here has a query; ask for the path alone.")
        return target.path

    def _method(self, request: web.Request) -> _Method:
        method = self._methods.get(request.method)
        if method is None:
            raise Problem(
                "LDP010",
                f"The method {request.method[:40]} is not offered here; the Allow header lists those that are.",
            )
        return method

    async def _exists(self, path: str) -> bool:
        return await self._store.read(path) is not None

    async def _page(self, path: str) -> Page | None:
        service = service_for(path, self._services)
        return None if service is None else await service.page(path)

    # Reading.

    async def _get(self, request: web.Request, path: str) -> web.Response:
        state = await self._page(path) or await self._store.read(path)
        if state is None:
            raise await self._missing(path)
        if not Precondition(match=read_tags(_joined(request, "If-Match"))).holds(state.version):
            raise problem_of(Refusal(Reason.PRECONDITION, path), self._base)
        syntax = choose_syntax(_joined(request, "Accept"))
        headers = self._headers(path) | {"Vary": "Accept"}
        held = read_tags(_joined(request, "If-None-Match"))
        tag = entity_tag(state.version, syntax.short)
        if held is not None and held.names_tag(tag):
            return web.Response(status=304, headers=headers | {"ETag": tag})
        if isinstance(state, Page):
            body = await self._write_document(state.text, syntax)
        else:
            tag, body = await self._representation(state, syntax)
        return web.Response(body=body, headers=headers | {"ETag": tag, "Content-Type": syntax.media_type})

    async def _representation(self, record: Record, syntax: Syntax) -> tuple[str, bytes]:
        """Return the tag and the bytes of a state, of one moment; a listing may be newer than ``record``."""
        tag = entity_tag(record.version, syntax.short)
        key = (record.path, syntax.short)
        if key in self._served and self._served[key][0] == tag:
            return self._served[key]
        if is_container(record.path):
            found = await self._store.read_listing(record.path)
            if found is None:
                raise await self._missing(record.path)
            record, members = found
            iris = [self._base + member for member in members]
            body = await self._write_listing(record, iris, syntax)
            tag = entity_tag(record.version, syntax.short)
        else:
            body = await self._write_document(record.text, syntax)
        self._served.keep(key, (tag, body), len(record.path) + len(body) + 500)
        return tag, body

    async def _write_listing(self, record: Record, members: list[str], syntax: Syntax) -> bytes:
        uri = self._base + record.path
        if len(record.text) + 64 * len(members) < _OFF_LOOP:
            return write_listing(uri, record.text, members, syntax)
        return await asyncio.to_thread(write_listing, uri, record.text, members, syntax)

    async def _write_document(self, text: bytes, syntax: Syntax) -> bytes:
        if len(text) < _OFF_LOOP:
            return write_document(text, syntax)
        return await asyncio.to_thread(write_document, text, syntax)

    async def _missing(self, path: str) -> Problem:
        twin = slash_twin(path)
        hint = f" There is {self._base}{twin}, which is another resource." if await self._exists(twin) else ""
        return Problem("LDP009", f"There is no resource {self._base}{path}.{hint}")

    async def _options(self, _request: web.Request, path: str) -> web.Response:
        if not await self._exists(path):
            raise await self._missing(path)
        return web.Response(status=204, headers=self._headers(path))

    # Writing.

    async def _put(self, request: web.Request, path: str) -> web.Response:
        wants_container = asks_for_container(request.headers.getall("Link", []))
        if wants_container and not is_container(path):
            raise Problem(
                "LDP015", f"The URI of a container ends in a slash: PUT {self._base}{path}/ instead."
            )
        draft = await self._draft(request, self._base + path)
        if (done := await self._served_write("PUT", request, path, draft)) is not None:
            return done
        return self._written(await self._commit(Put(path, draft, _precondition(request))))

    async def _post(self, request: web.Request, path: str) -> web.Response:
        if not await self._exists(path):
            raise await self._missing(path)
        if not is_container(path):
            raise _not_a_container()
        makes_container = asks_for_container(request.headers.getall("Link", []))
        gap = Gap()
        uri = f"{self._base}{path}{gap.text}{'/' if makes_container else ''}"
        draft = await self._draft(request, uri, gap)
        if (served := await self._served_write("POST", request, path, draft)) is not None:
            return served
        slug = read_slug(request.headers.get("Slug"))
        done = await self._commit(Post(path, draft, slug, makes_container, _precondition(request)))
        return self._written(done)

    async def _delete(self, request: web.Request, path: str) -> web.Response:
        if (done := await self._served_write("DELETE", request, path, EMPTY)) is not None:
            return done
        await self._commit(Delete(path, _precondition(request)))
        return web.Response(status=204, headers=resource_headers(path, exists=False))

    async def _served_write(
        self, method: Literal["PUT", "POST", "DELETE"], request: web.Request, path: str, draft: Draft
    ) -> web.Response | None:
        """Let the service that is there, if any, carry out a write; None if it is the store's."""
        service = service_for(path, self._services)
        if service is None:
            return None
        preferences = read_preferences(request.headers.getall("Prefer", []))
        done = await service.write(Writing(method, path, draft, _precondition(request), preferences))
        return None if done is None else await self._served_answer(done, path)

    async def _served_answer(self, done: Done, path: str) -> web.Response:
        headers = CIMultiDict(self._headers(path, exists=await self._exists(path)))
        for name, value in done.headers.items():
            headers.add(name, value)
        return web.Response(status=done.status, body=done.body or None, headers=headers)

    async def _draft(self, request: web.Request, uri: str, gap: Gap | None = None) -> Draft:
        refuse_content_encoding(request.headers.get("Content-Encoding"))
        if "Content-Range" in request.headers:
            raise Problem("LDP004", "A body with a Content-Range is not read here; send the whole document.")
        syntax = body_syntax(request.headers.get("Content-Type"), is_empty=not request.body_exists)
        body = await read_body(request, self._settings)
        if len(body) < _OFF_LOOP:
            return read_document(body, syntax, uri, self._settings, gap)
        return await asyncio.to_thread(read_document, body, syntax, uri, self._settings, gap)

    async def _commit(self, write: Write) -> Committed:
        [outcome] = await self._store.commit([write])
        if isinstance(outcome, Refusal):
            raise problem_of(outcome, self._base)
        return outcome

    def _written(self, done: Committed) -> web.Response:
        headers = resource_headers(done.path) | {"ETag": entity_tag(done.version, TURTLE.short)}
        if done.created:
            headers["Location"] = self._base + done.path
        return web.Response(status=201 if done.created else 204, headers=headers)


def _not_a_container() -> Problem:
    return Problem("LDP010", "POST creates members of containers; this is a document. PUT replaces it.")


def _joined(request: web.Request, name: str) -> str | None:
    values = request.headers.getall(name, [])
    return ", ".join(values) if values else None


def _precondition(request: web.Request) -> Precondition:
    return Precondition(read_tags(_joined(request, "If-Match")), read_tags(_joined(request, "If-None-Match")))


def _screen(resources: Resources, base: str) -> Middleware:
    """Return a middleware that checks the Host for every route, also those of others.

    It also answers what no route matches, such as ``OPTIONS *`` or a target without a path.
    """
    authorities = allowed_authorities(base)

    @web.middleware
    async def screen(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            check_host(request, authorities)
        except Problem as problem:
            return problem_answer(problem, {})
        is_unrouted = request.match_info.http_exception is not None
        return await (resources.answer(request) if is_unrouted else handler(request))

    return screen


async def _let_continue(request: web.Request) -> None:
    """Tell a client that waits for it to send its body; other expectations are passed over (RFC 9110, 10.1.1)."""
    expected = request.headers.get("Expect", "").strip().lower()
    if expected == "100-continue" and request.version >= HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


async def _harden(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Server"] = "Milepost"


def create_app(
    store: Store, *, base_url: str, settings: Settings | None = None, services: Sequence[Service] = ()
) -> web.Application:
    """Return an application that serves ``store`` as Linked Data Platform resources at ``base_url``.

    ``base_url`` is an origin such as ``http://127.0.0.1:7070/``: every IRI the server mints begins with it,
    whatever Host a client sends, and requests for other hosts are answered 421. ``services`` answer for active
    resources, each below its prefix. The caller closes the store. Raises ServerError: LDP035 (unusable base URL), LDP032 (the data belong to another one).
    """
    base = read_base_url(base_url)
    store.claim_base(base)
    limits = settings or Settings()
    resources = Resources(store, base, limits, services)
    app = web.Application(client_max_size=limits.max_body, middlewares=[_screen(resources, base)])
    app.router.add_route("*", "/{path:.*}", resources.answer, expect_handler=_let_continue)
    app.on_response_prepare.append(_harden)
    return app
