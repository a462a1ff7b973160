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
CONVERTERS = ("typer", "pydantic", "pydantic_core", "rich", "importlib.metadata")
ERRORS = ("agent.codes", "agent.rdf.recover", "logging")
SIMPLE = ("agent.reason.fixpoint", "agent.reason.answers")
COMPILED = ("agent.reason.incremental", "agent.runtime.derive_compiled")
LAYOUT = ("agent.n3.document",)
READERS = ("agent.rdf.quads", "agent.rdf.wellformed", "xml.parsers.expat")


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

    heavy = {*GRAPHS, *SERVERS, *CONVERTERS, "aiohttp", "asyncio", "hashlib"}
    assert _loaded(*command, str(program)) & heavy == set()


def test_deriving_loads_one_way_to_derive_and_nothing_for_errors(tmp_path: Path) -> None:
    program = tmp_path / "program.n3"
    program.write_text(PROGRAM, encoding="utf-8")
    few, many = tmp_path / "few.ttl", tmp_path / "many.nt"
    few.write_text("<http://example.org/s> <http://example.org/p> 1 .", encoding="utf-8")
    many.write_text(
        "".join(
            f"<http://example.org/s{n}> <http://example.org/p> <http://example.org/o> .\n" for n in range(300)
        ),
        encoding="utf-8",
    )

    alone = _loaded("reason", "-p", str(program), "--format", "nt")
    with_few = _loaded("reason", "-p", str(program), "-i", str(few))
    with_many = _loaded("reason", "-p", str(program), "-i", str(many))

    watched = {*ERRORS, *SIMPLE, *COMPILED, *LAYOUT, *READERS, "agent.messages"}
    assert alone & watched == {*SIMPLE}
    assert with_few & watched == {*SIMPLE, *LAYOUT, *READERS, "agent.rdf.recover"}
    assert with_many & watched == {*COMPILED}


def test_running_a_program_without_sparql_needs_no_rdflib(tmp_path: Path) -> None:
    program = tmp_path / "program.n3"
    program.write_text(PROGRAM, encoding="utf-8")

    assert _loaded("run", "-p", str(program)) & {*GRAPHS, *SERVERS, "typer", "pydantic", "rich"} == set()
