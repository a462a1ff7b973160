"""``milepost explain`` and the global options."""

import subprocess
import sys

import pytest

from agent import __version__
from agent.errors import CODES
from tests.support.command_line import milepost
from tests.support.documents import CHECKOUT

HEAVY = (
    "aiohttp",
    "rdflib",
    "pyoxigraph",
    "owlrl",
    "pyshacl",
    "SPARQLWrapper",
    "sqlite3",
    "agent.n3",
    "ldp_server",
)
LOADED = "import sys; from agent.cli.boundary import run_command; run_command({arguments}); print(*sorted(sys.modules))"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_explained_by_title_meaning_and_remedy(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = milepost(capsys, "explain", code.lower())

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{code}  {CODES[code].title}\n")
    assert " ".join(done.out.split()) == " ".join(
        f"{code} {CODES[code].title} {CODES[code].meaning} What to do: {CODES[code].remedy}".split()
    )


def test_without_a_code_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "explain")

    assert done.out.splitlines() == [f"{code}  {CODES[code].title}" for code in sorted(CODES)]


def test_an_unknown_code_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "explain", "N3001x")

    assert (done.code, done.err) == (2, "error USE003  no error has the code N3001x\n  did you mean N3001?\n")


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    done = milepost(capsys, "--version")

    assert (done.code, done.out) == (0, f"milepost {__version__}\n")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["run", "--help"], ["explain", "N3001"]])
def test_light_commands_load_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(arguments=arguments)],
        capture_output=True,
        check=True,
        cwd=CHECKOUT,
        encoding="utf-8",
    )
    loaded = done.stdout.splitlines()[-1].split()

    assert [name for name in HEAVY if name in loaded] == []
