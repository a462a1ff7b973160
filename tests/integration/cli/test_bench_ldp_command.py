"""``milepost bench ldp``: servers in processes of their own, every kind of request, and every way to watch."""

import re
import stat
import sys
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
