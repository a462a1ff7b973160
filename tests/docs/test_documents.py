"""Every code block of our documents does what the page says."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent.n3.parser import parse
from tests.support.command_line import command
from tests.support.documents import CHECKOUT, KINDS, Block, agrees, blocks, exchanges, pages, script
from tests.support.ports import free_port
from tests.support.references import PAGES as GENERATED
from tests.support.tools import need

PAGES = [page.relative_to(CHECKOUT).as_posix() for page in pages()]
CITATION = re.compile(r"\bADR (\d{4})?|design decision")
DEFAULT_PORT = re.compile(r"(?<=127\.0\.0\.1:)7070|(?<=--port )7070")
CURL = re.compile(r"\bcurl\b")
LINK = re.compile(r"\]\((?!https?://)([^)#\s]+)")
ALL_BLOCKS = [
    pytest.param(block, id=f"{name}:{block.line}")
    for name in PAGES
    for block in blocks((CHECKOUT / name).read_text(encoding="utf-8"))
]
GRAPHS = [
    case
    for case in ALL_BLOCKS
    if isinstance(case.values[0], Block) and case.values[0].kind in {"n3", "turtle"}
]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder for PATH with milepost, python, and a make that only looks whether a target is known."""
    folder = tmp_path / "programs"
    folder.mkdir()
    make = shutil.which("make")
    python = f'PYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -P'
    _program(folder / "milepost", f'PYTHONPATH="{CHECKOUT}" exec {shlex.join(command())} "$@"')
    _program(folder / "python", f'{python} "$@"')
    _program(
        folder / "make",
        f'[ "$1" = demo ] && exec milepost demo --headless\nexec {make} -C "{CHECKOUT}" -n "$@" >/dev/null',
    )
    return folder


def _program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("name", [name for name in PAGES if name not in GENERATED])
def test_doing_what_a_page_says_works_and_prints_what_it_shows(
    name: str, programs: Path, tmp_path: Path
) -> None:
    folder, kept = tmp_path / "reader", tmp_path / "kept"
    folder.mkdir()
    kept.mkdir()
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    page = blocks(DEFAULT_PORT.sub(str(free_port()), text))

    doing = script(page, kept)
    if CURL.search(doing):
        need("curl")

    _run(doing, folder, programs)

    shown = [exchange for block in page if block.kind == "console" for exchange in exchanges(block)]
    printed = [(kept / str(number)).read_text(encoding="utf-8") for number in range(len(shown))]
    differing = [
        f"$ {exchange.command}\n{got}"
        for exchange, got in zip(shown, printed, strict=True)
        if not agrees(exchange.printed, got)
    ]
    assert differing == []


def _run(text: str, folder: Path, programs: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "COLUMNS": "100",
        "TERM": "dumb",
    }
    log = folder.parent / "log"
    with log.open("w") as output:
        shell = subprocess.Popen(
            ["bash", "-c", text],  # noqa: S607  the shell of the PATH, as a reader has it
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = shell.wait(timeout=120)
        finally:
            _end_group(shell.pid)
    assert code == 0, log.read_text(encoding="utf-8")


def _end_group(leader: int) -> None:
    """End what the page left running in the background."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.mark.parametrize("block", ALL_BLOCKS)
def test_every_block_says_what_it_is(block: Block) -> None:
    assert block.kind in KINDS


@pytest.mark.parametrize("block", GRAPHS)
def test_every_graph_in_the_documents_parses(block: Block) -> None:
    parsed = parse(block.text, source="page.n3", base="http://example.org/page")

    assert parsed.statements or parsed.lone or parsed.prefixes


@pytest.mark.parametrize("name", PAGES)
def test_every_link_between_pages_leads_somewhere(name: str) -> None:
    page = CHECKOUT / name
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    pending, reached = [CHECKOUT / "README.md"], set()
    while pending:
        page = pending.pop()
        if page.suffix == ".md" and page not in reached and page.exists():
            reached.add(page)
            targets = LINK.findall(page.read_text(encoding="utf-8"))
            pending.extend((page.parent / target).resolve() for target in targets)

    assert sorted(name for name in PAGES if name.startswith("docs/") and CHECKOUT / name not in reached) == []


def test_every_decision_that_the_code_cites_has_a_page() -> None:
    decided = {page.name[:4] for page in (CHECKOUT / "docs" / "decisions").glob("[0-9]*.md")}
    code = [path for package in ("agent", "ldp_server") for path in (CHECKOUT / package).rglob("*.py")]
    cited = [
        (path, match[1]) for path in code for match in CITATION.finditer(path.read_text(encoding="utf-8"))
    ]

    assert cited
    assert [(path, number) for path, number in cited if number not in decided] == []


def test_every_decision_is_listed() -> None:
    folder = CHECKOUT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[^)]+)\)", (folder / "README.md").read_text(encoding="utf-8"))

    assert listed == sorted(page.name for page in folder.glob("[0-9]*.md"))
