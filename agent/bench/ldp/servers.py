"""The servers that are compared: how each is found and started."""

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version as version_of
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from agent.bench.server import Served, running, started
from agent.errors import WorldError

COMMUNITY = "community-solid-server"
_BY_HAND = Path(__file__).parents[1] / "drivers" / "by_hand.py"
_START_LIMIT_S = 240.0
_WITHOUT_RULES_OF_ACCESS = {
    "css:config/ldp/authorization/webacl.json": "css:config/ldp/authorization/allow-all.json",
    "css:config/util/auxiliary/acl.json": "css:config/util/auxiliary/empty.json",
    "css:config/app/init/initialize-intro.json": "css:config/app/init/default.json",
}
"""Parts of its default configuration, which keeps everything in memory, and what takes their place."""


class Server(Struct, frozen=True):
    """A server: ``start`` runs it in a folder; ``missing`` says how to install what is not there.

    ``is_ours`` tells that it answers questions about changes, ``patches`` that it takes patches.
    """

    name: str
    version: str
    start: Callable[[Path], AbstractContextManager[Served]]
    missing: str = ""
    is_ours: bool = False
    patches: bool = True


def find_servers(version: str) -> tuple[Server, ...]:
    """Return all servers; ``version`` is that of Milepost."""
    return *_ours("", version, "asyncio"), *_ours("-uvloop", version, "uvloop"), _by_hand(), _community()


def _ours(ending: str, version: str, loop: str) -> tuple[Server, Server]:
    """Return our server in memory and on the disk, on the event loop of a package; the names have this ending."""
    missing = "" if find_spec(loop) else "not installed: pip install 'milepost[fast]'"

    def in_memory(_folder: Path) -> AbstractContextManager[Served]:
        return running("--memory", loop=loop)

    def on_disk(folder: Path) -> AbstractContextManager[Served]:
        return running("--data", str(folder / "data"), loop=loop)

    return (
        Server(f"memory{ending}", version, in_memory, missing, is_ours=True),
        Server(f"disk{ending}", version, on_disk, missing, is_ours=True),
    )


def _by_hand() -> Server:
    def start(folder: Path) -> AbstractContextManager[Served]:
        return started(str(_BY_HAND), str(folder / "documents.sqlite3"))

    return Server("by-hand", version_of("aiohttp"), start, patches=False)


def _community() -> Server:
    command = shutil.which(COMMUNITY)
    if command is None:
        return Server(COMMUNITY, "", _absent, "not installed: npm install -g @solid/community-server")
    home = Path(command).resolve().parents[1]
    version = json.loads((home / "package.json").read_text(encoding="utf-8"))["version"]
    return Server(COMMUNITY, version, lambda folder: _started(command, home, folder))


def _absent(_folder: Path) -> AbstractContextManager[Served]:
    raise WorldError("NET001", f"{COMMUNITY} is not installed")


@contextmanager
def _started(command: str, home: Path, folder: Path) -> Iterator[Served]:
    settings = json.loads((home / "config" / "default.json").read_text(encoding="utf-8"))
    settings["import"] = [_WITHOUT_RULES_OF_ACCESS.get(part, part) for part in settings["import"]]
    (folder / "open.json").write_text(json.dumps(settings), encoding="utf-8")
    port = _free_port()
    base = f"http://localhost:{port}"
    arguments = ["-c", "open.json", "-p", str(port), "-b", base + "/", "-l", "error"]
    server = subprocess.Popen(  # noqa: S603  the program that users installed under this name
        [command, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await(base, server)
        yield Served(base, server.pid)
    finally:
        server.kill()
        server.wait()


def _await(base: str, server: "subprocess.Popen[bytes]") -> None:
    last = time.monotonic() + _START_LIMIT_S
    while server.poll() is None and time.monotonic() < last:
        try:
            with urllib.request.urlopen(base + "/", timeout=5):  # noqa: S310  a server on this machine
                return
        except OSError:
            time.sleep(0.2)
    raise WorldError("NET001", f"{COMMUNITY} did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
