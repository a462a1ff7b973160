"""The conformance runner: ``python -m tests.conformance.n3 FOLDER`` runs the manifests below FOLDER.

Exit code 0 if every verdict is the committed one, 1 if one differs, 2 if there is nothing to run.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from agent.n3.builtins import Numeric
from tests.conformance.n3.expected import EXPECTED, Rows, differences, key_of, read_rows, rows_of, write_rows
from tests.conformance.n3.judging import NOW
from tests.conformance.n3.manifests import SUITE_BASE, read_cases
from tests.conformance.n3.page import PAGE, with_figures
from tests.conformance.n3.report import earl, failures, table
from tests.conformance.n3.workers import TIME_LIMIT, Task, run

_MODES: tuple[Numeric, ...] = ("strict", "cwm")
_NO_TESTS = """\
No manifest is below {folder!r}. Get the test suite of the W3C community group for Notation3
(https://github.com/w3c/N3, folder tests) and name the folder that holds N3Tests and TurtleTests:
  make conformance N3_TESTS=DIR
"""


def main(arguments: Sequence[str]) -> int:
    """Run what ``arguments`` ask for and print the outcome."""
    options = _options(arguments)
    folder = Path(options.folder)
    cases = read_cases(folder, options.base) if options.folder and folder.is_dir() else []
    if not cases:
        sys.stderr.write(_NO_TESTS.format(folder=options.folder))
        return 2
    modes = _MODES if options.numeric == "both" else (options.numeric,)
    tasks = [
        Task(case, mode)
        for case in cases
        for mode in (modes if case.kind == "reasoning" else ("strict",))
        if options.filter in case.name
    ]
    judged = list(zip(tasks, run(tasks, limit=options.time_limit), strict=True))
    text = failures(judged)
    sys.stdout.write(f"{text}\n\n{table(judged)}\n" if text else f"{table(judged)}\n")
    if options.earl:
        Path(options.earl).write_text(earl(judged, options.base, NOW), encoding="utf-8")
    found, expected = rows_of(judged), read_rows(options.expected)
    if options.renew:
        _renew(options.expected, {**expected, **found} if options.filter else found)
        return 0
    ran = {key_of(task) for task in tasks}
    if options.filter or options.numeric != "both":
        expected = {key: row for key, row in expected.items() if key in ran}
    changed = differences(found, expected)
    sys.stdout.write("".join(f"{line}\n" for line in changed))
    sys.stdout.write(f"verdicts that are not the committed ones: {len(changed)}\n")
    return 1 if changed else 0


def _renew(path: Path, rows: Rows) -> None:
    write_rows(path, rows)
    if path == EXPECTED:
        PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.n3", description="Run N3 conformance tests."
    )
    parser.add_argument("folder", nargs="?", default="", help="the folder whose manifests are run")
    parser.add_argument("--base", default=SUITE_BASE, metavar="IRI", help="what the folder stands for")
    parser.add_argument("--numeric", choices=("strict", "cwm", "both"), default="both")
    parser.add_argument("--filter", default="", metavar="TEXT", help="run only tests whose name holds TEXT")
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT, metavar="SECONDS")
    parser.add_argument("--earl", default="", metavar="FILE", help="write the verdicts as EARL (Turtle)")
    parser.add_argument(
        "--expected", type=Path, default=EXPECTED, metavar="FILE", help="the committed verdicts"
    )
    parser.add_argument("--renew", action="store_true", help="write the verdicts of this run to that file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
