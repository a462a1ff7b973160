"""Files of tokens: what they hold, who holds a token, what is no such file."""

import hashlib
from pathlib import Path

import pytest

from ldp_server import ServerError, add_token, read_tokens
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
