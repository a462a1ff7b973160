"""Non-RDF sources over HTTP: the same bytes and type come back, each with a description, small and large ones."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

import pytest

from ldp_server import MemoryStore, RunningServer, Settings, Store
from ldp_server.storage.contents import ContentFolder, Incoming
from tests.support.ldp import Answer, Ldp, running_ldp

LDP = "http://www.w3.org/ns/ldp#"
ABOUT = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/ns/ldp#NonRDFSource> ."
SMALL, LARGE = bytes(range(256)) * 3, bytes(range(255)) * 4000
NON_RDF = f'<{LDP}NonRDFSource>; rel="type"'


@pytest.fixture
def limits() -> Settings:
    return Settings(max_content=2_000_000, max_inline=1000, body_idle_timeout_s=5)


def files(store: Store) -> list[int]:
    """Return the sizes of the files of contents; one that the writer is about to remove may go meanwhile."""
    sizes = []
    for file in store.contents.folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            sizes.append(file.stat().st_size)
    return sorted(sizes)


async def files_in_time(ldp: Ldp, store: Store, expected: list[int]) -> None:
    """Ask until the files are as expected; they go a moment after the answer."""
    for _ in range(5000):
        if files(store) == expected:
            return
        await ldp.get("/")
    assert files(store) == expected


def shown(answer: Answer) -> tuple[int, str | None, bytes]:
    return answer.status, answer.headers.get("Content-Type"), answer.body


@pytest.mark.parametrize("content", [b"", SMALL, LARGE], ids=["empty", "small", "large"])
async def test_content_comes_back_as_it_was_sent_and_is_described(ldp: Ldp, content: bytes) -> None:
    media_type = 'Image/PNG;  x="a, b";charset=odd'
    made = await ldp.post("/", content, media_type, Slug="p.png")
    uri = f"{ldp.base}/p.png"
    described = f'<{uri}.meta>; rel="describedby"; anchor="{uri}"'
    links = f'<{LDP}Resource>; rel="type", <{LDP}NonRDFSource>; rel="type", {described}'
    assert (made.status, made.headers["Location"], made.headers["Link"]) == (201, uri, links)
    assert await ldp.members("/") == [uri]
    read, options = await ldp.get("/p.png"), await ldp.send("OPTIONS", "/p.png")
    assert shown(read) == (200, media_type, content)
    assert read.headers["ETag"] == made.headers["ETag"]
    for answer in (read, options):
        told = [answer.headers[name] for name in ("Link", "Allow", "Accept-Put")]
        assert told == [links, "GET, HEAD, OPTIONS, PUT, DELETE", "*/*"]
        assert "Accept-Post" not in answer.headers
    head = await ldp.send("HEAD", "/p.png")
    assert (head.body, ldp.lasting(head)) == (b"", ldp.lasting(read))
    assert head.headers["Content-Length"] == str(len(content))
    same = await ldp.get("/p.png", **{"If-None-Match": made.headers["ETag"]})
    assert (same.status, same.body, same.headers["ETag"]) == (304, b"", made.headers["ETag"])
    description = await ldp.get("/p.png.meta", Accept="application/n-triples")
    assert shown(description) == (200, "application/n-triples", f"<{uri}> {ABOUT}\n".encode())
    assert description.headers["Allow"] == "GET, HEAD, OPTIONS, PUT, PATCH"
    assert description.headers["Link"].endswith(f'<{LDP}RDFSource>; rel="type", <{uri}>; rel="describes"')


async def test_content_is_replaced_and_deleted_with_its_description(ldp: Ldp, store: Store) -> None:
    first = await ldp.put("/a/f", LARGE, "video/mp4")
    assert (first.status, files(store)) == (201, [len(LARGE)])
    await ldp.put("/a/f.meta", "<f> <http://v/says> 1 .")
    second = await ldp.put("/a/f", LARGE[:-1], "video/webm", **{"If-Match": first.headers["ETag"]})
    assert (second.status, first.headers["ETag"] == second.headers["ETag"]) == (204, False)
    late = await ldp.put("/a/f", LARGE[:-2], "video/ogg", **{"If-Match": first.headers["ETag"]})
    assert (late.status, late.problem["code"]) == (412, "LDP011")
    await files_in_time(ldp, store, [len(LARGE) - 1])
    assert shown(await ldp.get("/a/f")) == (200, "video/webm", LARGE[:-1])
    kept = await ldp.get("/a/f.meta")
    assert ldp.graph(kept) == ldp.triples(f"<{ldp.base}/a/f> <http://v/says> 1 .")
    alone = await ldp.send("DELETE", "/a/f.meta")
    assert (alone.status, alone.problem["code"]) == (405, "LDP010")
    assert (await ldp.put("/a/f", SMALL, "image/gif")).status == 204
    await files_in_time(ldp, store, [])
    assert shown(await ldp.get("/a/f")) == (200, "image/gif", SMALL)
    assert (await ldp.send("DELETE", "/a/f")).status == 204
    gone = [(await ldp.get(path)).status for path in ("/a/f", "/a/f.meta")]
    assert (gone, await ldp.members("/a/")) == ([404, 404], [])


async def test_a_put_that_would_change_the_kind_is_refused(ldp: Ldp, store: Store) -> None:
    await ldp.put("/rdf", "<> <http://v/> 1 .")
    await ldp.put("/bin", SMALL, "image/png")
    await ldp.put("/box/", "")
    tries = [
        await ldp.put("/rdf", LARGE, "image/png"),
        await ldp.put("/bin", ""),
        await ldp.put("/bin.meta", LARGE, "image/png"),
    ]
    assert [(answer.status, answer.problem["code"]) for answer in tries] == [(409, "LDP050")] * 3
    refused = await ldp.put("/box/", SMALL, "image/png")
    assert (refused.status, refused.problem["code"]) == (415, "LDP005")
    assert shown(await ldp.get("/bin")) == (200, "image/png", SMALL)
    await files_in_time(ldp, store, [])


async def test_a_description_is_patched_and_content_is_not(ldp: Ldp) -> None:
    await ldp.put("/p", SMALL, "image/png")
    patch = b'INSERT DATA { <p> <http://v/says> "more" }'
    refused = await ldp.send("PATCH", "/p", patch, **{"Content-Type": "application/sparql-update"})
    assert (refused.status, refused.headers.get("Accept-Patch")) == (405, None)
    done = await ldp.send("PATCH", "/p.meta", patch, **{"Content-Type": "application/sparql-update"})
    assert done.status == 204
    uri = f"{ldp.base}/p"
    said = ldp.triples(f'<{uri}> {ABOUT} <{uri}> <http://v/says> "more" .')
    read = await ldp.get("/p.meta")
    assert (ldp.graph(read), f'<{uri}>; rel="describes"' in read.headers["Link"]) == (said, True)
    assert [(await ldp.send("DELETE", path)).status for path in ("/p.meta", "/p", "/p.meta")] == [
        405,
        204,
        404,
    ]


async def test_turtle_is_content_only_when_asked_for(ldp: Ldp) -> None:
    turtle = b"  <> <http://v/>   1 . # as it is\n"
    made = await ldp.post("/", turtle, "text/turtle", Slug="t", Link=NON_RDF)
    assert made.status == 201
    assert shown(await ldp.get("/t", Accept="text/turtle")) == (200, "text/turtle", turtle)
    assert (await ldp.put("/t", turtle * 2, "text/turtle", Link=NON_RDF)).status == 204
    assert shown(await ldp.get("/t")) == (200, "text/turtle", turtle * 2)
    odd = await ldp.post("/", b"{ ?x a ?y } => { ?x a 1 } .", "text/n3", Slug="rules")
    assert (odd.status, (await ldp.get("/rules")).headers["Content-Type"]) == (201, "text/n3")


async def test_content_is_no_container(ldp: Ldp) -> None:
    container = f'<{LDP}BasicContainer>; rel="type"'
    answers = [
        await ldp.post("/", SMALL, "image/png", Slug="p", Link=container),
        await ldp.post("/", b"", "image/png", Slug="p", Link=container),
        await ldp.post("/", SMALL, "image/png", Slug="p", Link=f"{container}, {NON_RDF}"),
        await ldp.put("/p/", SMALL, "image/png"),
        await ldp.put("/p/", SMALL, "image/png", Link=NON_RDF),
    ]
    told = [(answer.status, answer.problem["code"]) for answer in answers]
    assert told == [(415, "LDP005"), (415, "LDP005"), (409, "LDP015"), (415, "LDP005"), (415, "LDP005")]
    assert await ldp.members("/") == []


async def test_a_client_that_takes_other_types_is_told(ldp: Ldp) -> None:
    await ldp.put("/p", SMALL, "image/png; q=1")
    for accept, status in (
        ("image/*", 200),
        ("image/png;q=0.1, */*;q=0", 200),
        ("*/*", 200),
        ("text/turtle", 406),
    ):
        answer = await ldp.get("/p", Accept=accept)
        assert (answer.status, answer.headers["Vary"]) == (status, "Accept")


@pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
async def test_a_range_of_bytes_is_served_if_the_content_is_still_the_one(ldp: Ldp, content: bytes) -> None:
    size = len(content)
    tag = (await ldp.put("/f", content, "audio/ogg")).headers["ETag"]
    for wanted, first, last in (
        ("100-199", 100, 199),
        (f"{size - 5}-", size - 5, size - 1),
        ("-7", size - 7, size - 1),
    ):
        part = await ldp.get("/f", Range=f"bytes={wanted}", **{"If-Range": tag})
        assert shown(part) == (206, "audio/ogg", content[first : last + 1])
        assert part.headers["Content-Range"] == f"bytes {first}-{last}/{size}"
    beyond = await ldp.get("/f", Range=f"bytes={size}-")
    assert (beyond.status, beyond.problem["code"], beyond.headers["Content-Range"]) == (
        416,
        "LDP051",
        f"bytes */{size}",
    )
    for condition in ('"1-bin"', f"W/{tag}", "Sat, 28 Nov 2026 00:00:00 GMT"):
        assert shown(await ldp.get("/f", Range="bytes=1-2", **{"If-Range": condition})) == (
            200,
            "audio/ogg",
            content,
        )
    head = await ldp.send("HEAD", "/f", Range="bytes=1-2")
    assert (head.status, head.headers["Content-Length"], head.headers["Accept-Ranges"]) == (
        200,
        str(size),
        "bytes",
    )


async def test_a_browser_is_told_to_run_nothing_in_content(ldp: Ldp) -> None:
    dispositions = {}
    for media_type in (
        "text/html",
        "image/svg+xml",
        "text/xml+x",
        "application/wasm",
        "image/png",
        "text/plain",
    ):
        await ldp.put("/x", b"<script>", media_type)
        answer = await ldp.get("/x")
        assert answer.headers["Content-Security-Policy"] == "sandbox"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        dispositions[media_type] = answer.headers.get("Content-Disposition")
    assert list(dispositions.values()) == ["attachment"] * 4 + [None] * 2


async def test_bodies_that_do_not_come_whole_leave_nothing(
    ldp: Ldp, store: Store, server: RunningServer
) -> None:
    async def too_long() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield bytes(100_000)

    answer = await ldp.send("PUT", "/x", too_long(), **{"Content-Type": "a/b"})
    assert (answer.status, answer.problem["code"]) == (413, "LDP006")
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    head = f"PUT /x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: a/b\r\nContent-Length: 900000\r\n\r\n"
    writer.write(head.encode() + bytes(500_000))
    for _ in range(2000):
        if files(store):
            break
        await ldp.get("/")
    assert len(files(store)) == 1
    writer.close()
    await files_in_time(ldp, store, [])
    assert (await ldp.get("/x")).status == 404


async def test_a_slow_body_is_given_up_and_leaves_nothing(store: Store) -> None:
    limits = Settings(max_inline=1000, body_idle_timeout_s=0.2, stop_timeout_s=0.1)
    async with running_ldp(store, settings=limits) as server:
        sent = f"PUT /x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: a/b\r\nContent-Length: 900000\r\n\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(sent.encode() + bytes(500_000))
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        assert head.startswith(b"HTTP/1.1 408 ")
        assert files(store) == []
        writer.close()


async def test_a_reader_keeps_the_state_it_began_with(store: Store) -> None:
    """Content is replaced while a client has read only its beginning, and more is left than sockets hold."""
    whole = LARGE * 20
    async with running_ldp(store, settings=Settings(max_inline=1000)) as server, Ldp(server) as ldp:
        await ldp.put("/f", whole, "video/mp4")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
        writer.write(
            f"GET /f HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode()
        )
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        assert (await ldp.put("/f", b"new" * 500, "video/mp4")).status == 204
        await files_in_time(ldp, store, [1500])
        body = await asyncio.wait_for(reader.read(-1), 20)
        writer.close()
        assert (head.split(b"\r\n")[0], body) == (b"HTTP/1.1 200 OK", whole)
        assert (await ldp.get("/f")).body == b"new" * 500


async def test_a_content_whose_file_is_lost_is_told_and_hinders_no_other(ldp: Ldp, store: Store) -> None:
    await ldp.put("/f", LARGE, "video/mp4")
    for file in store.contents.folder.iterdir():
        file.unlink()
    lost = await ldp.get("/f")
    assert (lost.status, lost.problem["code"]) == (500, "LDP021")
    assert (await ldp.put("/f", SMALL, "video/mp4")).status == 204
    assert (await ldp.get("/f")).body == SMALL


class FullDisk(ContentFolder):
    """A folder on a disk that takes names and no bytes."""

    def create(self) -> Incoming:
        return NoRoom(self.folder, is_durable=False)


class NoRoom(Incoming):
    def write(self, piece: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


async def test_a_full_disk_is_told_and_leaves_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    store.contents = FullDisk(tmp_path, is_durable=False)
    async with running_ldp(store) as server, Ldp(server) as ldp:
        refused = await ldp.put("/x", LARGE, "video/mp4")
        assert (refused.status, refused.problem["code"], files(store)) == (500, "LDP021", [])
        assert "takes no file: [Errno 28] No space left on device" in caplog.text
        assert "Traceback" not in caplog.text
        assert (await ldp.put("/x", SMALL, "video/mp4")).status == 201


class Watched(ContentFolder):
    """A folder that remembers the file that was opened last."""

    opened: BinaryIO

    def open(self, name: str) -> BinaryIO:
        self.opened = super().open(name)
        return self.opened


async def test_a_client_that_does_not_read_is_given_up(tmp_path: Path) -> None:
    store = MemoryStore()
    store.contents = watched = Watched(tmp_path, is_durable=False)
    whole = bytes(20_000_000)
    limits = Settings(unread_timeout_s=0.2, stop_timeout_s=0.1)
    async with running_ldp(store, settings=limits) as server, Ldp(server) as ldp:
        await ldp.put("/f", whole, "video/mp4")
        with socket.create_connection((server.host, server.port), timeout=20) as idle:
            idle.sendall(f"GET /f HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            for _ in range(10_000):
                if "opened" in vars(watched) and watched.opened.closed:
                    break
                await ldp.get("/")
            assert watched.opened.closed
            assert await asyncio.to_thread(read_to_the_end, idle) < len(whole)


def read_to_the_end(connection: socket.socket) -> int:
    received = 0
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(1 << 20):
            received += len(piece)
    return received
