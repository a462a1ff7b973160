"""``milepost explain`` and the global options."""

import pytest

from agent import __version__
from agent.codes import CODES
from tests.support.command_line import milepost


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
