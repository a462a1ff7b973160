"""The reference page lists exactly the builtins that exist, as they are."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from agent.n3.builtins import BUILTINS, MODULES
from agent.vocab import KNOWN_PREFIXES

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "builtins.md"
LOADING = """
import sys
from agent.n3.builtins import BUILTINS, MODULES
from agent.n3.builtins.registry import REGISTRY
found = set()
for namespace in list(MODULES)[::int(sys.argv[1])]:
    assert namespace not in BUILTINS
    found |= {iri for iri in REGISTRY if iri.startswith(namespace)}
assert found == set(BUILTINS), set(BUILTINS) - found
"""
WORDS = {
    "both": ({"subject", "object"},),
    "subject": ({"subject"},),
    "object": ({"object"},),
    "subject or object": ({"subject"}, {"object"}),
    "nothing": (set(),),
}


def test_the_table_of_the_reference_is_the_registry() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    written = {}
    for row in rows:
        name, known, lists, _ = (cell.strip() for cell in row.strip("|").split("|"))
        prefix, _, local = name.strip("`").partition(":")
        sides = frozenset(lists.split())
        written[KNOWN_PREFIXES[prefix] + local] = (tuple(map(frozenset, WORDS[known])), sides)
    assert written == {iri: (builtin.modes, builtin.lists) for iri, builtin in BUILTINS.items()}


def test_every_function_of_a_vocabulary_says_what_it_does() -> None:
    names = sorted({name for names in MODULES.values() for name in names})
    functions = [
        function
        for module in (import_module(f"agent.n3.builtins.{name}") for name in names)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    ]
    assert len(functions) == len(BUILTINS)
    assert [function.__name__ for function in functions if not inspect.getdoc(function)] == []


@pytest.mark.parametrize("order", [1, -1])
def test_each_name_is_found_in_the_modules_of_its_namespace(order: int) -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOADING, str(order)], cwd=PAGE.parents[2], capture_output=True, check=False
    )

    assert (told.returncode, told.stderr) == (0, b"")
