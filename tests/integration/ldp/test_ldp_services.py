"""Active resources of other code: the server keeps HTTP, the service says what a resource is and does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ldp_server import Done, MemoryStore, Page, Preferences, Problem, Writing, create_app, listen
from ldp_server.preferences import read_preferences
from ldp_server.validators import Precondition
from tests.support.ldp import Ldp

NOT_HERE = {"Host": "evil.example"}


class Counter:
    """Counts at /count/now; every PUT there adds one, documents at /count/kept/ are the store's."""

    prefix = "/count/"

    def __init__(self) -> None:
        self.number = 0
        self.base = ""
        self.seen: list[Writing] = []

    def methods(self, path: str) -> str | None:
        if path.startswith("/count/kept/"):
            return None
        return "GET, HEAD, OPTIONS, PUT, POST" if path == "/count/now" else ""

    async def page(self, path: str) -> Page | None:
        if path != "/count/now":
            return None
        return Page(f'<{self.base}count/now> <http://v/> "{self.number}" .\n'.encode(), self.number + 1)

    async def write(self, writing: Writing) -> Done | None:
        self.seen.append(writing)
        if writing.path != "/count/now":
            return None
        if not writing.precondition.holds(self.number + 1):
            raise Problem("TST001", "The count went on.", status=412)
        if b"stop" in writing.draft.named(""):
            raise Problem("TST002", "It does not stop.", status=422, members={"line": 1})
        self.number += 1
        return Done(202, {"Link": '<http://elsewhere/>; rel="monitor"'}, b"")


@asynccontextmanager
async def counting() -> AsyncIterator[tuple[Ldp, Counter]]:
    counter = Counter()
    async with (
        listen(lambda base: create_app(MemoryStore(), base_url=base, services=[counter]), port=0) as server,
        Ldp(server) as ldp,
    ):
        counter.base = server.base_url
        yield ldp, counter


async def test_a_live_page_is_negotiated_tagged_and_confirmed_like_a_document() -> None:
    async with counting() as (ldp, counter):
        turtle = await ldp.get("/count/now")
        triples = await ldp.get("/count/now", Accept="application/n-triples")
        same = await ldp.get("/count/now", **{"If-None-Match": turtle.headers["ETag"]})
        counter.number = 5
        changed = await ldp.get("/count/now", **{"If-None-Match": turtle.headers["ETag"]})
        none = await ldp.get("/count/now", Accept="image/png")

        assert ldp.graph(turtle) == ldp.graph(triples)
        assert (turtle.headers["ETag"], triples.headers["ETag"]) == ('"1-ttl"', '"1-nt"')
        assert (same.status, changed.status, none.status) == (304, 200, 406)
        assert b'"5"' in changed.body


async def test_a_write_reaches_the_service_read_and_with_its_conditions() -> None:
    async with counting() as (ldp, counter):
        put = await ldp.put("/count/now", "<#a> <#b> <> .", Prefer="respond-async, wait=10")
        stale = await ldp.put("/count/now", "", **{"If-Match": '"1-ttl"'})
        refused = await ldp.put("/count/now", '<> <#b> "stop" .')
        broken = await ldp.put("/count/now", "no turtle")
        foreign = await ldp.put("/count/now", "", **NOT_HERE)

        assert (put.status, counter.number) == (202, 1)
        assert counter.seen[0].preferences == Preferences(respond_async=True, wait_s=10)
        assert counter.seen[0].precondition == Precondition()
        assert f"<{ldp.base}/count/now#a>".encode() in counter.seen[0].draft.named("")
        assert (stale.status, stale.problem["code"]) == (412, "TST001")
        assert (refused.status, refused.problem["code"], refused.problem["line"]) == (422, "TST002", 1)
        assert [answer.status for answer in (broken, foreign)] == [400, 421]
        assert len(counter.seen) == 3


async def test_what_a_service_does_not_take_is_refused_or_the_stores() -> None:
    async with counting() as (ldp, counter):
        deleted = await ldp.send("DELETE", "/count/now")
        nothing = await ldp.put("/count/other", "")
        kept = await ldp.put("/count/kept/a", "<> <http://v/> 1 .")
        beside = await ldp.put("/counter", "<> <http://v/> 1 .")

        assert (deleted.status, deleted.headers["Allow"]) == (405, "GET, HEAD, OPTIONS, PUT, POST")
        assert (nothing.status, nothing.problem["code"]) == (403, "LDP016")
        assert (kept.status, beside.status) == (201, 201)
        assert (await ldp.get("/count/kept/a")).status == 200
        assert [writing.path for writing in counter.seen] == ["/count/kept/a"]


def _shown(include: str, omit: str = "", wait_s: float | None = None) -> Preferences:
    return Preferences(wait_s=wait_s, include=frozenset(include.split()), omit=frozenset(omit.split()))


@pytest.mark.parametrize(
    ("headers", "preferences"),
    [
        ([], Preferences()),
        (["respond-async"], Preferences(respond_async=True)),
        (["Respond-Async; a=b", 'wait="5"'], Preferences(respond_async=True, wait_s=5)),
        (["wait=1, wait=9"], Preferences(wait_s=1)),
        (["wait=-1", "wait=1e9", "wait", "=", ",;,", "return=minimal"], Preferences()),
        (["x" * 5000 + ", respond-async"], Preferences()),
        (['return=representation; include="a b"; omit=c, wait=2'], _shown("a b", "c", wait_s=2)),
        (["return=representation; Include=a; include=b;", "return=representation; omit=c"], _shown("a")),
        (['x="a,return=representation;include=b"; y, ;;return=representation ;; omit="c"'], _shown("", "c")),
        (['return=minimal; include="a"', "return=representation; include=b"], Preferences()),
        (['return=representation; include="a, respond-async'], Preferences()),
    ],
)
def test_preferences_are_read_as_far_as_they_can_be(headers: list[str], preferences: Preferences) -> None:
    assert read_preferences(headers) == preferences


async def test_what_belongs_to_a_service_takes_rdf_only_and_says_so() -> None:
    async with counting() as (ldp, counter):
        for path in ("/count/now", "/count/kept/picture"):
            answer = await ldp.put(path, b"\x89PNG", "image/png")
            assert (answer.status, answer.problem["code"]) == (415, "LDP005")
            assert "*/*" not in answer.headers["Accept-Put"]
        await ldp.put("/count/kept/", "")
        posted = await ldp.post("/count/kept/", b"\x89PNG", "image/png")
        assert (posted.status, "*/*" in posted.headers["Accept-Post"]) == (415, False)
        assert ([writing.path for writing in counter.seen], counter.number) == (["/count/kept/"], 0)
