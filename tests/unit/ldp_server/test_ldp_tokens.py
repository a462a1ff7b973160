"""Files of tokens: what they hold, who holds a token, what is no such file."""

import hashlib
import logging
import os
from pathlib import Path

import pytest

from ldp_server import ServerError, TokenFile, add_token, new_token, read_tokens
from ldp_server.tokens import Tokens


def test_a_token_is_known_by_its_holder_and_kept_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    alice, bob, again = (add_token(file, name) for name in ("alice", "bob", "alice"))

    tokens = read_tokens(file)

    assert [tokens.holder(token) for token in (alice, bob, again)] == ["alice", "bob", "alice"]
    assert [tokens.holder(token) for token in ("", alice[:-1], alice + "x", alice.swapcase())] == [None] * 4
    assert len({alice, bob, again}) == 3
    assert min(map(len, (alice, bob, again))) >= 43
    assert [token for token in (alice, bob, again) if token in file.read_text()] == []
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_may_have_comments_and_lack_its_last_line_end(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    digest = hashlib.sha256(b"secret").hexdigest()
    file.write_text(f"# agents\n\n  carol\tsha256 {digest}".replace("  carol", "carol"))

    dave = add_token(file, "dave")

    tokens = read_tokens(file)
    assert [tokens.holder("secret"), tokens.holder(dave)] == ["carol", "dave"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nobody\n",
        "alice\n",
        "alice sha256 00\n",
        f"alice md5 {'0' * 64}\n",
        f"alice sha256 {'0' * 64} x\n",
        f"a b sha256 {'0' * 64}\n",
        "\0\n",
    ],
)
def test_what_is_no_file_of_tokens_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(text)

    with pytest.raises(ServerError, match="LDP081"):
        read_tokens(file)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name in ("none", "binary", "."):
        with pytest.raises(ServerError, match=r"LDP081.*cannot be read"):
            read_tokens(tmp_path / name)


@pytest.mark.parametrize("name", ["", "a b", "a\nb sha256 0", "#a", "x" * 65, "ü"])
def test_a_name_that_would_break_the_file_is_refused_and_nothing_is_written(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(ServerError, match="LDP081"):
        add_token(tmp_path / "tokens", name)

    assert list(tmp_path.iterdir()) == []


def test_a_broken_file_gets_no_further_token(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("alice\n")

    with pytest.raises(ServerError, match="line 1"):
        add_token(file, "bob")

    assert file.read_text() == "alice\n"


def test_tokens_of_odd_characters_have_no_holder() -> None:
    assert Tokens((("alice", bytes(32)),)).holder("\udcff\0") is None


def test_a_file_of_tokens_is_followed_and_looked_at_once_a_second_at_most(tmp_path: Path) -> None:
    file, clock = tmp_path / "tokens", [0.0]
    alice, bob = add_token(file, "alice"), add_token(file, "bob")
    tokens = TokenFile(file, lambda: clock[0])
    file.write_text(file.read_text().partition("\n")[2])

    known = []
    for clock[0] in (0.5, 1.0):
        known.append([tokens.holder(alice), tokens.holder(bob)])
    file.write_text("# nobody")
    clock[0] = 2.0
    known.append([tokens.holder(alice), tokens.holder(bob)])

    assert known == [["alice", "bob"], [None, "bob"], [None, None]]


def test_a_file_of_tokens_that_broke_keeps_those_of_before_and_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, clock = tmp_path / "tokens", [0.0]
    alice = add_token(file, "alice")
    tokens = TokenFile(file, lambda: clock[0])
    good = file.read_text()
    known = []
    with caplog.at_level(logging.ERROR):
        for text in ("alice sha256 00\n", None, good.replace("alice", "carol")):
            file.unlink(missing_ok=True)
            if text is not None:
                file.write_text(text)
            for _ in range(2):
                clock[0] += 1.0
                known.append(tokens.holder(alice))

    assert known == ["alice"] * 4 + ["carol"] * 2
    assert [record.getMessage()[:6] for record in caplog.records] == ["LDP081", "LDP081"]


def test_tokens_from_a_pipe_are_read_once(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    alice, known = new_token("alice")
    os.write(writing, f"alice sha256 {known.entries[0][1].hex()}\n".encode())
    os.close(writing)
    clock = [0.0]
    tokens = TokenFile(Path(f"/dev/fd/{reading}"), lambda: clock[0])
    os.close(reading)
    clock[0] = 9.0

    assert tokens.holder(alice) == "alice"
