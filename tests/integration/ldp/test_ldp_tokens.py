"""Servers that ask for tokens: a stranger learns nothing, whatever the request; a holder is served as always."""

import asyncio
from pathlib import Path

import pytest

from ldp_server import MemoryStore, Settings, TokenFile, Tokens, add_token, read_tokens, serve
from tests.support.event_stream import listening
from tests.support.ldp import Answer, Ldp, running_ldp

SITE = "https://app.example"
DOCUMENT = b"<> <http://v/> 1 ."


@pytest.fixture
def alice(tmp_path: Path) -> str:
    return add_token(tmp_path / "tokens", "alice")


@pytest.fixture
def tokens(alice: str, tmp_path: Path) -> Tokens:
    assert alice
    return read_tokens(tmp_path / "tokens")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def told(answer: Answer) -> tuple[int, bytes, frozenset[tuple[str, str]]]:
    """Return all that an answer says."""
    headers = {(name.lower(), value) for name, value in answer.headers.items() if name.lower() != "date"}
    return answer.status, answer.body, frozenset(headers)


async def test_a_stranger_gets_one_and_the_same_answer_to_everything(tokens: Tokens, alice: str) -> None:
    async with running_ldp(tokens=tokens) as server, Ldp(server) as ldp:
        there = await ldp.put("/c/there", DOCUMENT, **bearer(alice))
        photo = await ldp.put("/c/photo", b"\x89PNG", "image/png", **bearer(alice))
        assert (there.status, photo.status) == (201, 201)
        paths = [
            "/", "/c/", "/c/there", "/c/none", "/c/photo", "/c/photo.meta", "/c", "/c/there/",
            "/.milepost/constraints", "/.milepost/none", "/.milepost/changes?topic=/c/", "/c/?since=1",
            "/c/?inlined", "/c/none/?since=1", "/c/?nonsense", "/c/there?as=ttl", "/c/?as=html", "/c//there", "/c/%2Fthere", "/c/../c/there", "/%00",
        ]  # fmt: skip
        conditions: list[dict[str, str]] = [
            {},
            {"If-None-Match": there.headers["ETag"]},
            {"If-None-Match": "*"},
            {"If-Match": '"1-ttl"'},
            {"Accept": "image/png"},
            {"Range": "bytes=0-0"},
            {"Content-Type": "text/turtle"},
            {"Origin": SITE},
        ]
        methods = ["GET", "OPTIONS", "PUT", "POST", "PATCH", "DELETE", "PROPFIND"]
        answers = [
            told(await ldp.send(method, path, **condition))
            for path in paths
            for method in methods
            for condition in (conditions if method == "GET" else conditions[:1])
        ]
        head = await ldp.send("HEAD", "/c/there")

        status, body, headers = answers[0]
        assert set(answers) == {answers[0]}
        assert status == 401
        assert b"LDP080" in body
        assert ("www-authenticate", 'Bearer realm="Milepost"') in headers
        assert (head.status, head.headers["WWW-Authenticate"]) == (401, 'Bearer realm="Milepost"')
        assert (await ldp.get("/c/there", **bearer(alice))).headers["ETag"] == there.headers["ETag"]


async def test_a_holder_is_served_as_always(tokens: Tokens, alice: str) -> None:
    async with running_ldp(tokens=tokens) as server, Ldp(server) as ldp:
        created = await ldp.put("/a", DOCUMENT, Authorization=f"bearer  {alice} ")
        held = {"If-None-Match": created.headers["ETag"]}
        statuses = [
            (await ldp.get("/a", **bearer(alice))).status,
            (await ldp.get("/a", **bearer(alice), **held)).status,
            (await ldp.get("/b", **bearer(alice))).status,
            (await ldp.get("/?since=1", **bearer(alice))).status,
            (await ldp.send("OPTIONS", "/a", **bearer(alice))).status,
            (await ldp.send("DELETE", "/a", **bearer(alice))).status,
        ]

        assert created.status == 201
        assert statuses == [200, 304, 404, 410, 204, 204]


