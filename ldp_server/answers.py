"""The headers every answer carries, and answers that are a problem."""

from aiohttp import web

from ldp_server.faults import Problem
from ldp_server.kinds import Kind
from ldp_server.links import companion_link, joined_links, type_links
from ldp_server.patching.languages import ACCEPTED as ACCEPTED_PATCHES
from ldp_server.paths import is_container
from ldp_server.syntaxes import ACCEPTED

READ = "GET, HEAD, OPTIONS"
SAFE = frozenset(READ.split(", "))
HARDENED = {"X-Content-Type-Options": "nosniff", "Server": "Milepost"}
"""What every answer carries, so that browsers take it for what it is."""
ANY_METHOD = "GET, HEAD, OPTIONS, PUT, PATCH, POST, DELETE"


_ALLOWED = {
    Kind.ABSENT: f"{READ}, PUT, PATCH",
    Kind.DOCUMENT: f"{READ}, PUT, PATCH, DELETE",
    Kind.DESCRIPTION: f"{READ}, PUT, PATCH",
    Kind.BINARY: f"{READ}, PUT, DELETE",
    Kind.CONTAINER: ANY_METHOD,
}


def resource_headers(base: str, path: str, kind: Kind, *, takes_content: bool = True) -> dict[str, str]:
    """Return what a resource takes and is (RFC 9110, section 10.2.1; LDP 1.0, sections 4.2.1.4, 5.2.3.14).

    Nothing is promised that would be refused: the root cannot be deleted, a document takes no POST, and
    what is RDF takes RDF only. ``takes_content`` tells whether Non-RDF sources can come to be here.
    """
    anything = f"{ACCEPTED}, */*" if takes_content else ACCEPTED
    may_become = anything if kind is Kind.ABSENT and not is_container(path) else ACCEPTED
    headers = {
        "Allow": f"{READ}, PUT, PATCH, POST" if path == "/" else _ALLOWED[kind],
        "Accept-Put": "*/*" if kind is Kind.BINARY else may_become,
    }
    if kind is not Kind.ABSENT:
        headers["Link"] = joined_links(type_links(kind), companion_link(base + path, kind))
    if kind is not Kind.BINARY:
        headers["Accept-Patch"] = ACCEPTED_PATCHES
    if kind is Kind.CONTAINER:
        headers["Accept-Post"] = anything
    return headers


def restricted(headers: dict[str, str], methods: str) -> dict[str, str]:
    """Return the headers of a resource that takes ``methods`` only, such as "GET, HEAD, OPTIONS"."""
    taken = methods.split(", ")
    gone = {f"Accept-{name.title()}" for name in ("PUT", "PATCH", "POST") if name not in taken}
    return {name: value for name, value in headers.items() if name not in gone} | {"Allow": methods}


def problem_answer(problem: Problem, headers: dict[str, str]) -> web.Response:
    """Return the answer that tells a problem; ``headers`` are those of the resource, links of both are told."""
    link = joined_links(headers.get("Link", ""), problem.headers.get("Link", ""))
    answer = web.Response(
        status=problem.status,
        body=problem.body(),
        headers={
            **headers,
            "Content-Type": "application/problem+json",
            "Cache-Control": "no-store",
            **problem.headers,
            **({"Link": link} if link else {}),
        },
    )
    if problem.ends_connection:
        answer.force_close()
    return answer
