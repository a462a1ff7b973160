"""The page for people who come from other reasoners names builtins of ours that exist."""

import re

from agent.n3.builtins import BUILTINS
from agent.vocab import CRYPTO, LIST, LOG, MATH, STRING, TIME
from tests.support.documents import CHECKOUT

NAMESPACES = {"crypto": CRYPTO, "list": LIST, "log": LOG, "math": MATH, "string": STRING, "time": TIME}
SCOPES = {"log:includes", "log:notIncludes", "log:collectAllIn", "log:forAllIn"}
NAME = re.compile(r"`(\w+):(\w+)`")


def _rows() -> list[list[str]]:
    page = (CHECKOUT / "docs/how-to/come-from-other-reasoners.md").read_text(encoding="utf-8")
    table = page[page.index("| elsewhere | program | here |") :]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]


def _unknown(text: str) -> list[str]:
    return [
        f"{prefix}:{name}"
        for prefix, name in NAME.findall(text)
        if f"{prefix}:{name}" not in SCOPES and NAMESPACES[prefix] + name not in BUILTINS
    ]


def test_what_is_said_to_be_here_is_here() -> None:
    rows = _rows()

    assert len(rows) > 10
    assert [name for _, _, here in rows for name in _unknown(here)] == []


def test_what_is_said_to_have_the_same_name_has_it() -> None:
    same = [elsewhere for elsewhere, _, here in _rows() if here.startswith("same names")]

    assert len(same) > 3
    assert [name for elsewhere in same for name in _unknown(elsewhere)] == []
