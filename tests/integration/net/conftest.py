"""Both ways a request over plain http can go: by a connection that is kept, and by the session of aiohttp."""

import pytest

from agent.transport import client


@pytest.fixture(params=["kept", "session"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Send every request one way, then the other."""
    way = str(request.param)
    if way == "session":
        monkeypatch.setattr(client, "METHODS", frozenset())
    return way
