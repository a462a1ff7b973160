"""The rules of the house that no other tool checks; ``python tests/support/house_rules.py DIR`` prints the faults.

Sizes (a file of 400 lines, a function of 60), words that mean unfinished work, exemptions without a reason,
rooms named after nothing, and paths or hosts of somebody's own machine.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
SKIPPED = frozenset({"__pycache__", "dist", "build", "milepost-data"})
SHOWN = frozenset({".ci"})
MAY_SKIP = "tests/support/tools.py"
TEXTS = frozenset({".py", ".md", ".toml", ".n3", ".ttl", ".nt", ".html", ".css", ".js", ""})
VAGUE_ROOMS = frozenset({"utils", "helpers", "common", "misc", "core"})

UNFINISHED = re.compile(
    "|".join(
        (
            r"\bTO" + r"DO\b",
            r"\bFIX" + r"ME\b",
            r"\bXX" + r"X\b",
            r"\bHA" + r"CK\b",
            "NotImplemented" + "Error",
            r"pytest\.mark\.(skip|xfail)",
            r"unittest\." + "mock",
        )
    )
)
SWITCHED_OFF = re.compile(r"pytest\.skip" + r"\(|pytest\.importorskip")
EXEMPTION = re.compile(r"#\s*(no" + r"qa|type:\s*ig" + r"nore)")
REASONED = re.compile(r"#\s*(no" + r"qa: [A-Z]+\d+(, ?[A-Z]+\d+)*|type: ig" + r"nore\[[\w, -]+\])[\s#-]+\w+")
REPEATED_GROUP = re.compile(r"[^(\\]\)[*+?]" + r"\+")
"""A group under a possessive quantifier, which Python matches wrongly until 3.11.4: it may end inside of a turn."""
MACHINE = re.compile(
    r"(?<![\w/.:<>-])/(work|root|home/\w+|Users/\w+)/|py" + r"pi\.org|python" + r"hosted\.org"
)


def faults(root: Path) -> list[str]:
    """Return one line per fault below ``root``: ``path:line  what is wrong``, sorted."""
    return sorted(
        fault for path in _texts(root) for fault in _faults_of(path, path.relative_to(root).as_posix())
    )


def _texts(root: Path) -> Iterator[Path]:
    pending = [root]
    while pending:
        for child in pending.pop().iterdir():
            if child.is_dir():
                hidden = child.name.startswith(".") and child.name not in SHOWN
                if not hidden and child.name not in SKIPPED:
                    pending.append(child)
            elif child.suffix in TEXTS:
                yield child


def _faults_of(path: Path, name: str) -> Iterator[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return  # test input that is broken on purpose
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE.search(line):
            yield f"{name}:{number}  names somebody's own machine or a registry"
        if path.suffix == ".py":
            yield from (f"{name}:{number}  {fault}" for fault in _faults_of_line(line))
            if SWITCHED_OFF.search(line) and name != MAY_SKIP:
                yield f"{name}:{number}  a test is left out for lack of a program only: call tests.support.tools.need"
    if path.suffix == ".py":
        yield from _oversized(text, name)
        if not VAGUE_ROOMS.isdisjoint(Path(name).with_suffix("").parts) and not name.startswith(
            ("docs/", "rules/")
        ):
            yield f"{name}:1  the name says nothing: name the idea"


def _faults_of_line(line: str) -> Iterator[str]:
    if UNFINISHED.search(line):
        yield "unfinished work, or a forbidden import"
    if EXEMPTION.search(line) and not REASONED.search(line):
        yield "an exemption needs its code and its reason on the line"
    if REPEATED_GROUP.search(line):
        yield "until 3.11.4, Python matches this wrongly: repeat the group inside of an atomic one, (?>(?:...)*)"


def _oversized(text: str, name: str) -> Iterator[str]:
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{name}:1  {lines} lines, {MAX_FILE_LINES} are allowed: split it by idea"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                yield f"{name}:{node.lineno}  {node.name} has {length} lines, {MAX_FUNCTION_LINES} are allowed"


def main(arguments: list[str]) -> int:
    """Print the faults below the folder named first in ``arguments``; return 1 if there are any."""
    found = faults(Path(arguments[0]))
    sys.stdout.writelines(f"{fault}\n" for fault in found)
    sys.stdout.write(f"house rules: {len(found) or 'no'} faults\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
