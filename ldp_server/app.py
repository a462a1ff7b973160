"""The server as an aiohttp application: every method on every resource.

``create_app`` needs nothing but a store and the base URL, so it can be part of anybody's aiohttp program.
All requests go to one catch-all route. Routes that are added to the application and begin with a fixed
segment win over it, which is where pages of other kinds come in; RDF resources that do something are services.
"""

from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ldp_server.answers import HARDENED, problem_answer
from ldp_server.by_heart import ByHeart
from ldp_server.constraints import Constraints
from ldp_server.cors import Origins
from ldp_server.faults import Problem
from ldp_server.handlers import Dispatch, Site
from ldp_server.known_heads import KnownHeads
from ldp_server.known_reads import KnownReads
from ldp_server.paths import read_base_url
from ldp_server.repeats import Repeats
from ldp_server.screen import Screen, screen_for
from ldp_server.services import Service
from ldp_server.settings import Settings
from ldp_server.storage.port import Store
from ldp_server.tokens import Keyring

_BY_HEART = web.AppKey("by_heart", ByHeart)


def by_heart_of(app: web.Application) -> ByHeart | None:
    """Return what an application knows by heart, None if others have a say in each of its answers."""
    has_others = len(app.middlewares) > 1 or len(app.on_response_prepare) > 1
    return None if has_others else app.get(_BY_HEART)


def _screening(dispatch: Dispatch, screen: Screen) -> Middleware:
    """Return a middleware that lets requests through the screen for every route, also those of others.

    It also answers what no route matches, such as ``OPTIONS *`` or a target without a path.
    """

    @web.middleware
    async def pass_screen(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if (granted := screen.check(request)) is not None:
                return granted
        except Problem as problem:
            return problem_answer(problem, {})
        is_unrouted = request.match_info.http_exception is not None
        return await (dispatch.answer(request) if is_unrouted else handler(request))

    return pass_screen


def _finishing(origins: Origins) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Return a signal that completes the headers of every answer, also of those of other routes."""

    async def finish(request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HARDENED)
        origins.mark(request, response)

    return finish


def create_app(
    store: Store,
    *,
    base_url: str,
    settings: Settings | None = None,
    services: Sequence[Service] = (),
    tokens: Keyring | None = None,
) -> web.Application:
    """Return an application that serves ``store`` as Linked Data Platform resources at ``base_url``.

    ``base_url`` is an origin such as ``http://127.0.0.1:7070/``: every IRI the server mints begins with it,
    whatever Host a client sends, and requests for other hosts are answered 421. ``services`` answer for active
    resources, each below its prefix. With ``tokens`` every request needs the token of a holder, otherwise it is
    answered 401, whatever it is about. The caller closes the store. Raises ServerError: LDP035 (unusable base URL), LDP032 (the data belong to another one).
    """
    base = read_base_url(base_url)
    store.claim_base(base)
    limits = settings or Settings()
    site = Site(store, base, limits, (*services, Constraints(base, limits)))
    screen = screen_for(base, site.origins, tokens, limits.max_header)
    dispatch = Dispatch(site, screen.knows)
    app = web.Application(client_max_size=limits.max_body, middlewares=[_screening(dispatch, screen)])
    app.router.add_route("*", "/{path:.*}", dispatch.answer, expect_handler=screen.let_continue)
    app.on_response_prepare.append(_finishing(site.origins))
    app.on_cleanup.append(dispatch.close)
    app.on_shutdown.append(dispatch.streams.close)
    repeats = Repeats(store.log, tokens, limits.cached_bytes // 2)
    app.on_cleanup.append(repeats.close)
    app[_BY_HEART] = ByHeart(repeats, KnownReads(store, tokens, repeats), KnownHeads(store, tokens))
    return app
