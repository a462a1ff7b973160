"""The headers every answer carries, and answers that are a problem."""

from aiohttp import web

from ldp_server.faults import Problem
from ldp_server.links import type_links
from ldp_server.paths import is_container
from ldp_server.syntaxes import ACCEPTED

READ = "GET, HEAD, OPTIONS"
ANY_METHOD = "GET, HEAD, OPTIONS, PUT, POST, DELETE"


def resource_headers(path: str, *, exists: bool = True) -> dict[str, str]:
    """Return what a resource takes and is (RFC 9110, section 10.2.1; LDP 1.0, sections 4.2.1.4, 5.2.3.14).

    Nothing is promised that would be refused: the root cannot be deleted, a document takes no POST.
    """
    headers = {"Allow": _allowed(path, exists=exists), "Accept-Put": ACCEPTED}
    if exists:
        headers["Link"] = type_links(container=is_container(path))
        if is_container(path):
            headers["Accept-Post"] = ACCEPTED
    return headers


def _allowed(path: str, *, exists: bool) -> str:
    if not exists:
        return f"{READ}, PUT"
    if not is_container(path):
        return f"{READ}, PUT, DELETE"
    return f"{READ}, PUT, POST" if path == "/" else ANY_METHOD


def restricted(headers: dict[str, str], methods: str) -> dict[str, str]:
    """Return the headers of a resource that takes ``methods`` only, such as "GET, HEAD, OPTIONS"."""
    taken = methods.split(", ")
    gone = {f"Accept-{name.title()}" for name in ("PUT", "POST") if name not in taken}
    return {name: value for name, value in headers.items() if name not in gone} | {"Allow": methods}


def problem_answer(problem: Problem, headers: dict[str, str]) -> web.Response:
    """Return the answer that tells a problem; ``headers`` are those of the resource."""
    answer = web.Response(
        status=problem.status,
        body=problem.body(),
        headers={
            **headers,
            "Content-Type": "application/problem+json",
            "Cache-Control": "no-store",
            **problem.headers,
        },
    )
    if problem.ends_connection:
        answer.force_close()
    return answer
