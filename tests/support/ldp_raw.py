"""Requests to an LDP server as they go over the wire, byte by byte, also such as no client library would send."""

import socket

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def exchange(port: int, data: bytes, *, ends: bool = False) -> bytes:
    """Send bytes, perhaps end the sending side, and return what comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(data)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        received = bytearray()
        while chunk := connection.recv(65536):
            received += chunk
    return bytes(received)


def request(port: int, method: str, target: bytes, headers: bytes = b"", body: bytes = b"") -> bytes:
    length = b"Content-Length: %d\r\n" % len(body)
    host = b"Host: 127.0.0.1:%d\r\nConnection: close\r\n" % port
    return method.encode() + b" " + target + b" HTTP/1.1\r\n" + host + length + headers + b"\r\n" + body


def status(answer: bytes) -> int:
    answer = answer.removeprefix(CONTINUE)
    line = answer.split(b"\r\n", 1)[0].split(b" ")
    assert line[0].startswith(b"HTTP/1."), answer[:100]
    return int(line[1])


def check_harmless(answer: bytes) -> None:
    assert 200 <= status(answer) < 500, answer[:1000]
    assert b"Traceback" not in answer
    assert b".py" not in answer
