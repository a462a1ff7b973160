"""A command loads what it needs and no more, so that it starts quickly."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documents import CHECKOUT

PROGRAM = "@prefix : <http://example.org/> . :a :p :b . { ?x :p ?y } => { ?y :q ?x } ."
LOADED = "import sys; from agent.cli.boundary import run_command; run_command({arguments}); print(*sorted(sys.modules))"
GRAPHS = ("rdflib", "owlrl", "pyshacl", "SPARQLWrapper")
SERVERS = ("ldp_server", "sqlite3")
CONVERTERS = ("pydantic", "pydantic_core", "rich", "importlib.metadata")


def _loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(arguments=arguments)],
        capture_output=True,
        check=True,
        cwd=CHECKOUT,
        encoding="utf-8",
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["run", "--help"], ["explain", "N3001"]])
def test_light_commands_load_nothing_heavy(arguments: list[str]) -> None:
    heavy = {*GRAPHS, *SERVERS, "aiohttp", "asyncio", "pyoxigraph", "agent.n3"}

    assert _loaded(*arguments) & heavy == set()


@pytest.mark.parametrize("command", [["parse"], ["reason", "-p"]])
def test_reading_files_needs_neither_http_nor_rdflib(command: list[str], tmp_path: Path) -> None:
    program = tmp_path / "program.n3"
    program.write_text(PROGRAM, encoding="utf-8")

    heavy = {*GRAPHS, *SERVERS, *CONVERTERS, "aiohttp", "asyncio"}
    assert _loaded(*command, str(program)) & heavy == set()


def test_running_a_program_without_sparql_needs_no_rdflib(tmp_path: Path) -> None:
    program = tmp_path / "program.n3"
    program.write_text(PROGRAM, encoding="utf-8")

    assert _loaded("run", "-p", str(program)) & {*GRAPHS, *SERVERS, "pydantic", "rich"} == set()
