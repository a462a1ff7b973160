"""Bearer tokens: who may use the server (RFC 6750).

A token is 32 octets by chance, so a plain hash of it gives nothing away; passwords do not belong here. A file of tokens has
a line for each, ``NAME sha256 HEX``, beside empty lines and comments. A name may have several, to change from one to the next.
"""

import hashlib
import hmac
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from ldp_server.faults import ServerError

_NAME = re.compile(r"[A-Za-z0-9._~-]{1,64}")
_LINE = re.compile(rf"({_NAME.pattern})[ \t]+sha256[ \t]+([0-9a-f]{{64}})[ \t]*")
_OCTETS = 32


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that a server knows, each as the name of its holder and the SHA-256 of the token."""

    entries: tuple[tuple[str, bytes], ...]

    def holder(self, token: str) -> str | None:
        """Return who holds a token, or None; every entry is compared, each in the same time."""
        digest = _digest(token)
        found = [name for name, known in self.entries if hmac.compare_digest(known, digest)]
        return found[0] if found else None


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
    token = secrets.token_urlsafe(_OCTETS)
    gap = "\n" if text and not text.endswith("\n") else ""
    line = f"{gap}{name} sha256 {_digest(token).hex()}\n"
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as opened:
            opened.write(line)
    except OSError as error:
        raise ServerError("LDP081", f"{file} cannot be written: {error.strerror}.") from None
    return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


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
