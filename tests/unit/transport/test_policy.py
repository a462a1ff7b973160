"""Which addresses may be reached by a link that nobody named."""

import ipaddress

import pytest

from agent.transport.addresses import HostMap
from agent.transport.policy import Policy, RefusedHostError, is_public

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.1.2.3", "224.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fd00::8", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
    "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_machines_around_us_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def refusal(policy: Policy, uri: str, *addresses: str) -> str:
    try:
        policy.check(HostMap().target(uri))
        policy.check_resolved(HostMap().target(uri).hostname, addresses)
    except RefusedHostError as error:
        return str(error)
    return ""


def test_a_host_that_nobody_named_needs_public_addresses_only() -> None:
    policy = Policy()
    assert refusal(policy, "http://sensor.example/", "8.8.8.8") == ""
    assert refusal(policy, "http://sensor.example/", "8.8.8.8", "10.0.0.1") == (
        "sensor.example has the address 10.0.0.1, which is not public, and nobody named it"
    )
    assert refusal(policy, "http://[::1]:80/") == "::1 is no public address and nobody named it"


def test_a_named_host_may_have_any_address() -> None:
    policy = Policy(["Printer.local", "[fd00::1]"])
    policy.name("http://Sensor.example:8080/x", "no URI", "http://[", "http://192.168.0.7/")
    for uri in (
        "http://printer.local/",
        "http://sensor.example/y",
        "http://192.168.0.7/",
        "http://[fd00::1]/",
    ):
        assert refusal(policy, uri, "10.0.0.1") == ""


def test_the_far_end_of_a_mapping_is_not_named_by_it() -> None:
    hosts = HostMap([("http://tok450s.lan", "http://127.0.0.1:9001")])
    policy = Policy(map_targets=hosts.target_hosts)
    policy.check(hosts.target("http://tok450s.lan/"))
    assert refusal(policy, "http://127.0.0.1:22/") == "127.0.0.1 is reached through --map only"
