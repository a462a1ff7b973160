"""What a user names: files that are not there, and names that no file can have."""

import os
from pathlib import Path

import pytest

from agent.errors import UsageError
from agent.runtime.files import base_of, expand, read_bytes

TOO_LONG = "x" * 5_000


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.ttl", "none.ttl does not exist"),
        ("*.nothing", "*.nothing does not exist"),
        ("folder", "folder is a folder, not a file"),
        ("loop", "loop does not exist"),
        ("", "a file without a name does not exist"),
        (TOO_LONG, f"{TOO_LONG} does not exist"),
    ],
)
def test_a_name_without_a_file_is_told_with_what_to_do(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")

    with pytest.raises(UsageError) as raised:
        expand([name])

    assert (raised.value.code, raised.value.message) == ("USE002", message)
    assert raised.value.hint == "Check the path; a glob has to match at least one file."


@pytest.mark.parametrize("name", ["none.ttl", "folder", "loop", TOO_LONG])
def test_reading_what_cannot_be_read_is_the_users_fault(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")

    with pytest.raises(UsageError, match="cannot be read: "):
        read_bytes(name)

    assert base_of(name).startswith("file:///")


def test_a_name_is_taken_literally_before_it_is_a_glob(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("[a].ttl", "a.ttl", "b.ttl"):
        Path(name).touch()

    assert expand(["[a].ttl"]) == ("[a].ttl",)
    assert expand(["/dev/null"]) == ("/dev/null",)
    assert expand(["?.ttl"]) == ("a.ttl", "b.ttl")
    assert expand(["http://example.org/*.ttl"]) == ("http://example.org/*.ttl",)


def test_a_pipe_is_as_good_as_a_file(tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)

    assert expand([pipe]) == (pipe,)


def test_an_address_of_another_scheme_is_no_missing_file() -> None:
    with pytest.raises(UsageError) as raised:
        expand(["ftp://x/m.ttl"])

    assert raised.value.message == "ftp://x/m.ttl cannot be read: ftp is no scheme that is read"
    assert raised.value.hint == "Give a path, or an http or https address."
