"""Which address of a host a kept connection goes to, and which hosts are left to aiohttp."""

import asyncio
import socket

import pytest
from aiohttp.abc import ResolveResult

from agent.transport.plain import PlainHost, UnreachableError
from agent.transport.policy import CheckedResolver, Policy, RefusedHostError
from tests.support.devices import answer, device

V4, V6 = socket.AF_INET, socket.AF_INET6


class Names(CheckedResolver):
    """Knows the addresses of every host, or none."""

    def __init__(self, *addresses: tuple[str, socket.AddressFamily], fault: OSError | None = None) -> None:
        super().__init__(Policy())
        self.asked = 0
        self._addresses = addresses
        self._fault = fault

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.asked += 1
        if self._fault is not None:
            raise self._fault
        return [
            ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=0)
            for address, kind in self._addresses
        ]


async def test_one_look_up_serves_all_connections_of_a_host_and_the_next_loopback_address_is_tried() -> None:
    async with device() as here:
        here.does("/", answer("hi", etag='"1"'))
        names = Names(("127.0.0.9", V4), ("127.0.0.1", V4))
        host = PlainHost("here.example", int(here.base.rpartition(":")[2]), names, 5)
        message = b"GET / HTTP/1.1\r\nHost: here.example\r\n\r\n"
        answers = await asyncio.gather(*(host.exchange("GET", message, 100) for _ in range(3)))
        await host.close()

    assert [answer and (answer[0].code, answer[1]) for answer in answers] == [(200, b"hi")] * 3
    assert (names.asked, host.is_usual, len(here.asked)) == (1, True, 3)


async def test_a_host_with_several_addresses_elsewhere_is_left_to_aiohttp() -> None:
    host = PlainHost("far.example", 80, Names(("192.0.2.1", V4), ("2001:db8::1", V6)), 5)

    assert (await host.exchange("PUT", b"", 100), host.is_usual) == (None, False)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (RefusedHostError("it has a private address"), "host refused by policy: it has a private address"),
        (socket.gaierror(-2, "not known"), "unknown host far.example"),
    ],
)
async def test_a_host_without_an_address_is_said(fault: OSError, expected: str) -> None:
    host = PlainHost("far.example", 80, Names(fault=fault), 5)

    with pytest.raises(UnreachableError) as caught:
        await host.exchange("GET", b"", 100)

    assert str(caught.value) == expected
