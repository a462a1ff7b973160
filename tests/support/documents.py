"""The code blocks of our documents, and one shell script that does what a page says from top to bottom.

What the word after the fence means: ``sh`` is run; ``console`` holds commands after ``$`` and what they print, which
is compared (``...`` stands for anything inside a line); ``python`` is run; ``n3`` and ``turtle`` have to parse. A
``title=NAME`` after it puts the block into the file NAME first. ``text`` is for diagrams.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
KINDS = frozenset({"sh", "console", "python", "n3", "turtle", "text"})
FENCE = re.compile(
    r"^```(?P<kind>\S+)?(?: +title=(?P<title>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page; ``line`` is where its text begins."""

    kind: str
    title: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A command of a transcript and what it prints."""

    command: str
    printed: str


def pages() -> list[Path]:
    """Return every document of the checkout that has a reader: the pages at the top and those below docs/."""
    return sorted(CHECKOUT.glob("*.md")) + sorted((CHECKOUT / "docs").rglob("*.md"))


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of the text ``page``, in order."""
    return [
        Block(
            match["kind"] or "",
            match["title"] or "",
            match["text"],
            page.count("\n", 0, match.start("text")) + 1,
        )
        for match in FENCE.finditer(page)
    ]


def exchanges(block: Block) -> list[Exchange]:
    """Return the commands of a ``console`` block with what each prints; a trailing backslash joins lines."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    found = []
    for part in parts:
        command, _, printed = re.sub(r"\\\n", "\\\\\0", part).partition("\n")
        found.append(Exchange(command.replace("\0", "\n"), printed.replace("\0", "\n")))
    return found


def agrees(expected: str, printed: str) -> bool:
    """Tell whether ``printed`` is what a page expects, where ``...`` stands for anything inside a line."""
    pattern = re.escape(expected.rstrip()).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, printed.rstrip()) is not None


def script(page: list[Block], kept: Path) -> str:
    """Return a shell script that does what ``page`` says; the output of exchange N goes to ``kept``/N."""
    return "\n".join(("set -eu", *_lines(page, kept), ""))


def _lines(page: list[Block], kept: Path) -> Iterator[str]:
    number = 0
    for position, block in enumerate(page):
        source = kept / f"block-{position}"
        if block.title or block.kind == "python":
            source.write_text(block.text, encoding="utf-8")
        if block.title:
            yield f"cp {shlex.quote(str(source))} {shlex.quote(block.title)}"
        elif block.kind == "python":
            yield f"python {shlex.quote(str(source))}"
        elif block.kind == "sh":
            yield block.text
        elif block.kind == "console":
            for exchange in exchanges(block):
                yield f"{{ {exchange.command}\n}} >{shlex.quote(str(kept / str(number)))} 2>&1 || true"
                number += 1
