"""Servers that do it wrong: each check fails on one of them, so none passes whatever comes."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.conformance.ldp.checks import Parameters, Subject
from tests.conformance.ldp.client import LDP
from tests.conformance.ldp.judging import CHECKS, Word, verdict_on

EVERY_METHOD = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"})
ALLOW = {"Allow": ", ".join(sorted(EVERY_METHOD))}
BAG = b"<> a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Bag> ."
LISTS_ALL = (
    b"<> <http://www.w3.org/ns/ldp#contains> <made> . <made> <http://www.w3.org/ns/ldp#contains> <made> ."
)

Fake = Callable[[str], tuple[int, Mapping[str, str], bytes]]
"""From a method to status, headers and body, whatever is asked for."""


def agrees(method: str) -> tuple[int, Mapping[str, str], bytes]:
    """Say yes to everything and keep nothing; all names are one."""
    if method == "POST":
        return 201, {"Location": "/c/made"}, b""
    if method in {"GET", "HEAD", "OPTIONS"}:
        return 200, {**ALLOW, "Content-Type": "text/turtle"}, b""
    return 204, {}, b""


def breaks_down(_method: str) -> tuple[int, Mapping[str, str], bytes]:
    """Fail at everything."""
    return 500, {}, b""


def refuses(method: str) -> tuple[int, Mapping[str, str], bytes]:
    """Read well and refuse every write without a word."""
    if method in {"GET", "HEAD", "OPTIONS"}:
        return 200, {**ALLOW, "Content-Type": "text/turtle", "ETag": '"1"'}, BAG
    return 400, {}, b""


def writes_badly(method: str) -> tuple[int, Mapping[str, str], bytes]:
    """Read well and break down at writes."""
    status, headers, body = refuses(method)
    return (500, {}, b"") if status == 400 else (status, headers, body)


def boasts(method: str) -> tuple[int, Mapping[str, str], bytes]:
    """Claim to be every kind of container, and to contain what is gone."""
    if method == "POST":
        return 201, {"Location": "/c/made"}, b""
    kinds = ("Resource", "RDFSource", "NonRDFSource", "Container", "BasicContainer")
    links = ", ".join(f'<{LDP}{kind}>; rel="type"' for kind in kinds)
    return 200, {**ALLOW, "Content-Type": "text/turtle", "ETag": '"1"', "Link": links}, LISTS_ALL


@contextmanager
def served(fake: Fake) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            status, headers, body = fake(self.command)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(b"" if self.command == "HEAD" else body)

        do_GET = do_HEAD = do_OPTIONS = do_PUT = do_POST = do_DELETE = answer  # noqa: N815 -- names of the library

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- a name of the library
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def endings(fake: Fake) -> dict[Word, set[str]]:
    """Return the numbers of the checks by how they ended on one of their kinds of resources."""
    ended: dict[Word, set[str]] = {}
    with served(fake) as base:
        for check in CHECKS:
            for kind in check.kinds:
                uri = base + ("c/" if kind == "container" else "c/m")
                parameters = Parameters(read_only=LDP + "contains")
                allowed = frozenset() if fake is breaks_down else EVERY_METHOD
                subject = Subject(kind, uri, base + "c/", allowed, EVERY_METHOD, parameters)
                ended.setdefault(verdict_on(check, subject).word, set()).add(check.number)
    return ended


FAKES = (agrees, breaks_down, refuses, writes_badly, boasts)


def test_each_check_fails_on_a_server_that_does_it_wrong() -> None:
    failed = {fake.__name__: endings(fake).get("fail", set()) for fake in FAKES}

    assert {check.number for check in CHECKS} - set().union(*failed.values()) == set()


@pytest.mark.parametrize(
    ("fake", "passed"),
    [
        (agrees, "C5 C11 C13 C14 R18 R24 R25 K36 K38 K41 K42 K45 K46 K52 K53 N73"),
        (breaks_down, "C12 K49"),
        (refuses, "C2 C3 C5 C7 C11 C13 C14 R18 R19 R24 R25 R29 R31 K50 K53"),
        (boasts, "C2 C3 C4 C5 C11 C13 C14 R18 R24 R25 K36 K38 K39 K42 K45 K46 K53 B59 N73 N74 N77"),
    ],
)
def test_what_passes_on_a_server_that_does_it_wrong_is_what_it_does_right(fake: Fake, passed: str) -> None:
    assert endings(fake).get("pass", set()) == set(passed.split())
