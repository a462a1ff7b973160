"""The public surface is a short sorted list, loaded on demand."""

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import agent
import agent.reason.facts
import ldp_server
from tests.support.documents import CHECKOUT

LIGHT = "import sys, agent; print(sorted(name for name in sys.modules if name.partition('.')[0] in {heavy}))"
HEAVY = ("aiohttp", "rdflib", "pyoxigraph", "asyncio", "typer")


@pytest.mark.parametrize("package", [agent, ldp_server])
def test_public_names_are_sorted_and_lead_somewhere(package: ModuleType) -> None:
    names: list[str] = package.__all__

    assert names == sorted(names)
    assert [name for name in names if not callable(getattr(package, name))] == []


@pytest.mark.parametrize("package", [agent, ldp_server])
def test_what_a_package_defines_or_imports_is_what_it_lists(package: ModuleType) -> None:
    assert package.__file__
    text = Path(package.__file__).read_text(encoding="utf-8")
    imported = {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith((agent.__name__, ldp_server.__name__))
        for alias in node.names
    }

    assert imported - {"api"} == set(package.__all__)
    assert len(text.splitlines()) <= 80


def test_a_public_function_wins_over_the_room_of_the_same_name() -> None:
    program = agent.parse("@prefix : <http://example.org/> . { ?x :p ?y } => { ?y :q ?x } . :a :p :b .")

    assert {str(term) for triple in agent.reason(program) for term in triple} == {
        f"http://example.org/{name}" for name in "apbq"
    }


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'agent' has no attribute 'raeson'"):
        agent.raeson  # type: ignore[attr-defined]  # noqa: B018  the name is wrong on purpose


def test_importing_the_package_loads_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT.format(heavy=HEAVY)],
        capture_output=True,
        check=True,
        cwd=CHECKOUT,
        encoding="utf-8",
    )

    assert done.stdout == "[]\n"
