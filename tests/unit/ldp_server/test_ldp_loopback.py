"""Which hosts only this machine reaches."""

import pytest

from ldp_server.reading import is_loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "localhost", "LOCALHOST", "::1", "[::1]"])
def test_addresses_of_this_machine_alone_are_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["127.example.com", "127.0.0.1.example", "10.0.0.1", "", "h"])
def test_what_others_may_reach_is_no_loopback(host: str) -> None:
    assert not is_loopback(host)
