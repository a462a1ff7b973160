"""Where requests go: percent-encoding, origins and --map."""

import pytest

from agent.errors import UsageError
from agent.settings import origin_of
from agent.transport.addresses import HostMap, Target, UnusableURIError, read_mapping


@pytest.mark.parametrize(
    ("uri", "wire"),
    [
        ("http://h", "http://h/"),
        ("http://h/wf/Almería/安全?q=ä b", "http://h/wf/Almer%C3%ADa/%E5%AE%89%E5%85%A8?q=%C3%A4%20b"),
        ("http://h/a%2Fb%41/../c", "http://h/a%2Fb%41/../c"),
        ('http://h/<>"{}|\\^`', "http://h/%3C%3E%22%7B%7D%7C%5C%5E%60"),
        ("http://h/a?b=c#it", "http://h/a?b=c"),
        ("HTTP://H:80/A", "http://h/A"),
        ("https://h:443/", "https://h/"),
        ("http://h:8080/;a=1,2", "http://h:8080/;a=1,2"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://müll.example/", "http://xn--mll-hoa.example/"),
        ("http://h/a\r\nX: y", "http://h/aX:%20y"),
    ],
)
def test_iris_are_encoded_for_the_wire_and_changed_in_nothing_else(uri: str, wire: str) -> None:
    target = HostMap().target(uri)
    assert (target.uri, target.wire_uri, target.is_mapped) == (uri, wire, False)


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("urn:x", "urn:x is no http or https URI"),
        ("file:///etc/passwd", "is no http or https URI"),
        ("http:///x", "is no http or https URI"),
        ("http://u:p@h/", "a URI with a user name is not requested"),
        ("http://h:99999/", "Port out of range"),
        ("http://[::/", "Invalid IPv6 URL"),
        ("http://ü..x/", "label empty or too long"),
        ("http://h/\ud800", "surrogates not allowed"),
    ],
)
def test_what_no_request_can_be_sent_to_says_why(uri: str, reason: str) -> None:
    with pytest.raises(UnusableURIError, match=reason):
        HostMap().target(uri)


def test_a_mapped_origin_is_connected_to_elsewhere_and_keeps_its_name() -> None:
    hosts = HostMap([read_mapping("http://Tok450s.lan:8080=http://127.0.0.1:9001")])
    assert hosts.target("http://tok450s.lan:8080/ldbbc/?a#b") == Target(
        "http://tok450s.lan:8080/ldbbc/?a#b",
        "http://tok450s.lan:8080",
        "http://127.0.0.1:9001/ldbbc/?a",
        "tok450s.lan:8080",
        "tok450s.lan",
        True,
    )
    assert not hosts.target("http://tok450s.lan/ldbbc/").is_mapped
    assert hosts.target_hosts == {"127.0.0.1"}


@pytest.mark.parametrize(
    "text", ["", "http://a", "http://a=", "a=b", "http://a/x=http://b", "http://a=http://b/y", "=http://b"]
)
def test_a_mapping_that_is_not_written_so_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_mapping(text)
    assert caught.value.code == "USE011"


def test_origins_leave_out_the_usual_port() -> None:
    assert [origin_of(uri) for uri in ("http://H:80/x", "https://h:444", "http://[::1]:81/")] == [
        "http://h",
        "https://h:444",
        "http://[::1]:81",
    ]
