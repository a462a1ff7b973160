"""Ports of the loopback interface that nobody listens on."""

import socket


def free_port() -> int:
    """Return a port that was free a moment ago, for programs that have to be told one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
