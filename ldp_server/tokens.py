"""Bearer tokens: who may use the server (RFC 6750).

A token is 32 octets by chance, so a plain hash of it gives nothing away; passwords do not belong here. A file of tokens has
a line for each, ``NAME sha256 HEX``, beside empty lines and comments. A name may have several, to change from one to the next.
"""

import hashlib
import hmac
import logging
import os
import re
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ldp_server.faults import ServerError

LOG = logging.getLogger(__name__)
_NAME = re.compile(r"[A-Za-z0-9._~-]{1,64}")
_LINE = re.compile(rf"({_NAME.pattern})[ \t]+sha256[ \t]+([0-9a-f]{{64}})[ \t]*")
_OCTETS = 32
_LOOK_S = 1.0


class Keyring(Protocol):
    """Knows who holds a token, at the moment it is asked."""

    def holder(self, token: str) -> str | None:
        """Return the name of who holds ``token``, or None."""
        ...


class Tokens(Struct, frozen=True):
    """The tokens that a server knows, each as the name of its holder and the SHA-256 of the token."""

    entries: tuple[tuple[str, bytes], ...]

    def holder(self, token: str) -> str | None:
        """Return who holds a token, or None; every entry is compared, each in the same time."""
        digest = _digest(token)
        found = [name for name, known in self.entries if hmac.compare_digest(known, digest)]
        return found[0] if found else None


class TokenFile:
    """The tokens of a file as it is: a line that is added or deleted counts a second later at the latest.

    A file that became malformed or cannot be read keeps the tokens that it had, and an error is logged (LDP081); one whose
    last token was deleted has none, and then nobody may use the server. What is no regular file is read once.
    """

    def __init__(self, file: Path, now: Callable[[], float]) -> None:
        """Read ``file``, or raise LDP081; ``now`` is a clock in seconds that never goes back."""
        self._file = file
        self._now = now
        self._looked_s = now()
        self._state = _state_of(file)
        self._tokens = read_tokens(file)

    def holder(self, token: str) -> str | None:
        """Return who holds a token by now, or None."""
        now = self._now()
        if self._state is not None and now - self._looked_s >= _LOOK_S:
            self._looked_s = now
            self._look()
        return self._tokens.holder(token)

    def _look(self) -> None:
        state = _state_of(self._file) or ()
        if state == self._state:
            return
        self._state = state
        try:
            self._tokens = _parse(_text_of(self._file), self._file)
        except ServerError as error:
            LOG.error("%s The tokens of before stay good.", error)  # noqa: TRY400  the message is the whole fault
            return
        LOG.info("read %s again: it has %d tokens", self._file, len(self._tokens.entries))


def new_token(name: str) -> tuple[str, Tokens]:
    """Return a token by chance, and tokens that know nothing but that ``name`` holds it."""
    token = secrets.token_urlsafe(_OCTETS)
    return token, Tokens(((name, _digest(token)),))


def read_tokens(file: Path) -> Tokens:
    """Return the tokens of a file, or raise LDP081 for one that is missing, malformed or without a token."""
    tokens = _parse(_text_of(file), file)
    if not tokens.entries:
        raise ServerError("LDP081", f"{file} has no token, so nobody could use the server. Make one.")
    return tokens


def add_token(file: Path, name: str) -> str:
    """Make a token for ``name``, add its hash to the file, and return the token, which is kept nowhere. Raises LDP081.

    A file that is not there is made, for its owner alone.
    """
    if not _NAME.fullmatch(name):
        raise ServerError(
            "LDP081", f"{name[:80]!r} is no name for a holder: 1 to 64 of A-Z a-z 0-9 . _ ~ - are."
        )
    text = _text_of(file) if file.exists() else ""
    _parse(text, file)
    token, tokens = new_token(name)
    gap = "\n" if text and not text.endswith("\n") else ""
    line = f"{gap}{name} sha256 {tokens.entries[0][1].hex()}\n"
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as opened:
            opened.write(line)
    except OSError as error:
        raise ServerError("LDP081", f"{file} cannot be written: {error.strerror}.") from None
    return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _state_of(file: Path) -> tuple[int, ...] | None:
    """Return what changes with the text of a regular file, nothing in it for what is gone, None for another thing."""
    try:
        found = file.stat()
    except OSError:
        return ()
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ServerError("LDP081", f"{file} cannot be read: {error}.") from None


def _parse(text: str, file: Path) -> Tokens:
    entries = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise ServerError("LDP081", f"{file}, line {number} is not of the form NAME sha256 HEX.")
        entries.append((match[1], bytes.fromhex(match[2])))
    return Tokens(tuple(entries))
