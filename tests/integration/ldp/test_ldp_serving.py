"""Starting, embedding and stopping the server."""

import asyncio
import contextlib
import socket
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from ldp_server import MemoryStore, ServerError, create_app, listen, open_sqlite_store, serve
from ldp_server.storage import Outcome, Record, Write
from tests.support.ldp import Ldp, running_ldp


async def test_port_0_takes_a_free_port_and_tells_the_base_url() -> None:
    async with serve(MemoryStore(), port=0) as first, serve(MemoryStore(), port=0) as second:
        assert first.port != second.port
        assert first.base_url == f"http://127.0.0.1:{first.port}/"
        async with Ldp(first) as ldp:
            created = await ldp.put("/x", "")
            assert created.headers["Location"] == first.base_url + "x"


async def test_a_base_url_of_its_own_is_used_in_all_iris() -> None:
    async with serve(MemoryStore(), port=0, base_url="https://Data.Example/") as server:
        assert server.base_url == "https://data.example/"
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{server.port}/x"
            kind = {"Content-Type": "text/turtle"}
            async with session.put(url, data=b"", headers=kind | {"Host": "data.example"}) as answer:
                assert (answer.status, answer.headers["Location"]) == (201, "https://data.example/x")
            async with session.put(url, data=b"", headers=kind | {"Host": "data.example:443"}) as answer:
                assert answer.status == 204
            async with session.get(url) as answer:
                assert answer.status == 421


async def test_a_port_in_use_is_told() -> None:
    async with serve(MemoryStore(), port=0) as server:
        with pytest.raises(ServerError, match=f"LDP034.*{server.port}"):
            async with serve(MemoryStore(), port=server.port):
                pass


@pytest.mark.parametrize("host", ["192.0.2.1", "example.org"])
async def test_the_network_is_refused_unless_it_is_allowed(host: str) -> None:
    with pytest.raises(ServerError, match="LDP033"):
        async with serve(MemoryStore(), host=host, port=0):
            pass


async def test_an_address_that_means_everywhere_needs_a_base_url() -> None:
    everywhere = "0.0.0.0"  # noqa: S104 -- on a free port, for a moment
    with pytest.raises(ServerError, match="LDP035"):
        async with serve(MemoryStore(), host=everywhere, port=0, allow_network=True):
            pass
    public = "http://data.example/"
    async with serve(MemoryStore(), host=everywhere, port=0, allow_network=True, base_url=public) as server:
        assert server.base_url == public


async def test_a_stopped_server_is_gone_at_once_even_with_idle_clients() -> None:
    async with serve(MemoryStore(), port=0) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        async with Ldp(server) as ldp:
            assert (await ldp.get("/")).status == 200
    assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=20)


class SlowStore(MemoryStore):
    """A store that commits when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.may_commit = asyncio.Event()

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        self.asked.set()
        await self.may_commit.wait()
        return await super().commit(writes)


async def test_a_write_under_way_is_answered_before_the_server_stops() -> None:
    store = SlowStore()

    async def let_commit(_app: web.Application) -> None:
        store.may_commit.set()

    def build(base_url: str) -> web.Application:
        app = create_app(store, base_url=base_url)
        app.on_shutdown.append(let_commit)
        return app

    async with contextlib.AsyncExitStack() as serving:
        server = await serving.enter_async_context(listen(build, port=0))
        async with Ldp(server) as ldp:
            writing = asyncio.create_task(ldp.put("/x", ""))
            await store.asked.wait()
            await serving.aclose()
            assert (await writing).status == 201


async def test_representations_of_states_that_are_gone_take_no_memory() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        tracemalloc.start()
        for number in range(200):
            await ldp.put("/x", f"<> <#p> '{number:050000}' .")
            await ldp.get("/x")
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert held < 2_000_000


async def test_the_same_port_and_folder_can_be_served_again(tmp_path: Path) -> None:
    async with running_ldp(open_sqlite_store(tmp_path)) as server, Ldp(server) as ldp:
        tag = (await ldp.put("/a/b", "<> <#p> 1 .")).headers["ETag"]
    store = open_sqlite_store(tmp_path)
    async with serve(store, port=server.port) as again, Ldp(again) as ldp:
        assert (await ldp.get("/a/b")).headers["ETag"] == tag
        assert (await ldp.put("/a/b", "", **{"If-Match": tag})).status == 204
    await store.close()


async def test_pages_of_others_stand_beside_the_resources() -> None:
    async def hello(_request: web.Request) -> web.Response:
        return web.Response(text="hello")

    def build(base_url: str) -> web.Application:
        app = create_app(MemoryStore(), base_url=base_url)
        app.router.add_get("/.milepost/hello", hello)
        return app

    async with listen(build, port=0) as server, Ldp(server) as ldp:
        assert (await ldp.get("/.milepost/hello")).body == b"hello"
        assert (await ldp.get("/.milepost/hello", Host="evil.example")).status == 421
        assert (await ldp.put("/.milepost/hello", "")).status == 403
        assert (await ldp.put("/x", "")).status == 201


class BrokenStore(MemoryStore):
    async def read(self, path: str) -> Record | None:
        if path == "/secret":
            raise RuntimeError("password: hunter2")
        return await super().read(path)

    async def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        raise OSError("disk on fire")


async def test_a_fault_of_the_server_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    async with running_ldp(BrokenStore()) as server, Ldp(server) as ldp:
        for answer in (await ldp.get("/secret"), await ldp.put("/x", "")):
            assert (answer.status, answer.problem["code"]) == (500, "LDP020")
            assert answer.problem["detail"] == "The server failed; the fault is in its log."
        assert (await ldp.get("/")).status == 200
    assert "hunter2" in caplog.text
    assert "disk on fire" in caplog.text
