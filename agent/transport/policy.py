"""Which hosts may be reached (ADR 0016).

Hosts that the user named (the instance, its model, the program, ``--allow-host``) may have any address. Hosts that
were first seen in retrieved data must resolve to public addresses, and the connection goes to the very addresses
that were checked: the check is made inside the resolver of the connector. Every hop of a redirect is a new request.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from agent.transport.addresses import Target

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class RefusedHostError(OSError):
    """A host that the policy keeps out; an OSError because that is what a resolver may raise."""


class Policy:
    """The hosts that the user named, and what else may be reached."""

    def __init__(self, hosts: Iterable[str] = (), map_targets: frozenset[str] = frozenset()) -> None:
        self._named = {host.lower().strip("[]") for host in hosts}
        self._map_targets = map_targets
        self._endpoints: set[str] = set()

    def name(self, *uris: str) -> None:
        """Take note that the user named ``uris``: their hosts may have any address."""
        for uri in uris:
            host = _host(uri)
            if host:
                self._named.add(host)

    def is_named(self, host: str) -> bool:
        """Tell whether the user named ``host``."""
        return host.lower() in self._named

    def name_endpoints(self, *uris: str) -> None:
        """Take note that the user named ``uris`` as SPARQL endpoints: queries may be posted to them."""
        self.name(*uris)
        self._endpoints.update(uri.partition("#")[0].partition("?")[0] for uri in uris)

    def is_endpoint(self, uri: str) -> bool:
        """Tell whether the user named ``uri``, without its query, as a SPARQL endpoint."""
        return uri in self._endpoints

    def check(self, target: Target) -> None:
        """Refuse what can be refused before resolving; RefusedHostError."""
        host = target.hostname
        if target.is_mapped or self.is_named(host):
            return
        if host in self._map_targets:
            raise RefusedHostError(f"{host} is reached through --map only")
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return
        if not is_public(address):
            raise RefusedHostError(f"{host} is no public address and nobody named it")

    def check_resolved(self, host: str, addresses: Iterable[str]) -> None:
        """Refuse a host of which any address is not public, unless the user named it; RefusedHostError."""
        if self.is_named(host) or host in self._map_targets:
            return
        for text in addresses:
            if not is_public(ipaddress.ip_address(text)):
                raise RefusedHostError(
                    f"{host} has the address {text}, which is not public, and nobody named it"
                )


class CheckedResolver(AbstractResolver):
    """A resolver that hands out checked addresses only."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of ``host``; OSError if it has none or the policy keeps it out."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
        addresses = [(str(sockaddr[0]), int(sockaddr[1]), fam, proto) for fam, _, proto, _, sockaddr in found]
        self._policy.check_resolved(host, (address for address, *_ in addresses))
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=fam,
                proto=proto,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address, port, fam, proto in addresses
        ]

    async def close(self) -> None:
        """Nothing to release."""


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Tell whether ``address``, and any IPv4 address hidden inside it, is one of the public Internet."""
    if isinstance(address, ipaddress.IPv6Address):
        hidden = address.ipv4_mapped or address.sixtofour
        if hidden is None and address in _NAT64:
            hidden = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if hidden is not None:
            return is_public(hidden)
        if address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast


@lru_cache(maxsize=32_768)
def _host(uri: str) -> str:
    try:
        return (urlsplit(uri).hostname or "").lower()
    except ValueError:
        return ""
