"""The command ``milepost``, also ``python -m agent``."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        from agent.cli.boundary import run_command  # noqa: PLC0415  so that Ctrl-C while it loads leaves silently too
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
