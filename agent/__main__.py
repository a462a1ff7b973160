"""The command ``milepost``, also ``python -m agent``."""

import gc
import sys
from io import TextIOWrapper
from typing import NoReturn

INTERRUPTED = 130


def main() -> None:
    """Run the command line and leave with its exit code."""
    gc.disable()  # modules are no garbage; the command line enables it for commands that go on for long
    try:
        from agent.cli.boundary import run_command  # noqa: PLC0415  so that Ctrl-C while it loads leaves silently too
        from agent.cli.console import hush  # noqa: PLC0415  it too is loaded where Ctrl-C leaves silently
    except KeyboardInterrupt:
        _leave_interrupted()
    # A stream that was closed before the start is None.
    hush(*(name for name in ("stdout", "stderr") if getattr(sys, name) is None))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What a terminal has no characters for is shown as an escape; the world chooses what we print.
            stream.reconfigure(errors="backslashreplace")
    code = run_command(sys.argv[1:])
    if code == INTERRUPTED:
        _leave_interrupted()
    gc.freeze()  # what is left goes with the process: at the end Python would look through all of it for garbage
    sys.exit(code)


def _leave_interrupted() -> NoReturn:
    """Leave with the code of an interrupt.

    A text that was being executed when Ctrl-C came, as where a data class is made, leaves a mark for which Python
    would end itself by the signal instead of with the code. A text that ends well wipes it.
    """
    exec("")  # noqa: S102  nothing is executed
    sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
