"""Whatever happens inside a command, the user gets few lines, no traceback, and the right exit code."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from agent.cli import app as composition
from agent.errors import MAX_LINES, BudgetError, ClashError, MilepostError, ProgramError, WorldError
from tests.support.command_line import command, environment, milepost
from tests.support.documents import CHECKOUT

INTERRUPTED_LOADING = """
import sys, agent.__main__

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "agent.cli.boundary":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
agent.__main__.main()
"""


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[BaseException]:
    """Give milepost a command ``fail`` that raises what is put into the list, and a folder for its details."""
    pending: list[BaseException] = []

    def fail() -> None:
        """Raise."""
        raise pending.pop()

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback()(composition.milepost)
    app.command()(fail)
    monkeypatch.setattr(composition, "app", app)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return pending


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ProgramError("N3001", "a dot is missing"), 1),
        (WorldError("NET001", "nobody answers"), 3),
        (ClashError("ASM001", "two bodies"), 4),
        (BudgetError("ASM001", "too many facts"), 5),
    ],
)
def test_an_error_of_ours_is_described_on_the_error_stream(
    error: MilepostError, code: int, raising: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    raising.append(error)

    done = milepost(capsys, "fail")

    assert (done.code, done.out, done.err) == (code, "", f"error {error.code}  {error.message}\n")


def test_the_first_error_of_ours_in_a_group_is_the_one_described(
    raising: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    inner = ExceptionGroup("inner", [ValueError("noise"), WorldError("NET001", "nobody answers")])
    raising.append(ExceptionGroup("outer", [inner]))

    done = milepost(capsys, "fail")

    assert (done.code, done.err) == (3, "error NET001  nobody answers\n")


def test_a_fault_of_ours_says_where_its_details_are_and_shows_no_traceback(
    raising: list[BaseException], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raising.append(KeyError("lost\nproperty"))

    done = milepost(capsys, "fail")

    (details,) = tmp_path.glob("milepost-fault-*.txt")
    assert done.code == 70
    assert done.err == (
        "error BUG001  KeyError: 'lost\\nproperty'\n"
        f"  This is a fault of ours. The details are in {details}; please report them.\n"
    )
    assert "Traceback" in details.read_text(encoding="utf-8")


def test_a_long_fault_of_ours_takes_few_lines(
    raising: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    raising.append(RuntimeError("\n".join(["word " * 50] * 100)))

    done = milepost(capsys, "fail")

    assert len(done.err.splitlines()) <= MAX_LINES
    assert max(map(len, done.err.splitlines())) < 320


def test_debug_shows_the_traceback_at_once(
    raising: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    raising.append(KeyError("lost"))

    done = milepost(capsys, "--debug", "fail")

    assert done.code == 70
    assert done.err.startswith("Traceback")
    assert "error BUG001  KeyError: 'lost'" in done.err


def test_an_interrupt_leaves_silently_with_130(
    raising: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    raising.append(KeyboardInterrupt())

    done = milepost(capsys, "fail")

    assert (done.code, done.out + done.err) == (130, "")


def test_an_interrupt_while_the_command_loads_leaves_silently_too() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", INTERRUPTED_LOADING],
        capture_output=True,
        check=False,
        env=environment(),
    )

    assert (done.returncode, done.stdout + done.stderr) == (130, b"")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_output_without_room_is_no_fault_of_ours(
    number: int, raising: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    raising.append(OSError(number, os.strerror(number)))

    done = milepost(capsys, "fail")

    assert (done.code, done.out) == (2, "")
    assert done.err == f"error USE004  the output cannot be written: {os.strerror(number)}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["exlpain"], "No such command 'exlpain'."),
        (["explain", "--colour"], "No such option: --colour"),
        (["explain", "A", "B"], "Got unexpected extra argument"),
        (["parse"], "Missing argument 'FILE'."),
        (["serve", "--port", "many"], "Invalid value for '--port'"),
        (["serve", "--memory", "--port", "65536"], "Invalid value for '--port'"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2_in_our_form(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, *arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error USE001  {message}")
    assert done.err.endswith("\n  Run the command with --help.\n")


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Usage: milepost")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("why", "http://127.0.0.1/x", "--format", "xml"),
            "Invalid value for '--format': 'xml' is not one of 'text', 'json', 'turtle'.",
        ),
        (
            ("serve", "--port", "99999"),
            "Invalid value for '--port': it should be less than or equal to 65535",
        ),
    ],
)
def test_a_wrong_argument_is_told_without_the_phrases_of_a_library(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, *arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err == f"error USE001  {message}\n  Run the command with --help.\n"


def test_an_odd_literal_in_a_query_prints_no_traceback_of_the_library_that_reads_it(tmp_path: Path) -> None:
    good = (CHECKOUT / "tests" / "conformance" / "check" / "good.ttl").read_text(encoding="utf-8")
    odd = "'x'^^<http://www.w3.org/2001/XMLSchema#integer>"
    (tmp_path / "m.ttl").write_text(
        good.replace("FILTER (?t < 18)", f"FILTER (?t < {odd})"), encoding="utf-8"
    )

    done = subprocess.run(
        command("check", "m.ttl"),
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (1, "")
    assert "GSM018" in done.stdout


@pytest.mark.parametrize("words", [("parse",), ("reason", "-p")])
def test_who_stops_reading_hears_no_more(words: tuple[str, ...], tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)

    done = subprocess.run(
        command(*words, _facts(tmp_path)),
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        env={**environment(), "PYTHONUNBUFFERED": ""},
    )
    os.close(write)

    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("words", "code"), [(("parse",), 0), (("reason", "-p"), 0), (("parse", "--no-option"), 2)]
)
def test_a_command_does_without_streams(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    closing = ("sh", "-c", 'exec "$@" >&- 2>&-', "sh")

    done = subprocess.run([*closing, *command(*words, _facts(tmp_path))], check=False, env=environment())

    assert done.returncode == code


def _facts(folder: Path) -> str:
    path = folder / "facts.nt"
    path.write_text("<a:a> <a:b> <a:c> .\n", encoding="utf-8")
    return str(path)