async def test_what_is_no_token_of_anybody_is_refused(tokens: Tokens, alice: str) -> None:
    wrong = [f"Bearer {alice[:-1]}", f"Bearer {alice}x", f"Basic {alice}", f"Bearer {alice}, Bearer {alice}"]
    wrong += [alice, "Bearer", "Bearer ", f"Bearer {alice} {alice}", "Bearer \xff"]
    async with running_ldp(tokens=tokens) as server, Ldp(server) as ldp:
        answers = [await ldp.get("/", Authorization=each) for each in wrong]
        in_query = await ldp.get(f"/?access_token={alice}")

        assert {answer.status for answer in answers} == {401}
        assert answers[0].headers["WWW-Authenticate"] == 'Bearer realm="Milepost", error="invalid_token"'
        assert in_query.status == 401


async def test_two_tokens_in_one_request_are_none(tokens: Tokens, alice: str) -> None:
    async with running_ldp(tokens=tokens) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        line = f"Authorization: Bearer {alice}\r\n"
        writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{line}{line}\r\n".encode())
        assert b" 401 " in await asyncio.wait_for(reader.readline(), 20)
        writer.close()


async def test_a_preflight_needs_no_token_and_tells_nothing(tokens: Tokens, alice: str) -> None:
    settings = Settings(cors_origins=frozenset({SITE}))
    asking = {"Origin": SITE, "Access-Control-Request-Method": "PUT"}
    async with running_ldp(settings=settings, tokens=tokens) as server, Ldp(server) as ldp:
        await ldp.put("/a", DOCUMENT, **bearer(alice))
        answers = {told(await ldp.send("OPTIONS", path, **asking)) for path in ("/a", "/b", "/", "/x/", "//")}
        foreign = await ldp.send("OPTIONS", "/a", **asking | {"Origin": "https://evil.example"})
        plain = await ldp.send("OPTIONS", "/a", Origin=SITE)

        ((status, _, headers),) = answers
        assert status == 204
        assert ("access-control-allow-origin", SITE) in headers
        assert "Authorization" in dict(headers)["access-control-allow-headers"]
        assert "link" not in dict(headers)
        assert (foreign.status, plain.status) == (401, 401)
        assert plain.headers["Access-Control-Allow-Origin"] == SITE


async def test_a_stranger_is_not_told_to_send_a_body(tokens: Tokens) -> None:
    async with running_ldp(tokens=tokens) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"PUT /x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: text/turtle\r\n"
            "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert b" 401 " in await asyncio.wait_for(reader.readline(), 20)
        writer.close()


async def test_a_server_with_tokens_may_be_reached_from_the_network(tokens: Tokens) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 -- on a free port, for a moment
    base = "http://data.example/"
    async with serve(MemoryStore(), host=everywhere, port=0, base_url=base, tokens=tokens) as server:
        assert server.base_url == base


async def test_a_token_is_taken_back_without_a_restart_also_from_a_stream(tmp_path: Path) -> None:
    file, clock = tmp_path / "tokens", [0.0]
    alice, bob = add_token(file, "alice"), add_token(file, "bob")
    tokens = TokenFile(file, lambda: clock[0])
    topic = "/.milepost/changes?topic=/"
    async with (
        running_ldp(tokens=tokens) as server,
        Ldp(server) as ldp,
        listening(server.base_url.rstrip("/"), topic, token=alice) as hers,
        listening(server.base_url.rstrip("/"), topic, token=bob) as his,
    ):
        assert [(await stream.next_event()).kind for stream in (hers, his)] == ["ready", "ready"]
        file.write_text(file.read_text().partition("\n")[2])
        clock[0] = 1.0
        refused = await ldp.get("/", **bearer(alice))
        written = await ldp.put("/secret", DOCUMENT, **bearer(bob))

        assert (refused.status, written.status) == (401, 201)
        assert (await his.next_event()).kind != "ready"
        with pytest.raises(EOFError):
            await hers.next_event()
