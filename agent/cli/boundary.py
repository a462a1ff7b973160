"""Where every command ends: what it raised becomes a text for the user and an exit code, never a traceback.

Exit codes: 0 done, 1 findings in the input, 2 usage, 3 the world, 4 clash, 5 budget, 70 a fault of ours,
130 and 143 after SIGINT and SIGTERM; 1, without a text, if nobody reads the output to its end, as with ``| head``.
"""

import errno
import sys
import traceback
from collections.abc import Sequence
from itertools import takewhile

from agent.cli.console import echo, hush
from agent.cli.plain import plain_call
from agent.cli.rooms import begin
from agent.cli.values import spread_values
from agent.errors import BugError, MilepostError, UsageError, all_faults, describe

INTERRUPTED = 130
_UNREAD = 1
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def run_command(arguments: Sequence[str]) -> int:
    """Run the command line ``arguments`` (without the program's name) and return its exit code."""
    try:
        result = _run(spread_values(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        hush("stdout", "stderr")
        return _UNREAD
    except Exception as error:  # noqa: BLE001  the one place that no exception passes
        return _report(error, debug="--debug" in takewhile(lambda word: word.startswith("-"), arguments))
    return result or 0


def _run(words: Sequence[str]) -> int | None:
    plain = plain_call(words)
    if plain is None:
        from agent.cli.app import call_with_typer

        return call_with_typer(words)
    name, call = plain
    begin(name)
    return call()


def _report(error: Exception, *, debug: bool) -> int:
    shown = _for_the_user(error)
    if isinstance(shown, BugError) and debug:
        echo("".join(traceback.format_exception(error)), err=True)
    echo("\n".join(map(describe, all_faults(shown))), err=True)
    return shown.exit_code


def _for_the_user(error: BaseException) -> MilepostError:
    if isinstance(error, BaseExceptionGroup):
        leaf, _ = error.split(MilepostError)
        return _for_the_user((leaf or error).exceptions[0])
    if isinstance(error, MilepostError):
        return error
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return UsageError("USE004", f"the output cannot be written: {error.strerror}")
    return _bug(error)


def _bug(error: BaseException) -> BugError:
    import tempfile

    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="milepost-fault-", suffix=".txt", delete=False
    ) as details:
        details.write(f"arguments: {sys.argv[1:]}\n")
        details.writelines(traceback.format_exception(error))
    summary = " ".join(str(error).split())[:200]
    return BugError(
        "BUG001",
        f"{type(error).__name__}: {summary}",
        hint=f"This is a fault of ours. The details are in {details.name}; please report them.",
    )
