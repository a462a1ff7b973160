"""``milepost serve``: it says where it is, answers, and ends when it is told to."""

import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
import uvloop

from agent.cli.event_loops import loop_factory
from agent.cli.serve_options import Loop, Profile
from agent.errors import UsageError
from ldp_server.settings import PROFILES
from tests.support.command_line import milepost, start_milepost
from tests.support.ports import free_port


@pytest.fixture
def processes() -> Iterator[list["Popen[str]"]]:
    started: list[Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def _base_url(process: "Popen[str]") -> str:
    assert process.stdout
    words = process.stdout.readline().split()
    assert words[:1] == ["serving"]
    return words[1].rstrip(",")


def _put(uri: str, turtle: str) -> int:
    request = urllib.request.Request(uri, turtle.encode(), {"Content-Type": "text/turtle"}, method="PUT")
    with urllib.request.urlopen(request, timeout=30) as answer:
        status: int = answer.status
        return status


def _get(uri: str) -> str:
    with urllib.request.urlopen(uri, timeout=30) as answer:
        body: bytes = answer.read()
        return body.decode()


@pytest.mark.parametrize("loop", list(Loop))
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_server_with_its_exit_code(
    number: signal.Signals, code: int, loop: Loop, processes: list["Popen[str]"], tmp_path: Path
) -> None:
    server = start_milepost("serve", "--memory", "--port", "0", "--loop", loop, cwd=tmp_path)
    processes.append(server)
    assert _put(_base_url(server) + "lamp", '<#it> <http://schema.org/name> "lamp" .') == 201

    server.send_signal(number)
    _, err = server.communicate(timeout=30)

    assert (server.returncode, err) == (code, "")
    assert list(tmp_path.iterdir()) == []


def test_data_in_a_folder_are_there_again_after_a_restart(
    processes: list["Popen[str]"], tmp_path: Path
) -> None:
    first = start_milepost("serve", "--data", "kept", "--port", "0", cwd=tmp_path)
    processes.append(first)
    base = _base_url(first)
    _put(base + "lamp", '<#it> <http://schema.org/name> "lamp" .')
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=30)

    port = base.rstrip("/").rpartition(":")[2]
    second = start_milepost("serve", "--data", "kept", "--port", port, cwd=tmp_path)
    processes.append(second)

    assert '"lamp"' in _get(_base_url(second) + "lamp")


def test_a_taken_port_is_told_in_few_words(processes: list["Popen[str]"], tmp_path: Path) -> None:
    first = start_milepost("serve", "--memory", "--port", "0", cwd=tmp_path)
    processes.append(first)
    port = _base_url(first).rstrip("/").rpartition(":")[2]

    second = start_milepost("serve", "--memory", "--port", port, cwd=tmp_path)
    processes.append(second)
    out, err = second.communicate(timeout=30)

    assert (second.returncode, out) == (3, "")
    assert err.startswith("error LDP034  ")
    assert len(err.splitlines()) == 1


def test_memory_and_a_folder_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "serve", "--memory", "--data", "kept")

    assert (done.code, done.err) == (2, "error USE001  --data and --memory exclude each other\n")


@pytest.mark.parametrize(
    ("options", "offers"),
    [
        ((), True),
        (("--no-schedulers",), False),
        (("--host", "127.0.0.1"), True),
        (("--host", "0.0.0.0", "--base-url", "BASE", "--insecure"), False),  # noqa: S104  the point of the case
        (("--host", "0.0.0.0", "--base-url", "BASE", "--insecure", "--schedulers"), True),  # noqa: S104  the point of the case
    ],
)
def test_schedulers_are_offered_to_this_machine_and_to_others_only_when_asked_for(
    options: tuple[str, ...], offers: bool, processes: list["Popen[str]"], tmp_path: Path
) -> None:
    port = str(free_port())
    given = [option.replace("BASE", f"http://127.0.0.1:{port}/") for option in options]
    server = start_milepost("serve", "--memory", "--port", port, *given, cwd=tmp_path)
    processes.append(server)

    _base_url(server)
    if offers:
        assert "BasicContainer" in _get(f"http://127.0.0.1:{port}/schedulers/")
    else:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            _get(f"http://127.0.0.1:{port}/schedulers/")


def test_the_profiles_of_the_command_are_those_of_the_server() -> None:
    assert [profile.value for profile in Profile] == list(PROFILES)


def test_a_profile_and_a_site_reach_the_server(processes: list["Popen[str]"], tmp_path: Path) -> None:
    options = ("--profile", "conformance", "--allow-origin", "https://App.example/")
    server = start_milepost("serve", "--memory", "--port", "0", *options, cwd=tmp_path)
    processes.append(server)
    base = _base_url(server)
    assert _put(base + "lamp", "") == 201

    with pytest.raises(urllib.error.HTTPError, match="428"):
        _put(base + "lamp", "")
    request = urllib.request.Request(base + "lamp", headers={"Origin": "https://app.example"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] == "https://app.example"


def test_what_is_no_origin_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "serve", "--memory", "--allow-origin", "app.example/page")

    assert done.code == 2
    assert "an origin is of the form https://host:port" in done.err


def test_a_host_that_others_reach_needs_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    everywhere = ("--host", "0.0.0.0", "--base-url", "http://data.example/")  # noqa: S104  it is refused
    done = milepost(capsys, "serve", "--memory", "--port", "0", *everywhere)

    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("error LDP033  ")


def test_a_new_token_is_printed_once_and_opens_the_server(
    processes: list["Popen[str]"], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tokens"
    made = milepost(capsys, "serve", "--tokens", str(file), "--new-token", "alice")
    token = made.out.strip()
    assert (made.code, made.err, file.read_text().count("\n")) == (0, "", 1)
    port = str(free_port())
    everywhere = ("--host", "0.0.0.0", "--base-url", f"http://127.0.0.1:{port}/")  # noqa: S104  the point of the case
    server = start_milepost(
        "serve", "--memory", "--port", port, "--tokens", str(file), *everywhere, cwd=tmp_path
    )
    processes.append(server)
    base = _base_url(server)

    with pytest.raises(urllib.error.HTTPError, match="401"):
        _get(base)
    request = urllib.request.Request(base, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--new-token", "alice"), 2, "--new-token needs --tokens"),
        (("--tokens", "none"), 3, "LDP081"),
        (("--tokens", "none", "--new-token", "a b"), 3, "LDP081"),
    ],
)
def test_tokens_that_cannot_be_used_are_told(
    options: tuple[str, ...],
    code: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = milepost(capsys, "serve", "--memory", *options)

    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("loop", [None, *Loop])
def test_the_quicker_event_loop_is_taken_where_it_is_installed(
    loop: Loop | None, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not there:
        monkeypatch.setitem(sys.modules, "uvloop", None)
    if loop is Loop.UVLOOP and not there:
        with pytest.raises(UsageError) as told:
            loop_factory(loop)
        assert (told.value.code, "milepost[fast]" in (told.value.hint or "")) == ("USE014", True)
        return

    expected = uvloop.new_event_loop if there and loop is not Loop.ASYNCIO else None

    assert loop_factory(loop) is expected


def test_an_event_loop_that_is_not_installed_is_told_in_few_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)

    done = milepost(capsys, "serve", "--memory", "--loop", "uvloop")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error USE014  --loop uvloop needs uvloop, which is not installed\n"
        "  pip install 'milepost[fast]', or leave --loop out.\n"
    )
