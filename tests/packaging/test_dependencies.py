"""Whoever installs Milepost installs what it imports, and nothing else."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.support.installation import CHECKOUT

OWN = {"agent", "ldp_server"}
OF_AIOHTTP = {"multidict", "yarl"}
"""Types of its interface: it brings them, in the versions that fit."""


def _declared() -> set[str]:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    return {
        re.split(r"[^\w-]", requirement, maxsplit=1)[0] for requirement in (*project["dependencies"], *extras)
    }


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_the_dependencies_are_what_the_code_imports() -> None:
    files = [path for package in OWN for path in (CHECKOUT / package).rglob("*.py")]
    imported = {name.partition(".")[0] for path in files for name in _imported(path)}

    assert imported - OWN - OF_AIOHTTP - sys.stdlib_module_names == _declared()
