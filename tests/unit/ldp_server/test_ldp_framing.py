"""Where a request ends: told only where every parser would see the same end."""

import pytest

from ldp_server.framing import bytes_to_come

HEAD = b"PUT /a HTTP/1.1\r\nHost: h\r\n"


@pytest.mark.parametrize(
    ("begun", "left"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 0),
        (b"get / HTTP/1.1\r\nHost: h\r\n\r\n", 0),
        (HEAD + b"Content-Length: 3\r\n\r\n", 3),
        (HEAD + b"CONTENT-length:\t3 \r\nAccept: a\r\n\r\nab", 1),
        (HEAD + b"Content-Length:3\r\n\r\nabc", 0),
        (HEAD + b"X: content-length: 3\r\n\r\n", 0),
        (HEAD + b"X: upgrade, transfer-encoding\r\n\r\n", 0),
    ],
)
def test_what_is_still_to_come_follows_from_a_plain_header(begun: bytes, left: int) -> None:
    assert bytes_to_come(begun) == left


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: h\r\n",
        b"\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: h\r\n\r\n",
        b"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\nG",
        HEAD + b"Content-Length: 3\r\n\r\nabcd",
        HEAD + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\n",
        HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
        HEAD + b"transfer-encoding : chunked\r\n\r\n",
        HEAD + b"Content-Length: +3\r\n\r\n",
        HEAD + b"Content-Length: 3, 3\r\n\r\n",
        HEAD + b"Content-Length : 3\r\n\r\n",
        HEAD + b"Content-Length: 3\r\n 4\r\n\r\n",
        HEAD + b"Content-Length:\r\n 3\r\n\r\n",
        HEAD + b"Content-Length: 1234567890123456\r\n\r\n",
        HEAD + b"Upgrade: h2c\r\n\r\n",
        HEAD + b"X: a\nContent-Length: 3\r\n\r\n",
        HEAD + b"X: a\rContent-Length: 3\r\n\r\n",
        b"GET / HTTP/1.1\nHost: h\n\nGET / HTTP/1.1\r\n\r\n",
    ],
)
def test_what_leaves_doubt_is_not_told(begun: bytes) -> None:
    assert bytes_to_come(begun) is None
