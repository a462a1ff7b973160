"""``milepost explain``: what an error code means and what to do about it."""

import textwrap
from typing import Annotated

from agent.cli.console import echo
from agent.cli.parameters import Argument
from agent.codes import CODES
from agent.errors import UsageError, did_you_mean

WIDTH = 100


def explain(
    code: Annotated[str, Argument(metavar="[CODE]", help="An error code, for example N3001.")] = "",
) -> None:
    """Explain an error code; without a code, list all of them."""
    if not code:
        for name in sorted(CODES):
            echo(f"{name}  {CODES[name].title}")
        return
    name = code.upper()
    if name not in CODES:
        hint = did_you_mean(name, CODES) or "Run milepost explain to see all codes."
        raise UsageError("USE003", f"no error has the code {code}", hint=hint)
    row = CODES[name]
    echo(f"{name}  {row.title}\n")
    echo(_filled(row.meaning))
    echo(_filled(f"What to do: {row.remedy}"))


def _filled(text: str) -> str:
    """Return ``text`` in lines; the names of options stay whole."""
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)
