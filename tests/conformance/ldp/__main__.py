"""The conformance runner: ``python -m tests.conformance.ldp`` runs all checks on this server in both profiles.

With ``--server URL`` it runs them on another one, below that container. Exit code 0 if every verdict is the committed
one (or, with ``--server``, if nothing fails), else 1.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from ldp_server import Store
from ldp_server.settings import PROFILES
from tests.conformance.ldp.checks import Parameters
from tests.conformance.ldp.client import LDP
from tests.conformance.ldp.expected import EXPECTED, Key, Row, differences, read_rows, rows_of, write_rows
from tests.conformance.ldp.judging import judge
from tests.conformance.ldp.report import PAGE, failures, table, with_figures
from tests.support.ldp import running_ldp


def main(arguments: Sequence[str]) -> int:
    """Run what ``arguments`` ask for and print the outcome."""
    options = _options(arguments)
    if options.server:
        rows = rows_of(judge(options.server, Parameters(options.read_only, options.unknown)), "as it is")
    else:
        rows = {}
        for profile in PROFILES:
            rows |= asyncio.run(judge_profile(profile))
    sys.stdout.write("".join(f"{line}\n" for line in failures(rows)) + table(rows))
    if options.server:
        return 1 if failures(rows) else 0
    if options.renew:
        write_rows(options.expected, rows)
        if options.expected == EXPECTED:
            PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
        return 0
    changed = differences(rows, read_rows(options.expected))
    sys.stdout.write("".join(f"{line}\n" for line in changed))
    sys.stdout.write(f"verdicts that are not the committed ones: {len(changed)}\n")
    return 1 if changed else 0


async def judge_profile(profile: str, store: Store | None = None) -> dict[Key, Row]:
    """Run all checks on a server of this profile that is started for it, in memory without a ``store``."""
    settings = PROFILES[profile]
    parameters = Parameters(read_only=LDP + "contains" if LDP + "contains" in settings.read_only else "")
    async with running_ldp(store, settings=settings) as server:
        rows = await asyncio.to_thread(lambda: rows_of(judge(server.base_url, parameters), profile))
    return {key: Row(word, reason.replace(server.base_url, "/")) for key, (word, reason) in rows.items()}


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.ldp", description="Run the checks of the Linked Data Platform."
    )
    parser.add_argument("--server", default="", metavar="URL", help="run them below this container")
    parser.add_argument(
        "--read-only", default="", metavar="IRI", help="a property this server keeps to itself"
    )
    parser.add_argument(
        "--unknown", default=Parameters().unknown, metavar="IRI", help="a property it may refuse"
    )
    parser.add_argument(
        "--expected", type=Path, default=EXPECTED, metavar="FILE", help="the committed verdicts"
    )
    parser.add_argument("--renew", action="store_true", help="write the verdicts of this run to that file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
