"""``python -m agent.corpus DIR``: load every .n3 file below a folder, and tell what became of each."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from agent.corpus.report import row, totals
from agent.corpus.verdict import Kind, Load, Verdict
from agent.corpus.worker import Worker
from agent.errors import UsageError, describe

INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Print a line for each file and the totals; return 0 whatever became of the files, 2 if there is no folder."""
    wanted = _parser().parse_args(arguments)
    if not os.path.isdir(wanted.folder):  # noqa: PTH112  false also for a name that no folder can have
        print(describe(_no_folder(wanted.folder)), file=sys.stderr)
        return UsageError.exit_code
    verdicts: list[Verdict] = []
    with Worker(wanted.limit_s, wanted.memory_mb) as worker:
        for path in programs(wanted.folder):
            verdicts.append(_judge(path, os.path.relpath(path, wanted.folder), worker))
            print(row(verdicts[-1]), flush=True)
    print(totals(verdicts))
    return 0


def programs(folder: str) -> Iterator[str]:
    """Yield the paths of what is called .n3 below ``folder``, sorted folder by folder; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (str(Path(place, name)) for name in sorted(names) if name.endswith(".n3"))


def _judge(path: str, name: str, load: Load) -> Verdict:
    if not os.path.isfile(path):  # noqa: PTH113  false also for a link that leads nowhere
        return Verdict(Kind.REFUSED, name, "USE002", "it is no file")
    return load(path, name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m agent.corpus", description="Load every .n3 file below a folder."
    )
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--limit-s", type=float, default=30, metavar="S", help="seconds for each file [30]")
    parser.add_argument(
        "--memory-mb", type=int, default=1000, metavar="N", help="megabytes for each file [1000]"
    )
    return parser


def _no_folder(name: str) -> UsageError:
    return UsageError(
        "USE002", f"{name or 'a folder without a name'} is not a folder", hint="Check the path."
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
