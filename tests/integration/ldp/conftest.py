"""A server for each test, in memory and on the disk; a module with other limits has a fixture ``limits`` of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ldp_server import MemoryStore, RunningServer, Settings, Store, open_sqlite_store
from tests.support.ldp import Ldp, running_ldp


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else open_sqlite_store(tmp_path / "data")


@pytest.fixture
def limits() -> Settings:
    return Settings()


@pytest.fixture
async def server(store: Store, limits: Settings) -> AsyncIterator[RunningServer]:
    async with running_ldp(store, settings=limits) as running:
        yield running


@pytest.fixture
async def ldp(server: RunningServer) -> AsyncIterator[Ldp]:
    async with Ldp(server) as client:
        yield client
        await client.check_listings()
