"""The reference page lists exactly the builtins that exist, as they are."""

import inspect
from pathlib import Path

from agent.n3.builtins import BUILTINS, VOCABULARY_MODULES
from agent.vocab import KNOWN_PREFIXES

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "builtins.md"
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
    functions = [
        function
        for module in VOCABULARY_MODULES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    ]
    assert len(functions) == len(BUILTINS)
    assert [function.__name__ for function in functions if not inspect.getdoc(function)] == []
