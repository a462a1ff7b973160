"""Requests that are in order, or nearly, and seldom come: parts, names, targets, strangers and idle crowds."""

import asyncio
import re
from pathlib import Path

import pytest

from agent.serve.app import create_app
from ldp_server import MemoryStore, RunningServer, Settings, add_token, listen, read_tokens
from ldp_server.settings import PROFILES
from tests.support.ldp import Ldp, running_ldp
from tests.support.ldp_raw import exchange, request, status

CONTENT, LARGE = b"0123456789", bytes(range(250)) * 300


async def ask(
    server: RunningServer,
    method: str,
    target: bytes,
    headers: bytes = b"",
    body: bytes = b"",
    version: bytes = b"1.1",
) -> bytes:
    sent = request(server.port, method, target, headers, body).replace(b"HTTP/1.1", b"HTTP/" + version, 1)
    return await asyncio.to_thread(exchange, server.port, sent)


def field(answer: bytes, name: bytes) -> bytes | None:
    found = re.search(rb"\r\n%s: ([^\r]*)" % name, answer.partition(b"\r\n\r\n")[0])
    return found[1] if found else None


def body(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


async def test_many_overlapping_and_huge_ranges_are_one_part_or_the_whole() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/small", CONTENT, "image/png")
        await ldp.put("/large", LARGE, "image/png")
        for path, content in ((b"/small", CONTENT), (b"/large", LARGE)):
            size = len(content)
            for wanted, part in (
                (b"bytes=0-1,2-3", None),
                (b"bytes=0-5,3-8,0-5", None),
                (b"bytes=" + b",".join([b"0-"] * 1900), None),
                (b"bytes=0-0,", None),
                (b"bytes=0-0\r\nRange: bytes=1-1", None),
                (b"bytes=0-" + b"9" * 4000, None),
                (b"bytes=" + b"9" * 4000 + b"-", None),
                (b"bytes=+1-2", None),
                (b"bytes=0x1-2", None),
                (b"bytes=2-1", None),
                (b"bytes=-" + b"9" * 18, (0, size - 1)),
                (b"bytes=1-" + b"9" * 18, (1, size - 1)),
                (b"bytes=%s3-%s3" % (b"0" * 17, b"0" * 17), (3, 3)),
            ):
                answer = await ask(server, "GET", path, b"Range: %s\r\n" % wanted)
                first, last = part or (0, size - 1)
                told = None if part is None else b"bytes %d-%d/%d" % (first, last, size)
                assert (status(answer), field(answer, b"Content-Range")) == (
                    200 if part is None else 206,
                    told,
                ), wanted
                assert body(answer) == content[first : last + 1]


async def test_a_range_is_heeded_only_where_content_is_sent() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        tag = (await ldp.put("/p", CONTENT, "image/png")).headers["ETag"].encode()
        await ldp.put("/c/x", "<> <#p> 1 .")
        behind, inside = b"Range: bytes=99-\r\n", b"Range: bytes=1-2\r\n"
        held, other = b"If-None-Match: %s\r\n" % tag, b'If-None-Match: "0-bin"\r\n'
        asked = [
            ("GET", b"/p", behind, 416), ("GET", b"/p", behind + held, 304), ("GET", b"/p", inside + held, 304),
            ("GET", b"/p", inside + other, 206), ("GET", b"/p", inside + b'If-Match: "0-bin"\r\n', 412),
            ("HEAD", b"/p", behind, 200), ("HEAD", b"/p", inside, 200), ("OPTIONS", b"/p", behind, 204),
            ("GET", b"/c/", behind, 200), ("GET", b"/c/x", behind, 200), ("GET", b"/p.meta", behind, 200),
            ("GET", b"/c/?inlined", behind, 200), ("GET", b"/none", behind, 404),
        ]  # fmt: skip
        answers = [await ask(server, method, path, headers) for method, path, headers, _ in asked]
        assert [status(answer) for answer in answers] == [expected for *_, expected in asked]
        parts = [field(answer, b"Content-Range") for answer in answers]
        assert parts == [b"bytes */10", None, None, b"bytes 1-2/10", *[None] * 9]


async def test_any_slug_is_one_plain_name_of_a_member() -> None:
    slugs = [
        b"a\r\nSlug: ../b", b"%41" * 2600, b"%2e%2e%2fx", b"%252e%252e", b"...", b"a" * 8000, "\u202eevil\u2028".encode(),
        "a\u0301".encode() * 2000, "\ufdfa".encode() * 2000, b"\xff\xfe", b"x.meta.acl.META", b"x.acl-.", b"%", b"~",
        b"a;b=c", b"<>", b"%0d%0aX: y", b"\t a \t", b"",
    ]  # fmt: skip
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/c/", "")
        made = []
        for kind in (b"text/turtle", b"image/png"):
            for slug in slugs:
                answer = await ask(server, "POST", b"/c/", b"Content-Type: %s\r\nSlug: %s\r\n" % (kind, slug))
                assert (status(answer), field(answer, b"X")) == (201, None), slug
                made.append((field(answer, b"Location") or b"").decode())
        assert sorted(await ldp.members("/c/")) == sorted(made)
        names = [place.removeprefix(f"{ldp.base}/c/") for place in made]
        assert [
            name for name in names if not re.fullmatch(r"[A-Za-z0-9~_-][A-Za-z0-9._~-]{0,140}", name)
        ] == []
        assert [name for name in names if name.lower().endswith((".meta", ".acl"))] == []
        await ldp.check_listings()


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"http://HOST/c/x", 200), (b"HTTP://HOST/c/x", 200), (b"http://localhost:PORT/c/x", 200), (b"http://HOST/c", 404),
        (b"http://HOST", 200), (b"http://HOST?inlined", 200), (b"http://HOST/?inlined", 200),
        (b"http://evil/c/x", 421), (b"http://evil?inlined", 421), (b"http://user:word@HOST/c/x", 421), (b"http://@HOST/c/x", 421),
        (b"http://HOST@evil/c/x", 421), (b"http://evil:PORT/c/x", 421), (b"http://127.0.0.1/c/x", 421),
        (b"http://HOST.evil/c/x", 400), (b"http://HOST:80/c/x", 400), (b"http:///c/x", 400), (b"http:/c/x", 400),
        (b"ftp://HOST/c/x", 400), (b"//HOST/c/x", 400), (b"http://HOST//c/x", 400), (b"http://HOST/c/x#f", 400),
        (b"http://HOST/http://HOST/c/x", 400), (b"http://[::1/c/x", 400), (b"HOST", 400), (b"*", 400),
    ],
)  # fmt: skip
async def test_a_target_in_absolute_form_is_for_this_server_only(target: bytes, expected: int) -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/c/x", "<> <#p> 1 .")
        host = b"127.0.0.1:%d" % server.port
        sent = target.replace(b"HOST", host).replace(b"PORT", b"%d" % server.port)
        methods = ["GET", "HEAD", *(["DELETE"] if expected >= 400 else [])]
        assert {status(await ask(server, method, sent)) for method in methods} == {expected}
        assert await ldp.members("/c/") == [ldp.base + "/c/x"]


