"""``milepost bench ldp``: servers in processes of their own, every kind of request, and every way to watch."""

import re
import sqlite3
import stat
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from agent.bench.ldp.operations import OPERATIONS
from agent.bench.ldp.servers import find_servers
from agent.bench.ldp.watching import WAYS
from tests.support.command_line import milepost

SMALL = ("bench", "ldp", "--size", "small", "--runs", "1")


@pytest.mark.parametrize(("name", "told"), [("memory", "in memory"), ("memory-uvloop", "in memory, uvloop")])
def test_our_server_answers_every_request_as_expected(
    name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, *SMALL, "--only", name, "--date", "a Monday")

    assert (done.code, done.err) == (0, "")
    assert "a Monday" in done.out.splitlines()[0]
    assert re.search(rf"^ +{told}$", done.out, re.MULTILINE)
    assert "WRONG" not in done.out
    for operation in OPERATIONS:
        assert re.search(rf"^{re.escape(operation.name)} +[\d,]+ +[1-9][\d,]*$", done.out, re.MULTILINE)
    for way in WAYS:
        assert re.search(rf"^{re.escape(way.name)} +[\d,]+ +[1-9][\d,]* +[\d.,]+$", done.out, re.MULTILINE)


def test_the_server_by_hand_answers_all_but_patches(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, *SMALL, "--only", "by-hand")

    assert (done.code, done.err) == (0, "")
    assert "WRONG" not in done.out
    for operation in OPERATIONS:
        cells = "" if operation.name.startswith("PATCH") else " +[\\d,]+ +[1-9][\\d,]*"
        assert re.search(rf"^{re.escape(operation.name)}{cells}$", done.out, re.MULTILINE)
    for way in WAYS:
        cells = "" if way.only_ours else " +[\\d,]+ +[1-9][\\d,]* +[\\d.,]+"
        assert re.search(rf"^{re.escape(way.name)}{cells}$", done.out, re.MULTILINE)


def test_the_server_by_hand_has_each_write_on_the_disk_when_it_answers(tmp_path: Path) -> None:
    [by_hand] = [server for server in find_servers("0") if server.name == "by-hand"]

    def ask(method: str, url: str, body: bytes | None = None, held: str = "") -> tuple[int, str, bytes]:
        asked = urllib.request.Request(url, body, {"If-None-Match": held}, method=method)
        try:
            with urllib.request.urlopen(asked) as answer:
                return answer.status, answer.headers["ETag"], answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers["ETag"] or "", b""

    with by_hand.start(tmp_path) as served:
        status, tag, _ = ask("PUT", f"{served.base}/a/b", b"one")
        assert (status, ask("GET", f"{served.base}/a/b")) == (201, (200, tag, b"one"))
        assert ask("GET", f"{served.base}/a/b", held=tag) == (304, tag, b"")
        status, newer, _ = ask("PUT", f"{served.base}/a/b", b"two")
        assert (status, newer != tag) == (204, True)
        assert ask("POST", f"{served.base}/a/", b"three")[0] == 201
        status, listed, listing = ask("GET", f"{served.base}/a/")
        assert (status, listing.count(b"ldp:contains")) == (200, 2)
        assert ask("DELETE", f"{served.base}/a/b")[0] == 204
        assert ask("GET", f"{served.base}/a/b")[0] == 404
        assert ask("GET", f"{served.base}/a/", held=listed)[0] == 200
        with closing(sqlite3.connect(tmp_path / "documents.sqlite3")) as data:
            assert [body for (body,) in data.execute("SELECT body FROM document")] == [b"three"]


def test_a_server_that_is_not_installed_is_left_out_with_the_way_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    done = milepost(capsys, *SMALL, "--only", "community-solid-server")

    assert "community-solid-server not installed: npm install -g @solid/community-server" in done.out
    assert done.code == 0


def test_our_servers_run_on_the_event_loops_that_their_names_tell(tmp_path: Path) -> None:
    loaded = {}
    for server in find_servers("0"):
        if server.is_ours:
            with server.start(tmp_path / server.name) as served:
                loaded[server.name] = "/uvloop/" in Path(f"/proc/{served.process}/maps").read_text("utf-8")

    assert loaded == {"memory": False, "disk": False, "memory-uvloop": True, "disk-uvloop": True}


def test_an_event_loop_that_is_not_installed_is_left_out_with_the_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)

    done = milepost(capsys, *SMALL, "--only", "disk-uvloop")

    assert "disk-uvloop not installed: pip install 'milepost[fast]'" in done.out
    assert done.code == 0


def test_a_server_that_does_not_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "server" / "bin" / "community-solid-server"
    (tmp_path / "server" / "config").mkdir(parents=True)
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "server" / "package.json").write_text('{"version": "9"}', encoding="utf-8")
    (tmp_path / "server" / "config" / "default.json").write_text('{"import": []}', encoding="utf-8")
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")

    done = milepost(capsys, *SMALL, "--only", "community-solid-server")

    assert (done.code, "community-solid-server did not start" in done.err) == (3, True)


def test_a_name_that_no_server_has_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, *SMALL, "--only", "dusk")

    assert (done.code, done.out) == (2, "")
    assert "dusk is no server" in done.err
    assert "disk" in done.err
