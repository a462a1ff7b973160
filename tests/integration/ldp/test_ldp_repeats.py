"""Answers to requests that come again: what is known, for how long, and what it never answers."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from ldp_server import MemoryStore, Settings, TokenFile, add_token
from ldp_server.app import by_heart_of, create_app
from ldp_server.binaries import Binary
from ldp_server.documents import Draft
from ldp_server.services import Done, Page, Writing
from ldp_server.storage import Delete, Put, Write
from ldp_server.storage.port import Record
from tests.support.ldp_connections import BASE, Exchange, Line, asking, exchange

FIRST = 5
TEXT = b'<http://127.0.0.1:7070/a/b#it> <http://v/p> "1" .\n'


async def filled() -> MemoryStore:
    store = MemoryStore(first=FIRST)
    store.claim_base(BASE)
    photo = Binary("image/png", 1, b"p")
    await store.commit([Put("/a/b", Draft((TEXT,))), Put("/a/c", Draft((b"",))), Put("/a/photo", photo)])
    return store


async def ask(line: Line, server: Exchange, request: bytes) -> tuple[bytes, bool]:
    """Return the answer to a request that comes a second time, and whether it would be answered by heart from then on."""
    server.known.repeats.comes_again(request)
    answer = await line.send(request)
    return answer, server.known.repeats.answer(request) is not None


@pytest.mark.parametrize(
    "request_again",
    [
        asking("/a/b"),
        asking("/a/"),
        asking("/"),
        asking("/a/b", 'If-None-Match: "6-ttl"'),
        asking("/a/", 'If-None-Match: "8-ttl"', "Prefer: return=minimal"),
        asking("/a/b", "Accept: text/html"),
        asking("/a/b", "Content-Length: 0"),
    ],
)
async def test_a_plain_request_that_comes_again_gets_the_same_answer_by_heart(request_again: bytes) -> None:
    store = await filled()
    async with exchange(store) as server:
        line, other = await server.line(by_heart=True), await server.line(by_heart=False)
        first, is_known = await ask(line, server, request_again)
        assert is_known
        assert first.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 304 "))
        assert [await line.send(request_again), await other.send(request_again)] == [first, first]


@pytest.mark.parametrize(
    "request_again",
    [
        asking("/a/none"),
        asking("/a/b?as=ttl"),
        asking("/a/?since=5"),
        asking("/a/%62"),
        asking("/a/b", method="HEAD"),
        asking("/a/b", method="OPTIONS"),
        asking("/a/b", "Connection: close"),
        asking("/a/b", "Connection: keep-alive", version="1.0"),
        asking("/a/b", "Expect: 100-continue"),
        asking("/a/b", f"X: {2048 * 'x'}"),
        asking("/a/b", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
        asking("/.milepost/constraints"),
        asking("/a/photo"),
        asking("/a/photo.meta"),
        asking("http://127.0.0.1:7070/a/b"),
        asking("/a/b") + asking("/a/c"),
    ],
)
async def test_what_may_be_answered_in_another_way_next_time_is_worked_out_again(
    request_again: bytes,
) -> None:
    store = await filled()
    async with exchange(store) as server:
        answer, is_known = await ask(await server.line(by_heart=True), server, request_again)
        assert answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 404", b"HTTP/1.1 100", b"HTTP/1.0 200"))
        assert not is_known


async def test_what_came_once_is_not_kept() -> None:
    async with exchange(await filled()) as server:
        line = await server.line(by_heart=True)
        await line.send(asking("/a/b"))
        assert server.known.repeats.answer(asking("/a/b")) is None


@pytest.mark.parametrize(
    ("write", "forgotten"),
    [
        (Put("/a/b", Draft((b"",))), {"/", "/a/", "/a/b"}),
        (Put("/a/b", Draft((TEXT,))), {"/", "/a/", "/a/b"}),
        (Delete("/a/c"), {"/", "/a/", "/a/c"}),
        (Put("/a/d/e", Draft((b"",))), {"/", "/a/"}),
        (Put("/z", Draft((b"",))), {"/"}),
    ],
)
async def test_a_commit_drops_the_answers_about_what_it_changed_and_about_the_containers_above(
    write: Write, forgotten: set[str]
) -> None:
    store = await filled()
    async with exchange(store) as server:
        line = await server.line(by_heart=True)
        paths = {"/", "/a/", "/a/b", "/a/c"}
        assert {path for path in paths if (await ask(line, server, asking(path)))[1]} == paths
        await store.commit([write])
        assert {path for path in paths if server.known.repeats.answer(asking(path)) is None} == forgotten


async def test_where_anything_may_have_changed_nothing_is_known() -> None:
    store = await filled()
    async with exchange(store) as server:
        line = await server.line(by_heart=True)
        paths = ("/", "/a/", "/a/b")
        assert all([(await ask(line, server, asking(path)))[1] for path in paths])
        store.log.lose(store.log.sequence)
        assert [server.known.repeats.answer(asking(path)) for path in paths] == [None] * 3


async def test_a_token_that_was_taken_back_opens_nothing_that_is_known(tmp_path: Path) -> None:
    file, now = tmp_path / "tokens", [0.0]
    alice, bob = add_token(file, "alice"), add_token(file, "bob")
    async with exchange(await filled(), tokens=TokenFile(file, lambda: now[0])) as server:
        line = await server.line(by_heart=True)
        by_alice, by_bob = (asking("/a/b", f"Authorization: Bearer {token}") for token in (alice, bob))
        assert [(await ask(line, server, request))[1] for request in (by_alice, by_bob, asking("/a/b"))] == [
            True,
            True,
            False,
        ]
        file.write_text("".join(file.read_text().splitlines(keepends=True)[1:]))
        now[0] = 2.0
        assert (await line.send(by_alice)).startswith(b"HTTP/1.1 401 ")
        assert (await line.send(by_bob)).startswith(b"HTTP/1.1 200 ")
        assert (await line.send(asking("/a/b"))).startswith(b"HTTP/1.1 401 ")


async def test_a_client_that_does_not_read_is_sent_no_answer_by_heart() -> None:
    async with exchange(await filled()) as server:
        line = await server.line(by_heart=True)
        first, is_known = await ask(line, server, asking("/a/b"))
        assert is_known
        line.stop_reading()
        sent = await line.send(asking("/a/b")) + await line.send(asking("/a/b"))
        assert sent == first, "one answer is handed over, the next waits for the client"
        line.read_on()
        assert await line.send(b"") == first
        line.hang_up()


async def test_bytes_of_another_request_are_no_request_by_heart() -> None:
    """What was not answered before decides what is a request: a body, or the line of a header, may say what a known one says."""
    async with exchange(await filled()) as server:
        line, other = await server.line(by_heart=True), await server.line(by_heart=False)
        plain = asking("/a/b")
        assert (await ask(line, server, plain))[1]
        for length in (len(plain) - 1, len(plain), len(plain) + 1):
            head = asking("/a/", f"Content-Length: {length}")
            for piece in (head, plain, plain):
                assert await line.send(piece) == await other.send(piece)
        line, other = await server.line(by_heart=True), await server.line(by_heart=False)
        for piece in (plain, b"GET /a/ HTTP/1.1\r\nX: ", plain):
            assert await line.send(piece) == await other.send(piece)


@pytest.mark.parametrize("length", [0, len(asking("/a/b"))])
async def test_an_answer_is_kept_for_its_own_request_not_for_what_came_after_it(length: int) -> None:
    async with exchange(await filled()) as server:
        line, other = await server.line(by_heart=True), await server.line(by_heart=False)
        page, plain = asking("/a/b", "Accept: text/html", f"Content-Length: {length}"), asking("/a/b")
        server.known.repeats.comes_again(page)
        server.known.repeats.comes_again(plain)
        assert await line.send(page, plain) == await other.send(page, plain)
        assert await line.send(plain) == await other.send(plain)


class Held(MemoryStore):
    """A store whose reads take until ``go_on`` is set, and then give the state of the beginning."""

    def __init__(self) -> None:
        super().__init__(first=FIRST)
        self.go_on = asyncio.Event()

    async def read(self, path: str) -> Record | None:
        record = await super().read(path)
        await self.go_on.wait()
        return record


async def test_an_answer_that_a_commit_overtook_is_not_known() -> None:
    store = Held()
    await store.commit([Put("/a/b", Draft((TEXT,)))])
    async with exchange(store) as server:
        line = await server.line(by_heart=True)
        server.known.repeats.comes_again(asking("/a/b"))
        assert await line.send(asking("/a/b")) == b""
        await store.commit([Put("/a/b", Draft((b"",)))])
        store.go_on.set()
        assert b'"6-ttl"' in await line.send(b"")
        assert server.known.repeats.answer(asking("/a/b")) is None
        assert b'"7-ttl"' in await line.send(asking("/a/b"))


class Late:
    """A service that begins to answer for what the store had."""

    prefix = "/a/"

    def __init__(self) -> None:
        self.now: Page | None = None

    def methods(self, _path: str) -> str | None:
        return None

    async def page(self, path: str) -> Page | None:
        return self.now if path == "/a/b" else None

    async def write(self, _writing: Writing) -> Done | None:
        return None


async def test_what_a_service_may_answer_for_is_asked_of_it_each_time() -> None:
    service = Late()
    async with exchange(await filled(), services=[service]) as server:
        line = await server.line(by_heart=True)
        assert b'"6-ttl"' in (await ask(line, server, asking("/a/b")))[0]
        service.now = Page(b"", 99)
        assert b'"99-ttl"' in await line.send(asking("/a/b"))


async def test_answers_by_heart_keep_a_connection_open_as_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = [loop.time()]
    monkeypatch.setattr(loop, "time", lambda: now[0])
    limits = Settings(header_timeout_s=10, keepalive_timeout_s=75)
    async with exchange(await filled(), limits) as server:
        lines = [await server.line(by_heart=True), await server.line(by_heart=False)]
        assert (await ask(await server.line(by_heart=True), server, asking("/a/b")))[1]
        seen = []
        for wait, asks in ((5, True), (70, True), (70, False), (6, False)):
            now[0] += wait
            answers = [await line.send(asking("/a/b")) if asks else await line.send(b"") for line in lines]
            assert answers[0] == answers[1]
            seen.append([line.is_closed for line in lines])
        assert seen == [[False, False], [False, False], [False, False], [True, True]]


@pytest.mark.parametrize(("room", "least", "most"), [(1 << 26, 32, 32), (1 << 20, 10, 31)])
async def test_many_wordings_of_one_request_leave_the_latest_known_and_no_more(
    room: int, least: int, most: int
) -> None:
    async with exchange(await filled(), Settings(cached_bytes=room)) as server:
        line = await server.line(by_heart=True)
        wordings = [asking("/a/b", f"X: {number}") for number in range(200)]
        for wording in wordings:
            assert (await ask(line, server, wording))[1]
        known = [wording for wording in wordings if server.known.repeats.answer(wording)]
        assert known == wordings[-len(known) :]
        assert least <= len(known) <= most


async def test_what_is_known_stays_within_its_room() -> None:
    store = await filled()
    paths = [f"/a/{number}" for number in range(40)]
    await store.commit(
        [Put(path, Draft((b'<http://x/> <http://v/> "%s" .\n' % (b"y" * 500),))) for path in paths]
    )
    async with exchange(store, Settings(cached_bytes=64_000)) as server:
        line = await server.line(by_heart=True)
        for path in paths:
            await ask(line, server, asking(path))
        known = [path for path in paths if server.known.repeats.answer(asking(path))]
        assert known == paths[len(paths) - len(known) :]
        assert 10 < len(known) < 30


async def test_where_others_have_a_say_in_each_answer_none_is_given_by_heart() -> None:
    @web.middleware
    async def look(request: web.Request, handler: Handler) -> web.StreamResponse:
        return await handler(request)

    async def mark(_request: web.Request, answer: web.StreamResponse) -> None:
        answer.headers["X"] = "y"

    app = create_app(MemoryStore(), base_url=BASE)
    assert by_heart_of(app) is not None
    app.on_response_prepare.append(mark)
    assert by_heart_of(app) is None
    app.on_response_prepare.pop()
    app.middlewares.append(look)
    assert by_heart_of(app) is None


async def test_with_a_log_of_accesses_every_request_is_in_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "aiohttp.access")
    async with exchange(await filled()) as server:
        line = await server.line(by_heart=True)
        for _ in range(4):
            await line.send(asking("/a/b"))
    assert [record.message.count("GET /a/b") for record in caplog.records] == [1, 1, 1, 1]
