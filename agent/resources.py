"""The files that come with Milepost: ontologies and rules, read from a wheel or from a checkout alike.

Names are paths below the checkout with ``/`` between parts: ``rules/gsm/lifecycle.n3``, ``ontology/gsm.ttl``.
Everything is a ``Traversable``, never a path of the file system, so that a zipped install works too.
"""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from agent.errors import BugError


def bundled(name: str) -> Traversable:
    """Return the bundled file or folder ``name``; BUG002 when the installation lacks it."""
    found = _root().joinpath(*name.split("/"))
    if not (found.is_file() or found.is_dir()):
        raise BugError("BUG002", f"the bundled file {name} is missing", hint="Install milepost again.")
    return found


def read_bundled(name: str) -> str:
    """Return the text of the bundled file ``name``."""
    return bundled(name).read_text(encoding="utf-8")


def bundled_names(folder: str, ending: str) -> tuple[str, ...]:
    """Return the sorted names of all bundled files below ``folder``, at any depth, that end in ``ending``."""
    return tuple(sorted(name for name in _walk(folder) if name.endswith(ending)))


def _walk(folder: str) -> Iterator[str]:
    pending = [(folder, bundled(folder))]
    while pending:
        name, place = pending.pop()
        for child in place.iterdir():
            if child.is_dir():
                pending.append((f"{name}/{child.name}", child))
            else:
                yield f"{name}/{child.name}"


def _root() -> Traversable:
    package = files("agent")
    packaged = package / "_data"
    return packaged if packaged.is_dir() else Path(str(package)).parent
