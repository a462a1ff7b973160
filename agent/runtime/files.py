"""Files and globs that a user names.

Names are taken literally first; one that names no file is tried as a glob.
"""

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path

from agent.errors import Place, ProgramError, UsageError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


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
        raise UsageError(
            "USE002", f"{name} cannot be read: {error.strerror}", hint="Check the path and who may read it."
        ) from None


def base_of(name: str) -> str:
    """Return the URI that relative references in the file ``name`` are relative to."""
    return Path(os.path.realpath(name)).as_uri()


def _matches(name: str) -> list[str]:
    if is_url(name) or _is_file(name):
        return [name]
    found = sorted(path for path in glob.glob(name, recursive=True) if _is_file(path))  # noqa: PTH207  a pattern may be absolute
    if not found and _SCHEME.match(name):
        scheme = name.partition(":")[0]
        raise UsageError(
            "USE002",
            f"{name} cannot be read: {scheme} is no scheme that is read",
            hint="Give a path, or an http or https address.",
        )
    if not found:
        kind = "is a folder, not a file" if os.path.isdir(name) else "does not exist"  # noqa: PTH112  as below
        raise UsageError(
            "USE002",
            f"{name or 'a file without a name'} {kind}",
            hint="Check the path; a glob has to match at least one file.",
        )
    return found


def _is_file(name: str) -> bool:
    """Tell whether ``name`` can be read like a file: a pipe or a device is as good as one on a disk."""
    # Other than those of Path these are also false for names that no file can have: too long, a loop of links.
    return os.path.exists(name) and not os.path.isdir(name)  # noqa: PTH110, PTH112  false also for names that no file can have
