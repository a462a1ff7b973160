"""The server as an aiohttp application: every method on every resource.

``create_app`` needs nothing but a store and the base URL, so it can be part of anybody's aiohttp program.
All requests go to one catch-all route. Routes that are added to the application and begin with a fixed
segment win over it, which is where pages of other kinds come in; RDF resources that do something are services.
"""

from collections.abc import Sequence

from aiohttp import HttpVersion11, web
from aiohttp.typedefs import Handler, Middleware

from ldp_server.answers import problem_answer
from ldp_server.constraints import Constraints
from ldp_server.faults import Problem
from ldp_server.handlers import Dispatch, Site
from ldp_server.paths import read_base_url
from ldp_server.reading import allowed_authorities, check_host
from ldp_server.services import Service
from ldp_server.settings import Settings
from ldp_server.storage.port import Store


def _screen(dispatch: Dispatch, site: Site) -> Middleware:
    """Return a middleware that checks the Host and the Origin for every route, also those of others.

    It also answers what no route matches, such as ``OPTIONS *`` or a target without a path.
    """
    authorities, origins = allowed_authorities(site.base), site.origins

    @web.middleware
    async def screen(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            check_host(request, authorities)
            origins.check(request)
        except Problem as problem:
            return problem_answer(problem, {})
        is_unrouted = request.match_info.http_exception is not None
        return await (dispatch.answer(request) if is_unrouted else handler(request))

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
    site = Site(store, base, limits, (*services, Constraints(base, limits)))
    dispatch = Dispatch(site)
    app = web.Application(client_max_size=limits.max_body, middlewares=[_screen(dispatch, site)])
    app.router.add_route("*", "/{path:.*}", dispatch.answer, expect_handler=_let_continue)
    app.on_response_prepare.append(_harden)
    app.on_cleanup.append(dispatch.close)
    app.on_response_prepare.append(site.origins.mark)
    app.on_shutdown.append(dispatch.streams.close)
    return app
