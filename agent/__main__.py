"""The command ``milepost``, also ``python -m agent``."""

import sys

from agent.cli.boundary import run_command


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
