"""Files and globs that a user names.

Names are taken literally first; one that names no file is tried as a glob.
"""

import glob
from collections.abc import Iterable
from pathlib import Path

from agent.errors import Place, ProgramError, UsageError


def is_url(name: str) -> bool:
    """Tell whether ``name`` is a URL rather than a path."""
    return name.startswith(("http://", "https://"))


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` with every glob replaced by the files it matches, sorted; USE002 if it matches none."""
    return tuple(name for given in names for name in _matches(given))


def read_text(name: str) -> str:
    """Return the text of the file ``name``; USE002 if it cannot be read, N3051 if it is not UTF-8."""
    return decode(read_bytes(name), name)


def decode(body: bytes, name: str) -> str:
    """Return ``body`` as text, without a byte order mark; N3051 at ``name`` if it is not UTF-8."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProgramError(
            "N3051", f"byte {error.start} is not UTF-8", place=Place(name), hint="Save it as UTF-8."
        ) from None


def read_bytes(name: str) -> bytes:
    """Return the content of the file ``name``; USE002 if it cannot be read."""
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError("USE002", f"{name} cannot be read: {error.strerror}") from None


def base_of(name: str) -> str:
    """Return the URI that relative references in the file ``name`` are relative to."""
    return Path(name).resolve().as_uri()


def _matches(name: str) -> list[str]:
    if is_url(name) or Path(name).is_file():
        return [name]
    found = sorted(path for path in glob.glob(name, recursive=True) if Path(path).is_file())  # noqa: PTH207  a pattern may be absolute
    if not found:
        kind = "is a folder, not a file" if Path(name).is_dir() else "does not exist"
        raise UsageError(
            "USE002", f"{name} {kind}", hint="Check the path; a glob has to match at least one file."
        )
    return found
