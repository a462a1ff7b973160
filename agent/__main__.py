"""The command ``milepost``, also ``python -m agent``."""

import gc
import sys
from io import TextIOWrapper

INTERRUPTED = 130


def main() -> None:
    """Run the command line and leave with its exit code."""
    gc.disable()  # modules are no garbage; the command line enables it for commands that go on for long
    try:
        from agent.cli.boundary import run_command  # noqa: PLC0415  so that Ctrl-C while it loads leaves silently too
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What a terminal has no characters for is shown as an escape; the world chooses what we print.
            stream.reconfigure(errors="backslashreplace")
    code = run_command(sys.argv[1:])
    gc.freeze()  # what is left goes with the process: at the end Python would look through all of it for garbage
    sys.exit(code)


if __name__ == "__main__":
    main()
