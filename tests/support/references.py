"""The reference pages that are written by machine; ``python tests/support/references.py`` writes them again."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT))

from agent.codes import CODES  # noqa: E402  the page is about this checkout

WIDTH = "100"
AREAS = {
    "USE": "The command line",
    "N3": "The rule language and RDF syntax",
    "ASM": "Programs, the step, requests",
    "GSM": "Workflow models, instances, sentries",
    "NET": "The world over HTTP",
    "LDP": "The bundled server",
    "SCH": "Schedulers",
    "BUG": "Faults of ours",
}
COMMANDS = (
    "demo",
    "serve",
    "start",
    "run",
    "pause",
    "resume",
    "cancel",
    "retry",
    "done",
    "why",
    "reason",
    "parse",
    "check",
    "bench reason",
    "bench memory",
    "bench workflow",
    "bench ldp",
    "experiment gsm",
    "explain",
)

CLI_HEAD = """\
# Command line

<!-- Written by tests/support/references.py; change the help texts in agent/cli/ instead. -->

```console
$ milepost --help
{help}```

`-p` and `-i` take several values, `-p a.n3 b.n3`, and can be repeated, `-p a.n3 -p b.n3`. The values go on until the next
word that begins with a dash; `--` ends them too.

## Exit codes

| code | meaning |
|---|---|
| 0 | done, also when `--steps` are used up |
| 1 | findings in the input; or, without a message, nobody reads the output to its end, as behind a pipe to `head` |
| 2 | wrong usage |
| 3 | the world: something is unreachable or refused |
| 4 | a clash under `--on-conflict error` |
| 5 | a budget is exceeded, or an instance is parked |
| 70 | a fault of ours; the message names a file with the details |
| 130, 143 | stopped by SIGINT (Ctrl-C) or SIGTERM; what was being written is finished first |

Errors take at most twelve lines, name the place and say what to do. [All codes](errors.md) are also in `milepost explain`.
"""

ERRORS_HEAD = """\
# Errors

<!-- Written by tests/support/references.py; change the table in agent/codes/ instead. -->

Every error has a code. `milepost explain CODE` prints what stands here.
"""


def cli_page() -> str:
    """Return the page about the command line: every help text as it is printed."""
    parts = [CLI_HEAD.format(help=_help())]
    parts += [
        f"\n## milepost {name}\n\n```console\n$ milepost {name} --help\n{_help(*name.split())}```\n"
        for name in COMMANDS
    ]
    return "".join(parts)


def error_page() -> str:
    """Return the page about errors: every row of the table of codes."""
    return "".join((ERRORS_HEAD, *_error_sections()))


def _error_sections() -> Iterator[str]:
    for prefix, title in AREAS.items():
        codes = sorted(code for code in CODES if code[:-3] == prefix)
        if codes:
            yield f"\n## {title}\n\n| code | fault | meaning | what to do |\n|---|---|---|---|\n"
        for code in codes:
            row = CODES[code]
            yield "| {} |\n".format(
                " | ".join(_cell(part) for part in (code, row.title, row.meaning, row.remedy))
            )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _help(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "agent", *command, "--help"],
        capture_output=True,
        check=True,
        cwd=CHECKOUT,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": WIDTH, "TERM": "dumb"},
    )
    return done.stdout


PAGES = {"docs/reference/cli.md": cli_page, "docs/reference/errors.md": error_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (CHECKOUT / name).write_text(page(), encoding="utf-8")