async def test_a_stranger_cannot_tell_one_target_from_another(tmp_path: Path) -> None:
    """Neither what is there, what was, what the server keeps itself, nor how HTTP is spoken makes a difference."""
    held = {"Authorization": f"Bearer {add_token(tmp_path / 'tokens', 'alice')}"}
    tokens, store = read_tokens(tmp_path / "tokens"), MemoryStore()
    settings = PROFILES["conformance"]
    async with (
        listen(
            lambda base: create_app(store, base_url=base, tokens=tokens, settings=settings), port=0
        ) as server,
        Ldp(server) as ldp,
    ):
        ldp.held = held
        known = [await ldp.put("/c/gone", ""), await ldp.send("DELETE", "/c/gone"), await ldp.get("/c/gone")]
        known.append(await ldp.get("/schedulers/"))
        assert [answer.status for answer in known] == [201, 204, 410, 200]
        host = b"http://127.0.0.1:%d" % server.port
        targets = [
            b"/", b"/c/", b"/c/gone", b"/c/none", b"/c//", b"/%zz", b"/schedulers/", b"/schedulers/x/queue/", b"/schedulers",
            b"/.milepost/changes?topic=/", b"/.milepost/constraints", host, host + b"/c/gone", host + b"?since=1",
        ]  # fmt: skip
        for version in (b"1.0", b"1.1"):
            methods = ("GET", "OPTIONS", "PUT", "POST", "PATCH", "DELETE", "TRACE", "COPY")
            said = [
                re.sub(rb"Date: [^\r]*\r\n", b"", await ask(server, method, target, version=version))
                for target in targets
                for method in methods
            ]
            silent = [
                re.sub(rb"Date: [^\r]*\r\n", b"", await ask(server, "HEAD", target, version=version))
                for target in targets
            ]
            assert (set(said), status(said[0])) == ({said[0]}, 401)
            assert set(silent) == {said[0].partition(b"\r\n\r\n")[0] + b"\r\n\r\n"}
        assert status(await ask(server, "OPTIONS", b"*")) == 401
    await store.close()


async def test_a_crowd_that_does_nothing_keeps_nobody_from_being_served() -> None:
    async with running_ldp(settings=Settings(header_timeout_s=60)) as server, Ldp(server) as others:
        begun = request(server.port, "PUT", b"/begun", b"Content-Type: text/turtle\r\n", b"0123456789")
        kept = request(server.port, "GET", b"/").replace(b"Connection: close\r\n", b"")
        crowd = []
        for number in range(500):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write((b"", begun[:20], begun[:-3], kept)[number % 4])
            crowd.append((reader, writer))
        for reader, _ in crowd[3::4]:
            assert status(await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)) == 200
        written = await asyncio.gather(*(others.put(f"/c/{number}", "") for number in range(20)))
        assert [answer.status for answer in written] == [201] * 20
        assert len(await others.members("/c/")) == 20
        for _, writer in crowd:
            writer.close()
        assert (await others.get("/begun")).status == 404
