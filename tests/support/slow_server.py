"""A server on the loopback that holds back its answers to writes until it is told to give them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(slots=True)
class SlowServer:
    """``arrived`` is set when what is held back has come in, ``release`` lets it be answered.

    ``writes`` has URI by URI.
    """

    base: str = ""
    arrived: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)
    writes: list[str] = field(default_factory=list)


@contextmanager
def slow_server() -> Iterator[SlowServer]:
    """Serve while the context is open; GET answers 404, below /slow/ after ``release``, PUT 204 after ``release``."""
    state = SlowServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/slow/"):
                state.arrived.set()
                state.release.wait(60)
            with suppress(OSError):  # who waited may have gone
                self.send_error(404)

        def do_PUT(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            state.writes.append(f"http://{self.headers['Host']}{self.path}")
            state.arrived.set()
            state.release.wait(60)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is inherited
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.base = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.release.set()
        server.shutdown()
        server.server_close()
        thread.join()
