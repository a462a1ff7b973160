"""From a request to the handler of its method; whatever goes wrong becomes a problem document."""

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from ldp_server.answers import ANY_METHOD, READ, SAFE, problem_answer, restricted
from ldp_server.caching import ByteCache
from ldp_server.constraints import constrained_by
from ldp_server.faults import Problem
from ldp_server.feeds.topics import PATH as CHANGES
from ldp_server.handlers.reads import Reads
from ldp_server.handlers.site import Served, Site
from ldp_server.handlers.streams import Streams
from ldp_server.handlers.views import Views
from ldp_server.handlers.writes import Writes
from ldp_server.links import joined_links
from ldp_server.paths import Target, is_reserved, read_target
from ldp_server.syntaxes import syntax_asked

LOG = logging.getLogger(__name__)

_Method = Callable[[web.Request, str], Awaitable[web.StreamResponse]]


class Dispatch:
    """The methods of HTTP on the resources of one site."""

    def __init__(self, site: Site, knows: Callable[[web.BaseRequest], bool]) -> None:
        """``knows`` tells whether the sender of a request may still use the server."""
        self._site = site
        served: Served = ByteCache(site.settings.cached_bytes // 2)
        self._reads = reads = Reads(site, served)
        writes = Writes(site)
        self._views, self.streams = Views(site, served), Streams(site, knows)
        self._patches = writes.patches
        self._methods: dict[str, _Method] = {
            "GET": reads.get,
            "HEAD": reads.get,
            "OPTIONS": reads.options,
            "PUT": writes.put,
            "PATCH": writes.patch,
            "POST": writes.post,
            "DELETE": writes.delete,
        }

    async def close(self, _app: web.Application) -> None:
        """Let go of what was started for requests, when the application ends."""
        await self._patches.close()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        try:
            if request.method == "OPTIONS" and request.raw_path == "*":
                return web.Response(status=204, headers={"Allow": ANY_METHOD})
            return await self._answer_about(self._target(request), request)
        except Problem as problem:
            return problem_answer(problem, self._constraint(problem, {}))
        except Exception:
            LOG.exception("a request failed: %s %r", request.method, request.raw_path[:200])
            return problem_answer(Problem("LDP020", "The server failed; the fault is in its log."), {})

    async def _answer_about(self, target: Target, request: web.Request) -> web.StreamResponse:
        path = target.path
        try:
            if path == CHANGES:
                return await self.streams.get(request, target.query)
            if (syntax := syntax_asked(target.query)) and request.method in {"GET", "HEAD"}:
                return await self._reads.get(request, path, syntax)
            if target.query is not None and not self._site.origins.is_preflight(request):
                return await self._views.get(request, target)
            self._check_offered(request.method, path)
            return await self._method(request)(request, path)
        except Problem as problem:
            return problem_answer(problem, await self._headers_with(problem, path))

    async def _headers_with(self, problem: Problem, path: str) -> dict[str, str]:
        """Return the headers of a resource and, if a constraint was violated, where it is written."""
        headers = self._site.headers(path, await self._site.kind(path))
        if problem.code == "LDP040":
            headers = restricted(headers, READ)
        return self._constraint(problem, headers)

    def _constraint(self, problem: Problem, headers: dict[str, str]) -> dict[str, str]:
        """Return ``headers`` with a link to the constraint that was violated, if one was."""
        link = joined_links(headers.get("Link", ""), constrained_by(self._site.base, problem))
        return headers | {"Link": link} if link else headers

    def _check_offered(self, method: str, path: str) -> None:
        methods = self._site.methods_of_service(path)
        if methods is None or method in SAFE or method in methods.split(", "):
            return
        uri = self._site.base + path
        if not methods:
            raise Problem("LDP016", f"Nothing can be kept at {uri}: its folder is kept by the server.")
        raise Problem("LDP010", f"{uri} takes {methods}; the server itself keeps it otherwise.")

    def _target(self, request: web.Request) -> Target:
        target = read_target(request.raw_path)
        if is_reserved(target.path) and request.method not in SAFE:
            raise Problem("LDP016", "Paths under /.milepost/ belong to the server's own pages.")
        return target

    def _method(self, request: web.Request) -> _Method:
        method = self._methods.get(request.method)
        if method is None:
            raise Problem(
                "LDP010",
                f"The method {request.method[:40]} is not offered here; the Allow header lists those that are.",
            )
        return method
